"""Classes for TRL: each tool read as TRL reads it, and the same worth as our own environment."""

import inspect
import json
from typing import Any

import pytest
from transformers.utils.chat_template_utils import get_json_schema

from dataset_builder.errors import InputError
from dataset_builder.tools import catalogue
from evaluator.integrations.environment import Environment
from evaluator.integrations.task_stream import TaskStream
from evaluator.integrations.trl_environment import (
    StreamEnvironment,
    environment_class,
    reward_of_environments,
    rows,
)

STREAM = TaskStream(7)
SOME = ("get_weather", "send_email", "unit_convert", "calculator", "get_stock_price")


def tools_of(environment: StreamEnvironment) -> dict[str, Any]:
    """The methods that TRL makes tools of."""
    return {
        name: member
        for name, member in inspect.getmembers(environment, inspect.ismethod)
        if not name.startswith("_") and name not in ("reset", "get_reward")
    }


def test_each_method_is_read_as_the_schema_of_its_tool() -> None:
    methods = tools_of(environment_class(STREAM)())
    assert methods.keys() == catalogue().keys()
    for name, method in methods.items():
        read = get_json_schema(method)["function"]
        ours = catalogue()[name].schema["function"]
        read.pop("return", None)
        assert read["name"] == name
        assert read["description"] == ours["description"].replace(" Returns: ", " It returns ")
        assert read["parameters"]["properties"] == ours["parameters"]["properties"]
        assert read["parameters"].get("required", []) == ours["parameters"]["required"]


def test_an_episode_is_worth_what_it_is_worth_in_the_environment() -> None:
    environment, ours = environment_class(STREAM)(), Environment()
    worth = set()
    for index in range(60):
        task = STREAM[index]
        [row] = rows(STREAM, 1, index)
        environment.reset(**row, other=1)
        opening = ours.reset(task)
        assert [message["content"] for message in row["prompt"]] == [opening.system, opening.prompt]
        for step in task.steps[: 1 + index % 3]:
            told = tools_of(environment)[step.tool](**step.arguments)
            shown = ours.call(step.tool, dict(step.arguments))
            assert shown is not None
            assert told == shown.text
        assert environment.get_reward() == ours.score().step
        worth.add(environment.get_reward())
    assert len(worth) > 3
    assert reward_of_environments([environment], prompts=[]) == [environment.get_reward()]


def test_a_wrong_call_is_told_and_no_state_is_left_for_the_next_task() -> None:
    environment = environment_class(STREAM)()
    environment.reset(task_id=STREAM[0].task_id)
    first = next(iter(tools_of(environment).values()))
    assert "error" in json.loads(first(nothing=1))
    environment.reset(task_id=STREAM[0].task_id)
    for step in STREAM[0].steps:
        getattr(environment, step.tool)(**step.arguments)
    assert environment.get_reward() == 1


def test_a_subset_of_the_tools_has_a_stream_that_it_solves() -> None:
    stream = TaskStream(7, {"L0": 1, "L1": 1}, tools=SOME)
    environment = environment_class(stream, SOME)()
    assert tools_of(environment).keys() == set(SOME)
    for index in range(20):
        environment.reset(task_id=stream[index].task_id)
        for step in stream[index].steps:
            getattr(environment, step.tool)(**step.arguments)
        assert environment.get_reward() == 1


def test_what_does_not_fit_is_said_in_one_sentence() -> None:
    with pytest.raises(InputError, match="there is no tool 'wether'"):
        environment_class(STREAM, ["wether"])
    other = next(task for task in STREAM.tasks() if task.expected_tools[0] not in SOME)
    environment = environment_class(STREAM, SOME)()
    with pytest.raises(InputError, match="give stream and class the same tools"):
        environment.reset(task_id=other.task_id)
    with pytest.raises(InputError, match="no task of this stream"):
        environment.reset(prompt="")
    with pytest.raises(InputError, match="expected single-turn or multi-turn"):
        rows(STREAM, 1, protocol="many")


def test_trl_takes_the_class() -> None:
    trl = pytest.importorskip("trl", reason="TRL brings torch, which is not installed here")
    assert "environment_factory" in inspect.signature(trl.GRPOTrainer.__init__).parameters
