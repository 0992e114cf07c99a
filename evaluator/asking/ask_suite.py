"""One run from what a user asked for to its folder: the suite, the model, the limits, the end."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

from dataset_builder.errors import InputError, why
from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.irrelevance import IRRELEVANCE
from dataset_builder.tasks.stratified_sample import limited
from dataset_builder.tasks.task import Level, Suite, Task
from dataset_builder.tools import catalogue as benchmark_tools
from dataset_builder.tools.tool import Tool
from evaluator.asking.cost_estimate import estimate, first_request_tokens
from evaluator.asking.episode import Setting
from evaluator.asking.pace import duration, pace
from evaluator.asking.progress import shown
from evaluator.asking.rate_limits import Limits
from evaluator.asking.ready_model import Ready, ready_model
from evaluator.asking.run_folder import RunFolder, default_folder, left_to_ask
from evaluator.asking.run_options import RunOptions
from evaluator.asking.runner import Item, Job, State, run_job
from evaluator.scoring.score import Scorer
from evaluator.traces.protocols import CHAT, PROMPT_VERSIONS, canonical_catalogue
from evaluator.traces.signature import signature, suite_label
from evaluator.traces.suite_of import suite_apart
from evaluator.traces.trace import Trace


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
        reason = "stopped" if state.interrupted else state.ended and state.ended.rstrip(".")
        if reason is None:
            reason = f"{state.failed} tasks got no answer from the provider"
        if not state.asked and not state.done:
            return f"{reason}: nothing was written"
        return (
            f"{self.folder}: {reason}; {state.done} of {state.total} answers are kept. "
            "The same command again goes on from there."
        )


def ask_model(
    options: RunOptions,
    out: Path | None,
    stream: TextIO,
    tasks: Sequence[Task] | None = None,
    wording: str | None = None,
    environment: Mapping[str, str] = os.environ,
    suite: Suite | None = None,
) -> Finished:
    """Run a model over a suite, or over ``tasks`` of it that are worded otherwise.

    ``suite``: where it is at hand already, in place of the one that ``options`` name. Shows its
    progress on ``stream`` and takes its key from ``environment``. Raises InputError before anything
    is written.
    """
    suite = suite or load_suite(options.suite, config=options.config)
    tools = benchmark_tools()
    try:
        options = replace(options, catalogue=canonical_catalogue(options.catalogue, len(tools)))
    except ValueError as error:
        raise InputError(str(error)) from None
    chosen = limited(suite.tasks if tasks is None else tasks, options.limit)
    with ready_model(options, environment) as ready:
        check_context(ready, options, chosen, tools)
        folder = out or default_folder(
            ready.label,
            options.protocol,
            options.catalogue,
            ready.calls,
            options.variation,
            options.endpoint,
        )
        if out is None and suite_apart(suite) is Level.IRRELEVANT:
            folder = folder.with_name(f"{folder.name}-{IRRELEVANCE}")
        description = describe_run(options, suite, ready, len(chosen), wording)
        with closing(RunFolder(folder, description, session_of(options, ready))) as run:
            return _run(options, suite, chosen, tools, ready, run, stream, wording)


def describe_run(
    options: RunOptions, suite: Suite, ready: Ready, tasks: int, wording: str | None
) -> dict[str, Any]:
    """What run.json says before the first answer."""
    return {
        "signature": signature(
            suite,
            tasks,
            options.protocol,
            options.catalogue,
            ready.calls,
            PROMPT_VERSIONS,
            options.variation,
            options.endpoint,
        ),
        "suite": {
            "label": suite_label(suite),
            "version": suite.version,
            "seed": suite.seed,
            "digest": suite.digest,
            **({"config": IRRELEVANCE} if suite_apart(suite) is Level.IRRELEVANT else {}),
        },
        "model": ready.label,
        "provider": ready.provider,
        "protocol": options.protocol,
        "prompt_version": PROMPT_VERSIONS[options.protocol],
        "catalogue": options.catalogue,
        "calls": ready.calls,
        "wording": wording,
        **({} if options.endpoint == CHAT else {"endpoint": options.endpoint}),
        **options.variation.written,
        "samples": options.samples,
        "limit": options.limit,
        "tasks": tasks,
        "total": tasks * options.samples,
        "parameters": {**ready.settings, "constrained": ready.constrains and ready.calls == "json"},
        **(ready.more or {}),
    }


def session_of(options: RunOptions, ready: Ready) -> dict[str, Any]:
    """What may be another thing when the run is resumed."""
    return {
        "address": ready.address,
        "concurrency": options.concurrency or ready.concurrency,
        "rpm": options.rpm,
        "tpm": options.tpm,
        "max_cost": options.max_cost,
    }


def _run(
    options: RunOptions,
    suite: Suite,
    tasks: Sequence[Task],
    tools: Mapping[str, Tool],
    ready: Ready,
    run: RunFolder,
    stream: TextIO,
    wording: str | None,
) -> Finished:
    """Ask what the folder has no answer to yet."""
    items = [(task, sample) for sample in range(options.samples) for task in tasks]
    left = left_to_ask(items, run.complete)
    score = solved_scorer(tools)
    cost = _task_cost(ready, options, tasks, tools)
    _say_cost(options, cost, len(left), stream)
    limits = Limits(options.concurrency or ready.concurrency, options.rpm, options.tpm)
    _say_time(run.complete, len(left), limits.concurrency, stream)
    job = Job(
        items=left,
        setting=setting_of(options, suite, ready, wording),
        tools=tools,
        answerer=ready.answerer(),
        keep=run.append,
        state=state_of(items, left, run.complete, score),
        limits=limits,
        score=score,
        ceiling_usd=options.max_cost,
        task_cost_usd=cost or 0.0,
    )
    if left:
        _carry_out(job, run, stream)
    if job.state.refused and not job.state.asked:
        raise InputError(f"{ready.label}: {job.state.ended}")
    return Finished(run.path, job.state)


def setting_of(options: RunOptions, suite: Suite, ready: Ready, wording: str | None) -> Setting:
    """What every trace of the run is labelled with."""
    return Setting(
        ready.label,
        ready.provider,
        suite_label(suite),
        options.protocol,
        options.catalogue,
        ready.calls,
        wording,
        options.variation,
        options.endpoint,
    )


def state_of(
    items: Sequence[Item],
    left: Sequence[Item],
    complete: Sequence[Trace],
    score: Callable[[Task, Trace], float],
) -> State:
    """How far the run is before its first request: what an earlier session answered counts."""
    by_id = {task.task_id: task for task, _ in items}
    return State(
        total=len(items),
        done=len(items) - len(left),
        cost_usd=_total_cost(trace.cost_usd for trace in complete),
        scores=[score(by_id[t.task_id], t) for t in complete if t.task_id in by_id],
    )


def _carry_out(job: Job, run: RunFolder, stream: TextIO) -> None:
    """Ask, from the opening of the run's folder to its closing note."""
    state = job.state
    try:
        run.begin()
        try:
            asyncio.run(watch(job, stream))
        finally:
            counts = {"done": state.done, "failed": state.failed, "ended": state.ended}
            run.close(counts | {"interrupted": state.interrupted})
    except OSError as error:
        raise InputError(f"{run.path}: cannot be written ({why(error)})") from None


async def watch(job: Job, stream: TextIO) -> None:
    """Run a job, its progress on ``stream``, until it ends or the process is told to."""
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


def solved_scorer(tools: Mapping[str, Tool]) -> Callable[[Task, Trace], float]:
    """1 for an answer that solves its task, else 0."""
    scorer = Scorer(tools)
    return lambda task, trace: float(bool(scorer.score(task, trace).strict))


def _total_cost(costs: Iterable[float | None]) -> float | None:
    known = list(costs)
    return None if None in known else sum(cost for cost in known if cost is not None)


# Context and cost -----------------------------------------------------------------------------


def check_context(
    ready: Ready, options: RunOptions, tasks: Sequence[Task], tools: Mapping[str, Tool]
) -> None:
    """Refuse a catalogue that the model cannot read at once."""
    if ready.context is None or not tasks:
        return
    needed = first_request_tokens(tasks[0], options.protocol, options.catalogue, tools)
    if needed > ready.context:
        raise InputError(
            f"{ready.label} reads {ready.context:,} tokens at once, and catalogue "
            f"{options.catalogue} takes about {needed:,}: choose --catalogue task"
        )


def _task_cost(
    ready: Ready, options: RunOptions, tasks: Sequence[Task], tools: Mapping[str, Tool]
) -> float | None:
    """About what a task costs in US dollars."""
    return estimate(tasks, 1, options.protocol, options.catalogue, tools, ready.price).cost_usd


def _say_cost(options: RunOptions, cost: float | None, left: int, stream: TextIO) -> None:
    if cost is None:
        print("cost: not known for this model", file=stream)
    elif cost and left:
        ceiling = "" if options.max_cost is None else f", at most ${options.max_cost:g}"
        print(f"cost: about ${cost * left:.2g} for {left} answers{ceiling}", file=stream)


def _say_time(complete: Sequence[Trace], left: int, at_once: int, stream: TextIO) -> None:
    """How long what is left takes, where an earlier session tells how fast the model answers."""
    took = (trace.latency_ms / 1000 for trace in complete if trace.latency_ms is not None)
    if left and (known := pace(took, at_once)):
        about = f"time: about {duration(known.seconds(left))} for {left} answers"
        print(f"{about} ({known.basis()})", file=stream)
