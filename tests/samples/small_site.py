"""A page over a small suite: runs made here and submissions, written as the real ones are."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from dataset_builder.tasks.task import Suite, Task
from dataset_builder.tools import catalogue
from evaluator.explaining.explanation import Explanation
from evaluator.scoring.score import score_task
from evaluator.traces.trace import Call, Trace
from space.base.settings import Settings
from space.base.tiers import SELF_REPORTED
from space.services import Services, open_services
from tests.samples.small_suite import small_suite

Answer = Callable[[Task], Sequence[dict[str, Any]]]


def oracle(task: Task) -> list[dict[str, Any]]:
    """The expected calls."""
    return [{"name": step.tool, "arguments": dict(step.arguments)} for step in task.steps]


def silent(_: Task) -> list[dict[str, Any]]:
    """No call."""
    return []


def careless(task: Task) -> list[dict[str, Any]]:
    """The expected calls, each with one argument wrong, and one call that nobody asked for."""
    calls = oracle(task)
    for call in calls:
        name = next(iter(call["arguments"]), "nothing")
        call["arguments"] = {**call["arguments"], name: "no such value"}
    return [*calls, {"name": "get_current_time", "arguments": {}}]


def first_level(task: Task) -> list[dict[str, Any]]:
    """The expected calls of single calls, none of others."""
    return oracle(task) if task.level == 0 else []


def trace_lines(model: str, answer: Answer, suite: Suite, **more: Any) -> bytes:
    """A trace file."""
    rows: Iterable[dict[str, Any]] = (
        {
            "task_id": task.task_id,
            "model": model,
            "calls": answer(task),
            "protocol": "single-turn",
            "catalogue": "full",
            **more,
        }
        for task in suite.tasks
    )
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def explained(task: Task, calls: Sequence[dict[str, Any]], **more: Any) -> Explanation:
    """Why an answer of these calls scores as it does."""
    trace = Trace(
        task.task_id,
        tuple(Call(call["name"], call["arguments"]) for call in calls),
        "m",
        protocol="single-turn",
        catalogue="full",
        **more,
    )
    return Explanation(task, trace, score_task(task, trace, catalogue()))


def add_run(folder: Path, name: str, answer: Answer, suite: Suite, **more: Any) -> None:
    """A run folder."""
    run = folder / "runs" / name
    run.mkdir(parents=True)
    (run / "run.json").write_text("{}")
    (run / "traces.jsonl").write_bytes(trace_lines(name, answer, suite, **more))


def add_submission(site: Services, model: str, answer: Answer, **more: Any) -> str:
    """A submission; its id."""
    about = dict.fromkeys(("organisation", "link", "provider", "regime", "open_weights"), "")
    about |= {"model": model, "models": "1", "protocol": "", "catalogue": "", "submitter": ""}
    about |= {
        "suite": site.settings.suite.version,
        "tier": SELF_REPORTED,
        "submitted_at": "2026-11-22T00:00:00+00:00",
    }
    content = trace_lines(model, answer, site.settings.suite, **more)
    return site.store.add(content, about)[0].id


def small_site(
    folder: Path, suite: Suite | None = None, answers: Mapping[str, Answer] | None = None
) -> Services:
    """A page over runs made here, one for each answer, called by its name."""
    suite = suite or small_suite()
    for name, answer in (answers or {}).items():
        add_run(folder, name, answer, suite)
    return open_services(Settings(suite, folder / "runs", folder / "submissions"))
