"""The cache gives back what was put in, and nothing that is broken."""

import re
from pathlib import Path

import pytest

from dataset_builder.tools import catalogue
from evaluator.scoring.score import Scorer
from evaluator.scoring.score_traces import score_traces
from evaluator.traces.trace_reader import read_trace_text
from space.base.score_cache import Cache, Scored, cache_key
from tests.samples.small_suite import small_suite
from tests.samples.submitted_files import SUITE, sealed, trace_lines

KEY = "0" * 64


def scored() -> list[Scored]:
    traces = read_trace_text(trace_lines("m", 5) + trace_lines("é", 3), SUITE)
    return [
        Scored(run.scores, n)
        for n, run in enumerate(score_traces(traces, SUITE, Scorer(catalogue()), "t"))
    ]


def test_scores_come_back_as_they_were(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "scores")
    assert cache.get(KEY) is None
    runs = scored()
    cache.put(KEY, runs)
    assert cache.get(KEY) == tuple(runs)
    assert not list(tmp_path.glob("scores/.new*"))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[1]",
        b"{}x",
        b"null",
        b'[{"scores": {}, "foreseen": 0}]',
        b"\xff\x00",
        b'{"a": 1}',
    ],
)
def test_a_broken_entry_is_made_again(tmp_path: Path, content: bytes) -> None:
    cache = Cache(tmp_path)
    cache.put(KEY, scored())
    (file,) = tmp_path.iterdir()
    for written in (content, sealed(content)):
        file.write_bytes(written)
        assert cache.get(KEY) is None
    cache.put(KEY, scored())
    assert cache.get(KEY) is not None


def test_a_score_that_was_edited_is_no_entry(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put(KEY, scored())
    (file,) = tmp_path.iterdir()
    whole = file.read_text("utf-8")
    edited = re.sub(r'"overall": [0-9.]+', '"overall": 0.99', whole, count=1)
    assert edited != whole
    file.write_text(edited, "utf-8")
    assert cache.get(KEY) is None


def test_half_an_entry_is_none(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put(KEY, scored())
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    for cut in (1, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:cut])
        assert cache.get(KEY) is None


def test_a_disk_that_refuses_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file")
    cache.put(KEY, scored())
    assert cache.get(KEY) is None


def test_whatever_scores_hang_on_changes_the_key() -> None:
    keys = {
        cache_key("a" * 64, SUITE, "", ""),
        cache_key("b" * 64, SUITE, "", ""),
        cache_key("a" * 64, small_suite(1, 1, 1, 1), "", ""),
        cache_key("a" * 64, SUITE, "single-turn", ""),
        cache_key("a" * 64, SUITE, "", "task"),
    }
    assert len(keys) == 5
