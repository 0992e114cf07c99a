"""The log of episodes under way: rows that grow, one answer a task, several processes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dataset_builder.errors import InputError
from evaluator.integrations.episode_log import EpisodeLog
from evaluator.traces.trace import Call, Trace
from evaluator.traces.trace_reader import read_traces

WRITER = """
import sys
from pathlib import Path
from evaluator.integrations.episode_log import EpisodeLog
from evaluator.traces.trace import Call, Trace

log, task, line = EpisodeLog(Path(sys.argv[1])), sys.argv[2], None
for made in range(25):
    line = log.put(Trace(task, (Call("f", {"n": 1}),) * made, "m"), line)
"""


def trace(task: str = "a", calls: int = 0, **more: object) -> Trace:
    return Trace(task, tuple(Call("f", {"n": n}) for n in range(calls)), "m", **more)  # type: ignore[arg-type]


@pytest.fixture
def log(tmp_path: Path) -> EpisodeLog:
    return EpisodeLog(tmp_path / "new" / "traces.jsonl")


def kept(log: EpisodeLog) -> list[tuple[str, int, int]]:
    return [(each.task_id, each.sample, len(each.calls)) for each in read_traces(log.path)]


def test_rows_grow_where_they_stand(log: EpisodeLog) -> None:
    first, second = log.put(trace("a"), None), log.put(trace("b"), None)
    second = log.put(trace("b", 1), second)
    first = log.put(trace("a", 3), first)
    log.put(trace("a", 1, sample=1), None)
    log.put(trace("b", 2), second)
    assert kept(log) == [("a", 0, 3), ("b", 0, 2), ("a", 1, 1)]


def test_a_task_is_answered_once(log: EpisodeLog) -> None:
    # Two look at the task; who calls first answers it, and nobody after that.
    first, second = log.put(trace(), None), log.put(trace(), None)
    assert kept(log) == [("a", 0, 0)]
    log.put(trace(calls=1), second)
    for late in (first, None):
        with pytest.raises(InputError, match="task a, sample 0 of model 'm' is answered already"):
            log.put(trace(calls=2), late)
    assert kept(log) == [("a", 0, 1)]


def test_what_others_wrote_stays(log: EpisodeLog) -> None:
    others = b'{"task_id": "a", "model": "other", "calls": [{"name": "f", "arguments": {}}]}\n7\n\n{"task'
    log.path.write_bytes(others)
    line = log.put(trace(), None)
    log.put(trace(calls=1), line)
    lines = log.path.read_bytes().splitlines()
    assert lines[:3] == [each for each in others.split(b"\n") if each]
    assert json.loads(lines[3])["calls"] == [{"name": "f", "arguments": {"n": 0}}]


def test_a_row_that_somebody_removed_comes_back_whole(log: EpisodeLog) -> None:
    line = log.put(trace(calls=1), None)
    log.path.unlink()
    log.put(trace(calls=2), line)
    assert kept(log) == [("a", 0, 2)]


def test_processes_that_write_at_once_lose_nothing(log: EpisodeLog) -> None:
    names = ["a", "b", "c"]
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(log.path), name]) for name in names
    ]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0, 0]
    assert sorted(kept(log)) == [(name, 0, 24) for name in names]
    assert list(log.path.parent.iterdir()) == [log.path]


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    for path in (tmp_path, Path("/dev/null")):
        with pytest.raises(OSError, match=str(path)):
            EpisodeLog(path)
