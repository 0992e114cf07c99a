"""Scrambled tools: what a model is told, and that its calls are kept under the tools' own names."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tools import catalogue
from evaluator.asking.baselines import BASELINES, Calls, reply
from evaluator.asking.episode import Setting, answer_task
from evaluator.asking.prompts import schemas as plain_schemas
from evaluator.asking.request_reply import Reply, Request
from evaluator.asking.scramble import made_up_names, real_name, scrambled
from evaluator.scoring.score import score_task
from evaluator.traces.protocols import CALLS, MULTI_TURN, PROTOCOLS, SINGLE_TURN
from evaluator.traces.trace import Trace
from evaluator.traces.variations import PLAIN, Variation
from tests.samples.small_suite import small_suite

TOOLS = catalogue()
TASKS = small_suite().tasks
GOLDEN = ["niruru", "zutafa"]
NAMES, DESCRIPTIONS = Variation(scramble="names.1"), Variation(scramble="descriptions.1")


def answered(
    task: Any,
    decide: Callable[[Request], Calls],
    variation: Variation,
    protocol: str = SINGLE_TURN,
    calls: str = "native",
) -> tuple[Trace, list[Request]]:
    """The trace of an agent, and what it was asked."""
    requests: list[Request] = []

    async def ask(request: Request) -> tuple[Reply, float]:
        requests.append(request)
        return reply(request, decide(request), "m"), 0.0

    setting = Setting("m", "p", "s", protocol, "task", calls, variation=variation)
    return asyncio.run(answer_task(task, 0, setting, TOOLS, ask)), requests


def test_names_are_made_up_different_and_hang_on_the_seed() -> None:
    names = made_up_names(TASKS[0], TOOLS, NAMES)
    other = made_up_names(TASKS[0], TOOLS, Variation(scramble="names.2"))
    assert names is not None
    assert other is not None
    assert names.keys() == set(TOOLS)
    assert len({*names.values(), *TOOLS}) == 2 * len(TOOLS)
    assert not set(names.items()) & set(other.items())
    assert all(name.isalpha() and name.islower() and len(name) == 6 for name in names.values())
    assert names == made_up_names(TASKS[1], reversed(list(TOOLS)), NAMES)
    assert [names[tool] for tool in ("calculator", "get_weather")] == GOLDEN
    assert made_up_names(TASKS[0], TOOLS, PLAIN) is None
    assert made_up_names(TASKS[0], TOOLS, DESCRIPTIONS) is None


def test_a_made_up_name_takes_nothing_else_away() -> None:
    plain = plain_schemas(TASKS[0], list(TOOLS), MULTI_TURN, TOOLS)
    names = made_up_names(TASKS[0], TOOLS, NAMES) or {}
    sent = scrambled(plain, NAMES, names)
    for before, after in zip(plain, sent, strict=True):
        old, new = before["function"], after["function"]
        assert new["name"] == names[old["name"]]
        text = json.dumps(new)
        assert not [name for name in TOOLS if "_" in name and f" {name} " in text]
        assert new["parameters"].keys() == old["parameters"].keys()
        assert new["parameters"]["required"] == old["parameters"]["required"]
    unchanged = [
        old["function"]["description"] == new["function"]["description"]
        for old, new in zip(plain, sent, strict=True)
    ]
    assert sum(unchanged) > 100


def test_a_scrambled_description_leaves_names_parameters_and_fields() -> None:
    plain = plain_schemas(TASKS[0], list(TOOLS), MULTI_TURN, TOOLS)
    sent = scrambled(plain, DESCRIPTIONS, None)
    for before, after in zip(plain, sent, strict=True):
        old, new = before["function"], after["function"]
        assert {**new, "description": ""} == {**old, "description": ""}
        says, _, returns = old["description"].rpartition("Returns: ")
        told, _, kept = new["description"].rpartition("Returns: ")
        assert kept == returns
        words = {
            word.strip(".,;:()").casefold()
            for word in says.split()
            if len(word) > 3 and word.isalpha()
        }
        assert not words & {word.strip(".,;:()").casefold() for word in told.split()}
    again = scrambled(plain, Variation(scramble="descriptions.2"), None)
    assert again != sent == scrambled(plain, DESCRIPTIONS, None)


@pytest.mark.parametrize("calls", CALLS)
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("variation", [NAMES, DESCRIPTIONS])
def test_the_oracle_solves_every_task(variation: Variation, protocol: str, calls: str) -> None:
    for task in TASKS:
        trace, requests = answered(task, BASELINES["baseline:oracle"], variation, protocol, calls)
        assert [call.name for call in trace.calls] == [step.tool for step in task.steps]
        assert score_task(task, trace, TOOLS).strict
        assert trace.extra["asked"]["scramble"] == variation.scramble
        if variation is NAMES:
            sent = json.dumps([[*each.messages[1:], *each.tools] for each in requests])
            assert not [tool for tool in task.offered if "_" in tool and f'"{tool}"' in sent]
            assert not [s.tool for s in task.steps if f'"{s.tool}"' in json.dumps(trace.response)]


def test_who_calls_a_tool_by_its_own_name_calls_what_was_not_offered() -> None:
    task = TASKS[0]
    trace, _ = answered(
        task, lambda _: [(task.steps[0].tool, dict(task.steps[0].arguments))], NAMES
    )
    assert [call.name for call in trace.calls] == [f"!{task.steps[0].tool}"]
    score = score_task(task, trace, TOOLS)
    assert (score.strict, score.error) == (False, "E6_hallucinated_tool")


def test_a_plain_run_is_told_and_says_what_it_always_did() -> None:
    trace, requests = answered(TASKS[0], BASELINES["baseline:oracle"], PLAIN)
    assert trace.extra["asked"] == {"calls": "native", "prompt_version": 1}
    assert requests[0].tools == plain_schemas(TASKS[0], TASKS[0].offered, SINGLE_TURN, TOOLS)
    assert (requests[0].made_up, requests[0].withheld) == (None, frozenset())


def test_a_withheld_tool_is_not_offered() -> None:
    variation = Variation(withhold="1")
    for task in CompositionEngine(7, counts=(2, 2, 2, 2)).generate_suite().tasks:
        trace, requests = answered(task, BASELINES["baseline:spam"], variation)
        offered = {schema["function"]["name"] for schema in requests[0].tools}
        assert offered == set(task.offered) - variation.withheld_of(task) != set(task.offered)
        assert all(call.is_offered for call in score_task(task, trace, TOOLS).calls)


def test_other_names_pass_through() -> None:
    names = {"slugify": "bavodu"}
    told = ("bavodu", "fly", "slugify")
    assert [real_name(each, names) for each in told] == ["slugify", "fly", "!slugify"]
    assert [real_name(each, None) for each in told] == list(told)
