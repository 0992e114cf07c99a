"""comptoolbench ablate: score runs under other weights."""

import json
from pathlib import Path

import click

from dataset_builder.published.load_suite import load_suite
from evaluator.commands.options import json_option, runs_argument, suite_option


@click.command()
@runs_argument
@suite_option
@json_option
@click.pass_context
def ablate(
    context: click.Context, runs: tuple[Path, ...], suite: str | None, as_json: bool
) -> None:
    """Score RUNS again under eight weight configurations (paper, section 5.5).

    It is the paper's weighted score that has weights. For each: Spearman's correlation of the ranking with
    the default's and with that of solved tasks, and the Selection Gap. Runs of different signatures stand
    in tables of their own. Exits with 2 where a run cannot be read; the others are shown.
    """
    from evaluator.commands.read_runs import read_runs
    from evaluator.comparing.ablation import ablation_text, ablations

    results, code = read_runs(runs, load_suite(suite))
    tables = ablations(results)
    if left := [result.name for result in results if result.is_control]:
        click.echo(f"left out, as runs of level 0 in other wordings: {', '.join(left)}", err=True)
    if as_json:
        click.echo(json.dumps(tables, ensure_ascii=False, indent=1, allow_nan=False))
    else:
        click.echo(ablation_text(tables))
    context.exit(code)
