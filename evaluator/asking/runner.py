"""Puts many tasks to a model at once and hands on each trace as it comes. Knows no files."""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from dataset_builder.tasks.task import Task
from dataset_builder.tools.tool import Tool
from evaluator.asking.episode import Setting, answer_task, timed
from evaluator.asking.pace import LAST
from evaluator.asking.rate_limits import Limits, Retries
from evaluator.asking.request_reply import Answerer, Infrastructure, Reply, Request
from evaluator.traces.trace import Trace

Item = tuple[Task, int]
"""A task and the number of a sample of it."""

# So many tasks in a row that got no answer, whatever was tried, end a run.
MOST_FAILURES_IN_A_ROW = 3
# Workers begin one after the other, within a second: requests that set out together would come back
# together too, again and again, and each answer wait until all the others are read.
_APART_S, _ALL_BEGUN_S = 0.01, 1.0


@dataclass
class State:
    """How far a run is. ``ended`` says why it stopped early; None while it goes on or is complete."""

    total: int
    done: int = 0
    failed: int = 0
    asked: int = 0
    """Tasks that got their outcome in this session."""
    cost_usd: float | None = 0.0
    scores: list[float] = field(default_factory=list)
    took_s: deque[float] = field(default_factory=lambda: deque(maxlen=LAST))
    """How long each of the last tasks of this session took, its waiting for limits included."""
    ended: str | None = None
    interrupted: bool = False
    refused: bool = False
    """Whether the provider refused the key or knows no such model."""

    @property
    def is_complete(self) -> bool:
        """Whether every task has an answer."""
        return self.done == self.total


@dataclass
class Job:
    """All that a run needs. ``keep`` is given every trace; ``score`` gives a score for the display.

    ``task_cost_usd``: about what one task costs, for the ceiling.
    """

    items: Sequence[Item]
    setting: Setting
    tools: Mapping[str, Tool]
    answerer: Answerer
    keep: Callable[[Trace], None]
    state: State
    limits: Limits = field(default_factory=Limits)
    retries: Retries = field(default_factory=Retries)
    score: Callable[[Task, Trace], float] | None = None
    ceiling_usd: float | None = None
    task_cost_usd: float = 0.0


async def run_job(job: Job, stop: asyncio.Event) -> State:
    """Ask until all is answered, ``stop`` is set, or going on is useless; gives the job's state.

    A stop drops the requests under way; traces handed to ``keep`` are whole.
    """
    work = _Work(job)
    apart = min(_APART_S, _ALL_BEGUN_S / job.limits.concurrency)
    workers = {asyncio.create_task(work.work(n * apart)) for n in range(job.limits.concurrency)}
    stopping = asyncio.create_task(stop.wait())
    pending = set(workers)
    try:
        while pending:
            done, _ = await asyncio.wait({*pending, stopping}, return_when=asyncio.FIRST_COMPLETED)
            pending -= done
            for worker in done - {stopping}:
                worker.result()
            if stopping in done:
                job.state.interrupted = True
                break
    except Infrastructure as failure:
        job.state.ended = failure.message
        job.state.refused = failure.ends_run
    finally:
        for task in {*pending, stopping}:
            task.cancel()
        await asyncio.gather(*workers, stopping, return_exceptions=True)
    return job.state


class _Work:
    """The tasks that are left and what the workers on them share."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._left = deque(job.items)
        self._under_way = 0
        self._failures = 0
        self._dearest = job.task_cost_usd

    async def work(self, delay_s: float) -> None:
        """Take one task after the other, the first after so many seconds."""
        job = self._job
        await job.limits.sleep(delay_s)
        while self._left and job.state.ended is None:
            if not self._affordable():
                job.state.ended = f"the ceiling of ${job.ceiling_usd:g} is reached"
                return
            task, sample = self._left.popleft()
            self._under_way += 1
            began = job.limits.clock()
            try:
                trace = await answer_task(task, sample, job.setting, job.tools, self._ask)
            finally:
                self._under_way -= 1
            job.state.took_s.append(job.limits.clock() - began)
            job.keep(trace)
            self._count(task, trace)

    def _affordable(self) -> bool:
        ceiling, spent = self._job.ceiling_usd, self._job.state.cost_usd
        if ceiling is None:
            return True
        return (spent or 0.0) + (self._under_way + 1) * self._dearest <= ceiling

    async def _ask(self, request: Request) -> tuple[Reply, float]:
        job = self._job
        tokens = 0 if job.limits.tpm is None else tokens_of(request)
        return await job.limits.ask(lambda: timed(job.answerer(request)), tokens, job.retries)

    def _count(self, task: Task, trace: Trace) -> None:
        state = self._job.state
        state.asked += 1
        if trace.cost_usd is None or state.cost_usd is None:
            state.cost_usd = None
        else:
            state.cost_usd += trace.cost_usd
            self._dearest = max(self._dearest, trace.cost_usd)
        if trace.is_infrastructure_failure:
            state.failed += 1
            self._failures += 1
            if self._failures >= MOST_FAILURES_IN_A_ROW:
                assert trace.error is not None
                raise Infrastructure(trace.error["kind"], trace.error["message"])
            return
        self._failures = 0
        state.done += 1
        if self._job.score is not None:
            state.scores.append(self._job.score(task, trace))


def tokens_of(request: Request) -> int:
    """About how many tokens a request costs, its answer among them: a token has four letters."""
    characters = sum(len(str(message)) for message in request.messages)
    if request.calls == "native":
        characters += sum(len(str(schema)) for schema in request.tools)
    return characters // 4 + 200
