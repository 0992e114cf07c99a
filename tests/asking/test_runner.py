import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from typing import Any

import pytest

from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.stratified_sample import limited
from dataset_builder.tasks.task import SUITE_LEVELS, Task
from dataset_builder.tools import catalogue
from evaluator.asking.baselines import baseline
from evaluator.asking.episode import Setting
from evaluator.asking.rate_limits import Limits, Retries
from evaluator.asking.request_reply import Answerer, Infrastructure, ModelFault, Reply, Request
from evaluator.asking.runner import Job, State, run_job, tokens_of
from evaluator.traces.trace import Trace
from tests.samples.small_suite import small_suite

TOOLS = catalogue()
SUITE = small_suite()
SETTING = Setting("m", "p", "s", "single-turn", "task", "native")
ORACLE = baseline("baseline:oracle")


async def no_wait(seconds: float) -> None:
    """Sleep without time."""


def job_of(answerer: Answerer, items: int = 8, **more: Any) -> tuple[Job, list[Trace]]:
    traces: list[Trace] = []
    job = Job(
        items=[(task, 0) for task in SUITE.tasks[:items]],
        setting=SETTING,
        tools=TOOLS,
        answerer=answerer,
        keep=traces.append,
        state=State(items),
        limits=Limits(2, sleep=no_wait),
        retries=Retries(attempts=3),
    )
    return replace(job, **more), traces


def go(job: Job, stop: asyncio.Event | None = None) -> State:
    async def run() -> State:
        return await run_job(job, stop or asyncio.Event())

    return asyncio.run(run())


def failing(failure: Callable[[int], Exception | None]) -> Answerer:
    """The oracle, but for the n-th request (0-based), which fails so."""
    requests = 0

    async def answer(request: Request) -> Reply:
        nonlocal requests
        requests += 1
        error = failure(requests - 1)
        if error is not None:
            raise error
        return await ORACLE(request)

    return answer


def test_every_task_gets_one_trace() -> None:
    job, traces = job_of(ORACLE)
    state = go(job)
    assert sorted(t.task_id for t in traces) == sorted(t.task_id for t in SUITE.tasks)
    assert state.is_complete
    assert state.cost_usd == 0


def test_a_server_that_fails_now_and_then_answers_all_in_the_end() -> None:
    def now_and_then(number: int) -> Exception | None:
        return Infrastructure("provider_error", "no") if number % 3 == 0 else None

    job, traces = job_of(failing(now_and_then))
    assert go(job).is_complete
    assert not any(trace.error for trace in traces)
    assert job.limits.retried > 0


def test_the_models_own_failures_are_answers() -> None:
    job, traces = job_of(failing(lambda n: ModelFault("timeout", "no answer") if n == 0 else None))
    assert go(job).is_complete
    assert sum(trace.error is not None for trace in traces) == 1


def test_one_task_without_an_answer_does_not_end_a_run() -> None:
    def once(number: int) -> Exception | None:
        return Infrastructure("bad_request", "no") if number == 1 else None

    job, traces = job_of(failing(once))
    state = go(job)
    assert (state.done, state.failed, state.ended) == (7, 1, None)
    assert sum(trace.is_infrastructure_failure for trace in traces) == 1


def test_a_dead_provider_ends_a_run() -> None:
    nobody = failing(lambda n: Infrastructure("connection", "nobody listens"))
    job, traces = job_of(nobody, limits=Limits(1, sleep=no_wait))
    state = go(job)
    assert state.ended == "nobody listens"
    assert (state.done, state.failed) == (0, 3)
    assert all(trace.is_infrastructure_failure for trace in traces)


def test_a_refused_key_ends_a_run_without_a_trace() -> None:
    job, traces = job_of(failing(lambda n: Infrastructure("auth", "wrong key")))
    assert go(job).ended == "wrong key"
    assert traces == []


def test_a_stop_keeps_what_is_there() -> None:
    stop = asyncio.Event()

    async def answer(request: Request) -> Reply:
        if request.task is SUITE.tasks[4]:
            stop.set()
            await asyncio.sleep(3600)
        return await ORACLE(request)

    job, traces = job_of(answer)
    state = go(job, stop)
    assert state.interrupted
    assert len(traces) == state.done >= 4


def test_an_error_of_ours_is_not_hidden() -> None:
    async def broken(request: Request) -> Reply:
        raise ZeroDivisionError

    job, _ = job_of(broken)
    with pytest.raises(ZeroDivisionError):
        go(job)


async def dear(request: Request) -> Reply:
    return replace(await ORACLE(request), cost_usd=0.1)


@pytest.mark.parametrize("ceiling", [0.05, 0.35, 0.5])
def test_a_ceiling_is_kept(ceiling: float) -> None:
    job, traces = job_of(dear, ceiling_usd=ceiling, task_cost_usd=0.1)
    state = go(job)
    assert state.ended is not None
    assert sum(trace.cost_usd or 0 for trace in traces) <= ceiling + 1e-9
    assert len(traces) == int(ceiling / 0.1 + 1e-9)


def test_a_cost_that_is_not_known_stays_unknown() -> None:
    async def unknown(request: Request) -> Reply:
        return replace(await ORACLE(request), cost_usd=None)

    job, _ = job_of(unknown)
    assert go(job).cost_usd is None


# Samples --------------------------------------------------------------------------------------


def tasks_of(*counts: int) -> list[Task]:
    return [
        Task(f"L{level.value}_{n}", level, "", (), (), ())
        for level, count in zip(SUITE_LEVELS, counts, strict=True)
        for n in range(count)
    ]


SHARES = {
    40: (10, 13, 8, 9),
    200: (48, 64, 40, 48),
    1: (0, 1, 0, 0),
    10: (2, 3, 2, 3),
    999: (48, 64, 40, 48),
}


@pytest.mark.parametrize("limit", SHARES)
def test_a_sample_has_each_level_in_proportion(limit: int) -> None:
    tasks = tasks_of(48, 64, 40, 48)
    chosen = limited(tasks, limit)
    counts = Counter(task.level for task in chosen)
    assert sum(counts.values()) == min(limit, 200)
    for level, share in zip(SUITE_LEVELS, SHARES[limit], strict=True):
        assert abs(counts[level] - share) <= 1
    assert chosen == [task for task in tasks if task in chosen]


def test_samples_are_nested() -> None:
    tasks = tasks_of(48, 64, 40, 48)
    assert {t.task_id for t in limited(tasks, 20)} < {t.task_id for t in limited(tasks, 100)}


def test_the_tasks_that_a_limit_chooses_stay_the_same() -> None:
    """A run with --limit is resumed, and compared with others, over the same tasks."""
    tasks = load_suite().tasks
    assert [task.task_id for task in limited(tasks, 12)] == [
        *("L0_node_0004", "L0_node_0016", "L0_node_0039", "L1_chain_0053", "L1_chain_0055"),
        *("L1_chain_0073", "L1_chain_0074", "L2_parallel_0139", "L2_parallel_0146"),
        *("L3_dag_0176", "L3_dag_0177", "L3_dag_0182"),
    ]
    ids = [task.task_id for limit in range(1, 201) for task in limited(tasks, limit)]
    assert sha256(" ".join(ids).encode()).hexdigest()[:16] == "f159f57be2797929"


@pytest.mark.parametrize("concurrency", [1, 2, 8, 1000])
def test_workers_begin_one_after_the_other_within_a_second(concurrency: int) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    job, traces = job_of(ORACLE)
    job.limits = Limits(concurrency, sleep=sleep)
    asyncio.run(run_job(job, asyncio.Event()))
    assert len(traces) == 8
    assert len(waits) == concurrency
    assert waits[0] == 0
    assert max(waits) < 1
    steps = [later - sooner for sooner, later in pairwise(waits)]
    assert all(step == pytest.approx(min(0.01, 1 / concurrency)) for step in steps)


def test_tokens_are_estimated_from_what_is_sent() -> None:
    request = Request(
        SUITE.tasks[0], 0, "single-turn", [{"role": "user", "content": "x" * 4000}], []
    )
    assert 1100 < tokens_of(request) < 1300
