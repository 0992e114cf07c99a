"""Alignment and order at length: as good as the search where that can be asked, and never a cascade."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tools import catalogue
from dataset_builder.tools.replay import replay
from evaluator.scoring.align import align, value_of
from evaluator.scoring.bipartite_matching import pair_off
from evaluator.scoring.call_order import longest_in_order, most_in_order
from evaluator.scoring.call_worth import Scene
from evaluator.scoring.long_alignment import (
    SPARE_CALLS,
    align_at_length,
    best_assignment,
    competing,
)
from evaluator.scoring.score import score_task
from evaluator.scoring.verdict import TaskScore
from evaluator.traces.trace import Call
from tests.differential.mutations import mutants
from tests.samples.long_tasks import flawed_answer, long_task
from tests.scoring.test_align import Table, every_alignment, tables

TOOLS = catalogue()
LONG = long_task(64, 1)
ANSWER = flawed_answer(LONG, 1)


# Each pair by itself --------------------------------------------------------------------------


@given(st.lists(st.dictionaries(st.integers(0, 5), st.integers(1, 9), max_size=4), max_size=5))
def test_assignment_is_the_best_of_all(weights: list[dict[int, int]]) -> None:
    def worth(columns: Sequence[int | None]) -> int:
        return sum(w[c] for w, c in zip(weights, columns, strict=True) if c is not None)

    assigned = best_assignment(weights)
    taken = [column for column in assigned if column is not None]
    assert len(set(taken)) == len(taken)
    assert worth(assigned) == max(map(worth, every_alignment([sorted(w) for w in weights])))


@given(tables())
def test_without_dependence_it_is_the_best_alignment(pairs: Table) -> None:
    alone = Table(pairs.weights)
    best = max(value_of(each, alone) for each in every_alignment(alone.candidates))
    assert value_of(align_at_length(alone), alone) == best


@given(st.lists(st.lists(st.integers(0, 8), unique=True, max_size=3), max_size=8))
def test_steps_that_share_a_call_compete(candidates: list[list[int]]) -> None:
    groups = competing(candidates)
    assert sorted(step for group in groups for step in group) == list(range(len(candidates)))
    calls = [{call for step in group for call in candidates[step]} for group in groups]
    assert sum(map(len, calls)) == len(set().union(*calls))


# Calls that depend on each other --------------------------------------------------------------


@given(tables())
def test_it_is_an_alignment_with_as_many_pairs_as_possible(pairs: Table) -> None:
    alignment = align_at_length(pairs)
    calls = [call for call in alignment if call is not None]
    assert len(set(calls)) == len(calls)
    options = zip(alignment, pairs.candidates, strict=True)
    assert all(call is None or call in candidates for call, candidates in options)
    assert value_of(alignment, pairs)[0] == value_of(align(pairs), pairs)[0]


def test_on_short_tasks_it_nearly_always_finds_what_the_search_finds() -> None:
    suite = CompositionEngine(42).generate_suite()
    worse = 0
    for task, mutant in mutants(suite, TOOLS, 500, 99, most=8):
        calls = ((call.name, call.arguments) for call in mutant.trace.calls)
        scene = Scene(task, replay(calls, TOOLS), TOOLS, TOOLS)
        searched, near = (value_of(way(scene), scene) for way in (align, align_at_length))
        assert near[0] == searched[0]
        worse += near < searched
    assert worse <= 1


def test_the_right_answer_to_a_long_task_is_right() -> None:
    score = score_task(LONG, ANSWER, TOOLS)
    assert (score.strict, score.score) == (True, 1)


def with_calls(calls: Sequence[Call]) -> TaskScore:
    return score_task(LONG, replace(ANSWER, calls=tuple(calls)), TOOLS)


def fed_by(steps: set[str]) -> set[str]:
    """These steps and all that come after them."""
    for step in LONG.steps:
        steps |= {step.step_id} if steps.intersection(e.source for e in step.edges) else set()
    return steps


def test_a_wrong_call_costs_itself_and_not_what_follows_from_it() -> None:
    costly = 0
    for number, call in enumerate(ANSWER.calls):
        for name, value in (call.arguments or {}).items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                wrong = Call(call.name, {**(call.arguments or {}), name: value + 1})
                score = with_calls([*ANSWER.calls[:number], wrong, *ANSWER.calls[number + 1 :]])
                if score.calls[number].error is None:
                    lost = {step.step_id for step in score.steps if not step.is_right}
                    assert lost == {LONG.steps[number].step_id}
                    costly += len(fed_by(lost)) > 1
    assert costly >= 5


@pytest.mark.parametrize("number", range(0, 64, 3))
def test_a_call_with_an_error_costs_what_needs_its_output_and_nothing_else(number: int) -> None:
    failing = Call(ANSWER.calls[number].name, {"no_such_argument": 1})
    score = with_calls([*ANSWER.calls[:number], failing, *ANSWER.calls[number + 1 :]])
    lost = {step.step_id for step in score.steps if not step.is_right}
    assert lost == fed_by({LONG.steps[number].step_id})


def test_a_call_made_twice_costs_its_share_alone() -> None:
    again = [call for call in ANSWER.calls for _ in range(2)]
    first = {number: 2 * number - 1 for number in range(1, 65)}
    renumbered = [Call(call.name, _pointing(call.arguments, first)) for call in again]
    score = with_calls(renumbered)
    assert (score.step, score.completeness, score.sequence) == (0.5, 1, 1)


def _pointing(value: Any, numbers: dict[int, int]) -> Any:
    """Arguments whose references point at other calls."""
    text = json.dumps(value)
    return json.loads(re.sub(r"\{\{(\d+)\.", lambda found: f"{{{{{numbers[int(found[1])]}.", text))


def test_of_a_thousand_calls_to_one_tool_some_are_looked_at() -> None:
    weights = [{call: (7 * call + 13 * step) % 10 for call in range(1_000)} for step in range(8)]
    pairs = Table(weights, [(), (), (0,), (1,), (0, 1), (2, 3), (4,), (5, 6)])
    alignment = align_at_length(pairs)
    assert len(set(alignment)) == 8
    assert pairs.looks <= 2 * 8 * (2 * 8 + SPARE_CALLS)


# Order ----------------------------------------------------------------------------------------


@st.composite
def orders(draw: st.DrawFn) -> tuple[list[int | None], list[set[int]]]:
    """Places of calls, one of a tool of its own for each step, and what depends on what."""
    steps = draw(st.integers(1, 6))
    places: list[int | None] = list(draw(st.permutations(range(steps))))
    for step in draw(st.sets(st.integers(0, steps - 1))):
        places[step] = None
    return places, [draw(st.sets(st.integers(0, i - 1))) if i else set() for i in range(steps)]


@given(orders())
def test_where_every_tool_is_called_once_the_order_is_that_of_all_orders(
    order: tuple[list[int | None], list[set[int]]],
) -> None:
    places, depends = order
    made = sorted((place, step) for step, place in enumerate(places) if place is not None)
    names = [str(step) for _, step in made]
    steps = [str(step) for step in range(len(places))]
    assert most_in_order(places, depends) == longest_in_order(names, steps, depends)


def test_a_long_chain_in_reverse_keeps_one() -> None:
    chain = [{step - 1} if step else set() for step in range(512)]
    assert most_in_order(range(512), chain) == 512
    assert most_in_order(range(512)[::-1], chain) == 1


def test_pairing_goes_as_deep_as_it_has_to() -> None:
    fits = [[thing, thing + 1] for thing in range(3_000)]
    assert pair_off([*fits[:-1], [0], []])[:2] == [1, 2]
