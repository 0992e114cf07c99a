"""How the rows of a run say that they were asked: what its signature needs and their folder may not tell."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Task
from evaluator.traces.protocols import CHAT
from evaluator.traces.trace import Trace
from evaluator.traces.trace_fields import asked_problem
from evaluator.traces.variations import Variation


class AskedForm(NamedTuple):
    """Form of the calls, prompt version, wording of the control, endpoint; None where unsaid.

    And what is varied, each None where nothing is (`Variation`).
    """

    calls: str | None = None
    prompt_version: int | None = None
    wording: str | None = None
    endpoint: str | None = None
    scramble: str | None = None
    faults: str | None = None
    withhold: str | None = None

    @property
    def variation(self) -> Variation:
        """What is varied."""
        return Variation(self.scramble, self.faults, self.withhold)


def worded(task: Task, wording: str | None) -> Task:
    """The task as it was asked in a wording of the control; as it is where it has none of that name."""
    prompts = task.metadata.get("control")
    prompt = prompts.get(wording) if isinstance(prompts, dict) else None
    return replace(task, prompt=prompt) if isinstance(prompt, str) else task


def asked_form(traces: Sequence[Trace], name: str) -> AskedForm:
    """What one model's rows say under ``asked``; InputError where they contradict each other.

    Rows that say nothing go with the others: a run that was begun before rows said it can be resumed.
    Of a variation they say that there is none.
    """
    for trace in traces:
        if problem := asked_problem(trace.extra.get("asked"), trace.protocol):
            raise InputError(f"{name}: task {trace.task_id}: asked{problem}")
    return AskedForm(**{field: _common_value(traces, name, field) for field in AskedForm._fields})


def _common_value(traces: Sequence[Trace], name: str, field: str) -> Any:
    """What all rows that say anything under a field say; None where none does."""
    values = {(trace.extra.get("asked") or {}).get(field) for trace in traces}
    if field == "endpoint":
        # What says nothing of it was asked as all once were.
        values = {None if value == CHAT else value for value in values}
    elif field not in Variation._fields:
        values -= {None}
    if len(values) > 1:
        listed = ", ".join(sorted("none" if value is None else str(value) for value in values))
        raise InputError(f"{name}: the rows were asked in several ways ({field}: {listed})")
    return values.pop() if values else None
