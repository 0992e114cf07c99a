"""How the rows of a run say that they were asked: what its signature needs and their folder may not tell."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from dataset_builder.errors import InputError
from dataset_builder.task import Task
from evaluator.protocol import CALLS
from evaluator.trace import Trace

WORDINGS = ("minimal", "tool_hinted", "context_rich")
_VERSIONS = range(1, 1_000)


class AskedForm(NamedTuple):
    """Form of the calls, version of the system prompt, wording of the control; None where unsaid."""

    calls: str | None
    prompt_version: int | None
    wording: str | None


def worded(task: Task, wording: str | None) -> Task:
    """The task as it was asked in a wording of the control; as it is where it has none of that name."""
    prompts = task.metadata.get("control")
    prompt = prompts.get(wording) if isinstance(prompts, dict) else None
    return replace(task, prompt=prompt) if isinstance(prompt, str) else task


def asked_form(traces: Sequence[Trace], name: str) -> AskedForm:
    """What one model's rows say under ``asked``; InputError where they contradict each other.

    Rows that say nothing go with the others: a run that was begun before rows said it can be resumed.
    Values that no run writes are ignored: a signature is made of known words only.
    """
    return AskedForm(
        calls=_said(traces, name, "calls", CALLS),
        prompt_version=_said(traces, name, "prompt_version", _VERSIONS),
        wording=_said(traces, name, "wording", WORDINGS),
    )


def _said(traces: Sequence[Trace], name: str, field: str, known: Collection[Any]) -> Any:
    values = {_value(trace, field, known) for trace in traces} - {None}
    if len(values) > 1:
        listed = ", ".join(sorted(map(str, values)))
        raise InputError(f"{name}: the rows were asked in several ways ({field}: {listed})")
    return values.pop() if values else None


def _value(trace: Trace, field: str, known: Collection[Any]) -> Any:
    asked = trace.extra.get("asked")
    value = asked.get(field) if isinstance(asked, dict) else None
    return value if type(value) in (str, int) and value in known else None
