"""comptoolbench control and sweep: experiments of several runs of one model."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluator.commands.asking_options import (
    CatalogueName,
    asking_options,
    catalogue_option,
    out_option,
    protocol_option,
)

if TYPE_CHECKING:
    from evaluator.experiments.control_and_sweep import Arm


@asking_options
@click.command()
@click.argument("model")
@protocol_option
@catalogue_option
@out_option
@click.pass_context
def control(
    context: click.Context,
    /,
    model: str,
    protocol: str,
    catalogue: str,
    out: Path | None,
    **more: object,
) -> None:
    """Ask MODEL the level-0 tasks in three wordings (paper, Appendix H) and compare.

    If naming the tool helps, choosing it was the difficulty; if describing the arguments does, it
    was those.
    """
    from evaluator.asking.run_options import RunOptions
    from evaluator.comparing.control_table import control_table
    from evaluator.experiments.control_and_sweep import control as run_control

    options = RunOptions(model=model, protocol=protocol, catalogue=catalogue, **more)  # type: ignore[arg-type]
    arms = run_control(options, out or _default("control", model, protocol, catalogue), sys.stderr)
    _show(context, arms, control_table([(arm.name, arm.rows) for arm in arms]))


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


@asking_options
@click.command()
@click.argument("model")
@protocol_option
@click.option(
    "--catalogue",
    "catalogues",
    type=CatalogueNames(),
    default="4,8,16,32,64,106",
    show_default=True,
    help="The numbers of tools to offer, apart by commas.",
)
@out_option
@click.pass_context
def sweep(
    context: click.Context,
    /,
    model: str,
    protocol: str,
    catalogues: tuple[str, ...],
    out: Path | None,
    **more: object,
) -> None:
    """Run MODEL over catalogues of several sizes: what does choosing among more tools cost?"""
    from evaluator.asking.run_options import RunOptions
    from evaluator.experiments.control_and_sweep import sweep as run_sweep
    from evaluator.experiments.control_and_sweep import sweep_lines

    options = RunOptions(model=model, protocol=protocol, **more)  # type: ignore[arg-type]
    folder = out or _default("sweep", model, protocol, "")
    arms = run_sweep(options, catalogues, folder, sys.stderr)
    _show(context, arms, "\n".join(sweep_lines(arms)))


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
