"""comptoolbench compare: compare runs pair by pair."""

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
def compare(
    context: click.Context, runs: tuple[Path, ...], suite: str | None, as_json: bool
) -> None:
    """Compare RUNS pair by pair on the tasks that all of them have.

    Differences with 95 % intervals clustered by template, overall, by level and by category, and
    McNemar's exact test on solved tasks, adjusted after Holm. Exits with 2 where a run cannot be
    read; the others are compared.
    """
    from evaluator.commands.read_runs import read_runs
    from evaluator.comparing.compare import comparison, comparison_text

    loaded = load_suite(suite)
    results, code = read_runs(runs, loaded)
    compared = comparison(results, loaded)
    if as_json:
        click.echo(json.dumps(compared, ensure_ascii=False, indent=1, allow_nan=False))
    else:
        click.echo(comparison_text(compared))
    context.exit(code)
