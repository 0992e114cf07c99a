"""The agent that errs with a known probability: its errors are errors, and no more than it drew."""

import asyncio

import pytest

from dataset_builder.procedures.rungs import rung
from dataset_builder.tasks.task import Task
from dataset_builder.tools import catalogue
from evaluator.asking.baselines import answering, baseline
from evaluator.asking.baselines.noisy import ErrorRate, accuracy, noisy
from evaluator.asking.episode import Setting, answer_task, timed
from evaluator.asking.request_reply import Answerer
from evaluator.scoring.score import score_task
from evaluator.scoring.verdict import TaskScore
from evaluator.traces.protocols import CALLS, PROTOCOLS, SINGLE_TURN

TOOLS = catalogue()
TASKS = [*rung(8, 3, 6), *rung(16, 3, 6)]
NAMES = [
    ("baseline:noisy-0.99", 0.99),
    ("baseline:noisy-0.5", 0.5),
    ("baseline:noisy-0.999", 0.999),
    *((f"baseline:noisy-{text}", None) for text in ("0.90", "1", "1.5", "0", "0.0", "-0.5", "")),
    ("baseline:oracle", None),
    ("noisy-0.9", None),
]


def scored(
    agent: Answerer, task: Task, protocol: str = SINGLE_TURN, calls: str = "native"
) -> TaskScore:
    setting = Setting("x", "built-in", "s", protocol, "full", calls)
    trace = asyncio.run(answer_task(task, 0, setting, TOOLS, lambda request: timed(agent(request))))
    return score_task(task, trace, TOOLS)


def erring(rate: ErrorRate) -> Answerer:
    return answering(lambda request: noisy(request, rate, "errs"), "errs")


@pytest.mark.parametrize(("name", "expected"), NAMES)
def test_its_name_says_how_often_it_is_right(name: str, expected: float | None) -> None:
    assert accuracy(name) == expected


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("task", TASKS, ids=lambda task: f"{len(task.steps)}-{task.task_id}")
def test_each_error_is_one_and_what_does_not_depend_on_it_is_right(
    task: Task, protocol: str
) -> None:
    for wrong in range(len(task.steps)):
        agent = erring(lambda place, wrong=wrong: float(place == wrong))  # type: ignore[misc]
        steps = scored(agent, task, protocol).steps
        assert not steps[wrong].is_right, task.steps[wrong].tool
        assert all(step.is_right for step in steps[:wrong])


def test_an_agent_that_always_errs_has_nothing_right() -> None:
    agent = erring(lambda place: 1)
    right = [step.is_right for task in TASKS for step in scored(agent, task).steps]
    assert not any(right)


def test_few_errors_reach_beyond_their_own_call() -> None:
    single = [(task, place) for task in TASKS for place in range(len(task.steps))]
    beyond = 0
    for task, wrong in single:
        agent = erring(lambda place, wrong=wrong: float(place == wrong))  # type: ignore[misc]
        beyond += sum(not step.is_right for step in scored(agent, task).steps) > 1
    assert beyond < 0.2 * len(single)


@pytest.mark.parametrize("calls", CALLS)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_it_errs_alike_however_it_is_asked(protocol: str, calls: str) -> None:
    agent = baseline("baseline:noisy-0.9")
    for task in TASKS:
        first, again = (scored(agent, task, *how) for how in ((protocol, calls), ()))
        assert [step.is_right for step in first.steps] == [step.is_right for step in again.steps]


def test_it_errs_as_often_as_its_name_says() -> None:
    agent = baseline("baseline:noisy-0.9")
    first_errors = calls = 0
    for task in rung(16, 5, 60):
        right = [step.is_right for step in scored(agent, task).steps]
        before = right.index(False) if False in right else len(right)
        first_errors += before < len(right)
        calls += min(before + 1, len(right))
    # Three standard errors of a share of some 480 calls.
    assert first_errors / calls == pytest.approx(0.1, abs=0.04)
