"""Where calls are read from: OpenAI's forms say the same as ``calls``, and no row is read otherwise."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import comptoolbench
from evaluator.traces.row_calls import READ_FROM
from evaluator.traces.trace import MAX_CALLS, Trace, TraceProblems
from evaluator.traces.trace_reader import read_trace_text
from tests.samples.small_suite import small_suite, write_suite
from tests.samples.submitted_files import trace_lines

SUITE = small_suite()
TOOL_CALLS = [
    {"id": "a", "type": "function", "function": {"name": "f", "arguments": '{"x": [1]}'}},
    {"id": "b", "type": "function", "function": {"name": "g", "arguments": "oops"}},
    {"function": {"name": "h", "arguments": ""}},
]
CALLS: tuple[tuple[str, Any], ...] = (("f", {"x": [1]}), ("g", "oops"), ("h", {}))
MESSAGE = {"role": "assistant", "content": None, "tool_calls": TOOL_CALLS}
FORMS: dict[str, dict[str, Any]] = {
    "tool_calls": {"tool_calls": TOOL_CALLS},
    "tool_calls of a message spread out": {"role": "assistant", **MESSAGE},
    "message": {"message": MESSAGE},
    "message without role": {"message": {"tool_calls": TOOL_CALLS}},
    "messages": {"messages": [{"role": "user", "content": "?"}, MESSAGE]},
    "response, a completion": {"response": {"choices": [{"index": 0, "message": MESSAGE}]}},
    "response, a message": {"response": MESSAGE},
    "response, messages": {"response": [MESSAGE]},
    "message that is a log's text": {"message": "done", "response": MESSAGE},
}


def row(**fields: Any) -> str:
    return json.dumps({"task_id": "L0_node_0001", **fields})


@pytest.mark.parametrize("form", FORMS)
def test_an_openai_form_is_read_as_what_it_says(form: str) -> None:
    (trace,) = read_trace_text(row(**FORMS[form]))
    assert tuple((call.name, call.arguments) for call in trace.calls) == CALLS
    assert [call.is_malformed for call in trace.calls] == [False, True, False]
    assert trace.read_from == next(name for name in form.replace(",", " ").split()) or "log" in form
    again = Trace.from_row(trace.to_row())
    assert again == trace
    assert again.read_from == "calls"


@pytest.mark.parametrize(
    "fields",
    [
        {"tool_calls": []},
        {"tool_calls": None, "content": "I cannot."},
        {"message": {"role": "assistant", "content": "I cannot."}},
        {"response": {"choices": [{"message": {"content": "", "tool_calls": None}}]}},
    ],
)
def test_an_answer_without_calls_has_none(fields: dict[str, Any]) -> None:
    (trace,) = read_trace_text(row(**fields))
    assert trace.calls == ()


EXPECTED = 'expected {"function": {"name", "arguments"}}'
BAD: list[tuple[dict[str, Any], str]] = [
    ({}, "calls: expected a list of calls, got null; OpenAI's messages and tool_calls are read"),
    ({"response": "f(1)"}, "calls: expected a list of calls, got null"),
    ({"calls": None, "tool_calls": TOOL_CALLS}, "calls: expected a list of calls, got null"),
    ({"tool_calls": "f(1)"}, "tool_calls: expected a list, got text"),
    ({"tool_calls": [7]}, f"tool_calls[0]: {EXPECTED}"),
    ({"tool_calls": [{"name": "f", "args": {}}]}, f"tool_calls[0]: {EXPECTED}"),
    ({"tool_calls": [{"type": "custom", "custom": {"name": "f"}}]}, f"tool_calls[0]: {EXPECTED}"),
    ({"tool_calls": [*TOOL_CALLS, {"function": {}}]}, "tool_calls[3].function.name: expected text"),
    ({"tool_calls": [{"function": {"name": "f"}}]}, "tool_calls[0].function.arguments: expected"),
    (
        {"tool_calls": [{"function": {"name": "f", "arguments": [1]}}]},
        "tool_calls[0].function.arguments: expected an object or its JSON text, got a list",
    ),
    ({"tool_calls": [TOOL_CALLS[0]] * (MAX_CALLS + 1)}, "tool_calls: expected at most 2,000 calls"),
    ({"message": {}}, "message: expected an assistant's message with tool_calls"),
    ({"message": []}, "message: expected an assistant's message with tool_calls"),
    ({"message": {"role": "user", "content": "?"}}, "message.role: expected assistant"),
    ({"message": {"tool_calls": [1]}}, f"message.tool_calls[0]: {EXPECTED}"),
    ({"response": {"choices": []}}, "response.choices: expected one choice, since a row is one"),
    ({"response": {"choices": [1]}}, "response.choices: expected one choice"),
    ({"response": {"choices": [{}, {}]}}, "response.choices: expected one choice"),
    ({"response": {"choices": [{}]}}, "response.choices[0].message: expected an assistant's"),
    ({"response": {"id": "x"}}, "response: expected an assistant's message with tool_calls"),
    ({"response": ["x"]}, "response[0]: expected an object with a role"),
]


@pytest.mark.parametrize(("fields", "said"), BAD)
def test_what_cannot_be_read_names_the_line_and_what_was_expected(
    fields: dict[str, Any], said: str
) -> None:
    with pytest.raises(TraceProblems) as caught:
        read_trace_text(f"\n{row(**fields)}", name="f")
    assert caught.value.problems[0].startswith(f"f:2: {said}")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "content", "tool_calls", "function", "name", "arguments"]),
            inner,
        )
    ),
    max_leaves=12,
)
_BESIDE = st.dictionaries(st.sampled_from([*READ_FROM[1:], "content"]), _JSON)


@given(_BESIDE)
def test_a_row_with_calls_is_read_from_there_whatever_stands_beside_them(
    beside: dict[str, Any],
) -> None:
    for line in trace_lines("m", 8).splitlines():
        plain, more = json.loads(line), {**beside, **json.loads(line)}
        assert Trace.from_row(more).calls == Trace.from_row(plain).calls


@given(_BESIDE)
def test_any_row_gives_calls_or_sentences(fields: dict[str, Any]) -> None:
    told: list[str] = []
    try:
        trace = Trace.from_row({"task_id": "x", **fields})
    except TraceProblems as error:
        told = error.problems
    else:
        assert Trace.from_row(trace.to_row()) == trace
    assert all(0 < len(problem) < 300 and "\n" not in problem for problem in told)


def test_the_command_line_scores_them_alike_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_suite(SUITE, tmp_path / "suite.jsonl")
    plain, native = tmp_path / "calls.jsonl", tmp_path / "native.jsonl"
    plain.write_text(trace_lines("m", 5))
    rows = [json.loads(line) for line in trace_lines("m", 5).splitlines()]
    for each in rows:
        calls = each.pop("calls")
        each["tool_calls"] = [
            {"type": "function", "function": {**call, "arguments": json.dumps(call["arguments"])}}
            for call in calls
        ]
    native.write_text("".join(f"{json.dumps(each)}\n" for each in rows))
    told = []
    for file in (plain, native):
        with pytest.raises(SystemExit) as ended:
            comptoolbench.main(["score", str(file), "--suite", str(tmp_path / "suite.jsonl")])
        assert not ended.value.code
        told.append(capsys.readouterr())
    assert told[0].out == told[1].out
    assert told[0].err == ""
    assert told[1].err == "m: the calls of 8 of 8 rows were read from tool_calls\n"
