"""Scoring what lies on disk: trace files and run folders, without a model or a network."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dataset_builder.errors import InputError, why
from dataset_builder.published.load_suite import load_suite
from dataset_builder.read_files import read_plain
from dataset_builder.tasks.task import Suite
from dataset_builder.tools import catalogue
from evaluator.scoring.aggregate import summarise
from evaluator.scoring.attempts import Attempt, by_model, score_attempts
from evaluator.scoring.score import Scorer
from evaluator.scoring.trace_digests import digests
from evaluator.traces.asked_form import AskedForm, asked_form
from evaluator.traces.check_run_json import asked_of, read_description
from evaluator.traces.protocols import PROMPT_VERSIONS, PROTOCOLS
from evaluator.traces.signature import suite_label
from evaluator.traces.suite_of import suite_of, suite_of_run
from evaluator.traces.trace import Trace
from evaluator.traces.trace_reader import (
    as_paths,
    is_run,
    read_trace_bytes,
    read_traces,
    trace_file,
)

_NOTHING_SAID = AskedForm()


@dataclass(frozen=True)
class ScoredRun:
    """One model's traces and what they are worth."""

    name: str
    """The folder or file that they come from."""
    traces: tuple[Trace, ...]
    attempts: tuple[Attempt, ...]
    scores: Mapping[str, Any]
    """The score JSON (specification: Score JSON)."""
    suite: Suite
    """What the traces are of."""


@dataclass(frozen=True)
class RunFiles:
    """A run folder, read."""

    folder: Path
    about: Mapping[str, Any]
    """What ``run.json`` says."""
    traces: bytes
    suite: Suite
    """What it is a run of."""

    @property
    def sha256(self) -> str:
        """The digest of its traces."""
        return hashlib.sha256(self.traces).hexdigest()


def score(
    traces: str | Path | Iterable[str | Path | Trace],
    suite: str | Path | Suite | None = None,
    allow_partial: bool = False,
) -> dict[str, Any]:
    """The score JSON of one model's traces: a file or several, a run folder, or `Trace` objects.

    InputError for what cannot be read (TraceProblems names every line), or for several models.
    """
    loaded = suite if isinstance(suite, Suite) else load_suite(suite)
    scorer = Scorer(catalogue())
    given: list[Any] = [traces] if isinstance(traces, str | Path) else list(traces)
    if all(isinstance(each, Trace) for each in given):
        runs = score_traces(given, loaded, scorer, "traces", allow_partial=allow_partial)
    elif any(isinstance(each, Trace) for each in given):
        raise InputError("expected paths or traces, got both")
    else:
        runs = score_paths(as_paths(given), loaded, scorer, allow_partial)
    if len(runs) != 1:
        raise InputError(f"expected the traces of one model, got {len(runs)}")
    return dict(runs[0].scores)


def score_paths(
    paths: Sequence[Path], suite: Suite, scorer: Scorer, allow_partial: bool = False
) -> list[ScoredRun]:
    """Score run folders, each by itself, and trace files, all of them together, in this order."""
    runs = [score_folder(path, suite, scorer, allow_partial) for path in paths if is_run(path)]
    files = [path for path in paths if not is_run(path)]
    return [*runs, *(score_files(files, suite, scorer, allow_partial) if files else ())]


def score_files(
    paths: Sequence[Path], suite: Suite, scorer: Scorer, allow_partial: bool = False
) -> list[ScoredRun]:
    """Score trace files together (files may be concatenated), a run for each model in them."""
    traces = read_traces(paths, suite)
    name = ", ".join(map(str, paths))
    return score_traces(traces, suite, scorer, name, allow_partial=allow_partial)


def score_traces(
    traces: Sequence[Trace],
    suite: Suite,
    scorer: Scorer,
    name: str,
    *,
    unsaid: AskedForm = _NOTHING_SAID,
    allow_partial: bool = False,
) -> list[ScoredRun]:
    """Score traces, a run for each model in them; InputError where there is none.

    Traces of procedures that ``suite`` does not have are of the published ladder. ``unsaid``: how they
    were asked, where the rows do not say.
    """
    if not traces:
        raise InputError(f"{name}: holds no trace")
    suite = suite_of((trace.task_id for trace in traces), suite, name)
    runs = []
    for model_traces in by_model(traces).values():
        attempts = score_attempts(suite, model_traces, scorer, allow_partial=allow_partial)
        runs.append(scored_run(suite, model_traces, attempts, name, unsaid))
    return runs


def scored_run(
    suite: Suite,
    traces: Sequence[Trace],
    attempts: Sequence[Attempt],
    name: str,
    unsaid: AskedForm = _NOTHING_SAID,
) -> ScoredRun:
    """The run of one model whose attempts are scored already; arguments as for `score_traces`."""
    stated = asked_form(traces, name)
    form = unsaid._replace(**{name: value for name, value in stated._asdict().items() if value})
    versions = dict.fromkeys(PROTOCOLS, form.prompt_version) if form.prompt_version else None
    scores = summarise(
        suite,
        traces,
        attempts,
        versions or PROMPT_VERSIONS,
        form.calls or "native",
        form.wording,
        form.variation,
        form.endpoint,
    )
    noted = _noting(scores, **digests(traces))
    return ScoredRun(name, tuple(traces), tuple(attempts), noted, suite)


def read_run(folder: Path, suite: Suite) -> RunFiles:
    """A run folder's files; InputError for what is no readable run, or the run of another suite."""
    about = read_description(folder)
    suite = suite_of_run(about, suite, str(folder / "run.json"))
    run_suite = about.get("suite") or {}
    if run_suite.get("digest") not in (None, suite.digest):
        raise InputError(
            f"{folder}: is a run of suite {run_suite.get('label')}, not of {suite_label(suite)}; "
            "name its suite with --suite"
        )
    file = trace_file(folder)
    try:
        return RunFiles(folder, about, read_plain(file), suite)
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({why(error)})") from None


def score_folder(
    folder: Path, suite: Suite, scorer: Scorer, allow_partial: bool = False
) -> ScoredRun:
    """Score a run folder; raises as `read_run`, and TraceProblems."""
    return score_run(read_run(folder, suite), scorer, allow_partial)


def score_run(run: RunFiles, scorer: Scorer, allow_partial: bool = False) -> ScoredRun:
    """Score a run; of one over a sample, or of level 0 in some wording, only what was asked.

    The diagnostics name the traces by their SHA-256.
    """
    about, folder, suite = run.about, run.folder, run.suite
    traces = read_trace_bytes(run.traces, suite, str(trace_file(folder)), is_growing=True)
    is_sample = about.get("limit") is not None or about.get("wording") is not None
    runs = score_traces(
        traces,
        suite,
        scorer,
        str(folder),
        unsaid=AskedForm(**asked_of(about)),
        allow_partial=allow_partial or is_sample,
    )
    if len(runs) != 1:
        raise InputError(f"{folder}: expected the run of one model, found {len(runs)}")
    return replace(runs[0], scores=_noting(runs[0].scores, traces_sha256=run.sha256))


def _noting(scores: Mapping[str, Any], **digests: str | None) -> dict[str, Any]:
    return {**scores, "diagnostics": {**scores["diagnostics"], **digests}}
