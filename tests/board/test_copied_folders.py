"""A copy has no rank wherever it lies: among the page's own run folders as in the terminal."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluator.comparing.load_results import load_results
from space.base.score_cache import Cache
from space.base.settings import Settings
from space.base.tiers import COPY, MADE_HERE
from space.board.board import Board
from space.board.live_board import LiveBoard
from space.submissions.store import Store
from tests.samples.board_frames import frame
from tests.samples.small_runs import SUITE, run

Row = dict[str, Any]


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder with one model's run."""
    (tmp_path / "runs").mkdir()
    first = run("baseline:dump", tmp_path / "runs" / "first")
    changed(first, lambda row: row.update(model="vendor/model", response=[{"id": row["task_id"]}]))
    return first.parent


def changed(folder: Path, change: Callable[[Row], object]) -> None:
    """Every row changed, and the model's name in run.json as well."""
    rows = [json.loads(line) for line in (folder / "traces.jsonl").read_text().splitlines()]
    for row in rows:
        change(row)
    (folder / "traces.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    about = folder / "run.json"
    about.write_text(about.read_text().replace("baseline:dump", rows[0]["model"]))


def board(runs: Path) -> Board:
    settings = Settings(SUITE, runs, runs.parent / "submissions", jobs=runs.parent / "jobs")
    return LiveBoard(settings, Store(settings.submissions), Cache(settings.scores)).complete()


def ranked_in_the_terminal(runs: Path) -> dict[str, bool]:
    return {Path(r.name).name: r.scores["ranked"] for r in load_results([runs], SUITE)}


def answers_of_its_own(row: Row) -> None:
    row.update(model="mine", response=[{"id": f"mine {row['task_id']}"}])


def without_ids(row: Row) -> None:
    """As a model answers that writes its calls as JSON."""
    row.update(response=[{"content": f"calls for {row['task_id']}"}])


def one_of_its_own(row: Row) -> None:
    without_ids(row)
    row.update(model="mine")
    if row["task_id"] == SUITE.tasks[0].task_id:
        answers_of_its_own(row)


def all_but_one(row: Row) -> None:
    row.update(model="mine")
    if row["task_id"] == SUITE.tasks[0].task_id:
        answers_of_its_own(row)


COPIES: dict[str, Callable[[Row], object]] = {
    "as it is": lambda row: None,
    "another name": lambda row: row.update(model="mine"),
    "another name, other times": lambda row: row.update(
        model="mine", latency_ms=1.0, started_at="2020-01-01T00:00:00Z", cost_usd=1.0
    ),
    "another name, one message changed": all_but_one,
    "another name, calls in another order": lambda row: row.update(
        model="mine", calls=row["calls"][::-1]
    ),
}


@pytest.mark.parametrize("change", COPIES.values(), ids=COPIES)
def test_a_copied_run_folder_is_not_ranked(runs: Path, change: Callable[[Row], object]) -> None:
    shutil.copytree(runs / "first", runs / "second")
    changed(runs / "second", change)
    page = board(runs)
    assert page.problems == ()
    first, second = page.entries
    assert (first.status, first.is_ranked) == ("", True)
    assert (second.status, second.same_as, second.is_ranked) == (COPY, "first", False)
    assert second.status_reason.startswith("these are the answers of vendor/model")
    table = frame(page, MADE_HERE, first.result.signature, columns=["id", "rank"])
    assert list(table["Run"]) == ["first", "second"]
    assert list(table["Rank"].isna()) == [False, True]
    assert ranked_in_the_terminal(runs) == {"first": True, "second": False}


HONEST: dict[str, Callable[[Row], object]] = {
    "the same calls, other messages": answers_of_its_own,
    "a like model, one message apart": one_of_its_own,
    "the same model again": lambda row: row.update(started_at="2026-11-23T00:00:00Z"),
    "no call": lambda row: row.update(model="mine", calls=[]),
}


@pytest.mark.parametrize("change", HONEST.values(), ids=HONEST)
def test_runs_that_coincide_are_ranked(runs: Path, change: Callable[[Row], object]) -> None:
    if change is one_of_its_own:
        changed(runs / "first", without_ids)
    shutil.copytree(runs / "first", runs / "second")
    changed(runs / "second", change)
    assert [(e.status, e.same_as, e.is_ranked) for e in board(runs).entries] == [("", "", True)] * 2
    assert ranked_in_the_terminal(runs) == {"first": True, "second": True}


def test_what_is_drawn_from_several_runs_is_a_copy(runs: Path, tmp_path: Path) -> None:
    shutil.copytree(runs / "first", runs / "second")
    changed(runs / "second", answers_of_its_own)
    mixed = tmp_path / "mixed.jsonl"
    halves = [
        (runs / name / "traces.jsonl").read_text().splitlines() for name in ("first", "second")
    ]
    rows = [json.loads(halves[number % 2][number]) for number in range(len(SUITE.tasks))]
    mixed.write_text("".join(f"{json.dumps({**row, 'model': 'mixed'})}\n" for row in rows))
    *_, result = load_results([runs, mixed], SUITE)
    assert result.scores["diagnostics"]["not_ranked"] == [f"a copy of {runs / 'first'}"]


def json_rows(model: str, answers: list[str]) -> list[Row]:
    """Rows whose messages have no id: calls written as JSON, alike where the answers are."""
    task_ids = [task.task_id for task in SUITE.tasks]
    calls = [{"name": "noun", "arguments": {}}]
    return [
        {"task_id": name, "model": model, "protocol": "single-turn", "catalogue": "full"}
        | {"calls": calls, "response": [{"content": answer}], "usage": {"total_tokens": 9}}
        for name, answer in zip(task_ids, answers, strict=True)
    ]


def test_like_models_that_write_the_same_json_are_no_copies(tmp_path: Path) -> None:
    """However many runs there are, and though each answer of the last stands in one of them."""
    tasks = range(len(SUITE.tasks))
    right = [f"right {number}" for number in tasks]
    files = []
    for wrong in tasks:
        answers = [*right[:wrong], f"wrong {wrong}", *right[wrong + 1 :]]
        files.append(tmp_path / f"{wrong}.jsonl")
        rows = json_rows(f"vendor/{wrong}", answers)
        rows[wrong]["calls"] = []
        files[-1].write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    found = load_results(files, SUITE)
    assert [result.scores["diagnostics"]["not_ranked"] for result in found] == [[]] * len(files)


def test_nearly_all_of_one_runs_json_is_a_copy(tmp_path: Path) -> None:
    right = [f"right {number}" for number in range(len(SUITE.tasks))]
    files = [tmp_path / "first.jsonl", tmp_path / "second.jsonl"]
    for file in files:
        rows = json_rows(f"vendor/{file.stem}", right)
        file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    _, second = load_results(files, SUITE)
    assert second.scores["diagnostics"]["not_ranked"] == [f"a copy of {files[0]}"]
