"""What an upload was taken for: how many calls, from where in its rows, on which tasks."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from dataset_builder.tasks.task import Suite
from evaluator.traces.trace import Trace


@dataclass(frozen=True)
class Taken:
    """Counts over the rows of an upload."""

    rows: int
    calls: int
    malformed: int
    """Calls whose arguments are no JSON object."""
    silent: int
    """Rows without a call, failures of a provider left out."""
    failures: int
    """Rows that tell of a failure of the provider."""
    models: int
    samples: int
    """The most answers that any task has from one model."""
    sources: tuple[tuple[str, int], ...]
    """The fields that calls were read from, and of how many rows."""
    tasks: tuple[tuple[str, int, int], ...]
    """For each level of the suite: its name, its tasks in the upload, its tasks in the suite."""

    def sentences(self) -> list[str]:
        """The counts in words."""
        asked = sum(here for _, here, _ in self.tasks)
        suite = sum(whole for _, _, whole in self.tasks)
        levels = ", ".join(f"{name} {here} of {whole}" for name, here, whole in self.tasks)
        answers = "one answer each" if self.samples == 1 else f"up to {self.samples} answers each"
        of_models = "" if self.models == 1 else f" by {self.models} models"
        said = [
            f"Read {_count(self.rows, 'row')} with {_count(self.calls, 'call')}{of_models}: "
            f"{asked:,} of {suite:,} tasks, {answers} ({levels}).",
            f"The calls stand in {' and '.join(_rows_of(*source) for source in self.sources)}.",
        ]
        if self.silent:
            said.append(f"{_count(self.silent, 'row')} without a call.")
        if self.malformed:
            said.append(f"{_count(self.malformed, 'call')} with arguments that are no JSON object.")
        if self.failures:
            said.append(f"{_count(self.failures, 'row')} of failures at the provider.")
        return said


def taken(traces: Iterable[Trace], suite: Suite) -> Taken:
    """The counts over traces of a suite."""
    rows = list(traces)
    here = Counter(suite.by_id[name].level for name in {trace.task_id for trace in rows})
    whole = Counter(task.level for task in suite.tasks)
    answers = Counter((trace.model, trace.task_id) for trace in rows)
    failures = sum(trace.is_infrastructure_failure for trace in rows)
    silent = sum(not trace.calls and not trace.is_infrastructure_failure for trace in rows)
    return Taken(
        rows=len(rows),
        calls=sum(len(trace.calls) for trace in rows),
        malformed=sum(call.is_malformed for trace in rows for call in trace.calls),
        silent=silent,
        failures=failures,
        models=len({trace.model for trace in rows}),
        samples=max(answers.values(), default=0),
        sources=tuple(sorted(Counter(trace.read_from for trace in rows).items())),
        tasks=tuple((level.title, here[level], whole[level]) for level in sorted(whole)),
    )


def _rows_of(field: str, rows: int) -> str:
    return f"“{field}” of {_count(rows, 'row')}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
