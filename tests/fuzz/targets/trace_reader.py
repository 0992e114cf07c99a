"""The trace reader: any bytes are traces, or problems in words."""

from collections.abc import Iterator
from functools import partial

from dataset_builder.tasks.task import Suite
from evaluator.traces.trace import Trace, TraceProblems
from evaluator.traces.trace_reader import read_trace_bytes
from tests.fuzz.answers import rows, suite
from tests.fuzz.checks import is_read_back, settled

_OPENAI = b"""\
{"task_id": "L1_chain_0049", "tool_calls": [{"function": {"name": "f", "arguments": "{\\"a\\": 1}"}}]}
{"task_id": "L0_node_0001", "message": {"role": "assistant", "content": null, "tool_calls": []}}
{"task_id": "L0_node_0002", "messages": [{"role": "user"}, {"role": "assistant", "tool_calls":\
 [{"function": {"name": "f", "arguments": ""}}]}, {"role": "tool"}], "usage": {"input_tokens": 3}}
{"task_id": "L0_node_0003", "response": {"choices": [{"message": {"function_call":\
 {"name": "f", "arguments": "["}}}]}, "latency_ms": 5.5, "cost_usd": 0, "started_at": "2026"}
"""


def seeds() -> Iterator[bytes]:
    """Files of one row and of several, in the benchmark's form and in OpenAI's."""
    every = list(rows())
    yield from every[::4]
    yield b"\n".join(every[:6])
    yield _OPENAI
    yield b"\xef\xbb\xbf" + every[0] + b"\r\n\r\n" + every[1][:40]


def check(data: bytes) -> None:
    """Traces that a file of theirs gives again, or problems of one line each."""
    for of in (None, suite()):
        for is_growing in (False, True):
            traces, problems = settled(partial(_read, data, of, is_growing))
            assert bool(traces) != bool(problems)
            assert all(map(is_read_back, traces))
            for problem in problems:
                assert problem.startswith("f"), problem
                assert len(problem.splitlines()) == 1, problem


def _read(data: bytes, of: Suite | None, is_growing: bool) -> tuple[list[Trace], list[str]]:
    try:
        return read_trace_bytes(data, of, "f", is_growing), []
    except TraceProblems as error:
        return [], error.problems
