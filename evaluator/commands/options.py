"""Options and arguments that several commands have in common."""

from pathlib import Path

import click

from evaluator.scoring.metrics import BY_OPTION, SOLVED

suite_option = click.option("--suite", help="Dataset folder, file or Hub id. [default: seed 42]")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
workers_option = click.option(
    "--workers", type=int, help="Processes that share the work. [default: 1]"
)
runs_argument = click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
rank_by_option = click.option(
    "--rank-by",
    type=click.Choice(tuple(BY_OPTION)),
    default=SOLVED.option,
    show_default=True,
    help="Tasks solved, calls right, or the paper's weighted score.",
)
