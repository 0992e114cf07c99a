"""What holds for whatever is fuzzed: an answer within a second, and the same one again."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

from evaluator.traces.strict_json import parse_json
from evaluator.traces.trace import Trace
from evaluator.traces.trace_log import trace_line

Answer = TypeVar("Answer")
MOST_SECONDS = 1.0
"""Of CPU time: another process on the machine makes no input slow."""


def settled(answer: Callable[[], Answer]) -> Answer:
    """What a function gives, twice the same. The second time is measured: the first may import."""
    first = answer()
    start = time.process_time()
    second = answer()
    spent = time.process_time() - start
    assert spent <= MOST_SECONDS, f"it took {spent:.1f} s"
    assert first == second, f"first {first!r}, then {second!r}"
    return first


def json_of(data: bytes) -> Any:
    """The JSON value of an input, within what a row may be; None for what is none."""
    try:
        return parse_json(data.decode())
    except ValueError:
        return None


def is_read_back(trace: Trace) -> bool:
    """Whether a row of a file gives the same trace."""
    return Trace.from_row(parse_json(trace_line(trace).decode())) == trace
