"""Several turns against a provider: what is sent back after each reply, and that an episode ends."""

import asyncio
import io
import json
from itertools import pairwise
from pathlib import Path

import pytest

from dataset_builder.tasks.task import Task
from dataset_builder.tools import catalogue
from evaluator.asking.ask_suite import ask_model
from evaluator.asking.client import Client
from evaluator.asking.episode import Setting, answer_task, timed
from evaluator.asking.find_target import find_target
from evaluator.asking.prompts import outputs_shown
from evaluator.asking.run_options import RunOptions
from evaluator.traces.protocols import CALLS, MAX_TURNS, MULTI_TURN
from evaluator.traces.trace import Trace
from evaluator.traces.trace_reader import read_traces
from tests.bench.result_forms import FORMS, conversations, rewritten
from tests.samples.small_suite import small_suite, write_suite
from tests.stand_ins.provider import Body, Provider, Script, always

SUITE = small_suite()
Conversations = dict[str, list[Body]]
"""The requests by their task's prompt, in the order of the turns."""


def answered(
    folder: Path, calls: str, script: Script | None = None
) -> tuple[list[Trace], Conversations]:
    """A run in several turns over the small suite, and what the provider was asked."""
    suite = write_suite(SUITE, folder / "suite.jsonl")
    with Provider(SUITE, script=script) as provider:
        asked = RunOptions("m", "multi-turn", "task", str(suite), calls, api_base=provider.url)
        ask_model(asked, folder / "run", io.StringIO())
    asked_of: Conversations = {task.prompt: [] for task in SUITE.tasks}
    for _, body in provider.requests:
        asked_of[body["messages"][1]["content"]].append(body)
    return read_traces([folder / "run"], SUITE), asked_of


def opens_with_text(number: int, body: Body) -> str:
    """A model that writes its first call as text, and then has nothing more to say."""
    return "call_as_text" if len(body["messages"]) == 2 else "null_content"


@pytest.mark.parametrize("calls", CALLS)
def test_an_episode_ends_with_a_reply_without_a_call(tmp_path: Path, calls: str) -> None:
    traces, asked_of = answered(tmp_path, calls)
    for trace in traces:
        task = SUITE.by_id[trace.task_id]
        requests = asked_of[task.prompt]
        assert len(requests) == len(trace.response) == len(task.steps) + 1
        assert trace.extra["shapes"][-1] == "none"
        assert [call.turn for call in trace.calls] == list(range(len(task.steps)))
        shown = outputs_shown(requests[-1]["messages"])
        assert shown == [step.output for step in task.steps]


def test_native_results_go_back_to_the_calls_that_they_answer(tmp_path: Path) -> None:
    _, asked_of = answered(tmp_path, "native")
    for requests in asked_of.values():
        for earlier, later in pairwise(requests):
            before, after = earlier["messages"], later["messages"]
            assert after[: len(before)] == before
            reply, result = after[len(before) :]
            [call] = reply["tool_calls"]
            assert (reply["role"], result["role"]) == ("assistant", "tool")
            assert result["tool_call_id"] == call["id"]
            assert isinstance(json.loads(result["content"]), dict)
            assert earlier["tools"] == later["tools"]


@pytest.mark.parametrize("model", ["groq/m", "mistral/m", "openrouter/some/m", "hosted_vllm/m"])
def test_adapters_pass_native_results_on(model: str) -> None:
    task = SUITE.tasks[-1]
    setting = Setting(model, "p", "s", MULTI_TURN, "task", "native")
    with Provider(SUITE) as provider:
        target = find_target(model, provider.url, "STAND_IN_KEY", {"STAND_IN_KEY": "sk-1"})
        client = Client(target)
        trace = asyncio.run(
            answer_task(task, 0, setting, catalogue(), lambda request: timed(client(request)))
        )
        messages = provider.requests[-1][1]["messages"]
    assert (trace.error, len(trace.response)) == (None, len(task.steps) + 1)
    call_ids = [call["id"] for message in messages for call in message.get("tool_calls") or ()]
    assert call_ids == [m["tool_call_id"] for m in messages if m["role"] == "tool"]
    assert outputs_shown(messages) == [step.output for step in task.steps]


@pytest.mark.parametrize(
    ("calls", "end"), [("native", 'reply "Done."'), ("json", "reply with no calls.")]
)
def test_calls_written_as_text_are_answered_in_words_that_say_how_to_end(
    tmp_path: Path, calls: str, end: str
) -> None:
    traces, asked_of = answered(tmp_path, calls, opens_with_text)
    assert [len(trace.calls) for trace in traces] == [1] * len(SUITE.tasks)
    for _, last in asked_of.values():
        reply, result = last["messages"][2:]
        assert (reply["role"], result["role"]) == ("assistant", "user")
        assert result["content"].endswith(end)
        assert len(outputs_shown(last["messages"])) == 1


def test_a_model_that_never_ends_is_asked_no_more_than_the_turns_allow(tmp_path: Path) -> None:
    traces, asked_of = answered(tmp_path, "native", always("call_as_text"))
    assert {len(trace.response) for trace in traces} == {MAX_TURNS}
    assert {len(requests) for requests in asked_of.values()} == {MAX_TURNS}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("task", SUITE.tasks, ids=lambda task: task.task_id)
def test_the_forms_that_are_measured_show_the_same_results(task: Task, form: str) -> None:
    requests = conversations(task)
    assert len(requests) <= len(task.steps)
    for request in requests:
        messages = rewritten(request.messages, form)
        assert [m["role"] for m in messages] == [m["role"] for m in request.messages]
        assert outputs_shown(messages) == outputs_shown(request.messages)
        assert (messages == request.messages) is (form == "go on")
    steps = sorted(json.dumps(step.output) for step in task.steps)
    assert sorted(json.dumps(output) for output in outputs_shown(requests[-1].messages)) == steps
