"""A run under way keeps its place with its whole rows, and a new row costs its own score alone."""

import hashlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from dataset_builder.errors import InputError
from dataset_builder.tools import catalogue
from evaluator.comparing.results import template_of
from evaluator.scoring.score import Scorer
from evaluator.scoring.score_traces import score_folder
from evaluator.traces.signature import suite_label
from space.base.score_cache import Cache
from space.base.settings import Settings
from space.base.tiers import MADE_HERE
from space.board.explain_answer import explain
from space.board.live_board import LiveBoard
from space.board.live_run import LiveRun, whole_rows
from space.submissions.store import Store
from tests.samples.submitted_files import SUITE, sealed, trace_lines

ALL = len(SUITE.tasks)
LINES = trace_lines("vendor/model", 5).encode().splitlines(keepends=True)


def rows_scored(do: Callable[[], Any]) -> int:
    """How many rows are scored while something is done."""
    count = 0

    def seen(frame: FrameType, event: str, _: Any) -> None:
        nonlocal count
        count += event == "call" and frame.f_code is Scorer.score.__code__

    sys.setprofile(seen)
    try:
        do()
    finally:
        sys.setprofile(None)
    return count


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "runs" / "mine"
    path.mkdir(parents=True)
    description = {"total": ALL, "suite": {"label": suite_label(SUITE), "digest": SUITE.digest}}
    (path / "run.json").write_text(json.dumps(description))
    return path


@pytest.fixture
def run(folder: Path) -> LiveRun:
    return new(folder)


def new(folder: Path) -> LiveRun:
    cache = Cache(folder.parent.parent / "scores")
    return LiveRun(folder, SUITE, catalogue(), template_of(SUITE), cache)


def board_of(folder: Path) -> LiveBoard:
    base = folder.parent.parent
    settings = Settings(SUITE, folder.parent, base / "submissions", jobs=base / "jobs")
    return LiveBoard(settings, Store(settings.submissions), Cache(settings.scores))


def test_every_state_of_the_file_scores_what_is_new(folder: Path, run: LiveRun) -> None:
    file = folder / "traces.jsonl"

    def after(content: bytes) -> int:
        file.write_bytes(content)
        return rows_scored(run.result)

    half = LINES[2][:50]
    assert after(b"") == 0
    assert run.result() is None
    assert after(LINES[0]) == 1
    assert after(b"".join(LINES[:2]) + half) == 1
    assert after(b"".join(LINES[:3])) == 1
    assert after(b"".join(LINES[:3])) == 0
    # Cut, and written on.
    assert after(b"".join(LINES[:1])) == 0
    assert after(b"".join(LINES[:4])) == 3
    # Replaced by the same rows in another order, as a resumed run may write them.
    file.unlink()
    assert after(b"".join(reversed(LINES[:5]))) == 1
    # Replaced by other rows: all of them are new.
    assert after(trace_lines("vendor/other", 8).encode()) == 8


@pytest.mark.parametrize("rows", [1, 4, ALL])
@pytest.mark.parametrize("cut", [0, 1, 30])
def test_grown_row_by_row_it_is_what_a_score_of_the_folder_is(
    folder: Path, run: LiveRun, rows: int, cut: int
) -> None:
    file = folder / "traces.jsonl"
    for count in range(1, rows + 1):
        file.write_bytes(b"".join(LINES[:count]) + LINES[0][:cut])
        result = run.result()
    assert result is not None
    file.write_bytes(b"".join(LINES[:rows]))
    whole = dict(score_folder(folder, SUITE, Scorer(catalogue())).scores)
    ours = dict(result.scores)
    for scores in (whole, ours):
        # The half row makes another file.
        scores["diagnostics"] = scores["diagnostics"] | {"traces_sha256": ""}
    assert ours == whole
    assert result.scores["n_missing"] == ALL - rows


def test_a_last_row_without_its_newline_counts_once_it_is_whole(folder: Path, run: LiveRun) -> None:
    (folder / "traces.jsonl").write_bytes(b"".join(LINES).rstrip(b"\n"))
    result = run.result()
    assert result is not None
    assert result.scores["n_missing"] == 0


def test_a_run_under_way_keeps_its_place_on_the_board(folder: Path) -> None:
    live = board_of(folder)
    file = folder / "traces.jsonl"
    for count in range(1, ALL):
        for rest in (b"", LINES[count][:1], LINES[count][:-1][:60]):
            file.write_bytes(b"".join(LINES[:count]) + rest)
            (entry,) = live.current().entries
            assert (entry.tier, entry.status) == (MADE_HERE, "incomplete")
            assert entry.result.scores["n_missing"] == ALL - count
            assert live.current().problems == ()
    file.write_bytes(b"".join(LINES))
    assert live.current().entries[0].is_ranked


def test_one_row_more_costs_the_board_one_score(folder: Path) -> None:
    live = board_of(folder)
    file = folder / "traces.jsonl"
    counts = []
    for count in range(1, ALL + 1):
        file.write_bytes(b"".join(LINES[:count]))
        counts.append(rows_scored(live.current))
    assert counts == [1] * ALL
    # A page that starts anew finds a complete run in its cache.
    assert rows_scored(board_of(folder).current) == 0


def test_a_run_that_has_just_begun_is_no_problem(folder: Path) -> None:
    (folder / "traces.jsonl").write_bytes(LINES[0][:20])
    board = board_of(folder).current()
    assert (board.entries, board.problems) == ((), ())


def test_nobody_believes_a_score_that_lies_beside_the_traces(folder: Path, run: LiveRun) -> None:
    (folder / "traces.jsonl").write_bytes(b"".join(LINES))
    scores = dict(score_folder(folder, SUITE, Scorer(catalogue())).scores)
    for written in ({**scores, "overall": 0.99, "strict": 0.99}, [1], {}, "x"):
        (folder / "scores.json").write_text(json.dumps(written))
        result = new(folder).result()
        assert result is not None
        assert result.scores["overall"] == 5 / 8
        (entry,) = board_of(folder).current().entries
        assert entry.result.scores["strict"] == 5 / 8


def test_a_damaged_entry_of_the_cache_is_made_again(folder: Path) -> None:
    (folder / "traces.jsonl").write_bytes(b"".join(LINES))
    first = new(folder).result()
    assert first is not None
    (kept,) = (folder.parent.parent / "scores").iterdir()
    whole = kept.read_bytes()
    for damaged in (
        b"",
        whole[:-1],
        whole.replace(b"0.625", b"0.999"),
        sealed(b"[]"),
        sealed(b"1"),
    ):
        kept.write_bytes(damaged)
        again = new(folder).result()
        assert again is not None
        assert again.scores == first.scores


BAD: list[tuple[str, Callable[[Path], object], str]] = [
    (
        "no row",
        lambda f: (f / "traces.jsonl").write_text("[]\n"),
        "traces.jsonl:1: expected a JSON",
    ),
    ("no UTF-8", lambda f: (f / "traces.jsonl").write_bytes(b"\xff\n"), "traces.jsonl:1: "),
    (
        "two models",
        lambda f: (f / "traces.jsonl").write_text(trace_lines("a", 1) + trace_lines("b", 1)),
        "expected the run of one model, found 2",
    ),
    (
        "no description",
        lambda f: (f / "run.json").write_text("[]"),
        "run.json: expected a JSON object",
    ),
    (
        "another suite",
        lambda f: (f / "run.json").write_text('{"suite": {"digest": "x", "label": "y"}}'),
        "is a run of suite y",
    ),
    (
        "a damaged comparison with fresh tasks",
        lambda f: (f / "fresh.json").write_text('{"run_id": 5, "seed": 7}'),
        "",
    ),
]


@pytest.mark.parametrize(("spoil", "said"), [b[1:] for b in BAD], ids=[b[0] for b in BAD])
def test_one_bad_run_is_a_sentence_and_hides_no_other(
    folder: Path, spoil: Callable[[Path], object], said: str
) -> None:
    (folder / "traces.jsonl").write_bytes(b"".join(LINES))
    other = folder.parent / "other"
    other.mkdir()
    for file in folder.iterdir():
        (other / file.name).write_bytes(file.read_bytes())
    spoil(folder)
    board = board_of(folder).current()
    assert [entry.id for entry in board.entries] == ["other"]
    (problem,) = board.problems
    assert problem.startswith("mine: ")
    assert said in problem


def test_what_would_block_a_reader_is_left_alone(folder: Path) -> None:
    os.mkfifo(folder / "traces.jsonl")
    board = board_of(folder).current()
    assert board.entries == ()


def test_the_digest_says_which_rows_were_scored(folder: Path, run: LiveRun) -> None:
    (folder / "traces.jsonl").write_bytes(b"".join(LINES[:2]) + b'{"half')
    result = run.result()
    assert result is not None
    rows = b"".join(LINES[:2])
    assert result.scores["diagnostics"]["traces_sha256"] == hashlib.sha256(rows).hexdigest()
    # A whole file has the digest that the command line gives it.
    (folder / "traces.jsonl").write_bytes(rows)
    stored = score_folder(folder, SUITE, Scorer(catalogue())).scores["diagnostics"]
    assert stored["traces_sha256"] == hashlib.sha256(rows).hexdigest()


def test_a_run_folder_without_rows_is_told_apart_from_one_that_cannot_be_read(
    folder: Path, run: LiveRun
) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        run.result()


def test_what_a_run_under_way_shows_is_made_of_whole_rows(folder: Path) -> None:
    live, file = board_of(folder), folder / "traces.jsonl"
    file.write_bytes(b"".join(LINES[:3]) + LINES[2][:-20])
    (entry,) = live.current().entries
    task = SUITE.tasks[2]
    assert explain(entry, task, 0, SUITE).trace.task_id == task.task_id
    assert whole_rows(file.read_bytes()) == b"".join(LINES[:3])
    file.write_bytes(b"".join(LINES[:3]).rstrip(b"\n"))
    assert whole_rows(file.read_bytes()) == b"".join(LINES[:3]).rstrip(b"\n")
