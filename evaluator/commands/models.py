"""comptoolbench models: list known models and which can run here now."""

import json
import os

import click

from evaluator.commands.options import json_option


@click.command()
@json_option
def models(as_json: bool) -> None:
    """List the known models and which can run here now."""
    from evaluator.asking.baselines import BASELINES
    from evaluator.asking.local_model import obstacle as local_obstacle
    from evaluator.models import known_models, obstacle

    rows = [
        (model.regime, model.name, model.id, obstacle(model, os.environ))
        for model in known_models()
    ]
    rows += [("built-in", name, name, None) for name in BASELINES]
    rows.append(("built-in", "SmolLM2 135M", "local:smollm2", local_obstacle()))
    if as_json:
        names = ("regime", "name", "id", "obstacle")
        click.echo(json.dumps([dict(zip(names, row, strict=True)) for row in rows], indent=2))
        return
    for regime, name, id_, obstacle_ in rows:
        mark = "ready" if obstacle_ is None else obstacle_
        click.echo(f"{regime:11} {name:24} {id_:48} {mark}")
