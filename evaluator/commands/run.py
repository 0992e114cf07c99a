"""Commands that ask models: run, models, control, sweep."""

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluator.traces.protocols import CALLS, MAX_SAMPLES, PROTOCOLS, SINGLE_TURN

if TYPE_CHECKING:
    from evaluator.experiments.control_and_sweep import Arm

MAX_KEY = 10_000


class CatalogueName(click.ParamType[str]):
    """``full``, ``task`` or a number of tools."""

    name = "full|task|N"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """The name, checked."""
        from dataset_builder.tools import catalogue
        from evaluator.traces.protocols import canonical_catalogue

        try:
            return canonical_catalogue(str(value), len(catalogue()))
        except ValueError as error:
            self.fail(str(error), param, ctx)


def _key_from_stdin(context: click.Context, option: click.Parameter, given: bool) -> str | None:
    """The first line of standard input, which a terminal does not show."""
    if not given:
        return None
    if sys.stdin.isatty():
        return str(click.prompt("API key", hide_input=True, err=True)).strip()
    return sys.stdin.readline(MAX_KEY).strip()


def _asking(command: click.Command) -> click.Command:
    """The options that all commands share which ask a model."""
    options = [
        click.Option(["--suite"], help="Dataset folder, file or Hub id. [default: seed 42]"),
        click.Option(
            ["--calls"],
            type=click.Choice(CALLS),
            help="How calls are made: natively, or as JSON by models that cannot. "
            "[default: native; json for local:smollm2]",
        ),
        click.Option(
            ["--samples"],
            type=click.IntRange(1, MAX_SAMPLES),
            default=1,
            show_default=True,
            help="Answers a task, for pass^k.",
        ),
        click.Option(
            ["--limit"], type=click.IntRange(1), help="Only so many tasks, stratified by level."
        ),
        click.Option(
            ["--concurrency"],
            type=click.IntRange(1, 1000),
            help="Requests at once. [default: 8; 1 for local:smollm2]",
        ),
        click.Option(["--rpm"], type=click.IntRange(1), help="At most so many requests a minute."),
        click.Option(["--tpm"], type=click.IntRange(1), help="At most so many tokens a minute."),
        click.Option(
            ["--max-cost"],
            type=click.FloatRange(0, min_open=True),
            help="Stop before the run has cost more than so many US dollars.",
        ),
        click.Option(
            ["--api-base"], help="Address of an OpenAI-compatible endpoint, up to and with /v1."
        ),
        click.Option(
            ["--key-variable"],
            help="Environment variable with the key for --api-base (none is sent otherwise).",
        ),
        click.Option(
            ["--api-key-stdin", "api_key"],
            is_flag=True,
            callback=_key_from_stdin,
            help="Read the key from a line of standard input; none of the environment is used.",
        ),
        click.Option(
            ["--own-temperature"],
            is_flag=True,
            help="Send no temperature, for a model that refuses 0.",
        ),
    ]
    command.params += options
    return command


_protocol = click.option(
    "--protocol",
    type=click.Choice(PROTOCOLS),
    default=SINGLE_TURN,
    show_default=True,
    help="How the model is asked.",
)
_catalogue = click.option(
    "--catalogue",
    type=CatalogueName(),
    default="full",
    show_default=True,
    help="The tools offered: all, the task's own, or N of them.",
)
_out = click.option(
    "--out", type=click.Path(path_type=Path), help="The run's folder. [default: runs/…]"
)


@click.command()
@click.argument("model")
@_protocol
@_catalogue
@_out
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
    **options: object,
) -> None:
    """Ask MODEL every task and record its traces; a run that was cut short is resumed.

    MODEL is a LiteLLM id such as openai/gpt-4o-mini, a name that `comptoolbench models` lists, or
    a built-in agent such as baseline:oracle or local:smollm2.
    """
    from evaluator.asking.ask_suite import ask_model
    from evaluator.asking.run_options import RunOptions

    asked = RunOptions(model=model, protocol=protocol, catalogue=catalogue, **options)  # type: ignore[arg-type]
    secret = _secret() if fresh else None
    finished = ask_model(asked, out, sys.stderr)
    click.echo(finished.summary())
    if secret is not None and finished.state.is_complete:
        from evaluator.experiments.fresh_tasks import ask_fresh

        finished = ask_fresh(asked, finished.folder, secret, sys.stderr)
        click.echo(finished.summary())
    if fresh_suite is not None and finished.state.is_complete:
        other = replace(asked, suite=fresh_suite, limit=None)
        finished = ask_model(other, finished.folder / "fresh", sys.stderr)
        click.echo(finished.summary())
    context.exit(finished.exit_code)


_asking(run)


def _secret() -> bytes:
    """The secret of fresh tasks, which nothing that is started from here inherits."""
    from dataset_builder.errors import InputError

    secret = os.environ.pop("COMPTOOLBENCH_SECRET", "")
    if not secret:
        raise InputError("--fresh needs a secret: set COMPTOOLBENCH_SECRET")
    return secret.encode()


@click.command()
@click.argument("model")
@_protocol
@_catalogue
@_out
@click.pass_context
def control(
    context: click.Context,
    /,
    model: str,
    protocol: str,
    catalogue: str,
    out: Path | None,
    **options: object,
) -> None:
    """Ask MODEL the level-0 tasks in three wordings (paper, Appendix H) and compare.

    If naming the tool helps, choosing it was the difficulty; if describing the arguments does, it
    was those.
    """
    from evaluator.asking.run_options import RunOptions
    from evaluator.comparing.control_table import control_table
    from evaluator.experiments.control_and_sweep import control as run_control

    asked = RunOptions(model=model, protocol=protocol, catalogue=catalogue, **options)  # type: ignore[arg-type]
    arms = run_control(asked, out or _default("control", model, protocol, catalogue), sys.stderr)
    _show(context, arms, control_table([(arm.name, arm.rows) for arm in arms]))


_asking(control)


class CatalogueNames(click.ParamType[tuple[str, ...]]):
    """Several catalogues apart by commas."""

    name = "4,8,…"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """The names, checked, each once."""
        if isinstance(value, tuple):
            return value
        names = [
            CatalogueName().convert(part.strip(), param, ctx) for part in str(value).split(",")
        ]
        return tuple(dict.fromkeys(names))


@click.command()
@click.argument("model")
@_protocol
@click.option(
    "--catalogue",
    "catalogues",
    type=CatalogueNames(),
    default="4,8,16,32,64,106",
    show_default=True,
    help="The numbers of tools to offer, apart by commas.",
)
@_out
@click.pass_context
def sweep(
    context: click.Context,
    /,
    model: str,
    protocol: str,
    catalogues: tuple[str, ...],
    out: Path | None,
    **options: object,
) -> None:
    """Run MODEL over catalogues of several sizes: what does choosing among more tools cost?"""
    from evaluator.asking.run_options import RunOptions
    from evaluator.experiments.control_and_sweep import sweep as run_sweep
    from evaluator.experiments.control_and_sweep import sweep_lines

    asked = RunOptions(model=model, protocol=protocol, **options)  # type: ignore[arg-type]
    folder = out or _default("sweep", model, protocol, "")
    arms = run_sweep(asked, catalogues, folder, sys.stderr)
    _show(context, arms, "\n".join(sweep_lines(arms)))


_asking(sweep)


def _default(experiment: str, model: str, protocol: str, catalogue: str) -> Path:
    from evaluator.asking.run_folder import default_folder

    name = default_folder(model, protocol, catalogue, "native").name
    return Path("runs") / f"{experiment}-{name.rstrip('-')}"


def _show(context: click.Context, arms: "Sequence[Arm]", table: str) -> None:
    """The runs, their table, and the exit code of the last, which is the only one that may fail."""
    for arm in arms:
        click.echo(arm.finished.summary())
    click.echo(table)
    context.exit(arms[-1].finished.exit_code)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def models(as_json: bool) -> None:
    """List the known models and which can run here now."""
    from evaluator.asking.agents import BASELINES
    from evaluator.asking.agents.local_model import obstacle as local_obstacle
    from evaluator.models import known_models, obstacle

    rows = [
        (model.regime, model.name, model.id, obstacle(model, os.environ))
        for model in known_models()
    ]
    rows += [("built-in", name, name, None) for name in BASELINES]
    rows.append(("built-in", "SmolLM2 135M", "local:smollm2", local_obstacle()))
    if as_json:
        import json

        names = ("regime", "name", "id", "obstacle")
        click.echo(json.dumps([dict(zip(names, row, strict=True)) for row in rows], indent=2))
        return
    for regime, name, id_, obstacle_ in rows:
        mark = "ready" if obstacle_ is None else obstacle_
        click.echo(f"{regime:11} {name:24} {id_:48} {mark}")
