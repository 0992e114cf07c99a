"""One run from what a user asked for to its folder: the suite, the model, the limits, the end."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from dataset_builder.errors import InputError
from dataset_builder.suite import load_suite
from dataset_builder.task import Suite, Task
from dataset_builder.tool import Tool
from dataset_builder.tools import catalogue as benchmark_tools
from evaluator.agents import BASELINES, baseline
from evaluator.episode import Setting
from evaluator.exchange import Answerer
from evaluator.limits import Limits
from evaluator.progress import shown
from evaluator.protocol import (
    MULTI_TURN,
    PROMPT_VERSIONS,
    offered,
    opening,
    schemas,
)
from evaluator.runfolder import RunFolder, default_folder, left_to_ask
from evaluator.runner import Job, State, run_job, stratified
from evaluator.score import score_task
from evaluator.signature import signature, suite_label
from evaluator.trace import Trace

# Enough for six calls; a small model that goes on longer repeats itself.
LOCAL_TOKENS = 256
# Without it so small a model, asked for its likeliest words, says the same ones again and again.
LOCAL_SAMPLING = {"repeat_penalty": 1.1}
# How long it takes hangs on this machine more than on the model.
LOCAL_TIMEOUT_S = 300.0


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
        why = "stopped" if state.interrupted else state.ended
        if why is None:
            why = f"{state.failed} tasks got no answer from the provider"
        if not state.asked and not state.done:
            return f"{why}: nothing was written"
        return (
            f"{self.folder}: {why}; {state.done} of {state.total} answers are kept. "
            "The same command again goes on from there."
        )


@dataclass(frozen=True)
class _Ready:
    """A model that can be asked."""

    label: str
    provider: str
    calls: str
    concurrency: int
    settings: dict[str, Any]
    answerer: Callable[[], Answerer]
    context: int | None = None
    constrains: bool = True
    price: Callable[[int, int], float | None] = lambda tokens_in, tokens_out: 0.0
    address: str | None = None
    more: dict[str, Any] | None = None


def ask_model(
    asked: Asked,
    out: Path | None,
    stream: TextIO,
    tasks: Sequence[Task] | None = None,
    wording: str | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Finished:
    """Run a model over a suite, or over ``tasks`` of it that are worded otherwise.

    Shows its progress on ``stream`` and takes its key from ``environment``. Raises InputError
    before anything is written.
    """
    suite = load_suite(asked.suite)
    tools = benchmark_tools()
    chosen = stratified(suite.tasks if tasks is None else tasks, asked.limit)
    with _ready(asked, environment) as ready:
        _check_context(ready, asked, chosen, tools)
        folder = out or default_folder(ready.label, asked.protocol, asked.catalogue, ready.calls)
        description = _description(asked, suite, ready, len(chosen), wording)
        run = RunFolder(folder, description, _session(asked, ready))
        return _run(asked, suite, chosen, tools, ready, run, stream)


def _description(
    asked: Asked, suite: Suite, ready: _Ready, tasks: int, wording: str | None
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
        "parameters": {**ready.settings, "constrained": ready.constrains and ready.calls == "json"},
        **(ready.more or {}),
    }


def _session(asked: Asked, ready: _Ready) -> dict[str, Any]:
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
    ready: _Ready,
    run: RunFolder,
    stream: TextIO,
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
            try:
                asyncio.run(_watched(job, stream))
            finally:
                counts = {"done": state.done, "failed": state.failed, "ended": state.ended}
                run.close(counts | {"interrupted": state.interrupted})
        except OSError as error:
            raise InputError(f"{run.path}: cannot be written ({error.strerror or error})") from None
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
    return lambda task, trace: score_task(task, trace, tools).score


def _sum(costs: Iterable[float | None]) -> float | None:
    known = list(costs)
    return None if None in known else sum(cost for cost in known if cost is not None)


# The model ------------------------------------------------------------------------------------


@contextmanager
def _ready(asked: Asked, environment: Mapping[str, str]) -> Iterator[_Ready]:
    """The model, ready to be asked; what it needs runs while the body does."""
    if asked.model in BASELINES:
        yield _Ready(
            label=asked.model,
            provider="built-in",
            calls=asked.calls or "native",
            concurrency=8,
            settings={},
            answerer=lambda: baseline(asked.model),
        )
        return
    if asked.model.startswith("baseline:"):
        raise InputError(f"{asked.model}: expected one of {', '.join(BASELINES)}")
    if asked.model.startswith("local:"):
        with _local(asked) as ready:
            yield ready
        return
    from evaluator.client import Client, find_target

    target = find_target(
        asked.model,
        asked.api_base,
        asked.key_variable,
        environment,
        own_temperature=asked.own_temperature,
    )
    client = Client(target)
    if asked.max_cost is not None and client.price(1000, 1000) is None:
        raise InputError(f"{asked.model}: its price is not known, so --max-cost could not be kept")
    yield _Ready(
        label=target.label,
        provider=target.provider,
        calls=asked.calls or "native",
        concurrency=8,
        settings=target.settings(),
        address=target.address,
        answerer=lambda: client,
        context=target.context,
        constrains=target.takes_schema,
        price=client.price,
    )


@contextmanager
def _local(asked: Asked) -> Iterator[_Ready]:
    """A model that runs here, behind a server that lives as long as the run."""
    from evaluator.agents.local import local_server
    from evaluator.client import LOCAL, Client, Target

    if asked.calls == "native":
        raise InputError(f"{asked.model} cannot call tools natively: leave out --calls native")
    with local_server(asked.model.removeprefix("local:")) as served:
        target = Target(
            id=f"openai/{served.name}",
            label=asked.model,
            provider=LOCAL,
            api_base=served.api_base,
            api_key="none",
            is_free=True,
            timeout_s=LOCAL_TIMEOUT_S,
            parameters={"max_tokens": LOCAL_TOKENS, "extra_body": LOCAL_SAMPLING},
        )
        yield _Ready(
            label=target.label,
            provider=target.provider,
            calls="json",
            concurrency=1,
            settings=target.settings(),
            address=target.address,
            answerer=lambda: Client(target),
            context=served.context_tokens,
            more={
                "weights": {
                    "sha256": served.weights_sha256,
                    "quantisation": served.quantisation,
                    "context": served.context_tokens,
                    "server": served.server_version,
                }
            },
        )


# Context and cost -----------------------------------------------------------------------------


def _check_context(
    ready: _Ready, asked: Asked, tasks: Sequence[Task], tools: Mapping[str, Tool]
) -> None:
    """Refuse a catalogue that the model cannot read at once."""
    if ready.context is None or not tasks:
        return
    needed = _tokens(asked, tasks[0], tools)
    if needed > ready.context:
        raise InputError(
            f"{ready.label} reads {ready.context:,} tokens at once, and catalogue "
            f"{asked.catalogue} takes about {needed:,}: choose --catalogue task"
        )


def _tokens(asked: Asked, task: Task, tools: Mapping[str, Tool]) -> int:
    """About how many tokens the first request of a task has."""
    names = offered(task, asked.catalogue, tools)
    sent = schemas(task, names, asked.protocol, tools)
    messages = opening(task, asked.protocol, "json", sent)
    return sum(len(str(message["content"])) for message in messages) // 4


def _task_cost(
    ready: _Ready, asked: Asked, tasks: Sequence[Task], tools: Mapping[str, Tool]
) -> float | None:
    """About what a task costs in US dollars: its requests, and 60 tokens for each call."""
    if not tasks:
        return 0.0
    steps = sum(len(task.steps) for task in tasks) / len(tasks)
    requests = steps + 1 if asked.protocol == MULTI_TURN else 1
    tokens = _tokens(asked, tasks[0], tools)
    return ready.price(round(tokens * requests), round(60 * steps))


def _say_cost(asked: Asked, cost: float | None, left: int, stream: TextIO) -> None:
    if cost is None:
        print("cost: not known for this model", file=stream)
    elif cost and left:
        ceiling = "" if asked.max_cost is None else f", at most ${asked.max_cost:g}"
        print(f"cost: about ${cost * left:.2g} for {left} answers{ceiling}", file=stream)
