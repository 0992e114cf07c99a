import asyncio
import gc
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dataset_builder.errors import InputError
from dataset_builder.tools import catalogue
from evaluator.asking.ask_suite import ask_model
from evaluator.asking.client import Client
from evaluator.asking.episode import Setting
from evaluator.asking.find_target import find_target
from evaluator.asking.parse import read_message
from evaluator.asking.prompts import opening, response_format, schemas, widened
from evaluator.asking.provider_errors import failure, redacted
from evaluator.asking.rate_limits import Limits, Retries
from evaluator.asking.request_reply import Infrastructure, ModelFault, Reply, Request
from evaluator.asking.run_options import RunOptions
from evaluator.asking.runner import Job, State, run_job
from evaluator.asking.target import without_secrets
from evaluator.models import known_models
from evaluator.traces.protocols import SINGLE_TURN
from evaluator.traces.trace import Trace
from evaluator.traces.trace_reader import read_traces
from tests.samples.small_suite import small_suite, write_suite
from tests.stand_ins.provider import Provider, Script, always, first

KEY = "sk-very-secret/1"
TASK = small_suite().tasks[0]


def target_at(provider: Provider, timeout_s: float = 5.0) -> Any:
    target = find_target("stand-in", provider.url, "STAND_IN_KEY", {"STAND_IN_KEY": KEY})
    return replace(target, timeout_s=timeout_s)


def ask(script: Script, timeout_s: float = 5.0) -> tuple[Trace | None, State, int]:
    """One task put to a provider that behaves so; two attempts at most."""
    with Provider(small_suite(), script=script) as provider:
        traces: list[Trace] = []
        job = Job(
            items=[(TASK, 0)],
            setting=Setting("stand-in", "openai", "s", "single-turn", "task", "native"),
            tools=catalogue(),
            answerer=Client(target_at(provider, timeout_s)),
            keep=traces.append,
            state=State(1),
            limits=Limits(1),
            retries=Retries(attempts=2, first_s=0.01, first_when_limited_s=0.01, patience_s=5),
        )
        state = asyncio.run(run_job(job, asyncio.Event()))
        return (traces[0] if traces else None), state, len(provider.requests)


# Behaviour → the trace's error, whether it is the model's own, and how many requests were made.
OUTCOMES = {
    "answer": (None, True, 1),
    "wrong_type": (None, True, 1),
    "empty_choices": (None, True, 1),
    "null_content": (None, True, 1),
    "odd_usage": (None, True, 1),
    "deep_text": (None, True, 1),
    "brackets": ("malformed_call", True, 1),
    "deep_arguments": ("malformed_call", True, 1),
    "malformed_arguments": (None, True, 1),
    "call_as_text": (None, True, 1),
    "hang": ("timeout", True, 1),
    "slow": ("timeout", True, 1),
    "tool_use_failed": ("malformed_call", True, 1),
    "context_overflow": ("context_overflow", True, 1),
    "filtered": ("content_filter", True, 1),
    "reference_refused": ("reference_rejected", False, 1),
    "bad_schema": ("bad_request", False, 1),
    "forbidden": ("bad_request", False, 1),
    "rate_limit": ("rate_limit", False, 2),
    "rate_limit_bare": ("rate_limit", False, 2),
    "rate_limit_an_hour": ("rate_limit", False, 1),
    "server_error": ("provider_error", False, 2),
    "unavailable": ("provider_error", False, 2),
    "invalid_json": ("provider_error", False, 2),
    "html": ("provider_error", False, 2),
    "no_choices": ("provider_error", False, 2),
    "no_tokens": ("provider_error", False, 2),
    "no_usage": ("provider_error", False, 2),
    "deep_body": ("provider_error", False, 2),
    "cut": ("connection", False, 2),
    "closed": ("connection", False, 2),
}


class Silent(Exception):
    """A refusal without a word, as a proxy in between gives it."""

    def __init__(self, status: int | None) -> None:
        super().__init__()
        self.status_code = status


@pytest.mark.parametrize("status", [None, 400, 401, 404, 429, 503])
def test_a_failure_without_words_is_told_by_its_status(status: int | None) -> None:
    message = failure(Silent(status), 5.0).message
    assert message == (
        f"status {status} without a message: is the address right?"
        if status
        else "the request failed, and nothing says why"
    )


@pytest.fixture
def nothing_is_collected() -> Iterator[None]:
    """What other tests left behind is not finalised in the middle of a recursion that has no room for it."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("nothing_is_collected")
@pytest.mark.parametrize("behaviour", OUTCOMES)
def test_whose_failure_it_is(behaviour: str) -> None:
    kind, is_models, requests = OUTCOMES[behaviour]
    trace, state, made = ask(always(behaviour), 1.0 if kind == "timeout" else 5.0)
    assert trace is not None
    assert (trace.error or {}).get("kind") == kind
    assert trace.is_infrastructure_failure is not is_models
    assert made == requests
    assert Trace.from_row(trace.to_row())
    assert (state.done, state.failed) == ((1, 0) if is_models else (0, 1))


@pytest.mark.usefixtures("nothing_is_collected")
@pytest.mark.parametrize("behaviour", sorted(b for b, o in OUTCOMES.items() if o[2] == 2))
def test_an_answer_after_one_failure(behaviour: str) -> None:
    trace, _, requests = ask(first([behaviour]))
    assert trace is not None
    assert trace.error is None
    assert trace.calls[0].name == "calculator"
    assert requests == 2


@pytest.mark.parametrize("behaviour", ["unauthorized", "not_found"])
def test_what_no_other_request_would_mend_ends_the_run(behaviour: str) -> None:
    trace, state, requests = ask(always(behaviour))
    assert trace is None
    assert state.ended
    assert requests == 1


def test_retry_after_is_read() -> None:
    with pytest.raises(Infrastructure) as caught:
        ask_once("rate_limit_a_second")
    assert caught.value.retry_after == 1.0


def request_for(task: Any) -> Request:
    sent = schemas(task, task.offered, SINGLE_TURN, catalogue())
    return Request(task, 0, SINGLE_TURN, opening(task, SINGLE_TURN, "native", sent), sent)


def test_what_the_model_wrote_is_kept() -> None:
    malformed, _, _ = ask(always("malformed_arguments"))
    refused, _, _ = ask(always("tool_use_failed"))
    text, _, _ = ask(always("call_as_text"))
    assert malformed is not None
    assert refused is not None
    assert text is not None
    assert malformed.calls[0].arguments == '{"expression": "1 +'
    assert refused.calls[0].name == "calculator"
    assert refused.calls[0].is_malformed
    assert text.calls[0].arguments == {"expression": "6 * 7"}
    assert text.extra["shapes"] == ["tool_call_tag"]
    assert text.response[0]["reasoning_content"] == "easy"


def test_a_trace_tells_who_answered_and_at_what_price() -> None:
    trace, _, _ = ask(always("answer"))
    assert trace is not None
    assert trace.usage == {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    assert trace.cost_usd is None
    assert trace.extra["served_by"] == ["stand-in-1"]
    assert trace.extra["system_fingerprints"] == ["fp_stand_in"]
    assert trace.latency_ms


def test_the_request_is_what_the_protocol_says() -> None:
    with Provider(small_suite()) as provider:
        asyncio.run(Client(target_at(provider))(request_for(TASK)))
        headers, body = provider.requests[0]
    assert headers["authorization"] == f"Bearer {KEY}"
    assert body["temperature"] == 0
    assert [m["role"] for m in body["messages"]] == ["system", "user"]
    assert body["messages"][1]["content"] == TASK.prompt
    assert [tool["function"]["name"] for tool in body["tools"]] == list(TASK.offered)


def test_nothing_listens() -> None:
    target = replace(find_target("x", "http://127.0.0.1:9/v1"), timeout_s=5.0)
    with pytest.raises(Infrastructure) as caught:
        asyncio.run(Client(target)(request_for(TASK)))
    assert caught.value.kind == "connection"
    assert caught.value.message == "http://127.0.0.1:9/v1: Connection error."


def ask_once(behaviour: str, timeout_s: float = 5.0) -> None:
    with Provider(small_suite(), script=always(behaviour)) as provider:
        asyncio.run(Client(target_at(provider, timeout_s))(request_for(TASK)))


def test_a_provider_that_quotes_the_key() -> None:
    with pytest.raises(Infrastructure) as caught:
        ask_once("quotes_key")
    assert "Bearer [key]" in caught.value.message


def test_the_models_own_slowness() -> None:
    with pytest.raises(ModelFault) as caught:
        ask_once("slow", 0.5)
    assert caught.value.message == "no answer within 0.5 s"


# Adapters of LiteLLM that do not share the path of the tests above.
ADAPTED = ["groq/some-model", "mistral/some-model", "openrouter/some/model", "hosted_vllm/a-model"]
ADAPTED_OUTCOMES = {
    "rate_limit_a_second": ("rate_limit", "slow down"),
    "server_error": ("provider_error", "it broke"),
    "cut": ("connection", "not completed"),
    "closed": ("connection", "disconnected"),
    "invalid_json": ("provider_error", "Expecting property name"),
    "html": ("provider_error", "Expecting value"),
    "unauthorized": ("auth", "Incorrect API key"),
    "not_found": ("unknown_model", "no such model"),
    "tool_use_failed": ("malformed_call", "Failed to call a function"),
    "no_tokens": ("provider_error", "no choice"),
    "reference_refused": ("reference_rejected", "validation failed"),
    "context_overflow": ("context_overflow", "maximum context length"),
}


def ask_adapted(model: str, behaviour: str) -> Reply:
    with Provider(small_suite(), script=always(behaviour)) as provider:
        target = find_target(model, provider.url, "STAND_IN_KEY", {"STAND_IN_KEY": KEY})
        return asyncio.run(Client(target)(request_for(TASK)))


@pytest.mark.parametrize("behaviour", ADAPTED_OUTCOMES)
@pytest.mark.parametrize("model", ADAPTED)
def test_other_adapters_tell_failures_apart(model: str, behaviour: str) -> None:
    kind, message = ADAPTED_OUTCOMES[behaviour]
    with pytest.raises((Infrastructure, ModelFault), match=message) as caught:
        ask_adapted(model, behaviour)
    failure = caught.value
    assert isinstance(failure, Infrastructure | ModelFault)
    assert failure.kind == kind
    assert not failure.message.startswith(("litellm", "{"))
    if behaviour == "rate_limit_a_second":
        assert isinstance(caught.value, Infrastructure)
        assert caught.value.retry_after == 1.0
    if behaviour == "tool_use_failed":
        assert isinstance(caught.value, ModelFault)
        assert caught.value.generation == '<function=calculator>{"expression": 1'


@pytest.mark.parametrize("model", ADAPTED)
def test_arguments_that_nobody_can_read_are_the_models_fault(model: str) -> None:
    if model.startswith("groq/"):
        reply = ask_adapted(model, "brackets")
        assert read_message(reply.message, TASK.offered).calls == (("calculator", "[" * 3_000),)
        return
    with pytest.raises(ModelFault, match="nest too deeply") as caught:
        ask_adapted(model, "brackets")
    assert caught.value.kind == "malformed_call"


@pytest.mark.parametrize("model", ADAPTED)
def test_other_adapters_pass_calls_on(model: str) -> None:
    reply = ask_adapted(model, "answer")
    assert read_message(reply.message, TASK.offered).calls[0][0] == "calculator"
    malformed = ask_adapted(model, "malformed_arguments")
    assert read_message(malformed.message, TASK.offered).calls == (
        ("calculator", '{"expression": "1 +'),
    )


@pytest.mark.parametrize("id_", sorted({m.provider.id: m.id for m in known_models()}.values()))
def test_every_providers_adapter_keeps_the_widened_schemas(id_: str) -> None:
    import litellm

    name, provider, _, _ = litellm.get_llm_provider(id_)
    sent = [widened(tool.schema) for tool in catalogue().values()]
    adapted = json.dumps(
        litellm.utils.get_optional_params(
            model=name, custom_llm_provider=provider, tools=json.loads(json.dumps(sent))
        )
    )
    assert adapted.count('"anyOf"') == json.dumps(sent).count('"anyOf"')
    assert all(f'"name": "{name}"' in adapted for name in catalogue())


MODELS = {
    "openai/gpt-4o-mini": ("openai/gpt-4o-mini", "openai", 0.0),
    "GPT-5.4": ("openai/gpt-5.4", "openai", None),
    "openai/o3": ("openai/o3", "openai", None),
    "openai/gpt-5-mini": ("openai/gpt-5-mini", "openai", None),
    "groq/some-new-model": ("groq/some-new-model", "groq", 0.0),
}


@pytest.mark.parametrize("model", MODELS)
def test_models_that_are_found(model: str) -> None:
    environment = {"OPENAI_API_KEY": KEY, "GROQ_API_KEY": KEY}
    target = find_target(model, environment=environment)
    assert (target.id, target.provider, target.temperature) == MODELS[model]
    assert target.api_key == KEY
    assert KEY not in repr(target)
    assert KEY not in str(target.settings())


REFUSED = [
    ("nonsense/model", None, None, "no provider"),
    ("nonsense", None, None, "no provider"),
    ("openai/gpt-4o", None, None, "OPENAI_API_KEY"),
    ("huggingface/https://evil.example", None, None, "--api-base"),
    ("x", "ftp://host", None, "http://"),
    ("x", "http://host", "NO_SUCH_KEY", "NO_SUCH_KEY"),
    ("bedrock/anthropic.claude-3-haiku-20240307-v1:0", None, None, "AWS_"),
]


@pytest.mark.parametrize(("model", "base", "variable", "said"), REFUSED)
def test_models_that_are_refused(
    model: str, base: str | None, variable: str | None, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        find_target(model, base, variable, {})


KEYED = [m.id for m in known_models() if m.provider.key is not None]


@pytest.mark.parametrize("id_", sorted({id_.partition("/")[0]: id_ for id_ in KEYED}.values()))
def test_a_given_key_is_the_only_one_that_is_sent(
    id_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for known in known_models():
        for name in (known.provider.key, f"LITELLM_{known.provider.key}", "CO_API_KEY"):
            monkeypatch.setenv(str(name), "of-the-environment")
    with Provider(small_suite(), script=always("server_error")) as provider:
        # A key in the address of Google's API is a part of the path.
        target = find_target(id_, provider.url, api_key="sk-given")
        with pytest.raises(Infrastructure):
            asyncio.run(Client(target)(request_for(TASK)))
        (headers, body), *_ = provider.requests
    assert "sk-given" in str(headers)
    assert "of-the-environment" not in str((headers, body))


NOT_KEYS = [
    ({"api_key": ""}, "expected a key"),
    ({"api_key": " "}, "expected a key"),
    ({"api_key": "a b"}, "without spaces"),
    ({"api_key": "a\r\nHost: evil"}, "in one line"),
    ({"api_key": "k\u00e9y"}, "expected a key"),
    ({"api_key": KEY, "key_variable": "X"}, "not from both"),
]


@pytest.mark.parametrize(("given", "said"), NOT_KEYS)
def test_keys_that_are_refused(given: dict[str, str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        find_target("openai/gpt-4o", environment={"OPENAI_API_KEY": KEY, "X": KEY}, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("model", ["bedrock/x", "vertex_ai/x", "azure/x", "Qwen3 8B"])
def test_providers_that_would_look_for_credentials_take_no_given_key(model: str) -> None:
    with pytest.raises(InputError, match="takes no key from standard input"):
        find_target(model, environment={}, api_key=KEY)


def run_of_json(folder: Path, script: Script) -> tuple[list[Trace], dict[str, Any], list[bool]]:
    """A run with ``--calls json``: traces, run.json, and which requests had a response_format."""
    suite = write_suite(small_suite(), folder / "suite.jsonl")
    with Provider(small_suite(), script=script) as provider:
        asked = RunOptions("m", suite=str(suite), catalogue="task", calls="json", concurrency=2)
        ask_model(replace(asked, api_base=provider.url), folder / "run", io.StringIO())
        constrained = ["response_format" in body for _, body in provider.requests]
    run = json.loads((folder / "run" / "run.json").read_text())
    return read_traces([folder / "run"]), run, constrained


def test_a_provider_that_takes_the_schema_is_always_sent_it(tmp_path: Path) -> None:
    traces, run, constrained = run_of_json(tmp_path, always("answer"))
    assert constrained == [True] * 8
    assert "schema_refused" not in run
    assert not any("schema_refused" in trace.extra for trace in traces)


def test_a_provider_that_refuses_the_schema_is_asked_without(tmp_path: Path) -> None:
    traces, run, constrained = run_of_json(tmp_path, always("refuses_schema"))
    # Once for each of the two requests that were under way before it was known.
    assert 1 <= sum(constrained) <= 2
    assert constrained.count(False) == 8
    assert all(trace.extra["schema_refused"] for trace in traces)
    assert all(trace.calls and trace.error is None for trace in traces)
    assert run["schema_refused"] is True
    assert run["parameters"]["constrained"] is True


def test_a_refusal_for_another_reason_stays_one() -> None:
    native = request_for(TASK)
    asked = replace(native, calls="json", response_format=response_format(native.tools))
    with Provider(small_suite(), script=always("bad_schema")) as provider:
        client = Client(target_at(provider))
        for _ in range(2):
            with pytest.raises(Infrastructure, match="Invalid schema") as caught:
                asyncio.run(client(asked))
            assert caught.value.kind == "bad_request"
        assert len(provider.requests) == 4
    with Provider(small_suite(), script=first(["answer"], "refuses_schema")) as provider:
        client = Client(target_at(provider))
        asyncio.run(client(asked))
        with pytest.raises(Infrastructure, match="json_schema"):
            asyncio.run(client(asked))
        assert len(provider.requests) == 2


def test_an_endpoint_of_ones_own_gets_no_key_of_the_environment() -> None:
    target = find_target("openai/gpt-4o", "http://127.0.0.1:9/v1", None, {"OPENAI_API_KEY": KEY})
    assert target.api_key == "none"
    # Nobody shall take it for OpenAI's own.
    assert (target.label, target.provider) == ("gpt-4o", "endpoint")


def test_ollama_is_told_how_much_to_read() -> None:
    target = find_target("Qwen3 8B", environment={})
    assert target.id == "ollama_chat/qwen3:8b"
    assert target.parameters == {"num_ctx": 32_768}
    assert target.api_base == "http://127.0.0.1:11434"


def test_prices() -> None:
    client = Client(find_target("openai/gpt-4o-mini", environment={"OPENAI_API_KEY": KEY}))
    assert client.price(1_000_000, 0) == pytest.approx(0.15)
    unknown = Client(find_target("x", "http://127.0.0.1:9/v1"))
    assert unknown.price(1000, 1000) is None


def test_a_whole_run_under_a_ceiling(tmp_path: Path) -> None:
    stream = io.StringIO()
    suite = write_suite(small_suite(), tmp_path / "suite.jsonl")
    asked = RunOptions(
        "gpt-4o-mini", suite=str(suite), catalogue="task", concurrency=1, max_cost=0.0003
    )
    with Provider(small_suite()) as provider:
        finished = ask_model(replace(asked, api_base=provider.url), tmp_path / "run", stream)
    assert finished.exit_code == 1
    assert "the ceiling of $0.0003 is reached" in finished.summary()
    costs = [trace.cost_usd or 0 for trace in read_traces([tmp_path / "run"])]
    assert 0 < len(costs) < 8
    # 100 tokens in and 20 out at 0.15 and 0.60 dollars a million.
    assert costs == pytest.approx([2.7e-5] * len(costs))
    assert stream.getvalue().startswith("cost: about $0.00")
    assert "for 8 answers, at most $0.0003" in stream.getvalue()


def test_a_ceiling_without_a_price_is_refused(tmp_path: Path) -> None:
    asked = RunOptions("stand-in", api_base="http://127.0.0.1:9/v1", max_cost=1.0)
    with pytest.raises(InputError, match="price is not known"):
        ask_model(asked, tmp_path / "run", io.StringIO())
    assert not (tmp_path / "run").exists()


def test_secrets_are_taken_out() -> None:
    assert redacted("a sk-very-secret/1 b sk-very-secret%2F1", KEY) == "a [key] b [key]"
    assert redacted("none of it", "none") == "none of it"
    assert without_secrets("https://me:pw@host:1/v1?key=x#y") == "https://host:1/v1"
