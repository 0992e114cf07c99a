"""Results: runs scored once, without their traces; what statistics, report and board work from."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite
from dataset_builder.tools import catalogue
from evaluator.comparing.score_cache import cached
from evaluator.scoring.score_traces import read_run, score_files, score_run
from evaluator.traces.model_name import is_reserved
from evaluator.traces.run_description import asked_of
from evaluator.traces.signature import suite_label
from evaluator.traces.trace import TraceProblems
from evaluator.traces.trace_reader import is_run

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Result:
    """A run's scores without its traces."""

    name: str
    """The run's folder or file; unique among the results that are loaded together."""
    scores: Mapping[str, Any]
    """The score JSON (specification: Score JSON)."""
    about: Mapping[str, Any]
    """What ``run.json`` says; empty for a bare trace file."""
    templates: Mapping[str, str]
    """Task id → template, the cluster to which the task belongs."""

    @property
    def signature(self) -> str:
        """What was measured; only results of one signature are compared."""
        return str(self.scores["signature"])

    @property
    def model(self) -> str:
        """The model's name as the traces give it."""
        return str(self.scores["model"])

    @property
    def is_control(self) -> bool:
        """Whether the tasks were asked in another wording than the suite's own (paper, Appendix H)."""
        return self.about.get("wording") not in (None, "minimal")


def load_result(folder: Path, suite: Suite) -> Result:
    """The result of a run folder: its traces scored, or what that gave when it was done before.

    InputError for what is no readable run, or the run of another suite.
    """
    run = read_run(folder, suite)
    is_sample = [run.about.get(name) is not None for name in ("limit", "wording")]
    depends = [suite.digest, suite_label(suite), suite.seed, run.sha256, asked_of(run.about)]
    scores = cached(
        ["scores", *depends, is_sample], lambda: dict(score_run(run, suite, catalogue()).scores)
    )
    return Result(str(folder), scores, run.about, template_of(suite))


def load_results(
    paths: Iterable[Path], suite: Suite, unreadable: Callable[[str], None] | None = None
) -> list[Result]:
    """The results of run folders, folders of run folders, and trace files, in order, each once.

    Copies are marked (`mark_copies`). InputError for what is none of these, and as `load_result`;
    with ``unreadable`` that is told in a sentence instead, and the others are read.
    """
    results: list[Result] = []
    seen: set[Path] = set()
    for given in paths:
        try:
            found = run_paths(given)
        except InputError as error:
            _pass_over(error, unreadable)
            continue
        for path in found:
            if path.resolve() in seen:
                continue
            seen.add(path.resolve())
            try:
                results += _load(path, suite)
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


def _load(path: Path, suite: Suite) -> list[Result]:
    if path.is_dir():
        return [load_result(path, suite)]
    runs = score_files([path], suite, catalogue())
    return [
        Result(
            run.name if len(runs) == 1 else f"{run.name} ({run.scores['model']})",
            run.scores,
            {},
            template_of(suite),
        )
        for run in runs
    ]


def mark_copies(results: Iterable[Result]) -> list[Result]:
    """The results, those not ranked that repeat an earlier one's answers; the reason is among theirs.

    A copy makes the same calls on every task under another name, and nothing that the provider sent
    (responses, usage) tells the two apart; or its rows are the very same. Two built-in agents may
    well coincide, and so may runs without a call.
    """
    earlier: dict[str, list[Result]] = {}
    marked = []
    for result in results:
        said = result.scores["diagnostics"]
        alike = earlier.setdefault(said.get("calls_sha256") or "", [])
        original = next((other for other in alike if _is_copy(result, other)), None)
        if result.scores["ranked"] and original is not None:
            marked.append(_not_ranked(result, f"a copy of {original.name}"))
            continue
        alike.append(result)
        marked.append(result)
    return marked


def _is_copy(result: Result, other: Result) -> bool:
    ours, theirs = result.scores["diagnostics"], other.scores["diagnostics"]
    if result.model == other.model:
        return bool(ours.get("rows_sha256", "") == theirs.get("rows_sha256"))
    if not ours.get("calls_sha256") or (is_reserved(result.model) and is_reserved(other.model)):
        return False
    sent = {ours.get("responses_sha256"), theirs.get("responses_sha256")} - {None}
    return len(sent) < 2


def _not_ranked(result: Result, reason: str) -> Result:
    diagnostics = result.scores["diagnostics"]
    diagnostics = {**diagnostics, "not_ranked": [*diagnostics["not_ranked"], reason]}
    return replace(result, scores={**result.scores, "ranked": False, "diagnostics": diagnostics})


def task_frame(results: Sequence[Result]) -> "pd.DataFrame":
    """A row per run, task and sample, in order.

    Columns: run, model, task_id, sample, level, template, and score, step, strict, sequence, arguments,
    completeness, data_flow, economy (fractions in [0, 1]) and error (the class, missing for a pass).
    """
    import pandas as pd

    from evaluator.scoring.verdict import ROW

    columns: dict[str, list[Any]] = {name: [] for name in ("run", "model", "template", *ROW)}
    for result in results:
        rows = result.scores["tasks"]
        columns["run"] += [result.name] * len(rows)
        columns["model"] += [result.model] * len(rows)
        columns["template"] += [result.templates[row["task_id"]] for row in rows]
        for name in ROW:
            columns[name] += [row[name] for row in rows]
    order = ("run", "model", "task_id", "sample", "level", "template", *ROW[3:])
    frame = pd.DataFrame({name: columns[name] for name in order})
    return frame.astype({"strict": bool, "data_flow": float})


def template_of(suite: Suite) -> dict[str, str]:
    """The template of each task; a task without one stands for itself."""
    return {task.task_id: str(task.metadata.get("template", task.task_id)) for task in suite.tasks}


def run_paths(path: Path) -> list[Path]:
    """The run folders below a folder, or what is itself a run folder or a file; InputError otherwise."""
    if is_run(path) or path.is_file():
        return [path]
    # An experiment's runs lie one folder deeper than a single run.
    found = sorted(file.parent for deep in ("*", "*/*") for file in path.glob(f"{deep}/run.json"))
    # What lies in a run is not one for itself, such as its fresh tasks.
    runs = [run for run in found if run.parent not in found]
    if not runs:
        raise InputError(f"{path}: expected a run folder, a folder of runs or a trace file")
    return runs
