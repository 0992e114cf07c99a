"""Commands that set runs against each other: compare, ablate."""

import json
from pathlib import Path

import click

from dataset_builder.suite import load_suite

_runs = click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
_suite = click.option("--suite", help="Dataset folder, file or Hub id. [default: seed 42]")
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command()
@_runs
@_suite
@_json
def compare(runs: tuple[Path, ...], suite: str | None, as_json: bool) -> None:
    """Compare RUNS pair by pair on the tasks that all of them have.

    Differences with 95 % intervals clustered by template, overall, by level and by category, and
    McNemar's exact test on solved tasks, adjusted after Holm.
    """
    from evaluator.compare import comparison, comparison_text
    from evaluator.results import load_results

    found = load_suite(suite)
    compared = comparison(load_results(runs, found), found)
    click.echo(_text(compared) if as_json else comparison_text(compared))


@click.command()
@_runs
@_suite
@_json
def ablate(runs: tuple[Path, ...], suite: str | None, as_json: bool) -> None:
    """Score RUNS again under eight weight configurations (paper, section 5.5).

    It is the paper's weighted score that has weights. For each: Spearman's correlation of the ranking with
    the default's and with that of solved tasks, and the Selection Gap. Runs of different signatures stand
    in tables of their own.
    """
    from evaluator.ablate import ablation_text, ablations
    from evaluator.results import load_results

    found = ablations(load_results(runs, load_suite(suite)))
    click.echo(_text(found) if as_json else ablation_text(found))


def _text(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False)
