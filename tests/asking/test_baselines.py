import asyncio
import json
from typing import Any

import pytest

from dataset_builder.tasks.task import Task
from dataset_builder.tools import catalogue
from dataset_builder.values.references import references
from evaluator.asking.baselines import BASELINES, baseline
from evaluator.asking.episode import Setting, answer_task, timed
from evaluator.scoring.score import score_task
from evaluator.traces.protocols import CALLS, MULTI_TURN, PROTOCOLS, SINGLE_TURN
from evaluator.traces.trace import Trace
from tests.samples.small_suite import small_suite

TOOLS = catalogue()
TASKS = small_suite().tasks
MODES = [(protocol, calls) for protocol in PROTOCOLS for calls in CALLS]


def answered(
    agent: str, task: Task, protocol: str = SINGLE_TURN, calls: str = "native", offer: str = "full"
) -> Trace:
    ask = baseline(agent)
    setting = Setting(agent, "built-in", "s", protocol, offer, calls)
    return asyncio.run(answer_task(task, 0, setting, TOOLS, lambda request: timed(ask(request))))


def mean_score(agent: str, protocol: str = SINGLE_TURN, offer: str = "full") -> float:
    scores = [
        score_task(task, answered(agent, task, protocol, offer=offer), TOOLS).score
        for task in TASKS
    ]
    return sum(scores) / len(scores)


@pytest.mark.parametrize(("protocol", "calls"), MODES)
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.task_id)
def test_the_oracle_is_perfect(task: Task, protocol: str, calls: str) -> None:
    score = score_task(task, answered("baseline:oracle", task, protocol, calls), TOOLS)
    assert (score.score, score.step, score.strict) == (1, 1, 1)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.task_id)
def test_the_oracle_plans_with_references_alone(task: Task) -> None:
    calls = answered("baseline:oracle", task).calls
    for step, call in zip(task.steps, calls, strict=True):
        written = json.dumps(call.arguments)
        assert len(list(references(written))) == len(step.edges)
        for edge in step.edges:
            assert f"{edge.source.removeprefix('step_')}.{edge.path}" in written


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.task_id)
def test_the_oracle_uses_real_values_where_it_sees_them(task: Task) -> None:
    trace = answered("baseline:oracle", task, MULTI_TURN)
    assert "{{" not in json.dumps([call.arguments for call in trace.calls])
    assert [call.turn for call in trace.calls] == list(range(len(task.steps)))


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_silence_and_spam_are_worth_nothing(protocol: str) -> None:
    assert mean_score("baseline:silent", protocol) == 0
    assert mean_score("baseline:spam", protocol) <= 0.05


def test_spam_calls_every_tool_once() -> None:
    for protocol in PROTOCOLS:
        trace = answered("baseline:spam", TASKS[0], protocol)
        assert [call.name for call in trace.calls] == list(TOOLS)
        assert not any(call.arguments for call in trace.calls)


def test_chance_and_retrieval_stay_below_the_oracle() -> None:
    assert mean_score("baseline:random", offer="task") < 0.3
    assert 0.1 < mean_score("baseline:retrieval", offer="task") < 0.9


def test_dump_fills_later_texts_with_everything() -> None:
    calls = answered("baseline:dump", TASKS[-1]).calls
    assert calls[0].arguments == TASKS[-1].steps[0].arguments
    assert calls[-1].arguments == {"key": "{{1}}\n{{2}}\n{{3}}", "value": "{{1}}\n{{2}}\n{{3}}"}
    assert mean_score("baseline:dump") < 1


@pytest.mark.parametrize("agent", BASELINES)
@pytest.mark.parametrize(("protocol", "calls"), MODES)
def test_agents_are_deterministic_and_do_not_fail(agent: str, protocol: str, calls: str) -> None:
    for task in TASKS[::3]:
        one, other = (answered(agent, task, protocol, calls, "task") for _ in range(2))
        assert one.calls == other.calls
        assert one.error is None
        assert not any(call.is_malformed for call in one.calls)


def test_how_calls_are_written_makes_no_difference() -> None:
    for agent in BASELINES:
        calls: list[Any] = [answered(agent, TASKS[-1], calls=way).calls for way in CALLS]
        assert calls[0] == calls[1]
