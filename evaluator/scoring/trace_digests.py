"""What tells a copy: digests of one model's traces."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from evaluator.traces.trace import Trace


def digests(traces: Sequence[Trace]) -> dict[str, str | None]:
    """What one model's traces are told apart by, whatever it is called.

    ``calls_sha256``: what was called for each task; None where nothing was. ``responses_sha256``:
    what the provider sent; None where no row holds it. ``rows_sha256``: the whole rows.
    """
    calls = [[[call.name, call.arguments] for call in trace.calls] for trace in traces]
    responses = [[trace.response, trace.usage] for trace in traces]
    rows = [{**trace.to_row(), "model": ""} for trace in traces]
    return {
        "calls_sha256": _digest(traces, calls) if any(calls) else None,
        "responses_sha256": _digest(traces, responses) if any(map(any, responses)) else None,
        "rows_sha256": _digest(traces, rows),
    }


def _digest(traces: Sequence[Trace], values: Sequence[Any]) -> str:
    """Of a value for each trace, in whatever order they stand."""
    keyed = [(trace.key[1:], value) for trace, value in zip(traces, values, strict=True)]
    text = json.dumps(sorted(keyed, key=lambda item: item[0]), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
