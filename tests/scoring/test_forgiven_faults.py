"""What a seeded fault makes necessary costs nothing, and nothing else is forgiven for it."""

from dataclasses import replace

import pytest

from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.task import Task
from dataset_builder.tools import catalogue
from dataset_builder.tools.faults import FAILURES, FAULTS, FORMATS
from evaluator.explaining.explanation import judge_call
from evaluator.scoring.error_classes import reasons
from evaluator.scoring.score import score_task
from evaluator.scoring.verdict import ALIGNED, EXTRA, FORGIVEN, TaskScore
from evaluator.traces.protocols import MULTI_TURN
from evaluator.traces.trace import Call, Trace
from evaluator.traces.variations import Variation

TOOLS = catalogue()
SUITE = CompositionEngine().generate_suite()
TASK = SUITE.by_id["L1_chain_0049"]
FIRST, SECOND = TASK.steps


def seed_with(task: Task, **kinds: str | None) -> str:
    """A seed under which these tools meet these faults, and others that the task needs none."""
    wanted = {**dict.fromkeys(task.expected_tools), **kinds}
    for seed in range(100_000):
        faults = Variation(faults=f"50.{seed}").faults_of(task)
        if faults and all(faults.of(tool) == kind for tool, kind in wanted.items()):
            return str(seed)
    raise AssertionError(kinds)


def scored(task: Task, *calls: tuple[str, object], seed: str | None) -> TaskScore:
    asked = {} if seed is None else {"asked": {"faults": f"50.{seed}"}}
    made = tuple(Call(name, arguments) for name, arguments in calls)
    trace = Trace(task.task_id, made, "m", protocol=MULTI_TURN, catalogue="task", extra=asked)
    return score_task(task, trace, TOOLS)


ONE, TWO = ((step.tool, dict(step.arguments)) for step in TASK.steps)


def roles(score: TaskScore) -> list[str]:
    return [call.role for call in score.calls]


@pytest.mark.parametrize("kind", FAULTS)
def test_a_call_made_again_costs_nothing(kind: str) -> None:
    score = scored(TASK, ONE, ONE, TWO, seed=seed_with(TASK, **{FIRST.tool: kind}))
    assert (score.strict, score.step, score.score, score.counted) == (True, 1, 1, 2)
    assert sorted(roles(score)) == [ALIGNED, ALIGNED, FORGIVEN]
    assert score.calls[0].fault == kind
    assert not scored(TASK, ONE, ONE, TWO, seed=None).strict


@pytest.mark.parametrize("kind", FAILURES)
def test_a_failed_call_that_is_not_made_again_is_no_answer(kind: str) -> None:
    score = scored(TASK, ONE, TWO, seed=seed_with(TASK, **{FIRST.tool: kind}))
    assert not score.strict
    assert not score.steps[0].is_right
    assert score.calls[0].role == ALIGNED


@pytest.mark.parametrize("kind", FORMATS)
def test_who_reads_another_format_need_not_call_again(kind: str) -> None:
    seed = seed_with(TASK, **{FIRST.tool: kind})
    assert scored(TASK, ONE, TWO, seed=seed).strict


@pytest.mark.parametrize("kind", FAULTS)
def test_a_third_call_counts(kind: str) -> None:
    score = scored(TASK, ONE, ONE, ONE, TWO, seed=seed_with(TASK, **{FIRST.tool: kind}))
    assert (score.strict, score.counted) == (False, 3)
    assert sorted(roles(score)) == [ALIGNED, ALIGNED, EXTRA, FORGIVEN]


@pytest.mark.parametrize("kind", FORMATS)
def test_another_call_after_another_format_counts(kind: str) -> None:
    other = (ONE[0], dict.fromkeys(ONE[1], "something else"))
    score = scored(TASK, ONE, other, TWO, seed=seed_with(TASK, **{FIRST.tool: kind}))
    assert (score.strict, score.counted) == (False, 3)


def test_faults_leave_the_two_attempts_that_are_forgiven_anyway() -> None:
    seed = seed_with(TASK, **{FIRST.tool: "error"})
    failed: tuple[str, object] = (ONE[0], {})
    score = scored(TASK, ONE, failed, failed, ONE, TWO, seed=seed)
    assert score.strict
    assert not scored(TASK, ONE, failed, failed, failed, ONE, TWO, seed=seed).strict


def test_a_wrong_tool_is_not_forgiven_for_its_fault() -> None:
    wrong = ("word_count", {"text": "two words"})
    seed = seed_with(TASK, word_count="timeout")
    once = scored(TASK, wrong, ONE, TWO, seed=seed)
    assert (once.strict, once.counted, once.calls[0].role) == (False, 3, EXTRA)
    twice = scored(TASK, wrong, wrong, ONE, TWO, seed=seed)
    assert (twice.strict, twice.counted, twice.calls[1].role) == (False, 3, EXTRA)


def test_an_alternative_may_take_the_place_of_a_tool_that_failed() -> None:
    task = SUITE.by_id["L0_node_0004"]
    (step,), (other, *_) = task.steps, task.steps[0].alternatives
    task = replace(task, offered=(*task.offered, other.tool))
    seed = seed_with(task, **{step.tool: "error", other.tool: None})
    calls = (step.tool, dict(step.arguments)), (other.tool, dict(other.arguments))
    score = scored(task, *calls, seed=seed)
    assert (score.strict, roles(score)) == (True, [FORGIVEN, ALIGNED])


@pytest.mark.parametrize("seed", ["1", "2"])
def test_every_task_is_solved_by_calling_again(seed: str) -> None:
    met = 0
    for task in SUITE.tasks:
        variation = Variation(faults=f"100.{seed}")
        faults = variation.faults_of(task)
        assert faults is not None
        calls: list[Call] = []
        seen: set[str] = set()
        for step in task.steps:
            call = Call(step.tool, dict(step.arguments))
            calls += [call] if step.tool in seen or len(seen) >= faults.most else [call, call]
            seen.add(step.tool)
        trace = Trace(
            task.task_id,
            tuple(calls),
            protocol=MULTI_TURN,
            catalogue="task",
            extra={"asked": variation.written},
        )
        score = score_task(task, trace, TOOLS)
        assert score.strict, task.task_id
        met += sum(call.fault is not None for call in score.calls)
    assert met > 300


def test_the_reasons_say_what_a_fault_has_done() -> None:
    seed = seed_with(TASK, **{FIRST.tool: "timeout"})
    assert reasons(scored(TASK, ONE, TWO, seed=seed))[0] == (
        f"{FIRST.step_id} ({FIRST.tool}): the call met a fault and was not made again "
        '("no answer within 30 seconds").'
    )
    again = scored(TASK, ONE, ONE, TWO, seed=seed)
    assert reasons(again) == []
    assert judge_call(again.calls[0]).words == (
        "met a fault or was made again after one, not counted"
    )
