"""Horizons in words: what lies beyond the ladder is told as such."""

import json
import re
from math import inf
from pathlib import Path
from typing import Any

import pytest

from dataset_builder.tools import catalogue
from dataset_builder.tools.world import World
from evaluator.horizon.length_text import (
    by_length,
    calls_text,
    exponent_text,
    length_text,
    limit_text,
)
from tests.horizon.coverage import independent_errors
from tests.horizon.figure import svg
from tests.samples.horizon_runs import horizon_result

DOCUMENT = Path(__file__).parents[2] / "docs" / "horizon.md"


def section(**length: Any) -> dict[str, Any]:
    """A ladder of 4, 64 and 256 calls, of which the last was not answered, with this H50."""
    rungs = [
        {"calls": calls, "tasks": tasks, "limited": 12 - tasks, "calls_right": 0.5}
        for calls, tasks in ((4, 12), (64, 12), (256, 0))
    ]
    h50 = {"value": None, "low": None, "high": None, "above": False, "below": False} | length
    return {"rungs": rungs, "h50": h50, "exponent": {"value": None, "low": None, "high": None}}


@pytest.mark.parametrize(
    ("length", "text"),
    [
        ({"value": 31.6, "low": 15.2, "high": 44.9}, "32 (15–45)"),
        ({"value": 6.44, "low": None, "high": 9.96}, "6.4 (< 4 to 10)"),
        ({"value": 60, "low": 30, "high": None}, "60 (30 to > 64)"),
        ({"value": 20, "low": None, "high": None}, "20 (< 4 to > 64)"),
        ({"above": True, "low": 64}, "> 64"),
        ({"above": True, "low": 41}, "> 64 (41 to > 64)"),
        ({"above": True, "low": None}, "> 64"),
        ({"below": True, "high": 4}, "< 4"),
        ({"below": True, "high": 5.26}, "< 4 (< 4 to 5.3)"),
        ({"below": True, "high": None}, "< 4"),
    ],
)
def test_lengths(length: dict[str, Any], text: str) -> None:
    assert str(length_text(section(**length))) == text


def test_what_was_not_answered_has_no_length() -> None:
    nothing = section() | {"rungs": []}
    assert str(length_text(nothing)) == exponent_text(nothing) == "–"
    assert limit_text(nothing) == ""
    assert limit_text(section()) == "limited by context at 256"
    exponent = {"value": 1.239, "low": 0.7, "high": 2}
    assert exponent_text(section() | {"exponent": exponent}) == "1.24 (0.70–2.00)"


@pytest.mark.parametrize(("calls", "text"), [(0, "0.0"), (9.94, "9.9"), (9.96, "10"), (256, "256")])
def test_calls(calls: float, text: str) -> None:
    assert calls_text(calls) == text


def test_the_longest_comes_first() -> None:
    sections = [section(value=20), section(below=True), section(above=True), section(value=60)]
    keys = sorted((by_length(each)[0] for each in sections), reverse=True)
    assert keys == [inf, 60, 20, 0]
    assert by_length(section() | {"rungs": []})[0] < 0


def test_a_limited_model_is_told_by_what_it_answered() -> None:
    scores = horizon_result("m", independent_errors(0.999), 2, limited_from=128).scores["horizon"]
    assert str(length_text(scores)) == "> 64"
    assert limit_text(scores) == "limited by context at 128"


# docs/horizon.md ------------------------------------------------------------------------------


def test_the_calls_of_the_document_give_what_it_says() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    (block,) = re.findall(r"```jsonl\n(.*?)```", text, re.DOTALL)
    outputs: list[dict[str, Any]] = []

    def resolved(value: Any) -> Any:
        reference = re.fullmatch(r"\{\{step_(\d+)\.(\w+)\}\}", str(value))
        return outputs[int(reference[1]) - 1][reference[2]] if reference else value

    for line in block.splitlines():
        call = json.loads(line)
        arguments = {name: resolved(value) for name, value in call["arguments"].items()}
        outputs.append(dict(catalogue()[call["tool"]](arguments, World())))
        assert call.get("gives", {}).items() <= outputs[-1].items()
    assert len(outputs) == 8


def test_the_figure_of_the_document_is_that_of_its_command() -> None:
    drawn = svg()
    assert drawn == (DOCUMENT.parent / "horizon.svg").read_text(encoding="utf-8")
    assert all(name in drawn for name in ("never wrong", "worse as it goes"))
