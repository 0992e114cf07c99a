"""A run folder as the board reads it: whole rows only, each scored once, while the file grows.

What counts is the traces: a scores.json beside them may be anybody's.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite
from dataset_builder.tools.tool import Tool
from evaluator.comparing.answer_digests import answers_of
from evaluator.comparing.results import Result, template_of
from evaluator.scoring.attempts import Attempt, by_model, expected_tasks, score_attempts
from evaluator.scoring.score import Scorer
from evaluator.scoring.score_traces import read_run, scored_run
from evaluator.traces.asked_form import AskedForm
from evaluator.traces.check_run_json import asked_of
from evaluator.traces.trace import Trace
from evaluator.traces.trace_reader import read_trace_text
from space.base.score_cache import Cache, Scored, run_key


class LiveRun:
    """One run folder. Its file may grow, be cut or be replaced: rows are known by their bytes."""

    def __init__(
        self,
        folder: Path,
        suite: Suite,
        tools: Mapping[str, Tool],
        templates: Mapping[str, str],
        cache: Cache,
    ) -> None:
        """Nothing is read yet. ``templates``: task id → template."""
        self._folder, self._suite, self._scorer = folder, suite, Scorer(tools)
        self._templates, self._cache = templates, cache
        self._attempts: dict[bytes, Attempt] = {}
        """By the SHA-256 of their rows; those that the file held when it was read last."""

    def result(self) -> Result | None:
        """The result of the rows that are there now, None before the first one.

        InputError for what is no run of one model over this suite.
        """
        run = read_run(self._folder, self._suite)
        if run.suite is not self._suite:
            self._suite, self._templates = run.suite, template_of(run.suite)
        about, content = run.about, whole_rows(run.traces)
        rows = [row for row in content.split(b"\n") if row.strip()]
        if not rows:
            return None
        digest = hashlib.sha256(content).hexdigest()
        asked = asked_of(about)
        is_part = about.get("limit") is not None or about.get("wording") is not None
        key = run_key(digest, self._suite, asked, is_part)
        if kept := self._cache.get(key):
            scored = kept[0]
        else:
            scored = self._scored(rows, AskedForm(**asked), is_part, digest)
            # A run under way has another key with every row.
            if not scored.scores["n_missing"]:
                self._cache.put(key, [scored])
        return Result(str(self._folder), scored.scores, about, self._templates, scored.answers)

    def _scored(self, rows: list[bytes], unsaid: AskedForm, is_part: bool, digest: str) -> Scored:
        text = b"\n".join(rows).decode("utf-8", "replace")
        traces = read_trace_text(text, self._suite, f"{self._folder.name}/traces.jsonl")
        if (models := len(by_model(traces))) != 1:
            raise InputError(f"expected the run of one model, found {models}")
        self._score_new([hashlib.sha256(row).digest() for row in rows], traces)
        attempts = list(self._in_order(is_part))
        scores = scored_run(self._suite, traces, attempts, self._folder.name, unsaid).scores
        diagnostics = {**scores["diagnostics"], "traces_sha256": digest}
        return Scored({**scores, "diagnostics": diagnostics}, 0, answers_of(traces))

    def _score_new(self, keys: list[bytes], traces: list[Trace]) -> None:
        """Score the rows that were not there before, and forget those that are gone."""
        by_key = dict(zip(keys, traces, strict=True))
        new = [trace for key, trace in by_key.items() if key not in self._attempts]
        attempts = score_attempts(self._suite, new, self._scorer, allow_partial=True)
        added = {(attempt.task.task_id, attempt.sample): attempt for attempt in attempts}
        self._attempts = {
            key: self._attempts.get(key) or added[trace.task_id, trace.sample]
            for key, trace in by_key.items()
        }

    def _in_order(self, is_part: bool) -> Iterator[Attempt]:
        """The attempts in the order of the suite; what is missing too, unless a part was asked."""
        scored = {(a.task.task_id, a.sample): a for a in self._attempts.values()}
        samples = sorted({sample for _, sample in scored})
        for task in expected_tasks(self._suite, {task_id for task_id, _ in scored}):
            for sample in samples:
                attempt = scored.get((task.task_id, sample))
                if attempt is not None or not is_part:
                    yield attempt or Attempt(task, sample, None)


def whole_rows(content: bytes) -> bytes:
    """The content of a trace file without what is being written at its end."""
    end = content.rfind(b"\n") + 1
    return content if is_whole(content[end:]) else content[:end]


def is_whole(row: bytes) -> bool:
    """Whether the last row of a file, which has no line ending, is there to its end."""
    try:
        json.loads(row)
    except (ValueError, RecursionError):
        return False
    return True
