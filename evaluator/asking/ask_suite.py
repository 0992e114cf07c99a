"""One run from what a user asked for to its folder: the suite, the model, the limits, the end."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TextIO

from dataset_builder.errors import InputError, why
from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.stratified_sample import limited
from dataset_builder.tasks.task import Suite, Task
from dataset_builder.tools import catalogue as benchmark_tools
from dataset_builder.tools.tool import Tool
from evaluator.asking.cost_estimate import estimate, first_request_tokens
from evaluator.asking.episode import Setting
from evaluator.asking.progress import shown
from evaluator.asking.rate_limits import Limits
from evaluator.asking.ready_model import Ready, ready_model
from evaluator.asking.run_folder import RunFolder, default_folder, left_to_ask
from evaluator.asking.runner import Job, State, run_job
from evaluator.scoring.score import score_task
from evaluator.traces.protocols import PROMPT_VERSIONS, canonical_catalogue
from evaluator.traces.signature import signature, suite_label
from evaluator.traces.trace import Trace


@dataclass(frozen=True)
class Asked:
    """What a user asks for; None where the default hangs on the model."""

    model: str
    protocol: str = "single-turn"
    catalogue: str = "full"
    suite: str | None = None
    calls: str | None = None
    samples: int = 1
    limit: int | None = None
    concurrency: int | None = None
    rpm: int | None = None
    tpm: int | None = None
    max_cost: float | None = None
    api_base: str | None = None
    key_variable: str | None = None
    api_key: str | None = field(default=None, repr=False)
    """The key itself, for this run only; no other is used then."""
    own_temperature: bool = False


@dataclass(frozen=True)
class Finished:
    """How a run ended."""

    folder: Path
    state: State

    @property
    def exit_code(self) -> int:
        """0 where every task has its answer, 130 after Ctrl-C, else 1."""
        if self.state.is_complete:
            return 0
        return 130 if self.state.interrupted else 1

    def summary(self) -> str:
        """What became of it, and how to go on."""
        state = self.state
        if state.is_complete:
            return f"{self.folder}: {state.done} answers; next: comptoolbench score {self.folder}"
        why = "stopped" if state.interrupted else state.ended and state.ended.rstrip(".")
        if why is None:
            why = f"{state.failed} tasks got no answer from the provider"
        if not state.asked and not state.done:
            return f"{why}: nothing was written"
        return (
            f"{self.folder}: {why}; {state.done} of {state.total} answers are kept. "
            "The same command again goes on from there."
        )


def ask_model(
    asked: Asked,
    out: Path | None,
    stream: TextIO,
    tasks: Sequence[Task] | None = None,
    wording: str | None = None,
    environment: Mapping[str, str] = os.environ,
    suite: Suite | None = None,
) -> Finished:
    """Run a model over a suite, or over ``tasks`` of it that are worded otherwise.

    ``suite``: where it is at hand already, in place of the one that ``asked`` names. Shows its
    progress on ``stream`` and takes its key from ``environment``. Raises InputError before anything
    is written.
    """
    suite = suite or load_suite(asked.suite)
    tools = benchmark_tools()
    try:
        asked = replace(asked, catalogue=canonical_catalogue(asked.catalogue, len(tools)))
    except ValueError as error:
        raise InputError(str(error)) from None
    chosen = limited(suite.tasks if tasks is None else tasks, asked.limit)
    with ready_model(asked, environment) as ready:
        _check_context(ready, asked, chosen, tools)
        folder = out or default_folder(ready.label, asked.protocol, asked.catalogue, ready.calls)
        description = _description(asked, suite, ready, len(chosen), wording)
        with closing(RunFolder(folder, description, _session(asked, ready))) as run:
            return _run(asked, suite, chosen, tools, ready, run, stream, wording)


def _description(
    asked: Asked, suite: Suite, ready: Ready, tasks: int, wording: str | None
) -> dict[str, Any]:
    """What run.json says before the first answer."""
    return {
        "signature": signature(
            suite, tasks, asked.protocol, asked.catalogue, ready.calls, PROMPT_VERSIONS
        ),
        "suite": {
            "label": suite_label(suite),
            "version": suite.version,
            "seed": suite.seed,
            "digest": suite.digest,
        },
        "model": ready.label,
        "provider": ready.provider,
        "protocol": asked.protocol,
        "prompt_version": PROMPT_VERSIONS[asked.protocol],
        "catalogue": asked.catalogue,
        "calls": ready.calls,
        "wording": wording,
        "samples": asked.samples,
        "limit": asked.limit,
        "tasks": tasks,
        "total": tasks * asked.samples,
        "parameters": {**ready.settings, "constrained": ready.constrains and ready.calls == "json"},
        **(ready.more or {}),
    }


def _session(asked: Asked, ready: Ready) -> dict[str, Any]:
    """What may be another thing when the run is resumed."""
    return {
        "address": ready.address,
        "concurrency": asked.concurrency or ready.concurrency,
        "rpm": asked.rpm,
        "tpm": asked.tpm,
        "max_cost": asked.max_cost,
    }


def _run(
    asked: Asked,
    suite: Suite,
    tasks: Sequence[Task],
    tools: Mapping[str, Tool],
    ready: Ready,
    run: RunFolder,
    stream: TextIO,
    wording: str | None,
) -> Finished:
    items = [(task, sample) for sample in range(asked.samples) for task in tasks]
    left = left_to_ask(items, run.complete)
    scores = _scorer(tools)
    by_id = {task.task_id: task for task in tasks}
    state = State(len(items), done=len(items) - len(left))
    state.scores += [
        scores(by_id[trace.task_id], trace) for trace in run.complete if trace.task_id in by_id
    ]
    state.cost_usd = _sum(trace.cost_usd for trace in run.complete)
    cost = _task_cost(ready, asked, tasks, tools)
    _say_cost(asked, cost, len(left), stream)
    job = Job(
        items=left,
        setting=Setting(
            ready.label,
            ready.provider,
            suite_label(suite),
            asked.protocol,
            asked.catalogue,
            ready.calls,
            wording,
        ),
        tools=tools,
        answerer=ready.answerer(),
        keep=run.append,
        state=state,
        limits=Limits(asked.concurrency or ready.concurrency, asked.rpm, asked.tpm),
        score=scores,
        ceiling_usd=asked.max_cost,
        task_cost_usd=cost or 0.0,
    )
    if left:
        try:
            run.begin()
            try:
                asyncio.run(_watched(job, stream))
            finally:
                counts = {"done": state.done, "failed": state.failed, "ended": state.ended}
                run.close(counts | {"interrupted": state.interrupted})
        except OSError as error:
            raise InputError(f"{run.path}: cannot be written ({why(error)})") from None
    if state.refused and not state.asked:
        raise InputError(f"{ready.label}: {state.ended}")
    return Finished(run.path, state)


async def _watched(job: Job, stream: TextIO) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop.set)
        except (NotImplementedError, RuntimeError, ValueError):
            # Windows, or not in the main thread: then Ctrl-C is somebody else's to handle.
            break
    async with shown(job.state, job.limits, stream):
        await run_job(job, stop)


def _scorer(tools: Mapping[str, Tool]) -> Callable[[Task, Trace], float]:
    """1 for an answer that solves its task, else 0."""
    return lambda task, trace: float(bool(score_task(task, trace, tools).strict))


def _sum(costs: Iterable[float | None]) -> float | None:
    known = list(costs)
    return None if None in known else sum(cost for cost in known if cost is not None)


# Context and cost -----------------------------------------------------------------------------


def _check_context(
    ready: Ready, asked: Asked, tasks: Sequence[Task], tools: Mapping[str, Tool]
) -> None:
    """Refuse a catalogue that the model cannot read at once."""
    if ready.context is None or not tasks:
        return
    needed = first_request_tokens(tasks[0], asked.protocol, asked.catalogue, tools)
    if needed > ready.context:
        raise InputError(
            f"{ready.label} reads {ready.context:,} tokens at once, and catalogue "
            f"{asked.catalogue} takes about {needed:,}: choose --catalogue task"
        )


def _task_cost(
    ready: Ready, asked: Asked, tasks: Sequence[Task], tools: Mapping[str, Tool]
) -> float | None:
    """About what a task costs in US dollars."""
    return estimate(tasks, 1, asked.protocol, asked.catalogue, tools, ready.price).cost_usd


def _say_cost(asked: Asked, cost: float | None, left: int, stream: TextIO) -> None:
    if cost is None:
        print("cost: not known for this model", file=stream)
    elif cost and left:
        ceiling = "" if asked.max_cost is None else f", at most ${asked.max_cost:g}"
        print(f"cost: about ${cost * left:.2g} for {left} answers{ceiling}", file=stream)
