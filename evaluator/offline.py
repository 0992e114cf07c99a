"""Scoring what lies on disk: trace files and run folders, without a model or a network."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dataset_builder.errors import InputError, why
from dataset_builder.suite import load_suite
from dataset_builder.task import Suite
from dataset_builder.tool import Tool
from dataset_builder.tools import catalogue
from evaluator.aggregate import Attempt, by_model, score_attempts, summarise
from evaluator.asked_form import asked_form
from evaluator.protocol import PROMPT_VERSIONS, PROTOCOLS
from evaluator.trace import Trace
from evaluator.trace_reader import read_traces


@dataclass(frozen=True)
class ScoredRun:
    """One model's traces and what they are worth."""

    name: str
    """The folder or file that they come from."""
    traces: tuple[Trace, ...]
    attempts: tuple[Attempt, ...]
    scores: Mapping[str, Any]
    """The score JSON (contracts, section 7)."""


def score(
    traces: str | Path | Iterable[Trace],
    suite: str | Path | Suite | None = None,
    allow_partial: bool = False,
) -> dict[str, Any]:
    """The score JSON of one model's traces: a file, a run folder, or `Trace` objects.

    InputError for what cannot be read (TraceProblems names every line), or for several models.
    """
    found = suite if isinstance(suite, Suite) else load_suite(suite)
    if isinstance(traces, str | Path):
        runs = score_files([Path(traces)], found, catalogue(), allow_partial)
    else:
        runs = score_traces(list(traces), found, catalogue(), "traces", allow_partial=allow_partial)
    if len(runs) != 1:
        raise InputError(f"expected the traces of one model, got {len(runs)}")
    return dict(runs[0].scores)


def score_files(
    paths: Sequence[Path], suite: Suite, tools: Mapping[str, Tool], allow_partial: bool = False
) -> list[ScoredRun]:
    """Score trace files together (files may be concatenated), a run for each model in them."""
    traces = read_traces(paths, suite)
    name = ", ".join(map(str, paths))
    calls = _calls_mode(paths)
    return score_traces(traces, suite, tools, name, calls=calls, allow_partial=allow_partial)


def score_traces(
    traces: Sequence[Trace],
    suite: Suite,
    tools: Mapping[str, Tool],
    name: str,
    *,
    calls: str = "native",
    allow_partial: bool = False,
) -> list[ScoredRun]:
    """Score traces, a run for each model in them; InputError where there is none.

    ``calls``: how they were asked for, where the rows do not say.
    """
    if not traces:
        raise InputError(f"{name}: holds no trace")
    runs = []
    for own in by_model(traces).values():
        attempts = score_attempts(suite, own, tools, allow_partial=allow_partial)
        runs.append(scored_run(suite, own, attempts, name, calls))
    return runs


def scored_run(
    suite: Suite,
    traces: Sequence[Trace],
    attempts: Sequence[Attempt],
    name: str,
    calls: str = "native",
) -> ScoredRun:
    """The run of one model whose attempts are scored already; arguments as for `score_traces`."""
    form = asked_form(traces, name)
    versions = dict.fromkeys(PROTOCOLS, form.prompt_version) if form.prompt_version else None
    scores = summarise(
        suite, traces, attempts, versions or PROMPT_VERSIONS, form.calls or calls, form.wording
    )
    return ScoredRun(name, tuple(traces), tuple(attempts), scores)


def score_folder(folder: Path, suite: Suite, tools: Mapping[str, Tool]) -> ScoredRun:
    """Score a run folder; of a run over a sample, or of level 0 in some wording, only what was asked.

    The diagnostics name the traces by their SHA-256, so that nobody need score them again.
    """
    description = read_description(folder)
    partial = description.get("limit") is not None or description.get("wording") is not None
    digest = traces_sha256(folder)
    runs = score_files([folder], suite, tools, allow_partial=partial)
    if len(runs) != 1:
        raise InputError(f"{folder}: expected the run of one model, found {len(runs)}")
    diagnostics = {**runs[0].scores["diagnostics"], "traces_sha256": digest}
    return replace(runs[0], scores={**runs[0].scores, "diagnostics": diagnostics})


def traces_sha256(folder: Path) -> str | None:
    """The SHA-256 of a run folder's traces; None where they cannot be read."""
    try:
        with (folder / "traces.jsonl").open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def read_description(folder: Path) -> dict[str, Any]:
    """What ``run.json`` says; InputError where the folder is no run."""
    file = folder / "run.json"
    try:
        data = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise InputError(f"{folder}: no run folder (there is no run.json in it)") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{file}: cannot be read ({why(error)})") from None
    if not isinstance(data, dict):
        raise InputError(f"{file}: expected a JSON object")
    return data


def _calls_mode(paths: Sequence[Path]) -> str:
    """How the calls were asked for, as the run folders say; native where nobody says otherwise."""
    modes = {
        str(read_description(path).get("calls", "native"))
        for path in paths
        if (path / "run.json").is_file()
    }
    return modes.pop() if len(modes) == 1 else "native"
