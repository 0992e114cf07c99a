"""comptoolbench report: write tables and figures as one page."""

from importlib.util import find_spec
from pathlib import Path

import click

from dataset_builder.errors import InputError
from dataset_builder.published.load_suite import load_suite
from evaluator.commands.options import rank_by_option, suite_option
from evaluator.scoring.metrics import BY_OPTION

_NEEDED = ("altair", "jinja2", "scipy", "vl_convert")


@click.command()
@click.argument("runs", nargs=-1, type=click.Path(path_type=Path))
@suite_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("report"),
    show_default=True,
    help="The report's folder.",
)
@click.option("--paper", is_flag=True, help="Add the paper's published rows, by themselves.")
@rank_by_option
@click.pass_context
def report(
    context: click.Context,
    runs: tuple[Path, ...],
    suite: str | None,
    out: Path,
    paper: bool,
    rank_by: str,
) -> None:
    """Write the report of RUNS (run folders, folders of them, trace files): page, figures, tables.

    Only runs of one signature are ranked against each other; each gets a section of its own. Exits
    with 2 where a run cannot be read; the report is of the others.
    """
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise InputError(
            f"the report needs {', '.join(missing)}: pip install 'comptoolbench[report]'"
        )
    if not runs and not paper:
        raise InputError("name the runs to report, or --paper for the paper's own rows")
    from evaluator.commands.read_runs import read_runs
    from evaluator.comparing.results import APART
    from evaluator.report.build import PAGE, compose, write

    results, code = read_runs(runs, load_suite(suite), apart=APART) if runs else ([], 0)
    composed = compose(results, paper, BY_OPTION[rank_by])
    write(composed, out)
    counts = {
        "run": len(results),
        "figure": sum(len(section.figures) for section in composed.sections),
        "table": sum(len(section.tables) for section in composed.sections),
    }
    listed = ", ".join(f"{n} {noun}{'' if n == 1 else 's'}" for noun, n in counts.items())
    click.echo(f"{out / PAGE}: {listed}")
    context.exit(code)
