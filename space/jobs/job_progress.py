"""How far a run is, read from its folder: each row is read and scored once, when it is there."""

import json
import os
import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite
from dataset_builder.tools.tool import Tool
from evaluator.asking.pace import LAST, pace
from evaluator.scoring.score import Scorer
from evaluator.traces.check_run_json import read_description
from evaluator.traces.trace import Trace, TraceProblems

_BLOCK = 2**20


@dataclass(frozen=True)
class Progress:
    """A run at one moment. Scores are means over the answers so far, fractions; None before the first."""

    total: int
    """Answers asked for; 0 before the first request went out."""
    done: int = 0
    failed: int = 0
    """Requests that the provider did not answer; they are asked again when the run is resumed."""
    solved: float | None = None
    calls: float | None = None
    weighted: float | None = None
    cost_usd: float | None = 0.0
    seconds_left: float | None = None
    """At the pace of the last answers; None where they do not tell."""
    ended: str | None = None
    """Why the last session stopped early, in the run's own words."""

    @property
    def is_complete(self) -> bool:
        """Whether every answer is there."""
        return 0 < self.total == self.done


class ProgressReader:
    """Follows one run folder. Any number of threads may ask."""

    def __init__(self, folder: Path, suite: Suite, tools: Mapping[str, Tool]) -> None:
        self._folder, self._suite, self._scorer = folder, suite, Scorer(tools)
        self._lock = threading.Lock()
        self._begin_anew(0)

    def _begin_anew(self, inode: int) -> None:
        self._inode, self._position, self._rest = inode, 0, b""
        self._done = self._failed = self._solved = 0
        self._calls = self._weighted = 0.0
        self._cost: float | None = 0.0
        self._took_s: deque[float] = deque(maxlen=LAST)

    def read(self) -> Progress:
        """The progress of what is on disk now."""
        with self._lock:
            self._read_rows()
            try:
                about: Mapping[str, Any] = read_description(self._folder)
            except InputError:
                about = {}
            sessions = about.get("sessions") or [{}]
            n, total = self._done, int(about.get("total", 0))
            known = pace(self._took_s, sessions[-1].get("concurrency") or 1)
            return Progress(
                total=total,
                done=n,
                failed=self._failed,
                solved=self._solved / n if n else None,
                calls=self._calls / n if n else None,
                weighted=self._weighted / n if n else None,
                cost_usd=self._cost,
                seconds_left=known.seconds(total - n - self._failed) if known else None,
                ended=sessions[-1].get("ended"),
            )

    def _read_rows(self) -> None:
        try:
            with (self._folder / "traces.jsonl").open("rb") as file:
                stat = os.fstat(file.fileno())
                # A run that is resumed writes the file anew, without the rows that it asks again.
                if stat.st_ino != self._inode or stat.st_size < self._position:
                    self._begin_anew(stat.st_ino)
                file.seek(self._position)
                while block := file.read(_BLOCK):
                    self._position += len(block)
                    *lines, self._rest = (self._rest + block).split(b"\n")
                    for line in lines:
                        self._count(line)
        except OSError:
            self._begin_anew(0)

    def _count(self, line: bytes) -> None:
        try:
            trace = Trace.from_row(json.loads(line))
        except (ValueError, RecursionError, TraceProblems):
            return
        task = self._suite.by_id.get(trace.task_id)
        if task is None:
            return
        if trace.is_infrastructure_failure:
            self._failed += 1
            return
        if trace.latency_ms is not None:
            self._took_s.append(trace.latency_ms / 1000)
        score = self._scorer.score(task, trace)
        self._done += 1
        self._solved += bool(score.strict)
        self._calls += score.step or 0.0
        self._weighted += score.score
        known = None not in (self._cost, trace.cost_usd)
        self._cost = self._cost + trace.cost_usd if known else None  # type: ignore[operator]


def finished_lines(file: Path) -> bytes:
    """The whole rows of a trace file that may be growing; empty where there is none."""
    try:
        content = file.read_bytes()
    except OSError:
        return b""
    return content[: content.rfind(b"\n") + 1]
