"""Commands that set runs against each other: compare, ablate."""

import json
from pathlib import Path

import click

from dataset_builder.published.load_suite import load_suite

_runs = click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
_suite = click.option("--suite", help="Dataset folder, file or Hub id. [default: seed 42]")
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command()
@_runs
@_suite
@_json
@click.pass_context
def compare(
    context: click.Context, runs: tuple[Path, ...], suite: str | None, as_json: bool
) -> None:
    """Compare RUNS pair by pair on the tasks that all of them have.

    Differences with 95 % intervals clustered by template, overall, by level and by category, and
    McNemar's exact test on solved tasks, adjusted after Holm. Exits with 2 where a run cannot be
    read; the others are compared.
    """
    from evaluator.commands.several_runs import read_runs
    from evaluator.comparing.compare import comparison, comparison_text

    found = load_suite(suite)
    results, code = read_runs(runs, found)
    compared = comparison(results, found)
    click.echo(_text(compared) if as_json else comparison_text(compared))
    context.exit(code)


@click.command()
@_runs
@_suite
@_json
@click.pass_context
def ablate(
    context: click.Context, runs: tuple[Path, ...], suite: str | None, as_json: bool
) -> None:
    """Score RUNS again under eight weight configurations (paper, section 5.5).

    It is the paper's weighted score that has weights. For each: Spearman's correlation of the ranking with
    the default's and with that of solved tasks, and the Selection Gap. Runs of different signatures stand
    in tables of their own. Exits with 2 where a run cannot be read; the others are shown.
    """
    from evaluator.commands.several_runs import read_runs
    from evaluator.comparing.ablation import ablation_text, ablations

    results, code = read_runs(runs, load_suite(suite))
    found = ablations(results)
    if left := [result.name for result in results if result.is_control]:
        click.echo(f"left out, as runs of level 0 in other wordings: {', '.join(left)}", err=True)
    click.echo(_text(found) if as_json else ablation_text(found))
    context.exit(code)


def _text(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False)
