"""comptoolbench horizon: how many calls a model can compose."""

import json
import sys
from pathlib import Path

import click

from dataset_builder.procedures.dials import MOST_CALLS
from dataset_builder.procedures.rungs import MOST_PER_RUNG, PER_RUNG, RUNGS
from dataset_builder.tasks.task import SEED
from evaluator.commands.asking_options import (
    catalogue_option,
    out_option,
    protocol_option,
    request_options,
)
from evaluator.commands.options import json_option


@request_options
@click.command()
@click.argument("model")
@protocol_option
@catalogue_option
@click.option(
    "--max-calls",
    type=click.IntRange(RUNGS[0], MOST_CALLS),
    default=RUNGS[-1],
    show_default=True,
    help="The longest procedures that are asked.",
)
@click.option(
    "--per-rung",
    type=click.IntRange(1, MOST_PER_RUNG),
    default=PER_RUNG,
    show_default=True,
    help="Procedures of each length.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=SEED,
    show_default=True,
    help="Another ladder than the published one.",
)
@out_option
@json_option
@click.pass_context
def horizon(
    context: click.Context,
    /,
    model: str,
    protocol: str,
    catalogue: str,
    max_calls: int,
    per_rung: int,
    seed: int,
    out: Path | None,
    as_json: bool,
    **more: object,
) -> None:
    """Ask MODEL procedures of 4, 8, 16 … calls, until fewer than a tenth of a rung are solved.

    Tells H50, the number of calls at which half of the procedures are solved. What each rung will take
    is said before it is asked; a climb that was cut short goes on where it stopped.
    """
    from dataset_builder.tools import catalogue as benchmark_tools
    from evaluator.asking.climb import Ladder, climb
    from evaluator.asking.run_options import RunOptions
    from evaluator.scoring.horizon_text import horizon_text
    from evaluator.scoring.score import Scorer
    from evaluator.scoring.score_traces import score_folder

    options = RunOptions(model=model, protocol=protocol, catalogue=catalogue, **more)  # type: ignore[arg-type]
    ladder = Ladder(seed, per_rung, max_calls)
    climbed = climb(options, ladder, out, sys.stderr)
    click.echo(climbed.summary(), err=as_json)
    if climbed.answers:
        run = score_folder(climbed.folder, ladder.suite, Scorer(benchmark_tools()))
        section = run.scores["horizon"]
        click.echo(
            json.dumps(section, ensure_ascii=False, indent=1)
            if as_json
            else f"\n{horizon_text(section)}"
        )
    context.exit(climbed.exit_code)
