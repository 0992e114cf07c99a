"""Trace files: what is read, every problem with its line, and what a kill may leave behind."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.traces.signature import suite_label
from evaluator.traces.strict_json import parse_json
from evaluator.traces.trace import (
    MAX_CALLS,
    MAX_LINE_BYTES,
    Call,
    Trace,
    TraceProblems,
    parse_arguments,
)
from evaluator.traces.trace_log import TraceLog, recover
from evaluator.traces.trace_reader import MAX_PROBLEMS, read_trace_text, read_traces
from tests.samples.toy_tools import make_task, step, suite

TASK = make_task(0, step("now"))
SUITE = suite(TASK, make_task(0, step("weather", city="Rome"), number=2))
ROW: dict[str, Any] = {"task_id": "L0_node_0001", "calls": []}


def problems(text: str, with_suite: bool = False) -> list[str]:
    with pytest.raises(TraceProblems) as caught:
        read_trace_text(text, SUITE if with_suite else None, "f")
    return caught.value.problems


def line(**fields: Any) -> str:
    return json.dumps(ROW | fields)


def test_a_row_is_read_whole() -> None:
    row = {
        "task_id": "L0_node_0001",
        "model": "openai/gpt-4o",
        "sample": 2,
        "protocol": "multi-turn",
        "catalogue": "full",
        "suite": "3.0.0",
        "provider": "openai",
        "calls": [
            {"name": "f", "arguments": {"a": 1}},
            {"name": "g", "arguments": '{"b": [2, "{{1.x}}"]}', "turn": 1, "id": "c7"},
        ],
        "response": [{"role": "assistant"}],
        "usage": {"prompt_tokens": 5},
        "latency_ms": 12.5,
        "cost_usd": 0,
        "error": {"kind": "rate_limit", "message": "slow down"},
        "started_at": "2026-11-01T00:00:00Z",
        "seed": 7,
    }
    (trace,) = read_trace_text(json.dumps(row), SUITE)
    assert trace.calls == (
        Call("f", {"a": 1}),
        Call("g", {"b": [2, "{{1.x}}"]}, 1, {"id": "c7"}),
    )
    assert trace.extra == {"seed": 7}
    assert trace.key == ("openai/gpt-4o", "L0_node_0001", 2)
    row["calls"] = [row["calls"][0], {**row["calls"][1], "arguments": {"b": [2, "{{1.x}}"]}}]  # type: ignore[index]
    assert trace.to_row() == row
    assert Trace.from_row(trace.to_row()) == trace


def test_files_may_be_concatenated_with_blank_lines_bom_and_crlf() -> None:
    text = f"\ufeff{line()}\r\n\n  \n{line(model='a')}\n{line(model='a', sample=1)}"
    assert [trace.key[::2] for trace in read_trace_text(text)] == [("", 0), ("a", 0), ("a", 1)]


@pytest.mark.parametrize(
    ("arguments", "read"),
    [
        ({"a": 1}, {"a": 1}),
        ('{"a": 1}', {"a": 1}),
        (' {"a": {"b": [1.5, null]}} ', {"a": {"b": [1.5, None]}}),
        ("", {}),
        ("  ", {}),
        # no JSON object: the model's own mistake, kept as it is
        ('{"a": 1', '{"a": 1'),
        ("[1]", "[1]"),
        ('"{}"', '"{}"'),
        ("null", "null"),
        ("f(a=1)", "f(a=1)"),
        ('{"a": NaN}', '{"a": NaN}'),
        ('{"a": 1e999}', '{"a": 1e999}'),
        ('{"a": ' + "9" * 400 + "}", '{"a": ' + "9" * 400 + "}"),
        ('{"a": ' + "[" * 40 + "]" * 40 + "}", '{"a": ' + "[" * 40 + "]" * 40 + "}"),
        ('{"a": ' + "[" * 100_000, '{"a": ' + "[" * 100_000),
        (None, None),
    ],
)
def test_arguments(arguments: Any, read: Any) -> None:
    (trace,) = read_trace_text(line(calls=[{"name": "f", "arguments": arguments}]))
    assert trace.calls[0].arguments == read
    assert trace.calls[0].is_malformed is not isinstance(read, dict)


def test_half_a_surrogate_pair_is_mended() -> None:
    text = '{"task_id": "L0_node_0001", "calls": [{"name": "f", "arguments": {"a": "x\\ud83d"}}]}'
    assert read_trace_text(text)[0].calls[0].arguments == {"a": "x\ufffd"}
    assert parse_arguments('{"\\udc00": "\\ud83d\\ude00"}') == {"\ufffd": "\U0001f600"}


def test_messages_in_place_of_calls() -> None:
    messages = [
        {"role": "system", "content": "…"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}},
                {"id": "2", "type": "function", "function": {"name": "g", "arguments": "oops"}},
            ],
        },
        {"role": "tool", "tool_call_id": "1", "content": '{"made": "up"}'},
        {"role": "assistant", "content": "", "function_call": {"name": "h", "arguments": "{}"}},
        {"role": "assistant", "content": "done"},
    ]
    row = {"task_id": "L0_node_0001", "messages": messages}
    (trace,) = read_trace_text(json.dumps(row))
    assert trace.calls == (Call("f", {"a": 1}, 0), Call("g", "oops", 0), Call("h", {}, 1))
    assert trace.extra == {"messages": messages}
    assert Trace.from_row(trace.to_row()) == trace


# Each with what must stand in the problem.
BAD_ROWS: list[tuple[str, str]] = [
    ("{", "f:1: is no JSON"),
    ("[]", "f:1: expected a JSON object, got a list"),
    ("null", "expected a JSON object, got null"),
    ("{} {}", "f:1: is no JSON"),
    ('{"task_id": "x"}', "calls: expected a list of calls, got null"),
    ('{"calls": []}', "task_id: expected the id of a task, got nothing"),
    (line(task_id=7), "task_id: expected text, got a number"),
    (line(task_id=""), "task_id: expected 1 to 200 printable characters"),
    (line(calls={}), "calls: expected a list of calls, got an object"),
    (line(calls=["f"]), "calls[0]: expected an object with name and arguments, got text"),
    (line(calls=[{"arguments": {}}]), "calls[0].name: expected text, got null"),
    (line(calls=[{"name": "f"}]), "calls[0].arguments: expected an object, got nothing"),
    (
        line(calls=[{"name": "f", "arguments": [1]}]),
        "calls[0].arguments: expected an object or its JSON text, got a list",
    ),
    (
        line(calls=[{"name": "f", "arguments": {}, "turn": -1}]),
        "calls[0].turn: expected a whole number",
    ),
    (
        line(calls=[{"name": "f", "arguments": {}}] * (MAX_CALLS + 1)),
        "at most 2,000 calls, got 2,001",
    ),
    (line(model=["a"]), "model: expected text"),
    (line(model=" m"), "model: expected no space at either end"),
    (line(model="ｍ"), "model: expected plain characters (NFKC), as in 'm'"),
    (line(model="a\u0000b"), "model: expected 1 to 200 printable characters"),
    (line(model="a\nb"), "model: expected 1 to 200 printable characters"),
    (line(model="\u202eevil"), "model: expected 1 to 200 printable characters"),
    (line(model="m" * 201), "model: expected 1 to 200 printable characters"),
    (line(sample="1"), 'sample: expected a whole number from 0 to 999, got "1"'),
    (line(sample=True), "sample: expected a whole number from 0 to 999, got true"),
    (line(sample=-1), "sample: expected a whole number from 0 to 999, got -1"),
    (line(sample=1.0), "sample: expected a whole number from 0 to 999, got 1.0"),
    (line(sample=1000), "sample: expected a whole number from 0 to 999, got 1000"),
    (line(protocol="chat"), 'protocol: expected single-turn or multi-turn, got "chat"'),
    (
        line(catalogue="all"),
        'catalogue: expected full, task or a number of tools, at most 106, got "all"',
    ),
    (
        line(catalogue=True),
        "catalogue: expected full, task or a number of tools, at most 106, got true",
    ),
    (line(catalogue=0), "catalogue: expected full, task or a number of tools, at most 106, got 0"),
    (line(catalogue="0008"), 'at most 106, got "0008"'),
    (line(catalogue="107"), 'at most 106, got "107"'),
    (line(catalogue=99999), "at most 106, got 99999"),
    (line(usage={"prompt_tokens": -1}), 'usage: "prompt_tokens": expected a whole number'),
    (line(usage={"total_tokens": True}), 'usage: "total_tokens": expected a whole number'),
    (line(usage={"total_tokens": 10**12}), 'usage: "total_tokens": expected a whole number'),
    (line(usage={"total_tokens": 1.5}), 'usage: "total_tokens": expected a whole number'),
    (line(usage={"x_details": {"cached_tokens": "7"}}), 'usage: "cached_tokens": expected'),
    (line(usage={"a": [{"b_tokens": [3, -3]}]}), 'usage: "b_tokens": expected a whole number'),
    (line(usage={"time": 1e300}), 'usage: "time": the number 1e+300 is out of range'),
    (line(usage={"time": -(10**200)}), 'usage: "time": the number'),
    (line(usage=[]), "usage: expected an object, got a list"),
    (line(latency_ms=-1), "latency_ms: expected a number from 0 to 1,000,000,000, got -1"),
    (line(latency_ms=1.7e308), "latency_ms: expected a number from 0 to 1,000,000,000, got 1.7e"),
    (line(latency_ms=True), "latency_ms: expected a number from 0 to 1,000,000,000, got true"),
    (line(cost_usd="free"), 'cost_usd: expected a number from 0 to 1,000,000, got "free"'),
    (line(cost_usd=1.7e308), "cost_usd: expected a number from 0 to 1,000,000, got 1.7e+308"),
    (line(model="m") + "\n" + line(model="M"), "f:2: model: 'M' was 'm' before"),
    (line(error="down"), "error: expected an object such as"),
    (line(error={"message": "x"}), "error: expected an object such as"),
    (line(error={"kind": "bad_luck"}), "error: expected one of the kinds auth, bad_request"),
    ('{"task_id": "x", "calls": [], "a": NaN}', "f:1: NaN is no JSON value"),
    ('{"task_id": "x", "calls": [], "a": -Infinity}', "f:1: -Infinity is no JSON value"),
    ('{"task_id": "x", "calls": [], "a": 1e999}', "f:1: the number 1e999 is out of range"),
    ('{"task_id": "x", "calls": [], "a": ' + "9" * 5000 + "}", "is out of range"),
    ('{"task_id": "x", "calls": [], "a": ' + "[" * 32 + "]" * 32 + "}", "nested beyond 32 levels"),
    ('{"a":' * 100_000, "f:1: is n"),
    ("[" * 3_000_000, "f:1: is n"),
    ("\0", "f:1: holds a NUL byte"),
    (line() + "\0", "f:1: holds a NUL byte"),
    (f'{{"task_id": "x", "calls": [], "a": "{"y" * MAX_LINE_BYTES}"}}', "f:1: is longer than 4 MB"),
    ("", "f: expected one trace a line, got an empty file"),
    (" \n\n", "f: expected one trace a line, got an empty file"),
    ('{"task_id": "x", "messages": 1}', "messages: expected a list of calls, got a number"),
    ('{"task_id": "x", "messages": [1]}', "messages[0]: expected an object with a role"),
    (
        '{"task_id": "x", "messages": [{"role": "assistant", "tool_calls": [1]}]}',
        'messages[0].tool_calls[0]: expected {"function": {"name", "arguments"}}',
    ),
    (
        '{"task_id": "x", "messages": [{"role": "assistant", "tool_calls": "f"}]}',
        "messages[0].tool_calls: expected a list, got text",
    ),
]


@pytest.mark.parametrize(("text", "said"), BAD_ROWS, ids=range(len(BAD_ROWS)))
def test_problem(text: str, said: str) -> None:
    told = problems(text)
    assert said in told[0]
    assert all(len(problem) < 300 and "\n" not in problem for problem in told)


def test_deepest_accepted_row() -> None:
    assert parse_json("[" * 32 + "]" * 32)
    with pytest.raises(ValueError, match="beyond 32 levels"):
        parse_json("[" * 33 + "]" * 33)


def test_invalid_utf8(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    file.write_bytes(line().encode() + b'\n{"task_id": "\xff"}\n')
    with pytest.raises(TraceProblems) as caught:
        read_traces([file])
    assert caught.value.problems == [f"{file}:2: is no UTF-8 text (byte 14)"]


def test_all_problems_at_once_with_their_lines(tmp_path: Path) -> None:
    one, other = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    one.write_text("\n".join([line(), "{", line(model="m", sample=-1, protocol="x"), line()]))
    other.write_text("\n".join([line(), line(task_id="L9_node_0001", suite="2.0.0")]))
    with pytest.raises(TraceProblems) as caught:
        read_traces([one, other, tmp_path / "c.jsonl"], SUITE)
    label = suite_label(SUITE)
    assert caught.value.problems == [
        f"{one}:2: is no JSON (expecting property name enclosed in double quotes at character 2)",
        f'{one}:3: protocol: expected single-turn or multi-turn, got "x"',
        f"{one}:3: sample: expected a whole number from 0 to 999, got -1",
        f"{one}:4: model '', task L0_node_0001, sample 0 stands at {one}:1 already",
        f"{other}:1: model '', task L0_node_0001, sample 0 stands at {one}:1 already",
        f"{other}:2: suite: expected {label}, got 2.0.0",
        f"{other}:2: task_id: suite {label} has no task 'L9_node_0001'",
        f"{tmp_path / 'c.jsonl'}: cannot be read (no such file or directory)",
    ]


def test_suite_may_be_named_in_three_ways() -> None:
    for name in (suite_label(SUITE), "3.0.0", "comptoolbench"):
        assert read_trace_text(line(suite=name), SUITE)
    assert problems(line(suite="3.0.0+00000000"), with_suite=True)


def test_a_run_folder_is_its_traces(tmp_path: Path) -> None:
    (tmp_path / "traces.jsonl").write_text(line())
    assert len(read_traces([tmp_path])) == 1


def test_problems_are_bounded() -> None:
    told = problems("x\n" * (MAX_PROBLEMS + 50))
    assert len(told) == MAX_PROBLEMS + 1
    assert told[-1] == "more than 1,000 problems: the rest was not read"


def test_long_lines_are_not_held(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    with file.open("wb") as stream:
        for _ in range(64):
            stream.write(b"x" * 2**20)
        stream.write(b"\n" + line().encode() + b"\n{\n")
    tracemalloc.start()
    with pytest.raises(TraceProblems) as caught:
        read_traces([file])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [p.removeprefix(str(file)).split(":")[1] for p in caught.value.problems] == ["1", "3"]
    assert peak < 16 * 2**20


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        with pytest.raises(TraceProblems):
            read_traces([file.name], SUITE)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
KEYS = st.sampled_from([*"ab", "task_id", "calls", "messages", "model", "error", "usage", "sample"])


@given(st.dictionaries(KEYS, JSON | st.just([{"name": "f", "arguments": {}}]), max_size=6))
def test_no_json_breaks_the_reader(row: dict[str, Any]) -> None:
    try:
        (trace,) = read_trace_text(json.dumps(ROW | row))
    except TraceProblems:
        return
    assert Trace.from_row(trace.to_row()) == trace


# Writing --------------------------------------------------------------------------------------


def test_log_appends_and_reads_back(tmp_path: Path) -> None:
    file = tmp_path / "traces.jsonl"
    first = Trace("L0_node_0001", (Call("f", {"ä": "°C 😀"}, 0),), model="m")
    second = Trace("L0_node_0002", (Call("g", '{"torn'), Call("h", None)), model="m")
    with TraceLog(file) as log:
        log.append(first)
        assert read_traces([file]) == [first]
        log.append(second)
    with TraceLog(file) as log:
        log.append(Trace("L0_node_0001", model="n"))
    assert read_traces([file]) == [first, second, Trace("L0_node_0001", model="n")]
    assert "ä" in file.read_text("utf-8")


def test_whatever_a_model_writes_can_be_read_back(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    deep: Any = {}
    for _ in range(60):
        deep = {"a": deep}
    traces = [
        Trace("a", (Call("f", {"a": "\ud83d"}),)),
        Trace("b", (Call("f", {"a": float("inf")}),)),
        Trace("c", (Call("f", deep),)),
        Trace("d", tuple(Call("f", {}) for _ in range(2_500))),
        Trace("e", response=[deep]),
        Trace("f", response="x" * MAX_LINE_BYTES),
        Trace("g", response=float("nan")),
    ]
    with TraceLog(file) as log:
        for trace in traces:
            log.append(trace)
    read = {trace.task_id: trace for trace in read_traces([file])}
    assert len(read) == len(traces)
    assert read["a"].calls[0].arguments == {"a": "\ufffd"}
    assert read["b"].calls[0].arguments == '{"a": Infinity}'
    assert read["c"].calls[0].is_malformed
    assert len(read["d"].calls) == MAX_CALLS
    assert read["d"].extra == {"calls_left_out": 500}
    assert all(read[name].response.startswith("left out") for name in "efg")


WHOLE = b'{"a": 1}\n'


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        (b"", b""),
        (WHOLE, WHOLE),
        (WHOLE * 2, WHOLE * 2),
        (WHOLE + b'{"a": ', WHOLE),
        (WHOLE + b'{"a": 1}', WHOLE),
        (WHOLE + b'{"a": \n', WHOLE),
        (WHOLE + b"\n", WHOLE),
        (b'{"a', b""),
        (WHOLE + b"x" * 200_000, WHOLE),
        (WHOLE + b"\0" * 100, WHOLE),
        (b'"' + b"y" * 200_000 + b'"\n' + WHOLE + b"{", b'"' + b"y" * 200_000 + b'"\n' + WHOLE),
        (WHOLE + '{"a": "é'.encode()[:-1], WHOLE),
    ],
)
def test_recover(tmp_path: Path, content: bytes, kept: bytes) -> None:
    file = tmp_path / "t.jsonl"
    file.write_bytes(content)
    assert recover(file) == len(content) - len(kept)
    assert file.read_bytes() == kept


def test_recover_without_a_file(tmp_path: Path) -> None:
    assert recover(tmp_path / "none.jsonl") == 0


@pytest.mark.slow
def test_killed_writer_loses_no_row_that_it_reported(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from evaluator.traces.trace import Call, Trace
from evaluator.traces.trace_log import TraceLog
with TraceLog(Path(sys.argv[1])) as log:
    for sample in range(10**9):
        log.append(Trace("t", (Call("f", {"a": "x" * 5000}),), sample=sample))
        print(sample, flush=True)
"""
    file = tmp_path / "t.jsonl"
    for rows in (1, 7, 40):
        file.unlink(missing_ok=True)
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(file)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        assert process.stdout is not None
        for _ in range(rows):
            reported = int(process.stdout.readline())
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        recover(file)
        assert len(read_traces([file])) > reported


def test_a_text_without_its_end_is_told_in_plain_words() -> None:
    with pytest.raises(ValueError, match="unterminated string starting at character 13"):
        parse_json('{"task_id": "L1_ch')
