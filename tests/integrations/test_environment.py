"""The environment: the runner's scores for the same calls, in steps that anybody can drive."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite
from dataset_builder.tools import catalogue
from evaluator.asking.baselines import BASELINES, baseline
from evaluator.asking.episode import Setting, answer_task, timed
from evaluator.asking.parse import read_message
from evaluator.asking.prompts import outputs_shown
from evaluator.asking.request_reply import Reply, Request
from evaluator.integrations.environment import Environment
from evaluator.scoring.score import score_task
from evaluator.scoring.score_traces import score
from evaluator.traces.protocols import MAX_TURNS, MULTI_TURN, PROTOCOLS, SINGLE_TURN
from evaluator.traces.signature import suite_label
from evaluator.traces.strict_json import parse_json
from evaluator.traces.trace import MAX_CALLS, Trace
from evaluator.traces.trace_log import trace_line
from tests.samples.small_suite import small_horizon, small_suite

SUITE = small_suite(4, 4, 4, 4)
WEATHER = next(task for task in SUITE.tasks if "get_weather" in task.offered)
TOOLS = catalogue()
OUTCOME = ("task_id", "calls", "model", "sample", "protocol", "catalogue", "suite")


def by_runner(
    agent: str, task_id: str, protocol: str, offered: str, sample: int, suite: Suite
) -> tuple[Trace, list[tuple[Request, Reply]]]:
    """The runner's trace of an agent, and what was said."""
    said: list[tuple[Request, Reply]] = []

    async def ask(request: Request) -> tuple[Reply, float]:
        reply, seconds = await timed(baseline(agent)(request))
        said.append((request, reply))
        return reply, seconds

    setting = Setting(agent, "built-in", suite_label(suite), protocol, offered, "native")
    task = suite.by_id[task_id]
    return asyncio.run(answer_task(task, sample, setting, TOOLS, ask)), said


@given(
    agent=st.sampled_from([*BASELINES, "baseline:noisy-0.7"]),
    suite=st.sampled_from([SUITE, small_horizon()]),
    protocol=st.sampled_from(PROTOCOLS),
    offered=st.sampled_from(["task", "full", "12"]),
    sample=st.integers(0, 50),
    data=st.data(),
)
def test_the_same_calls_score_as_in_a_run(
    agent: str, suite: Suite, protocol: str, offered: str, sample: int, data: st.DataObject
) -> None:
    task = data.draw(st.sampled_from(suite.tasks))
    trace, said = by_runner(agent, task.task_id, protocol, offered, sample, suite)
    environment = Environment(suite, protocol, offered, agent)
    opening = environment.reset(task.task_id, sample)
    first = said[0][0]
    assert [opening.system, opening.prompt] == [m["content"] for m in first.messages]
    assert opening.tools == first.tools
    shown = []
    for _, reply in said:
        for name, arguments in read_message(reply.message, ()).calls:
            shown.append(environment.call(name, arguments))
        environment.end_turn()
    made = environment.trace()
    assert [getattr(made, name) for name in OUTCOME] == [getattr(trace, name) for name in OUTCOME]
    assert made.extra["asked"] == trace.extra["asked"]
    assert environment.score() == score_task(task, trace, TOOLS)
    seen = outputs_shown(said[-1][0].messages)
    assert [json.loads(each.text) for each in shown[: len(seen)] if each is not None] == seen
    if protocol == SINGLE_TURN:
        assert set(shown) <= {None}


HOSTILE: list[Any] = [
    {"city": float("nan")},
    {"city": json.loads("[" * 90 + "]" * 90)},
    {"city": "\ud800"},
    {"city": b"bytes"},
    {1: "a number as a name"},
    '{"city": "Ber',
    "null",
    "[1]",
    "",
    None,
    [1],
    7,
    {"city": "{{9.temperature_c}}"},
]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("arguments", HOSTILE, ids=lambda value: repr(value)[:20])
def test_its_row_scores_as_it_does_itself(protocol: str, arguments: Any) -> None:
    environment = Environment(SUITE, protocol, model="m")
    task = WEATHER
    environment.reset(task.task_id)
    environment.call("get_weather", arguments)
    environment.call("no_such_tool\ud800", {})
    trace = Trace.from_row(parse_json(trace_line(environment.trace()).decode()))
    assert trace == environment.trace()
    scores = score([trace], SUITE, True)
    assert [row for row in scores["tasks"] if row["task_id"] == task.task_id] == [
        environment.score().to_row()
    ]


def test_arguments_without_end_are_a_malformed_call() -> None:
    environment = Environment(SUITE)
    environment.reset(WEATHER)
    ring: dict[str, Any] = {}
    ring["ring"] = ring
    shown = environment.call("get_weather", ring)
    assert shown is not None
    assert shown == ('{"error":"the arguments are no JSON object"}', True, None)


def test_errors_are_shown_as_such_and_outputs_as_they_are() -> None:
    environment = Environment(SUITE)
    environment.reset(WEATHER)
    right = environment.call("get_weather", {"city": "Berlin"})
    assert right is not None
    assert (right.is_error, json.loads(right.text)) == (False, right.output)
    wrong = environment.call("get_weather", {})
    assert wrong is not None
    assert wrong.is_error
    assert wrong.output is not None
    assert wrong.output["error"]
    unknown = environment.call("send_fax", {})
    assert unknown == ('{"error":"there is no tool \'send_fax\'"}', True, None)


def test_an_episode_ends_with_its_last_turn() -> None:
    environment = Environment(SUITE)
    assert environment.reset(WEATHER).most_turns == MAX_TURNS
    for turn in range(MAX_TURNS):
        assert (environment.turn, environment.is_over) == (turn, False)
        shown = environment.call("get_weather", {"city": "Berlin"})
        assert (shown is None) is (turn + 1 == MAX_TURNS)
        environment.end_turn()
    assert environment.is_over
    late = environment.call("get_weather", {"city": "Berlin"})
    assert late is not None
    assert late.is_error
    assert len(environment.trace().calls) == MAX_TURNS
    environment.reset(WEATHER)
    assert not environment.is_over
    assert environment.trace().calls == ()


def test_without_turns_only_the_number_of_calls_ends_it() -> None:
    environment = Environment(SUITE, turns_known=False)
    environment.reset(WEATHER)
    for _ in range(MAX_CALLS):
        assert not environment.is_over
        environment.call("get_weather", {"city": "Berlin"})
    assert environment.is_over
    row = environment.row()
    assert len(row["calls"]) == MAX_CALLS
    assert not any("turn" in call for call in row["calls"])


def test_the_world_of_an_episode_is_its_own() -> None:
    environment = Environment(SUITE, catalogue="full")
    for _ in range(2):
        environment.reset(WEATHER)
        empty = environment.call("retrieve_memory", {"key": "k"})
        assert empty is not None
        assert empty.is_error
        environment.call("store_memory", {"key": "k", "value": "v"})
        kept = environment.call("retrieve_memory", {"key": "k"})
        assert kept is not None
        assert not kept.is_error


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"protocol": "several"}, "protocol 'several': expected single-turn or multi-turn"),
        ({"catalogue": "some"}, "catalogue 'some': expected full, task or a number"),
        ({"catalogue": "999"}, "at most 106"),
    ],
)
def test_settings_that_do_not_exist(settings: dict[str, str], expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        Environment(SUITE, **settings)  # type: ignore[arg-type]


def test_tasks_that_are_not_there() -> None:
    with pytest.raises(InputError, match="'comptoolbench' has no task 'L9'"):
        Environment(SUITE).reset("L9")
    with pytest.raises(InputError, match="without a suite has no task"):
        Environment().reset("L0_node_0001")
    with pytest.raises(RuntimeError, match="call reset first"):
        Environment(SUITE).call("get_weather", {})


def test_a_task_needs_no_suite() -> None:
    environment = Environment(protocol=MULTI_TURN)
    task = WEATHER
    environment.reset(task)
    for step in task.steps:
        environment.call(step.tool, step.arguments)
    assert environment.score().strict
    assert environment.trace().suite is None
