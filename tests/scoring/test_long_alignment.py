"""Alignment and order at length: as good as the search where that can be asked, and never a cascade."""

import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.procedures.dials import Dials
from dataset_builder.procedures.procedure import make_procedure
from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.task import Task
from dataset_builder.tools import catalogue
from dataset_builder.tools.replay import replay
from evaluator.asking.baselines.oracle_and_dump import arguments_with_references
from evaluator.scoring.align import align, value_of
from evaluator.scoring.bipartite_matching import pair_off
from evaluator.scoring.call_order import longest_in_order, most_in_order
from evaluator.scoring.call_worth import Scene
from evaluator.scoring.known_task import KnownTask
from evaluator.scoring.long_alignment import (
    SPARE_CALLS,
    align_at_length,
    best_assignment,
    competing,
)
from evaluator.scoring.score import score_task
from evaluator.scoring.verdict import TaskScore
from evaluator.traces.protocols import SINGLE_TURN
from evaluator.traces.trace import Call, Trace
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
        scene = Scene(KnownTask(task, TOOLS), replay(calls, TOOLS), TOOLS)
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


# Answers that leave calls out -----------------------------------------------------------------


def right_steps(task: Task, calls: Sequence[Call]) -> set[int]:
    """The positions of the steps that these calls make right."""
    trace = Trace(task.task_id, tuple(calls), protocol=SINGLE_TURN, catalogue="full")
    return {i for i, step in enumerate(score_task(task, trace, TOOLS).steps) if step.is_right}


def made_in_order(task: Task, order: Sequence[int]) -> list[Call]:
    """The right calls of these steps, one after the other; a reference to none of them leads nowhere."""
    numbers = dict.fromkeys(range(1, len(task.steps) + 1), 9_999)
    numbers |= {step + 1: number for number, step in enumerate(order, 1)}
    steps = [task.steps[step] for step in order]
    return [
        Call(step.tool, _pointing(arguments_with_references(step, task), numbers)) for step in steps
    ]


def upstream_of(task: Task) -> list[set[int]]:
    """For each step the positions of those whose values it takes."""
    positions = {step.step_id: position for position, step in enumerate(task.steps)}
    return [{positions[edge.source] for edge in step.edges} for step in task.steps]


PROCEDURES = [
    pytest.param(calls, form, seed, id=f"{calls} calls, {form}, seed {seed}")
    for calls in (16, 32, 64, 128)
    for form in ("list", "prose")
    for seed in (7, 8)
]


@pytest.mark.parametrize(("calls", "form", "seed"), PROCEDURES)
def test_the_first_right_calls_are_right_whatever_is_missing(
    calls: int, form: str, seed: int
) -> None:
    task = make_procedure(calls, Dials(form=form), seed=seed)
    answer = made_in_order(task, range(calls))
    for length in range(1, calls + 1, max(1, calls // 16)):
        first = set(range(length))
        assert right_steps(task, answer[:length]) >= first
        wrong = Call(answer[-1].name, {"no_such_argument": 1})
        assert right_steps(task, [*answer[:length], wrong]) >= first


@pytest.mark.parametrize("length", [23, 24, 31, 32, 33, 63, 64, 65])
@pytest.mark.parametrize("seed", [7, 8])
def test_the_first_right_calls_are_as_many_right_steps(length: int, seed: int) -> None:
    task = make_procedure(128, Dials(form="prose"), seed=seed)
    calls = made_in_order(task, range(128))[:length]
    assert right_steps(task, calls) == set(range(length))


@pytest.mark.parametrize(("calls", "form", "seed"), PROCEDURES)
def test_right_calls_with_all_upstream_of_them_are_right_in_any_order(
    calls: int, form: str, seed: int
) -> None:
    task = make_procedure(calls, Dials(form=form), seed=seed)
    sources = upstream_of(task)
    rng = random.Random(f"subsets {calls} {form} {seed}")
    for _ in range(6):
        order: list[int] = []
        share = rng.choice([0.3, 0.6, 0.9])
        waiting = [step for step in range(calls) if rng.random() < share]
        while ready := [step for step in waiting if sources[step] <= set(order)]:
            order.append(rng.choice(ready))
            waiting.remove(order[-1])
        assert right_steps(task, made_in_order(task, order)) == set(order)


@pytest.mark.parametrize(("calls", "form", "seed"), PROCEDURES)
def test_calls_missing_anywhere_cost_what_needs_their_outputs_and_nothing_else(
    calls: int, form: str, seed: int
) -> None:
    task = make_procedure(calls, Dials(form=form), seed=seed)
    sources = upstream_of(task)
    rng = random.Random(f"missing {calls} {form} {seed}")
    for share in (0.5, 0.7, 0.8, 0.9, 0.95):
        made = [step for step in range(calls) if rng.random() < share]
        fed: set[int] = set()
        for step in made:
            fed |= {step} if sources[step] <= fed else set()
        assert right_steps(task, made_in_order(task, made)) >= fed


# Bounds ---------------------------------------------------------------------------------------


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
