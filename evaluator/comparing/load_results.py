"""Runs read and scored: the results of run folders, folders of run folders, and trace files."""

from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite
from dataset_builder.tools import catalogue
from evaluator.comparing.answer_digests import answers_of, read_answers
from evaluator.comparing.copies import mark_copies
from evaluator.comparing.results import Result, template_of
from evaluator.comparing.score_cache import cached
from evaluator.scoring.score import Scorer
from evaluator.scoring.score_traces import RunFiles, read_run, score_files, score_run
from evaluator.traces.check_run_json import asked_of
from evaluator.traces.signature import suite_label
from evaluator.traces.trace import TraceProblems
from evaluator.traces.trace_reader import is_run


def load_result(folder: Path, suite: Suite, scorer: Scorer | None = None) -> Result:
    """The result of a run folder: its traces scored, or what that gave when it was done before.

    ``scorer``: one that other runs share. InputError for what is no readable run, or the run of another
    suite.
    """
    run = read_run(folder, suite)
    is_sample = [run.about.get(name) is not None for name in ("limit", "wording")]
    suite = run.suite
    depends = [suite.digest, suite_label(suite), suite.seed, run.sha256, asked_of(run.about)]
    computed = cached(["scores", *depends, is_sample], lambda: _computed(run, scorer))
    answers = read_answers(computed["answers"])
    return Result(str(folder), computed["scores"], run.about, template_of(suite), answers)


def _computed(run: RunFiles, scorer: Scorer | None) -> dict[str, Any]:
    scored = score_run(run, scorer or Scorer(catalogue()))
    return {"scores": dict(scored.scores), "answers": asdict(answers_of(scored.traces))}


def load_results(
    paths: Iterable[Path], suite: Suite, unreadable: Callable[[str], None] | None = None
) -> list[Result]:
    """The results of run folders, folders of run folders, and trace files, in order, each once.

    Copies are marked (`mark_copies`). InputError for what is none of these, and as `load_result`;
    with ``unreadable`` that is told in a sentence instead, and the others are read.
    """
    results: list[Result] = []
    scorer = Scorer(catalogue())
    seen: set[Path] = set()
    for given in paths:
        try:
            places = run_paths(given)
        except InputError as error:
            _pass_over(error, unreadable)
            continue
        for path in places:
            if path.resolve() in seen:
                continue
            seen.add(path.resolve())
            try:
                results += _load(path, suite, scorer)
            except InputError as error:
                _pass_over(error, unreadable)
    return mark_copies(results)


def _pass_over(error: InputError, unreadable: Callable[[str], None] | None) -> None:
    if unreadable is None:
        raise error
    first, *others = error.problems if isinstance(error, TraceProblems) else [str(error)]
    more = {0: "", 1: " (and 1 more problem)"}.get(
        len(others), f" (and {len(others)} more problems)"
    )
    unreadable(f"{first}{more}")


def _load(path: Path, suite: Suite, scorer: Scorer) -> list[Result]:
    if path.is_dir():
        return [load_result(path, suite, scorer)]
    runs = score_files([path], suite, scorer)
    return [
        Result(
            run.name if len(runs) == 1 else f"{run.name} ({run.scores['model']})",
            run.scores,
            {},
            template_of(run.suite),
            answers_of(run.traces),
        )
        for run in runs
    ]


def run_paths(path: Path) -> list[Path]:
    """The run folders below a folder, or what is itself a run folder or a file; InputError otherwise."""
    if is_run(path) or path.is_file():
        return [path]
    # An experiment's runs lie one folder deeper than a single run.
    folders = sorted(file.parent for deep in ("*", "*/*") for file in path.glob(f"{deep}/run.json"))
    # What lies in a run is not one for itself, such as its fresh tasks.
    runs = [folder for folder in folders if folder.parent not in folders]
    if not runs:
        raise InputError(f"{path}: expected a run folder, a folder of runs or a trace file")
    return runs
