"""Asking through Responses: a local stand-in, both protocols, whose failure it is, and what is recorded."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from dataset_builder.errors import InputError
from dataset_builder.tools import catalogue
from dataset_builder.tools.replay import Executed
from evaluator.asking.ask_suite import ask_model
from evaluator.asking.prompts import feed_back
from evaluator.asking.request_reply import Infrastructure
from evaluator.asking.responses_form import ITEMS, items_of, reply_of
from evaluator.asking.run_options import RunOptions
from evaluator.scoring.score import Scorer
from evaluator.scoring.score_traces import score, score_folder
from evaluator.traces.signature import signature_text
from evaluator.traces.trace import Trace
from evaluator.traces.trace_reader import read_traces
from tests.samples.small_suite import small_suite
from tests.stand_ins.provider import Provider, always, first, response

SUITE = small_suite(1, 1, 1, 0)
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "sealed"}
CALLED = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{"}


def run(provider: Provider, folder: Path, **more: Any) -> Path:
    options = RunOptions(
        **{
            "model": "stand-in",
            "api_base": provider.url,
            "endpoint": "responses",
            "catalogue": "task",
            **more,
        }
    )
    return ask_model(options, folder, StringIO(), suite=SUITE, environment={}).folder


@pytest.mark.parametrize("protocol", ["single-turn", "multi-turn"])
def test_the_oracle_is_perfect_through_responses(protocol: str, tmp_path: Path) -> None:
    with Provider(SUITE) as provider:
        folder = run(provider, tmp_path / "run", protocol=protocol, api_key="secret")
    assert {headers[":path"] for headers, _ in provider.requests} == {"/v1/responses"}
    assert all(body["store"] is False for _, body in provider.requests)
    assert all(tool["strict"] is False for _, body in provider.requests for tool in body["tools"])
    assert all(body["temperature"] == 0 for _, body in provider.requests)
    scores = score_folder(folder, SUITE, Scorer(catalogue())).scores
    assert (scores["overall"], scores["strict"]) == (1, 1)
    assert scores["signature"].endswith("|scorer:2|endpoint:responses")
    assert "asked through responses" in signature_text(scores["signature"])
    about = (folder / "run.json").read_text("utf-8")
    assert json.loads(about)["endpoint"] == "responses"
    assert "secret" not in about + (folder / "traces.jsonl").read_text("utf-8")
    (trace, *_) = read_traces(folder)
    assert trace.usage is not None
    assert trace.usage["total_tokens"] % 120 == 0
    # A row that leaves its folder says it too.
    alone = score(folder / "traces.jsonl", SUITE)["signature"]
    assert alone.endswith("|endpoint:responses")


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        ("context_overflow", "context_overflow"),
        ("tool_use_failed", "malformed_call"),
        ("bad_schema", "bad_request"),
        ("response_failed", "provider_error"),
        ("response_empty", "provider_error"),
        ("response_cut", None),
    ],
)
def test_whose_failure_it_is(behaviour: str, kind: str | None, tmp_path: Path) -> None:
    with Provider(SUITE, script=always(behaviour)) as provider:
        folder = run(provider, tmp_path / "run", limit=1)
    (trace,) = read_traces(folder)
    assert (trace.error or {}).get("kind") == kind
    if kind is None:
        assert trace.extra["finish_reasons"] == ["length"]


def test_a_run_through_chat_is_not_gone_on_with(tmp_path: Path) -> None:
    with Provider(SUITE, script=first(["answer"])) as provider:
        run(provider, tmp_path / "run", endpoint="chat")
        assert provider.requests[0][0][":path"] == "/v1/chat/completions"
        assert "endpoint" not in json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
        with pytest.raises(InputError, match="holds a run with endpoint"):
            run(provider, tmp_path / "run")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"calls": "json"}, "leave out --calls json"),
        ({"model": "baseline:oracle", "api_base": None}, "has no endpoint"),
        (
            {"model": "anthropic/claude-sonnet-4-5", "api_base": None, "api_key": "k"},
            "anthropic is not known to have Responses",
        ),
    ],
)
def test_what_has_no_responses_is_refused(more: dict[str, Any], said: str, tmp_path: Path) -> None:
    with Provider(SUITE) as provider, pytest.raises(InputError, match=said):
        run(provider, tmp_path / "run", **more)
    assert not provider.requests


def test_rows_through_both_are_no_run() -> None:
    asked = [{"asked": {"endpoint": "responses"}}, {}]
    traces = [
        Trace(task.task_id, model="m", extra=extra)
        for task, extra in zip(SUITE.tasks, asked, strict=False)
    ]
    with pytest.raises(InputError, match=r"several ways \(endpoint: none, responses\)"):
        score(traces, SUITE, allow_partial=True)
    same = [Trace(t.task_id, model="m", extra={"asked": {"endpoint": "chat"}}) for t in SUITE.tasks]
    assert "endpoint" not in score(same, SUITE)["signature"]


def test_items_go_back_in_their_order_with_calls_that_parse() -> None:
    reply = reply_of(
        response([THOUGHT, CALLED, {**THOUGHT, "id": "rs_2"}, {**CALLED, "call_id": "c2"}])
    )
    assert reply.message is not None
    assert [call["id"] for call in reply.message["tool_calls"]] == ["c1", "c2"]
    executed = [Executed("f", None, None)] * 2
    sent = items_of(feed_back(reply.message, executed, 1, "native"))
    assert [item["type"] for item in sent] == [
        *("reasoning", "function_call", "reasoning", "function_call"),
        *("function_call_output", "function_call_output"),
    ]
    assert json.loads(sent[1]["arguments"]) == {"unparsed": "{"}
    assert sent[4]["call_id"] == "c1"


def test_reasoning_that_only_its_id_stands_for_is_left_out() -> None:
    bare = {"type": "reasoning", "id": "rs_1", "summary": []}
    said = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "x"}],
    }
    reply = reply_of(response([bare, said]))
    assert reply.message is not None
    assert reply.message["content"] == "x"
    assert items_of([reply.message]) == reply.message[ITEMS][1:]


def test_a_response_that_failed_is_no_answer() -> None:
    with pytest.raises(Infrastructure, match="it broke"):
        reply_of({"status": "failed", "error": {"message": "it broke"}})
