"""How fast answers are read, executed and scored: distinct rows, long ones, and those of training."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.task import Task
from dataset_builder.tools import catalogue
from dataset_builder.tools.replay import replay
from evaluator.asking.baselines.oracle_and_dump import arguments_with_references
from evaluator.integrations.rewards import reward_function
from evaluator.integrations.task_stream import TaskStream
from evaluator.scoring.attempts import by_model
from evaluator.scoring.score import score_task
from evaluator.scoring.score_traces import score
from evaluator.traces.protocols import SINGLE_TURN
from evaluator.traces.trace import Call, Trace
from evaluator.traces.trace_reader import read_traces
from tests.bench.measure import Measure, Work
from tests.differential.mutations import mutants
from tests.samples.long_tasks import flawed_answer, long_task

ROWS = 5_000
GROUP = 8
"""Answers to one task, as training asks for them."""
_FILE = "rows.jsonl"


def rows(folder: Path) -> None:
    """So many answers with flaws, no two of them made by the same draw, under four models' names."""
    samples: Counter[tuple[str, str]] = Counter()
    lines = []
    for task, mutant in mutants(load_suite(), catalogue(), ROWS, seed=19):
        model = f"{mutant.trace.protocol} {mutant.trace.catalogue}"
        trace = replace(mutant.trace, model=model, sample=samples[task.task_id, model])
        samples[task.task_id, model] += 1
        lines.append(f"{json.dumps(trace.to_row())}\n")
    (folder / _FILE).write_text("".join(lines), encoding="utf-8")


def _read(folder: Path) -> Work:
    return lambda: read_traces(folder / _FILE)


def _score(folder: Path) -> Work:
    suite = load_suite()
    traces = read_traces(folder / _FILE)
    models = list(by_model(traces).values())
    return lambda: [score(each, suite, allow_partial=True) for each in models]


def _replay(folder: Path) -> Work:
    tools = catalogue()
    calls = [[(c.name, c.arguments) for c in trace.calls] for trace in read_traces(folder / _FILE)]
    return lambda: [replay(each, tools) for each in calls]


def _command(folder: Path) -> Work:
    command = [sys.executable, "-m", "comptoolbench", "score", _FILE, "--allow-partial", "--json"]

    def work() -> None:
        with (folder / "scores.json").open("wb") as out:
            subprocess.run(command, cwd=folder, stdout=out, check=True)

    return work


def _oracle(folder: Path) -> Work:
    tools, suite = catalogue(), load_suite()
    pairs = [(task, _right(task)) for task in suite.tasks]
    return lambda: [score_task(task, trace, tools) for task, trace in pairs]


def _right(task: Task) -> Trace:
    calls = [Call(step.tool, arguments_with_references(step, task)) for step in task.steps]
    return Trace(task.task_id, tuple(calls), "oracle", protocol=SINGLE_TURN, catalogue="full")


def _long(calls: int) -> Callable[[Path], Work]:
    """A row of so many calls, a fifth of them spoilt, and a fifth more."""

    def prepare(folder: Path) -> Work:
        task, tools = long_task(calls, 1), catalogue()
        answer = flawed_answer(task, 1, flaws=0.2, extra=calls // 5)
        return lambda: score_task(task, answer, tools)

    return prepare


def _rewards(folder: Path) -> Work:
    stream = TaskStream(7, {"L0": 1, "L1": 1, "L2": 1, "L3": 1})
    tasks = [task for task in islice(stream.tasks(), 250) for _ in range(GROUP)]
    completions, ids = [_half(task) for task in tasks], [task.task_id for task in tasks]
    reward = reward_function(stream)
    return lambda: reward(None, completions, ids)


def _half(task: Task) -> Any:
    """The first half of the calls, written as text."""
    calls = [{"name": c.name, "arguments": c.arguments} for c in _right(task).calls]
    return json.dumps(calls[: (len(calls) + 1) // 2])


MEASURES = (
    Measure("5,000 distinct rows, read", _read, rows),
    Measure("5,000 distinct rows, replayed", _replay, rows),
    Measure("5,000 distinct rows, scored", _score, rows),
    Measure("5,000 distinct rows, file to scores", _command, rows),
    Measure("200 oracle rows, scored", _oracle),
    Measure("a row of 256 calls, scored", _long(256)),
    Measure("a row of 1,000 calls, scored", _long(1_000)),
    Measure("2,000 rewards, 8 answers a task", _rewards),
)
