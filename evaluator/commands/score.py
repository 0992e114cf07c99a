"""comptoolbench score: score traces offline."""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dataset_builder.errors import InputError, why
from dataset_builder.published.load_suite import load_suite
from dataset_builder.tools import catalogue
from dataset_builder.visible_text import inert
from evaluator.commands.options import suite_option, workers_option

if TYPE_CHECKING:
    from evaluator.scoring.score_traces import ScoredRun


@click.command()
@click.argument("traces", nargs=-1, required=True)
@suite_option
@click.option("--json", "as_json", is_flag=True, help="Print the scores as JSON.")
@click.option("--allow-partial", is_flag=True, help="Score only the tasks that have a row.")
@click.option(
    "--save", is_flag=True, help="Write scores.json and scores.parquet into the run folder."
)
@click.option(
    "--out", help="Score any number of rows into this folder or address, row by row as they stand."
)
@workers_option
@click.option("--engine", help="With --out: processes, or ray for several machines.")
def score(
    traces: tuple[str, ...],
    suite: str | None,
    as_json: bool,
    allow_partial: bool,
    save: bool,
    out: str | None,
    workers: int | None,
    engine: str | None,
) -> None:
    """Score TRACES, files of JSON lines or run folders, without a model or a network.

    Each run folder is scored by itself; trace files are taken together. With --out TRACES may also be
    packed files, Parquet files, folders of these and addresses (s3://...), and are never held in memory.
    """
    if out is not None:
        _into_folder(traces, suite, as_json, save, (out, engine or "processes", workers))
        return
    if workers is not None or engine is not None:
        raise InputError("--workers and --engine go with --out")
    _together(tuple(map(Path, traces)), suite, as_json, allow_partial, save)


def _into_folder(
    traces: tuple[str, ...],
    suite: str | None,
    as_json: bool,
    save: bool,
    how: tuple[str, str, int | None],
) -> None:
    """Score into a folder; ``how``: the folder, engine and workers."""
    from evaluator.commands.score_at_scale import score_at_scale, summary_text

    if save:
        raise InputError("--save writes into run folders: leave it out with --out")
    summary = score_at_scale(traces, how[0], load_suite(suite), *how[1:])
    if as_json:
        click.echo(json.dumps(summary, ensure_ascii=False, indent=1))
    else:
        click.echo(inert(summary_text(summary, how[0])))


def _together(
    traces: tuple[Path, ...], suite: str | None, as_json: bool, allow_partial: bool, save: bool
) -> None:
    """Score what fits in memory, a run for each model or folder."""
    from evaluator.scoring.score import Scorer
    from evaluator.scoring.score_traces import score_paths
    from evaluator.scoring.write_scores import write_scores
    from evaluator.traces.trace_reader import is_run

    if save and not all(is_run(path) for path in traces):
        raise InputError("--save writes into run folders: name nothing else")
    runs = score_paths(traces, load_suite(suite), Scorer(catalogue()), allow_partial)
    for run in runs:
        _say_source(run)
    if as_json:
        results = [run.scores for run in runs]
        click.echo(
            json.dumps(results[0] if len(results) == 1 else results, ensure_ascii=False, indent=1)
        )
    else:
        click.echo("\n\n".join(map(_text, (run.scores for run in runs))))
    for path, run in zip(traces, runs, strict=True) if save else ():
        try:
            write_scores(path, run.scores)
        except OSError as error:
            raise InputError(f"{path}: scores cannot be written ({why(error)})") from None


def _say_source(run: "ScoredRun") -> None:
    """Where calls were read from other than `calls`, since that may not be what was meant."""
    sources = Counter(trace.read_from for trace in run.traces)
    for source, rows in sorted(sources.items()):
        if source != "calls":
            where = f"{rows} of {len(run.traces)} rows were read from {source}"
            click.echo(f"{run.scores['model'] or 'unnamed model'}: the calls of {where}", err=True)


def _text(scores: Mapping[str, Any]) -> str:
    from evaluator.scoring.horizon_text import horizon_text
    from evaluator.scoring.irrelevance import irrelevance_text
    from evaluator.scoring.robustness import robustness_text
    from evaluator.scoring.text_tables import score_table

    head = f"{scores['signature']}\n\n{scores['model'] or 'unnamed model'}: {scores['n_tasks']}"
    if "horizon" in scores:
        return f"{head} procedures\n\n{horizon_text(scores['horizon'])}"
    if "irrelevance" in scores:
        return f"{head} requests without a call\n\n{irrelevance_text(scores)}"
    return "\n\n".join([score_table(scores), *robustness_text(scores)])
