"""One answer of a run, read back from its traces and scored again to see why it is worth what it is."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from dataset_builder.errors import InputError
from dataset_builder.read_files import open_plain
from dataset_builder.tasks.task import Suite, Task
from dataset_builder.tools import catalogue
from dataset_builder.tools.tool import Tool
from evaluator.explaining.explanation import Explanation
from evaluator.scoring.score import score_task
from evaluator.traces.trace import Trace
from evaluator.traces.trace_reader import read_trace_text
from space.base.tiers import SELF_REPORTED, WITHDRAWN
from space.board.entry import Entry
from space.board.live_run import is_whole
from space.submissions.replay_budget import Meter, metered


def explain(entry: Entry, task: Task, sample: int, suite: Suite) -> Explanation:
    """The verdict on an entry's answer to a task.

    Scored from the trace, as everything on the page is; InputError where there is no such answer.
    """
    if entry.status == WITHDRAWN:
        raise InputError("This run was withdrawn, so its answers are not shown.")
    answers = [trace for trace in _traces(entry, task, suite) if trace.sample == sample]
    if not answers:
        raise InputError(f"This run has no answer to {task.task_id}.")
    tools: Mapping[str, Tool] = catalogue()
    if entry.tier == SELF_REPORTED:
        # What a stranger's calls may cost is bounded here as it was when they were published.
        tools = metered(tools, Meter())
    return Explanation(task, answers[0], score_task(task, answers[0], tools))


def samples(entry: Entry, task: Task) -> list[int]:
    """The numbers of the samples that a run has of a task."""
    rows = entry.result.scores["tasks"]
    return [row["sample"] for row in rows if row["task_id"] == task.task_id]


def _traces(entry: Entry, task: Task, suite: Suite) -> Iterator[Trace]:
    """The traces of a task, with what the whole run declares filled in where they are silent."""
    scores = entry.result.scores
    try:
        text = b"".join(_lines(entry.traces, task.task_id)).decode()
        traces = read_trace_text(text, suite, entry.id) if text else []
    except (OSError, UnicodeDecodeError):
        raise InputError("The traces of this run cannot be read any more.") from None
    for trace in traces:
        if trace.task_id == task.task_id and trace.model == scores["model"]:
            yield replace(
                trace,
                protocol=trace.protocol or scores["protocol"],
                catalogue=trace.catalogue or scores["catalogue"],
            )


def _lines(file: Path, task_id: str) -> Iterator[bytes]:
    """The lines that can be of a task; the others are not worth parsing."""
    with open_plain(file) as lines:
        # What a run is writing at the end of its file is no row yet.
        whole = (line for line in lines if line.endswith(b"\n") or is_whole(line))
        yield from (line for line in whole if task_id.encode() in line)
