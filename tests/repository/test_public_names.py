"""The public functions take one path or several, as text or as `Path`, and say what they cannot take."""

import json
from pathlib import Path
from typing import Any

import pytest

import comptoolbench
from dataset_builder.errors import InputError
from evaluator.traces.trace import Trace, TraceProblems
from tests.samples.small_suite import small_suite, write_suite

SUITE = small_suite()
ROWS = [
    Trace(task.task_id, model="m", protocol="single-turn", catalogue="full") for task in SUITE.tasks
]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """The traces of a run in two files, and in a third the whole of it."""
    lines = [f"{json.dumps(row.to_row())}\n" for row in ROWS]
    parts = {"a.jsonl": lines[:3], "b.jsonl": lines[3:], "whole.jsonl": lines}
    for name, own in parts.items():
        (tmp_path / name).write_text("".join(own))
    return [tmp_path / name for name in parts]


def test_traces_of_one_path_or_several(files: list[Path]) -> None:
    a, b, whole = files
    for given in (whole, str(whole), [whole], (str(whole),), iter([whole]), [a, str(b)]):
        assert comptoolbench.read_traces(given) == ROWS
    assert comptoolbench.read_traces([]) == []
    with pytest.raises(TraceProblems) as refused:
        comptoolbench.read_traces("nowhere.jsonl")
    assert refused.value.problems == ["nowhere.jsonl: cannot be read (no such file or directory)"]


def test_scores_of_one_path_or_several_or_of_traces(files: list[Path]) -> None:
    a, b, whole = files
    suite = write_suite(SUITE, whole.parent / "suite.jsonl")
    expected = comptoolbench.score(ROWS, SUITE)
    for given in (whole, str(whole), [whole], [str(a), b], iter([a, b]), iter(ROWS)):
        assert comptoolbench.score(given, SUITE) == expected
    for of in (suite, str(suite)):
        assert comptoolbench.score(whole, of) == expected


REFUSED: list[Any] = [[], ["whole.jsonl", ROWS[0]], [ROWS[0], Path("whole.jsonl")]]


@pytest.mark.parametrize("given", REFUSED)
def test_what_is_neither_is_refused(given: Any) -> None:
    with pytest.raises(InputError):
        comptoolbench.score(given, SUITE)


def test_the_public_names_are_listed() -> None:
    named = {"score", "read_traces", "load_suite", "system_prompt", "widened"}
    assert named <= set(dir(comptoolbench))


def test_a_model_can_be_asked_with_public_names_alone() -> None:
    assert "{{1.loan_id}}" in comptoolbench.system_prompt("single-turn")
    (schema, *_) = SUITE.tasks[0].schemas
    widened = comptoolbench.widened(json.loads(schema))
    assert widened["function"]["name"] == json.loads(schema)["function"]["name"]
