"""comptoolbench leaderboard: rank runs."""

from pathlib import Path

import click

from dataset_builder.published.load_suite import load_suite
from evaluator.commands.options import rank_by_option, runs_argument, suite_option
from evaluator.scoring.metrics import BY_OPTION


@click.command()
@runs_argument
@suite_option
@rank_by_option
@click.pass_context
def leaderboard(
    context: click.Context, runs: tuple[Path, ...], suite: str | None, rank_by: str
) -> None:
    """Rank RUNS: run folders, folders of them, or trace files.

    Only runs of one signature are ranked against each other. Baselines stand below them without a rank,
    and the runs of a control experiment in a table of their own, as are those of procedures, by their
    horizon, and those of requests that no tool serves, by their false calls. Exits with 2 where a run
    cannot be read; the others are shown.
    """
    from evaluator.commands.read_runs import read_runs
    from evaluator.comparing.leaderboard import board_text
    from evaluator.comparing.results import APART

    results, code = read_runs(runs, load_suite(suite), apart=APART)
    click.echo(board_text(results, BY_OPTION[rank_by]))
    context.exit(code)
