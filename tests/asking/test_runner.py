import asyncio
import io
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import SUITE_LEVELS, Task
from dataset_builder.tools import catalogue
from evaluator.asking.agents import baseline
from evaluator.asking.ask_suite import Asked, ask_model
from evaluator.asking.episode import Setting
from evaluator.asking.exchange import Answerer, Infrastructure, ModelFault, Reply, Request
from evaluator.asking.progress import duration, status
from evaluator.asking.rate_limits import Limits, Retries
from evaluator.asking.run_folder import RunFolder, default_folder, left_to_ask
from evaluator.asking.runner import Job, State, run_job, stratified, tokens_of
from evaluator.scoring.offline import score_files
from evaluator.traces.trace import Trace
from evaluator.traces.trace_reader import read_traces
from tests.samples.small_suite import small_suite, write_suite
from tests.stand_ins.provider import Provider, always, first

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
    made = 0

    async def answer(request: Request) -> Reply:
        nonlocal made
        made += 1
        error = failure(made - 1)
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
    chosen = stratified(tasks, limit)
    counts = Counter(task.level for task in chosen)
    assert sum(counts.values()) == min(limit, 200)
    for level, share in zip(SUITE_LEVELS, SHARES[limit], strict=True):
        assert abs(counts[level] - share) <= 1
    assert chosen == [task for task in tasks if task in chosen]


def test_samples_are_nested() -> None:
    tasks = tasks_of(48, 64, 40, 48)
    assert {t.task_id for t in stratified(tasks, 20)} < {t.task_id for t in stratified(tasks, 100)}


# The folder -----------------------------------------------------------------------------------


@pytest.fixture
def suite_file(tmp_path: Path) -> str:
    return str(write_suite(SUITE, tmp_path / "suite.jsonl"))


def asked(suite: str, **more: Any) -> Asked:
    return Asked(model="baseline:oracle", suite=suite, catalogue="task", **more)


def run(asked: Asked, out: Path) -> Any:
    return ask_model(asked, out, io.StringIO())


def test_a_run_folder_says_all_that_a_repetition_needs(tmp_path: Path, suite_file: str) -> None:
    finished = run(asked(suite_file, samples=2), tmp_path / "run")
    assert finished.exit_code == 0
    data = json.loads((tmp_path / "run" / "run.json").read_text())
    assert data["suite"]["digest"] == SUITE.digest
    assert data["signature"].endswith(
        "|n:8|protocol:single-turn.1|catalogue:task|calls:native|scorer:2"
    )
    assert (data["model"], data["protocol"], data["prompt_version"]) == (
        "baseline:oracle",
        "single-turn",
        1,
    )
    assert (data["samples"], data["limit"], data["calls"]) == (2, None, "native")
    assert data["sessions"][0]["done"] == 16
    assert "comptoolbench" in data["sessions"][0]["packages"]
    traces = read_traces([tmp_path / "run"], SUITE)
    assert Counter(trace.sample for trace in traces) == {0: 8, 1: 8}
    assert not list((tmp_path / "run").glob("*.new"))


def test_a_run_goes_on_where_it_was(tmp_path: Path, suite_file: str) -> None:
    out = tmp_path / "run"
    run(asked(suite_file), out)
    file = out / "traces.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    # Three whole rows, one of a failed request, one that a kill cut in half.
    failed = json.loads(lines[3]) | {"calls": [], "error": {"kind": "rate_limit", "message": "no"}}
    kept = b"".join(lines[:3])
    file.write_bytes(kept + json.dumps(failed).encode() + b"\n" + lines[4][:50])
    finished = run(asked(suite_file), out)
    assert finished.state.asked == 5
    assert file.read_bytes().startswith(kept)
    traces = read_traces([out], SUITE)
    assert Counter(t.task_id for t in traces) == Counter(t.task_id for t in SUITE.tasks)
    assert not any(t.error for t in traces)
    assert len(json.loads((out / "run.json").read_text())["sessions"]) == 2


def test_a_complete_run_asks_nothing(tmp_path: Path, suite_file: str) -> None:
    run(asked(suite_file), tmp_path / "run")
    before = [(f.name, f.read_bytes()) for f in sorted((tmp_path / "run").iterdir())]
    assert run(asked(suite_file), tmp_path / "run").exit_code == 0
    assert [(f.name, f.read_bytes()) for f in sorted((tmp_path / "run").iterdir())] == before


CHANGES: list[dict[str, Any]] = [
    {"protocol": "multi-turn"},
    {"catalogue": "full"},
    {"calls": "json"},
    {"limit": 4},
    {"model": "baseline:silent"},
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_another_run_does_not_mix_in(
    tmp_path: Path, suite_file: str, change: dict[str, Any]
) -> None:
    run(asked(suite_file), tmp_path / "run")
    with pytest.raises(InputError, match=f"holds a run with {next(iter(change))} .*--out"):
        run(replace(asked(suite_file), **change), tmp_path / "run")


def test_samples_are_added_to_those_at_hand(tmp_path: Path, suite_file: str) -> None:
    out = tmp_path / "run"
    run(asked(suite_file), out)
    before = (out / "traces.jsonl").read_bytes()
    finished = run(asked(suite_file, samples=3), out)
    assert (finished.state.asked, finished.state.done, finished.state.total) == (16, 24, 24)
    assert (out / "traces.jsonl").read_bytes().startswith(before)
    data = json.loads((out / "run.json").read_text())
    assert (data["samples"], data["total"], len(data["sessions"])) == (3, 24, 2)
    [scored] = score_files([out], SUITE, TOOLS)
    assert (scored.scores["n_samples"], scored.scores["signature"]) == (3, data["signature"])
    traces = read_traces([out], SUITE)
    assert Counter(trace.sample for trace in traces) == {0: 8, 1: 8, 2: 8}
    assert run(asked(suite_file, samples=3), out).state.asked == 0


def test_raised_samples_go_on_where_they_were(tmp_path: Path, suite_file: str) -> None:
    out = tmp_path / "run"
    run(asked(suite_file), out)
    run(asked(suite_file, samples=2), out)
    file = out / "traces.jsonl"
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:11]))
    assert run(asked(suite_file, samples=3), out).state.asked == 13
    assert Counter(t.sample for t in read_traces([out], SUITE)) == {0: 8, 1: 8, 2: 8}


def test_samples_are_not_lowered_below_those_at_hand(tmp_path: Path, suite_file: str) -> None:
    out = tmp_path / "run"
    run(asked(suite_file, samples=2), out)
    before = [(f.name, f.read_bytes()) for f in sorted(out.iterdir())]
    with pytest.raises(
        InputError, match=r"holds answers of 2 samples a task, more than --samples 1"
    ):
        run(asked(suite_file), out)
    assert [(f.name, f.read_bytes()) for f in sorted(out.iterdir())] == before


def test_samples_that_got_no_answer_may_be_given_up(tmp_path: Path) -> None:
    suite = str(write_suite(SUITE, tmp_path / "suite.jsonl"))
    answers = [*["answer"] * 8, *["forbidden"] * 100]
    with Provider(SUITE, script=first(answers)) as provider:
        one = Asked("m", "single-turn", "task", suite, api_base=provider.url, concurrency=1)
        run(one, tmp_path / "run")
        more = run(replace(one, samples=2), tmp_path / "run")
        assert (more.state.done, more.state.is_complete) == (8, False)
        assert run(one, tmp_path / "run").state.is_complete


def test_a_run_under_other_prompts_is_not_resumed(tmp_path: Path, suite_file: str) -> None:
    out = tmp_path / "run"
    now = asked(suite_file, protocol="multi-turn")
    run(now, out)
    data = json.loads((out / "run.json").read_text())
    (out / "run.json").write_text(json.dumps(data | {"prompt_version": 1}))
    said = "holds a run with prompt_version 1, not 2; give another folder with --out"
    with pytest.raises(InputError, match=said):
        run(now, out)


def test_another_suite_does_not_mix_in(tmp_path: Path, suite_file: str) -> None:
    run(asked(suite_file), tmp_path / "run")
    other = str(write_suite(small_suite(1, 1, 1, 1), tmp_path / "other.jsonl"))
    with pytest.raises(InputError, match="holds a run with suite"):
        run(asked(other), tmp_path / "run")


def spoil_nothing(folder: Path) -> None:
    folder.mkdir()
    (folder / "traces.jsonl").write_text("{}\n")


def spoil_json(folder: Path) -> None:
    folder.mkdir()
    (folder / "run.json").write_text("{")


def spoil_format(folder: Path) -> None:
    folder.mkdir()
    (folder / "run.json").write_text('{"format": 99}')


def spoil_file(folder: Path) -> None:
    folder.write_text("")


@pytest.mark.parametrize("spoil", [spoil_nothing, spoil_json, spoil_format, spoil_file])
def test_folders_that_cannot_be_used(
    tmp_path: Path, suite_file: str, spoil: Callable[[Path], None]
) -> None:
    spoil(tmp_path / "run")
    with pytest.raises(InputError):
        run(asked(suite_file), tmp_path / "run")


def test_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    first = RunFolder(tmp_path / "run", {"model": "m"})
    second = RunFolder(tmp_path / "run", {"model": "m"})
    first.begin()
    with pytest.raises(InputError, match="another run is writing"):
        second.begin()
    with pytest.raises(InputError, match="another run is writing"):
        RunFolder(tmp_path / "run", {"model": "m"})
    first.append(Trace("L0_node_0001", model="m"))
    first.close()
    RunFolder(tmp_path / "run", {"model": "m"}).close()


def test_run_json_stands_there_before_the_first_answer(tmp_path: Path) -> None:
    suite = write_suite(SUITE, tmp_path / "suite.jsonl")
    file = tmp_path / "run" / "run.json"
    seen: list[dict[str, Any]] = []

    def look(number: int, body: Any) -> str:
        seen.append(json.loads(file.read_text()))
        return "answer"

    with Provider(SUITE, script=look) as provider:
        asked = Asked("m", "single-turn", "task", str(suite), samples=3, api_base=provider.url)
        ask_model(asked, file.parent, io.StringIO())
    assert seen[0]["total"] == 24
    assert "ended_at" not in seen[0]["sessions"][0]
    assert len((file.parent / "traces.jsonl").read_text().splitlines()) == 24
    assert json.loads(file.read_text())["sessions"][0]["done"] == 24


def test_a_run_without_a_trace_leaves_nothing(tmp_path: Path) -> None:
    suite = write_suite(SUITE, tmp_path / "suite.jsonl")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "notes.txt").write_text("mine")
    for name, left in (("new", []), ("run", ["notes.txt"])):
        with Provider(SUITE, script=always("unauthorized")) as provider:
            asked = Asked("m", "single-turn", "task", str(suite), api_base=provider.url)
            with pytest.raises(InputError, match="Incorrect API key"):
                ask_model(asked, tmp_path / name, io.StringIO())
        folder = tmp_path / name
        assert [file.name for file in folder.iterdir()] if left else not folder.exists()
        assert not (folder / "run.json").exists()


def test_a_run_that_does_not_begin_leaves_nothing(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run", {"model": "m"})
    folder.close()
    assert list(tmp_path.iterdir()) == []


BAD: list[tuple[dict[str, Any], str]] = [
    ({"model": "baseline:none"}, "expected one of baseline:oracle"),
    ({"model": "local:none"}, "local:none"),
    ({"suite": "no/such/file.jsonl"}, "no such file"),
]


@pytest.mark.parametrize(("change", "said"), BAD)
def test_bad_input_is_refused_before_anything_is_written(
    tmp_path: Path, suite_file: str, change: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        run(replace(asked(suite_file), **change), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_what_is_left_to_ask() -> None:
    items = [(task, sample) for sample in range(2) for task in SUITE.tasks[:2]]
    complete = [Trace(SUITE.tasks[0].task_id, sample=1)]
    assert left_to_ask(items, complete) == [items[0], items[1], items[3]]


def test_default_folders() -> None:
    folder = default_folder("openrouter/google/gemini-2.0", "multi-turn", "32", "json")
    assert folder == Path("runs/openrouter-google-gemini-2.0-multi-turn-32-json")
    assert default_folder("../../etc", "single-turn", "full", "native").parent == Path("runs")


# The display ----------------------------------------------------------------------------------


def test_the_status_line() -> None:
    state = State(10, done=4, failed=1, asked=2, cost_usd=0.25, scores=[1.0, 0.5])
    limits = Limits()
    limits.waiting, limits.retried = 3, 7
    assert status(state, limits, 30) == (
        "4/10 done, 1 failed, 3 waiting, 7 asked again, $0.2500, solved 75.0 %, 1m 15s left"
    )
    assert status(State(10, done=10, cost_usd=None), Limits(), 1) == "10/10 done, cost unknown"
    # No time is left of a run that has ended.
    assert status(State(10, done=4, asked=4, interrupted=True), Limits(), 30) == "4/10 done"
    assert status(State(10, done=4, asked=4, ended="why"), Limits(), 30) == "4/10 done"


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0s"), (59.4, "59s"), (60, "1m 00s"), (7800, "2h 10m")]
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


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


def test_plain_lines_without_a_terminal(tmp_path: Path, suite_file: str) -> None:
    stream = io.StringIO()
    ask_model(asked(suite_file), tmp_path / "run", stream)
    assert stream.getvalue() == "8/8 done, solved 100.0 %\n"


def test_tokens_are_estimated_from_what_is_sent() -> None:
    request = Request(
        SUITE.tasks[0], 0, "single-turn", [{"role": "user", "content": "x" * 4000}], []
    )
    assert 1100 < tokens_of(request) < 1300
