"""A run's answers under another name are a copy, which is not ranked; those who answer alike are none."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from evaluator.comparing.load_results import load_results
from tests.samples.small_runs import SUITE, board, rewritten, run


def reasons(*paths: Path) -> list[list[str]]:
    """Why each run is not ranked."""
    return [r.scores["diagnostics"]["not_ranked"] for r in load_results(paths, SUITE)]


COSMETIC: list[dict[str, Any]] = [
    {},
    {"latency_ms": 7, "started_at": "2026-11-01", "cost_usd": 1},
    {"provider": "mine", "suite": None, "note": "x"},
    {"response": None},
    {"asked": {"calls": "json"}},
    {"catalogue": "task"},
]


@pytest.mark.parametrize("change", COSMETIC)
def test_a_copy_under_another_name_is_not_ranked(change: dict[str, Any], tmp_path: Path) -> None:
    folder = run("baseline:dump", tmp_path / "dump")
    copy = rewritten(folder, tmp_path / "copy.jsonl", "mine", **change)
    assert reasons(folder, copy) == [[], [f"a copy of {folder}"]]
    assert reasons(copy, folder) == [[], [f"a copy of {copy}"]]
    lines = board(folder, copy).stdout.splitlines()
    assert [line.split()[0] for line in lines if "a copy of" in line] == ["–"]
    assert f"a copy of {folder}" in board(folder, copy, command="compare").stdout


def test_the_same_file_in_two_places_is_one_run(tmp_path: Path) -> None:
    folder = run("baseline:dump", tmp_path / "dump")
    shutil.copytree(folder, tmp_path / "again")
    assert reasons(folder, tmp_path / "again") == [[], [f"a copy of {folder}"]]
    (tmp_path / "link").symlink_to(folder)
    assert reasons(folder, tmp_path / "link", folder / ".." / "dump") == [[]]


def test_those_who_answer_alike_are_no_copies(tmp_path: Path) -> None:
    folder = run("baseline:oracle", tmp_path / "oracle")
    # The same agent again; under another catalogue; another built-in agent; one that never calls.
    again = run("baseline:oracle", tmp_path / "again")
    fewer = run("baseline:oracle", tmp_path / "fewer", "--catalogue", "20")
    assert reasons(folder, again, fewer) == [[], [], []]
    one = rewritten(folder, tmp_path / "one.jsonl", "baseline:other")
    # Two models whose providers sent something of their own.
    two = rewritten(folder, tmp_path / "two.jsonl", "vendor/two", response=[{"id": "2"}])
    three = rewritten(folder, tmp_path / "three.jsonl", "vendor/three", response=[{"id": "3"}])
    assert reasons(folder, one, two, three) == [[], [], [], []]
    silent = [rewritten(folder, tmp_path / f"{n}.jsonl", n, calls=[]) for n in ("s", "t")]
    assert reasons(*silent) == [[], []]


def test_a_copy_of_a_copy_names_the_first(tmp_path: Path) -> None:
    folder = run("baseline:dump", tmp_path / "dump")
    copies = [rewritten(folder, tmp_path / f"{name}.jsonl", name) for name in "abc"]
    assert reasons(folder, *copies) == [[], *([[f"a copy of {folder}"]] * 3)]
