"""Replay: calls with references to each other, under faults, give outputs and never raise."""

import json
from collections.abc import Iterator
from typing import Any

from dataset_builder.tools import catalogue
from dataset_builder.tools.faults import Faults
from dataset_builder.tools.replay import Executed, replay
from tests.fuzz.answers import traces
from tests.fuzz.checks import json_of, settled
from tests.tools.tool_cases import fault

MOST_CALLS = 20


def seeds() -> Iterator[bytes]:
    """The calls of right answers and of mutants as [[name, arguments], …]."""
    for trace in traces():
        calls = [[call.name, call.arguments] for call in trace.calls]
        yield json.dumps(calls).encode()
        if len(calls) == 2:
            yield json.dumps({"faults": "3", "calls": calls}).encode()


def check(data: bytes) -> None:
    """Each call has an outcome, which is its tool's or an error, and hangs on the calls before alone."""
    calls, faults = _calls(json_of(data))
    done = settled(lambda: replay(calls, catalogue(), faults=faults))
    assert len(done) == len(calls)
    assert done[: len(calls) // 2] == replay(calls[: len(calls) // 2], catalogue(), faults=faults)
    for executed in done:
        _check_output(executed)


def _check_output(executed: Executed) -> None:
    if executed.output is None:
        assert executed.arguments is None or executed.name not in catalogue()
        return
    problem = fault(catalogue()[executed.name], executed.output)
    assert problem is None, f"{executed.name}: {problem}"
    json.dumps(executed.shown, allow_nan=False)


def _calls(value: Any) -> tuple[list[tuple[str, Any]], Faults | None]:
    """Calls and faults in whatever JSON value; what is no call is passed over."""
    faults = None
    if isinstance(value, dict):
        faults = Faults(str(value.get("faults")), 60, 3)
        value = value.get("calls")
    pairs = value[:MOST_CALLS] if isinstance(value, list) else []
    return [
        (pair[0], pair[1])
        for pair in pairs
        if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)
    ], faults
