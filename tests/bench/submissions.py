"""A folder of a page with many submissions, scored already."""

import json
import random
from pathlib import Path

from dataset_builder.tasks.task import Suite, Task
from dataset_builder.tools import catalogue
from evaluator.scoring.aggregate import summarise
from evaluator.scoring.attempts import Attempt
from evaluator.scoring.score import score_task
from evaluator.scoring.verdict import light
from evaluator.traces.protocols import PROMPT_VERSIONS
from evaluator.traces.trace import Call, Trace
from space.base.score_cache import Cache, Scored
from space.base.tiers import SELF_REPORTED
from space.board.publish_run import submission_key
from space.submissions.store import Store


def trace(task: Task, model: str, is_right: bool) -> Trace:
    """An answer to a task: all calls right, or none made."""
    steps = task.steps if is_right else ()
    calls = tuple(Call(step.tool, dict(step.arguments)) for step in steps)
    return Trace(task.task_id, calls, model, protocol="single-turn", catalogue="full")


def lines(traces: list[Trace]) -> bytes:
    return "".join(f"{json.dumps(trace.to_row())}\n" for trace in traces).encode()


def fill(folder: Path, suite: Suite, count: int) -> None:
    """So many submissions of all skills, scored into the cache without matching a call twice.

    ``folder``: where a page is opened that has its submissions and jobs there.
    """
    tools = catalogue()
    known = {
        (task.task_id, is_right): light(score_task(task, trace(task, "", is_right), tools))
        for task in suite.tasks
        for is_right in (False, True)
    }
    store, cache = Store(folder / "submissions"), Cache(folder / "jobs" / "scores")
    said = dict.fromkeys(("organisation", "link", "open_weights", "submitter"), "")
    said |= {"tier": SELF_REPORTED, "submitted_at": "2026-11-22T00:00:00+00:00"}
    said |= {"protocol": "", "catalogue": "", "suite": "", "models": "1"}
    for number in range(count):
        chance = random.Random(number)
        skill, model = 0.2 + 0.7 * chance.random(), f"model {number}"
        right = [chance.random() < skill for _ in suite.tasks]
        traces = [trace(t, model, r) for t, r in zip(suite.tasks, right, strict=True)]
        attempts = [
            Attempt(t, 0, known[t.task_id, r]) for t, r in zip(suite.tasks, right, strict=True)
        ]
        scores = summarise(suite, traces, attempts, PROMPT_VERSIONS, "native")
        about = said | {"model": model, "provider": f"provider {number % 9}", "regime": "local"}
        submission, _ = store.add(lines(traces), about)
        cache.put(submission_key(submission, suite), [Scored(scores, 0)])
