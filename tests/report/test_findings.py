from typing import Any

import pytest

from evaluator.report import findings
from evaluator.report.findings import Difference

CLEAR = Difference(0.05, 0.01, 0.09, True, 0.06)
LEFT = Difference(-0.05, -0.09, -0.01, True, 0.06)
OPEN = Difference(0.012, -0.03, 0.055, False, 0.061)
FEW = Difference(0.05, 0.01, 0.09, False, float("nan"))

VERSUS = [
    (CLEAR, "A is ahead of B by 5.0 points in Solved (95 % 1.0 to 9.0)."),
    (LEFT, "B is ahead of A by 5.0 points in Solved (95 % 1.0 to 9.0)."),
    (
        OPEN,
        "No difference between A and B can be shown: +1.2 points in Solved (95 % −3.0 to "
        "5.5); the smallest true difference that these tasks would show in four of five "
        "repetitions is about 6.1 points.",
    ),
    # The interval is clear of 0, but too few templates differ: nothing is claimed.
    (
        FEW,
        "No difference between A and B can be shown: +5.0 points in Solved (95 % 1.0 to 9.0).",
    ),
]


@pytest.mark.parametrize(("found", "sentence"), VERSUS)
def test_a_difference_is_claimed_only_if_it_is_significant(
    found: Difference, sentence: str
) -> None:
    assert findings.versus("A", "B", found) == sentence


CHANGED = [
    (CLEAR, "X: 5.0 points in accuracy higher (95 % 1.0 to 9.0)."),
    (LEFT, "X: 5.0 points in accuracy lower (95 % 1.0 to 9.0)."),
]


@pytest.mark.parametrize(("found", "sentence"), CHANGED)
def test_a_change_says_its_direction(found: Difference, sentence: str) -> None:
    assert findings.changed("X", found, "accuracy") == sentence


def test_no_change_is_worded_as_not_shown() -> None:
    assert "no change can be shown" in findings.changed("X", OPEN)


GAPS: list[tuple[tuple[float, float, float], str]] = [
    ((0.1, 0.02, 0.2), "scores higher on composed tasks than on single calls, by 10.0 points"),
    ((-0.1, -0.2, -0.02), "scores lower on composed tasks than on single calls, by 10.0 points"),
    (
        (0.1, -0.02, 0.2),
        "shows no difference between composed tasks and single calls: +10.0 points",
    ),
    ((0.0, 0.0, 0.0), "shows no difference between composed tasks and single calls: 0.0 points"),
]


@pytest.mark.parametrize(("numbers", "part"), GAPS)
def test_a_gap_is_worded_by_its_interval(numbers: Any, part: str) -> None:
    sentence = findings.gap("A", *numbers)
    assert sentence.startswith(f"A {part}")
    low, high = sorted(map(abs, numbers[1:])) if part.startswith("scores") else numbers[1:]
    assert findings.interval(low, high) in sentence


def test_models_are_counted_by_what_their_intervals_show() -> None:
    assert findings.gaps([(0.1, 0.2), (-0.2, -0.1), (-0.1, 0.1), (0.0, 0.1)]).endswith(
        "1 score higher on composed tasks than on single calls, 1 lower, and for 2 neither can be "
        "shown."
    )


MEANS = [
    (0.1, 0.2, "composed tasks score higher than single calls."),
    (-0.2, -0.1, "composed tasks score lower than single calls."),
    (-0.1, 0.2, "neither direction can be shown."),
]


@pytest.mark.parametrize(("low", "high", "end"), MEANS)
def test_a_mean_gap_in_calls_right_has_a_verdict_and_the_papers_has_none(
    low: float, high: float, end: str
) -> None:
    numbers = ((low + high) / 2, low, high, 5)
    assert findings.mean_gap(*numbers).startswith("Mean gap of 5 models in Calls right: ")
    assert findings.mean_gap(*numbers).endswith(end)
    sentence = findings.paper_gap(*numbers)
    assert sentence.startswith("Mean gap of 5 models in Weighted score (paper): ")
    assert sentence.endswith("it says nothing by itself.")
    assert "score higher" not in sentence
    assert "score lower" not in sentence


def test_where_there_is_no_interval_nothing_is_claimed() -> None:
    nan = float("nan")
    assert findings.versus("A", "B", Difference(0.5, nan, nan, False, nan)) == (
        "No difference between A and B can be shown: +50.0 points in Solved "
        "(no interval: too few templates to tell)."
    )
    assert "shows no difference" in findings.gap("A", 0.5, nan, nan)


LISTS = [
    (["A"], "A"),
    (["A", "B"], "A and B"),
    (["A", "B", "C"], "A, B and C"),
    (list("ABCDEFGHIJ"), "A, B, C, D, E, F, G, H and 2 more"),
]


@pytest.mark.parametrize(("names", "said"), LISTS)
def test_names_are_listed(names: list[str], said: str) -> None:
    assert findings.listed(names) == said


def test_whoever_cannot_be_told_from_the_leader_is_named() -> None:
    assert findings.tied("A", ["B", "C"]) == "Not shown to be behind A: B and C."
    assert findings.tied("A", []) == "Every other ranked model is significantly behind A."
