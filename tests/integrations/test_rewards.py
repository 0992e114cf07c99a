"""Rewards: the step score of what was called, whatever else is written; junk earns next to nothing."""

import json
from collections.abc import Callable, Sequence
from itertools import islice
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Task
from dataset_builder.tools import catalogue
from evaluator.asking.baselines.oracle_and_dump import arguments_with_references
from evaluator.audit.scores import MOST_SPAM
from evaluator.integrations.environment import Environment
from evaluator.integrations.rewards import reward_function
from evaluator.integrations.task_stream import TaskStream
from evaluator.traces.protocols import MULTI_TURN, PROTOCOLS

STREAM = TaskStream(11)
TASKS = list(islice(STREAM.tasks(), 120))
TOOLS = catalogue()
Calls = list[tuple[str, Any]]


def native(*replies: Calls) -> list[dict[str, Any]]:
    """Messages in OpenAI form, with a tool's message after each call."""
    messages: list[dict[str, Any]] = []
    for calls in replies:
        listed = [{"function": {"name": n, "arguments": json.dumps(a)}} for n, a in calls]
        messages.append({"role": "assistant", "content": None, "tool_calls": listed})
        messages += [{"role": "tool", "content": "{}"}] * len(calls)
    return messages


def right(task: Task) -> Calls:
    return [(step.tool, arguments_with_references(step, task)) for step in task.steps]


def worth(
    task: Task, completion: Any, protocol: str = PROTOCOLS[0], offered: str = "task"
) -> float:
    [reward] = reward_function(STREAM, protocol, offered)(None, [completion], [task.task_id])
    return reward


def test_right_answers_earn_one_in_either_form() -> None:
    reward = reward_function(STREAM)
    ids = [task.task_id for task in TASKS]
    assert (
        reward(ids, [native(right(task)) for task in TASKS], task_id=ids, other=ids) == [1.0] * 120
    )
    texts = [json.dumps([{"name": n, "arguments": a} for n, a in right(task)]) for task in TASKS]
    assert reward(ids, texts, task_id=ids) == [1.0] * 120


@given(
    data=st.data(), protocol=st.sampled_from(PROTOCOLS), offered=st.sampled_from(["task", "full"])
)
@settings(max_examples=60, deadline=None)
def test_a_reward_is_the_step_score_of_the_environment(
    data: st.DataObject, protocol: str, offered: str
) -> None:
    task = data.draw(st.sampled_from(TASKS))
    some = [*right(task), *((name, {}) for name in task.offered)]
    replies = data.draw(
        st.lists(st.lists(st.sampled_from(some), min_size=1, max_size=4), max_size=12)
    )
    environment = Environment(protocol=protocol, catalogue=offered)
    environment.reset(task)
    for calls in replies:
        for name, arguments in calls:
            if not environment.is_over:
                environment.call(name, arguments)
        environment.end_turn()
    assert worth(task, native(*replies), protocol, offered) == environment.score().step


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_without_a_needed_call_nothing_is_earned(data: st.DataObject) -> None:
    task = data.draw(st.sampled_from(TASKS))
    needed = {*task.expected_tools, *(a.tool for step in task.steps for a in step.alternatives)}
    values = st.one_of(st.text(), st.integers(), st.just(task.prompt), st.none())
    calls = st.tuples(
        st.sampled_from(sorted(TOOLS.keys() - needed)),
        st.dictionaries(st.sampled_from(["city", "text", "expression", "query"]), values),
    )
    replies = data.draw(st.lists(st.lists(calls, max_size=5), max_size=4))
    assert worth(task, native(*replies), MULTI_TURN, "full") == 0


def echo(task: Task) -> Any:
    return f"{task.prompt} {json.dumps({'prompt': task.prompt})}"


def schemas_back(task: Task) -> Any:
    return "\n".join(task.schemas)


def every_tool(task: Task) -> Any:
    return native([(name, {}) for name in task.offered])


def every_tool_of_all(task: Task) -> Any:
    return native([(name, {}) for name in TOOLS])


def prompt_everywhere(task: Task) -> Any:
    return native(
        [(name, dict.fromkeys(TOOLS[name].parameters, task.prompt)) for name in task.offered]
    )


def right_names(task: Task) -> Any:
    return native([(step.tool, {}) for step in task.steps])


def claimed_results(task: Task) -> Any:
    told = [{"role": "tool", "content": json.dumps(step.output)} for step in task.steps]
    return [*told, {"role": "assistant", "content": "Done: all calls were made and are right."}]


JUNK = (
    echo,
    schemas_back,
    every_tool,
    every_tool_of_all,
    prompt_everywhere,
    right_names,
    claimed_results,
)


@pytest.mark.parametrize("junk", JUNK)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_junk_earns_no_more_than_the_spam_floor(junk: Callable[[Task], Any], protocol: str) -> None:
    assert fmean(worth(task, junk(task), protocol, "full") for task in TASKS) <= MOST_SPAM


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_to_repeat_a_right_call_never_pays(protocol: str) -> None:
    for task in TASKS[:40]:
        first = right(task)[:1]
        earned = [worth(task, native(first * times), protocol) for times in (1, 2, 3, 10, 50)]
        assert earned == sorted(earned, reverse=True)
        assert earned[0] == 1 / len(task.steps)
        assert earned[-1] <= 1 / 50


def test_calls_after_the_last_reply_earn_nothing() -> None:
    task = TASKS[0]
    idle: list[Calls] = [[(task.offered[0], {"none": 1})]] * 10
    assert worth(task, native(*idle, right(task)), MULTI_TURN) == 0
    assert (
        worth(task, native([], right(task)), MULTI_TURN) == 0
    )  # a reply without a call is the last


@pytest.mark.parametrize(
    "completion",
    ["", "{" * 50_000, "[" * 50_000, [], [None], [{}], [{"role": "assistant"}],
     [{"role": "assistant", "tool_calls": [None, 1, {"function": {"name": 3}}]}],
     [{"role": "assistant", "content": [{"type": "text", "text": "no"}]}]],
)  # fmt: skip
def test_whatever_a_model_writes_is_worth_something_between(completion: Any) -> None:
    assert worth(TASKS[0], completion) == 0


def test_what_is_wrong_with_the_columns_is_said() -> None:
    reward: Callable[..., Sequence[float]] = reward_function(STREAM)
    with pytest.raises(InputError, match="no task of this stream"):
        reward(None, ["", ""], task_id=[TASKS[0].task_id, "L0_node_0001"])
    with pytest.raises(InputError, match="1 completions for 2 task ids"):
        reward(None, [""], task_id=["a", "b"])
    with pytest.raises(InputError, match="protocol"):
        reward_function(STREAM, protocol="many")
    with pytest.raises(InputError, match="catalogue"):
        reward_function(STREAM, catalogue="107")
