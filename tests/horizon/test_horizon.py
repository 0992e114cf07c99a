"""Rungs, survival, independent errors, effects and the JSON of a horizon."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dataset_builder.tools import catalogue
from evaluator.horizon.effects import effects
from evaluator.horizon.horizon import horizon
from evaluator.horizon.outcome import Dial, Outcome
from evaluator.horizon.rungs import rungs
from evaluator.horizon.survival import independent, survival
from evaluator.scoring.horizon_section import outcome_of
from evaluator.scoring.score import score_task
from tests.horizon.coverage import independent_errors, outcomes
from tests.samples.long_tasks import flawed_answer, long_task


def answer(calls: int, *wrong: int, is_limited: bool = False, **dials: Dial) -> Outcome:
    """A procedure of so many calls of which these (from 0) were wrong."""
    right = tuple(number not in wrong for number in range(calls))
    return Outcome(right, all(right), sum(right) / calls, is_limited, dials)


OUTCOMES = st.lists(
    st.builds(
        Outcome,
        st.lists(st.sampled_from([True, True, True, False]), min_size=1, max_size=9).map(tuple),
        st.booleans(),
        st.floats(0, 1),
        st.booleans(),
        st.dictionaries(st.sampled_from(["depth", "order"]), st.sampled_from([1, 2, "x"])),
    ),
    max_size=12,
)


def test_a_scored_procedure_becomes_an_outcome() -> None:
    dials = {"order": "shuffled", "reach": {"mean": 1.5}, "listed": [1]}
    task = replace(long_task(12, 1), metadata={"dials": dials})
    score = score_task(task, flawed_answer(task, 1, 0.4), catalogue())
    outcome = outcome_of(task, score)
    assert (outcome.calls, outcome.is_solved) == (12, False)
    assert sum(outcome.right) / 12 == outcome.calls_right == score.step
    assert outcome.dials == {"order": "shuffled", "reach_mean": 1.5}


def test_rungs_leave_out_what_was_limited() -> None:
    short, long = rungs([answer(8, is_limited=True), answer(4), answer(8), answer(8, 0, 1)])
    assert (short.calls, short.tasks, short.solved, short.limited) == (4, 1, 1, 0)
    assert (long.calls, long.tasks, long.solved, long.limited) == (8, 2, 1, 1)
    assert long.calls_right == (1 + 6 / 8) / 2
    (empty,) = rungs([answer(4, is_limited=True)])
    assert empty == (4, 0, 0, None, None, None, 1)


# Survival -------------------------------------------------------------------------------------


@given(OUTCOMES.filter(lambda found: any(not each.is_limited for each in found)))
def test_survival_is_that_of_scipy(found: list[Outcome]) -> None:
    answered = [each for each in found if not each.is_limited]
    data: stats.CensoredData = stats.CensoredData(
        uncensored=[each.right_before_error + 1 for each in answered if not all(each.right)],
        right=[each.calls for each in answered if all(each.right)],
    )
    expected = stats.ecdf(data).sf
    points = survival(found)
    calls = np.array([point.calls for point in points])
    assert [point.share for point in points] == pytest.approx(expected.evaluate(calls))
    assert all(0 <= p.low <= p.share + 1e-12 and p.share - 1e-12 <= p.high <= 1 for p in points)


def test_survival_uses_procedures_that_were_not_solved() -> None:
    # Of three, one goes wrong at once, one at its third call, one not within its four.
    curve = survival([answer(4, 0), answer(4, 2, 3), answer(4)])
    assert [(point.calls, round(point.share, 4)) for point in curve] == [
        (1, 0.6667),
        (3, 0.3333),
        (4, 0.3333),
    ]


def test_independent_errors_are_told_from_short_procedures() -> None:
    # Two first errors in 4 + 1 + 3 calls; what comes after an error tells nothing.
    found = independent([answer(4), answer(4, 0, 1), answer(16, 2), answer(32, 0)])
    assert found.p == 1 - 2 / 8
    assert found.h50 == pytest.approx(np.log(0.5) / np.log(0.75))
    assert independent([answer(4)]) == (1, None)
    assert independent([answer(4, 0)]) == (0, 0)
    assert independent([answer(32)]) == independent([answer(4, is_limited=True)]) == (None, None)


@pytest.mark.parametrize("p", [0.9, 0.97])
def test_independent_errors_are_found_again(p: float) -> None:
    found = [independent(outcomes(independent_errors(p), seed)).p or 0 for seed in range(100)]
    assert np.mean(found) == pytest.approx(p, abs=0.005)


# Effects --------------------------------------------------------------------------------------


def shares(found: Sequence[Outcome], dial: str) -> dict[str, tuple[float, int]]:
    return {e.value: (e.calls_right, e.n) for e in effects(found) if e.dial == dial}


def test_effects_of_words() -> None:
    found = [answer(4, order="listed"), answer(4, 0, order="shuffled"), answer(4, order="shuffled")]
    assert shares(found, "order") == {"listed": (1, 1), "shuffled": (7 / 8, 2)}
    assert shares(found[1:], "order") == {}


def test_effects_of_numbers_are_told_within_a_rung() -> None:
    # Long procedures are deeper and worse; within each length depth makes no difference.
    short = [answer(4, depth=depth) for depth in (1, 2, 3)]
    long = [answer(8, 0, depth=depth) for depth in (4, 5, 6)]
    assert shares([*short, *long], "depth") == {"low": (11 / 12, 2), "high": (11 / 12, 2)}


def test_effects_of_the_position() -> None:
    found = [answer(8, 6, 7), answer(4, 3), answer(8)]
    assert shares(found, "position") == {
        "first quarter": (1, 3),
        "second quarter": (1, 3),
        "third quarter": (1, 3),
        "last quarter": (2 / 5, 3),
    }


# As a whole -----------------------------------------------------------------------------------


@given(OUTCOMES, st.randoms())
def test_the_order_of_outcomes_makes_no_difference(
    found: list[Outcome], shuffler: random.Random
) -> None:
    mixed = list(found)
    shuffler.shuffle(mixed)
    one, other = (horizon(each).to_json("s", "m", "p") for each in (found, mixed))
    assert one["h50"] == other["h50"]
    assert one["exponent"] == other["exponent"]
    assert one["survival"] == other["survival"]


def test_json() -> None:
    found = horizon(outcomes(independent_errors(0.97), 1)).to_json(
        "sig", "baseline:x", "multi-turn"
    )
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    fields = {
        "rungs": "calls tasks solved low high calls_right limited",
        "survival": "calls share low high",
        "effects": "dial value calls_right low high n",
    }
    for name, keys in fields.items():
        assert [set(row) for row in found[name]] == [set(keys.split())] * len(found[name])
    assert set(found["h50"]) == set(found["h80"]) == {"value", "low", "high", "above", "below"}
    assert set(found["exponent"]) == {"value", "low", "high"}
    assert set(found["independent"]) == {"p", "h50"}
    assert (found["signature"], found["model"], found["protocol"]) == (
        *("sig", "baseline:x", "multi-turn"),
    )
    nothing = horizon([]).to_json("sig", "baseline:x", "multi-turn")
    assert nothing["rungs"] == nothing["survival"] == nothing["effects"] == []


@pytest.mark.parametrize("p", [0.9, 0.99])
def test_intervals_of_effects_and_survival_hold_the_truth(p: float) -> None:
    found = [horizon(outcomes(independent_errors(p), seed)) for seed in range(100)]
    quarters = [each.effects[-1] for each in found]
    assert sum(quarter.low <= p <= quarter.high for quarter in quarters) >= 90
    eighth = [next(point for point in each.survival if point.calls >= 8) for each in found]
    assert sum(each.low <= p**each.calls <= each.high for each in eighth) >= 90
