"""comptoolbench run: ask a model and record its traces."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import click

from evaluator.commands.asking_options import (
    asking_options,
    catalogue_option,
    out_option,
    protocol_option,
    variation_options,
)


@asking_options
@variation_options
@click.command()
@click.argument("model")
@protocol_option
@catalogue_option
@out_option
@click.option(
    "--fresh",
    is_flag=True,
    help="Ask 60 fresh tasks as well, whose seed is made with the secret COMPTOOLBENCH_SECRET.",
)
@click.option(
    "--fresh-suite", help="Ask the tasks of this file as well, which somebody else has made fresh."
)
@click.pass_context
def run(
    context: click.Context,
    /,
    model: str,
    protocol: str,
    catalogue: str,
    out: Path | None,
    fresh: bool,
    fresh_suite: str | None,
    scramble: str | None,
    faults: int | None,
    withhold: bool,
    variation_seed: int | None,
    **more: object,
) -> None:
    """Ask MODEL every task and record its traces; a run that was cut short is resumed.

    MODEL is a LiteLLM id such as openai/gpt-4o-mini, a name that `comptoolbench models` lists, or
    a built-in agent such as baseline:oracle or local:smollm2.
    """
    from dataset_builder.errors import InputError
    from evaluator.asking.ask_suite import ask_model
    from evaluator.asking.run_options import RunOptions
    from evaluator.traces.variations import read_variation

    variation = read_variation(scramble, faults, withhold, variation_seed, protocol)
    options = RunOptions(
        model=model,
        protocol=protocol,
        catalogue=catalogue,
        variation=variation,
        **more,  # type: ignore[arg-type]
    )
    if variation.written and (fresh or fresh_suite is not None):
        raise InputError(
            "--fresh and --fresh-suite: not with --scramble, --faults or --withhold, since fresh tasks "
            "stand beside a plain run"
        )
    secret = _secret() if fresh else None
    finished = ask_model(options, out, sys.stderr)
    click.echo(finished.summary())
    if secret is not None and finished.state.is_complete:
        from evaluator.experiments.fresh_tasks import ask_fresh

        finished = ask_fresh(options, finished.folder, secret, sys.stderr)
        click.echo(finished.summary())
    if fresh_suite is not None and finished.state.is_complete:
        other = replace(options, suite=fresh_suite, limit=None)
        finished = ask_model(other, finished.folder / "fresh", sys.stderr)
        click.echo(finished.summary())
    context.exit(finished.exit_code)


def _secret() -> bytes:
    """The secret of fresh tasks, which nothing that is started from here inherits."""
    from dataset_builder.errors import InputError

    secret = os.environ.pop("COMPTOOLBENCH_SECRET", "")
    if not secret:
        raise InputError("--fresh needs a secret: set COMPTOOLBENCH_SECRET")
    return secret.encode()
