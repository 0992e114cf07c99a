"""What the page shows and stores, without a browser."""

import json
from pathlib import Path

import pytest

from dataset_builder.errors import InputError
from evaluator.trace import Call, Trace
from space.board import SELF_REPORTED, load_board, table, task_table
from space.store import Store
from tests.small_suite import small_suite

SUITE = small_suite()


def trace_lines(model: str, right: int) -> str:
    """A trace file in which the first ``right`` tasks are answered and the others are not."""
    lines = []
    for number, task in enumerate(SUITE.tasks):
        steps = task.steps if number < right else ()
        calls = tuple(Call(step.tool, dict(step.arguments)) for step in steps)
        trace = Trace(task.task_id, calls, model, protocol="single-turn", catalogue="full")
        lines.append(json.dumps(trace.to_row()))
    return "\n".join(lines) + "\n"


def test_the_same_content_is_kept_once(tmp_path: Path) -> None:
    store = Store(tmp_path / "submissions")
    assert store.all() == []
    one, is_new = store.add(b"{}\n", {"tier": SELF_REPORTED})
    again, is_new_again = store.add(b"{}\n", {"tier": "something else"})
    assert (is_new, is_new_again) == (True, False)
    assert again.id == one.id
    assert again.about == {"tier": SELF_REPORTED}
    assert [submission.id for submission in store.all()] == [one.id]
    assert one.traces.read_bytes() == b"{}\n"


def test_traces_without_a_description_are_not_visible(tmp_path: Path) -> None:
    store = Store(tmp_path)
    (tmp_path / "0123456789abcdef.jsonl").write_text("{}\n")
    assert store.all() == []


def test_the_board_is_derived_from_what_lies_on_disk(tmp_path: Path) -> None:
    store = Store(tmp_path / "submissions")
    for model, right in (("half", 4), ("whole", 8)):
        store.add(trace_lines(model, right).encode(), {"tier": SELF_REPORTED})
    store.add(b"broken\n", {"tier": SELF_REPORTED})
    board = load_board(SUITE, tmp_path / "runs", store)
    assert {listed.tier for listed in board.runs} == {SELF_REPORTED}
    assert len(board.problems) == 1
    frame = table(board.runs)
    assert list(frame["model"]) == ["whole", "half"]
    assert list(frame["weighted"]) == [100.0, 50.0]
    assert set(frame["run"]) == {listed.id for listed in board.runs}


def test_every_lost_point_has_a_reason(tmp_path: Path) -> None:
    store = Store(tmp_path)
    submission, _ = store.add(trace_lines("half", 4).encode(), {})
    board = load_board(SUITE, tmp_path / "runs", store)
    listed = board.find(submission.id)
    assert listed is not None
    frame = task_table(listed.run)
    assert len(frame) == len(SUITE.tasks)
    assert list(frame["weighted"]) == sorted(frame["weighted"])
    for row in frame.to_dict("records"):
        assert row["why"]
        assert (row["outcome"] == "passed") == (row["why"] == "Every call is right.")


def test_an_upload_that_cannot_be_scored_names_every_line(tmp_path: Path) -> None:
    from space.app import _first_problems, _score_upload

    file = tmp_path / "t.jsonl"
    file.write_text("{\n[]\n")
    with pytest.raises(InputError) as caught:
        _score_upload(str(file), SUITE)
    assert _first_problems(caught.value).count("t.jsonl:") == 2
    file.write_bytes(b"\xff")
    with pytest.raises(InputError, match="UTF-8"):
        _score_upload(str(file), SUITE)
    file.write_text(trace_lines("m", 8))
    text, runs = _score_upload(str(file), SUITE)
    assert (text, runs[0].scores["overall"]) == (file.read_text(), 1)
