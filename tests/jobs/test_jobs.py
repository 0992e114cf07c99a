"""Runs that visitors order: the queue, the processes, what a restart leaves, what a key never reaches."""

import json
import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Timer

import pytest

from dataset_builder.errors import InputError
from dataset_builder.published.hub import Repo
from dataset_builder.tools import catalogue
from evaluator.experiments.fresh_tasks import fresh_seed, fresh_suite
from space.base.score_cache import Cache
from space.base.settings import Settings
from space.base.tiers import VERIFIED
from space.base.visitors import Visitor
from space.board.live_board import LiveBoard
from space.html.job_page import job_page
from space.jobs.job import (
    JobFolder,
    Order,
    Record,
    child_environment,
    find_folder,
    new_folder,
    start_process,
)
from space.jobs.job_progress import ProgressReader, finished_lines
from space.jobs.job_publish import fetch_runs, publish_job
from space.jobs.job_slots import Running, Waiting, startable
from space.jobs.job_status import COMPLETE, RUNNING, STOPPED, WAITING, Look
from space.jobs.jobs import (
    CANCELLED,
    GRACE_S,
    KEPT_DAYS,
    RESTARTED,
    Jobs,
)
from space.jobs.providers import ENDPOINT, PROVIDER, Access
from space.submissions.store import Store
from tests.samples.small_suite import small_suite
from tests.samples.submitted_files import trace_lines
from tests.stand_ins.hub import WRITER, Hub
from tests.stand_ins.provider import Provider, always, first_tasks

SUITE = small_suite()
ANN, BOB, CAT = (Visitor(name, name) for name in ("ann", "bob", "cat"))
ORACLE = Access("baseline:oracle")
ORDER = Order(PROVIDER, "baseline:oracle", "multi-turn", "full")
KEY = "sk-" + "k3y" * 12


def settings(folder: Path, slots: int = 2, secret: bytes | None = None) -> Settings:
    jobs = folder / "jobs"
    return Settings(SUITE, folder / "runs", folder / "subs", jobs=jobs, slots=slots, secret=secret)


def wait(jobs: Jobs, name: str, until: Callable[[Look], bool], seconds: float = 60) -> Look:
    end = time.monotonic() + seconds
    while not until(look := jobs.look(name)):
        assert time.monotonic() < end, (look, (jobs.folder(name).path / "output.txt").read_text())
        time.sleep(0.02)
    return look


# Orders and environment -----------------------------------------------------------------------


def test_an_order_becomes_options_without_its_key() -> None:
    order = replace(ORDER, limit=7, max_cost=1.5, calls="json", samples=2)
    options = order.options(Access("openai/x", "http://127.0.0.1:1/v1", KEY))
    assert options == [
        "--protocol=multi-turn",
        "--catalogue=full",
        "--calls=json",
        "--samples=2",
        "--limit=7",
        "--max-cost=1.5",
        "--api-base=http://127.0.0.1:1/v1",
        "--api-key-stdin",
        "--",
        "openai/x",
    ]
    assert KEY not in repr(Access("openai/x", None, KEY))


@pytest.mark.parametrize(
    "change",
    [
        {"protocol": "--api-base=http://evil"},
        {"catalogue": "all"},
        {"calls": "xml"},
        {"samples": 1000},
        {"samples": 0},
        {"limit": 0},
        {"max_cost": float("nan")},
        {"max_cost": -1.0},
    ],
)
def test_what_is_no_order_is_refused(change: dict[str, object]) -> None:
    ORDER.checked()
    with pytest.raises(InputError):
        replace(ORDER, **change).checked()  # type: ignore[arg-type]


def test_a_process_inherits_nothing_but_what_it_needs() -> None:
    given = {
        "PATH": "/bin",
        "HF_TOKEN": "t",
        "OPENAI_API_KEY": "k",
        "COMPTOOLBENCH_SECRET": "s",
        "OPENAI_API_BASE": "http://evil",
        "OAUTH_CLIENT_SECRET": "o",
        "HTTPS_PROXY": "http://user:password@proxy",
        "HTTP_PROXY": "http://proxy",
    }
    found = child_environment(given)
    assert set(found) == {"PATH", "HTTP_PROXY", "PYTHONPATH", "LITELLM_MODE"}


@pytest.mark.parametrize("name", ["", "..", "../x", "a" * 31, "A" * 32, "a" * 32 + "/..", "a" * 33])
def test_only_an_id_leads_to_a_job(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="no such job"):
        find_folder(tmp_path, name)
    with pytest.raises(InputError, match="no such job"):
        Jobs(settings(tmp_path)).look(name)


# Progress -------------------------------------------------------------------------------------


def test_rows_are_counted_once_as_they_come(tmp_path: Path) -> None:
    lines = trace_lines("m", 5, protocol="multi-turn").encode().splitlines(keepends=True)
    (tmp_path / "run.json").write_text(json.dumps({"total": 8, "sessions": [{}]}))
    file = tmp_path / "traces.jsonl"
    reader = ProgressReader(tmp_path, SUITE, catalogue())
    assert reader.read().solved is None
    file.write_bytes(b"".join(lines[:3]) + lines[3][:20])
    half = reader.read()
    assert (half.done, half.total, half.solved, half.weighted) == (3, 8, 1.0, 1.0)
    assert finished_lines(file) == b"".join(lines[:3])
    file.write_bytes(b"".join(lines))
    whole = reader.read()
    assert (whole.done, whole.solved, whole.is_complete) == (8, 5 / 8, True)
    assert whole.calls == pytest.approx(5 / 8)
    # Written anew, as a run does that is resumed.
    (tmp_path / "new").write_bytes(b"".join(lines[:2]))
    os.replace(tmp_path / "new", file)
    assert reader.read().done == 2


def test_time_left_is_told_by_the_answers_so_far(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in trace_lines("m", 5).splitlines()]
    about = {"total": 8, "sessions": [{"concurrency": 1}, {"concurrency": 2}]}
    (tmp_path / "run.json").write_text(json.dumps(about))
    reader = ProgressReader(tmp_path, SUITE, catalogue())
    lines = [json.dumps(rows[0])]
    (tmp_path / "traces.jsonl").write_text(lines[0] + "\n")
    assert reader.read().seconds_left is None
    times = [3_000, 90_000, 2_000]
    lines += [
        json.dumps(row | {"latency_ms": time}) for row, time in zip(rows[1:4], times, strict=True)
    ]
    (tmp_path / "traces.jsonl").write_text("".join(f"{line}\n" for line in lines))
    assert reader.read().seconds_left == 3 * 4 / 2


def test_failures_of_the_provider_are_no_answers(tmp_path: Path) -> None:
    row = {
        "task_id": SUITE.tasks[0].task_id,
        "calls": [],
        "error": {"kind": "connection", "message": "m"},
    }
    (tmp_path / "traces.jsonl").write_text(json.dumps(row) + "\nno JSON\n" + '{"task_id": "L9"}\n')
    found = ProgressReader(tmp_path, SUITE, catalogue()).read()
    assert (found.done, found.failed) == (0, 1)


# The queue, without a slot: nothing starts --------------------------------------------------------


def test_a_queue_is_visible_fair_and_bounded(tmp_path: Path) -> None:
    jobs = Jobs(settings(tmp_path, slots=0))
    first = jobs.start(ORDER, ORACLE, ANN)
    second = jobs.start(ORDER, ORACLE, BOB)
    assert [(jobs.look(n).state, jobs.look(n).place) for n in (first, second)] == [
        (WAITING, 1),
        (WAITING, 2),
    ]
    with pytest.raises(InputError, match="you have a run here already"):
        jobs.start(ORDER, ORACLE, ANN)
    assert len(list((tmp_path / "jobs").glob("*/job.json"))) == 2
    jobs.cancel(first)
    look = jobs.look(first)
    assert (look.state, look.record.reason, jobs.look(second).place) == (STOPPED, CANCELLED, 1)
    jobs.resume(first, ORACLE, ANN)
    assert jobs.look(first).place == 2
    with pytest.raises(InputError, match="it is not stopped"):
        jobs.resume(first, ORACLE, CAT)


def test_what_waited_when_the_page_ended_is_stopped(tmp_path: Path) -> None:
    name = Jobs(settings(tmp_path, slots=0)).start(ORDER, Access("openai/x", None, KEY), ANN)
    look = Jobs(settings(tmp_path)).look(name)
    assert (look.state, look.record.reason) == (STOPPED, RESTARTED)


@pytest.mark.parametrize(
    ("running", "slots", "turn"),
    [
        ([], 2, ["a", "c"]),
        ([], 4, ["a", "c", "d"]),
        ([True], 3, ["c", "d"]),
        ([False], 2, ["a"]),
        ([True, False], 2, []),
        ([False] * 3, 2, []),
    ],
)
def test_the_local_model_runs_once_at_a_time_and_lets_others_pass(
    running: list[bool], slots: int, turn: list[str]
) -> None:
    waiting = [("a", True), ("b", True), ("c", False), ("d", False)]
    assert startable(waiting, running, slots) == turn


def test_jobs_that_nobody_came_back_for_are_deleted(tmp_path: Path) -> None:
    jobs = Jobs(settings(tmp_path, slots=0))
    old, new = (jobs.start(ORDER, ORACLE, who) for who in (ANN, BOB))
    then = time.time() - (KEPT_DAYS + 1) * 86_400
    os.utime(jobs.folder(old).path / "job.json", (then, then))
    again = Jobs(settings(tmp_path))
    with pytest.raises(InputError, match="deleted"):
        again.look(old)
    assert again.look(new).state == STOPPED


# When something fails that nobody foresaw -----------------------------------------------------


class Unforeseen(Exception):
    """Nothing expects this one."""


class Faulty(Jobs):
    """A queue one step of which raises, the first times that it is done."""

    def __init__(self, known: Settings, step: str, times: int) -> None:
        self.step, self.times = step, times
        super().__init__(known)

    def _at(self, step: str) -> None:
        if step == self.step and self.times > 0:
            self.times -= 1
            raise Unforeseen(KEY)

    def _next(self) -> list[str]:
        self._at("whose turn")
        return super()._next()

    def _check(self, name: str, running: Running) -> None:
        self._at("check")
        super()._check(name, running)

    def _clean(self) -> None:
        self._at("clean")
        super()._clean()

    def _folders(self) -> list[JobFolder]:
        self._at("folders")
        return super()._folders()

    def _start(self, name: str, waiting: Waiting) -> None:
        self._at("start")
        super()._start(name, waiting)
        self._at("started")

    def _end(self, running: Running, reason: str) -> None:
        self._at("end")
        super()._end(running, reason)


@pytest.mark.parametrize("step", ["whose turn", "check", "clean", "started"])
@pytest.mark.parametrize("times", [1, 2])
def test_an_unforeseen_exception_at_any_step_stops_no_queue(
    tmp_path: Path, step: str, times: int, caplog: pytest.LogCaptureFixture
) -> None:
    jobs = Faulty(settings(tmp_path), step, times)
    names = [jobs.start(ORDER, Access("baseline:oracle"), who) for who in (ANN, BOB, CAT)]
    for name in names:
        assert wait(jobs, name, lambda look: look.state == COMPLETE, 60).progress.solved == 1
    assert jobs.times == 0
    assert "Unforeseen" in caplog.text
    assert KEY not in caplog.text


def test_a_run_that_cannot_be_started_says_so_and_the_next_one_starts(tmp_path: Path) -> None:
    jobs = Faulty(settings(tmp_path), "start", 1)
    first, second = (jobs.start(ORDER, ORACLE, who) for who in (ANN, BOB))
    look = wait(jobs, first, lambda look: look.state == STOPPED)
    assert look.record.reason == "it could not be started, which is a fault of this page"
    wait(jobs, second, lambda look: look.state == COMPLETE)
    jobs.resume(first, ORACLE, ANN)
    wait(jobs, first, lambda look: look.state == COMPLETE)


def test_a_visitor_is_told_that_the_queue_does_not_move(tmp_path: Path) -> None:
    jobs = Faulty(settings(tmp_path), "whose turn", 10**6)
    name = jobs.start(ORDER, ORACLE, ANN)
    look = wait(jobs, name, lambda look: look.is_stuck)
    assert look.state == WAITING
    page = job_page(look, SUITE)
    assert "does not move at the moment" in page
    assert "starts by itself" not in page
    jobs.times = 0
    wait(jobs, name, lambda look: look.state == COMPLETE)


@pytest.mark.parametrize("step", ["end", "check", "whose turn"])
def test_a_page_that_ends_ends_its_runs_whatever_fails(tmp_path: Path, step: str) -> None:
    jobs = Faulty(settings(tmp_path), step, 0)
    with Provider(SUITE, script=always("hang")) as provider:
        order = replace(ORDER, source=ENDPOINT)
        names = [jobs.start(order, endpoint(provider), who) for who in (ANN, BOB)]
        pids = []
        for name in names:
            look = wait(jobs, name, lambda look: look.progress.total > 0)
            assert look.record.pid is not None
            pids.append(look.record.pid)
        jobs.times = 1
        begun = time.monotonic()
        jobs.close()
        assert time.monotonic() - begun < 2 * GRACE_S + 1
        assert [pid for pid in pids if Path(f"/proc/{pid}").exists()] == []


# Processes ------------------------------------------------------------------------------------


def test_a_job_runs_to_its_end_and_is_found_by_a_new_page(tmp_path: Path) -> None:
    jobs = Jobs(settings(tmp_path))
    name = jobs.start(ORDER, ORACLE, ANN)
    look = wait(jobs, name, lambda look: look.state not in (WAITING, RUNNING))
    assert (look.state, look.progress.done, look.progress.solved) == (COMPLETE, 8, 1.0)
    again = Jobs(settings(tmp_path))
    assert again.look(name).state == COMPLETE
    with pytest.raises(InputError, match="it is not stopped"):
        again.resume(name, ORACLE, ANN)
    published = publish_job(again, name, again._settings, ANN)
    assert publish_job(again, name, again._settings, ANN) == published
    assert {p.name for p in (tmp_path / "runs").iterdir()} == {".new", published}
    assert (tmp_path / "runs" / published / "run.json").exists()


@pytest.mark.parametrize("holds", [0.3, 3])
def test_a_page_that_only_looks_keeps_no_run_from_starting(tmp_path: Path, holds: float) -> None:
    fcntl = pytest.importorskip("fcntl", reason="this system has no such lock")
    folder = new_folder(tmp_path)
    folder.write(Record(ORDER))
    suite = tmp_path / "suite.jsonl"
    suite.write_text("".join(SUITE.lines()), encoding="utf-8")
    looking = folder.output.open("ab")
    fcntl.flock(looking, fcntl.LOCK_EX)
    Timer(holds, looking.close).start()
    if holds > 1:  # It is no look, but a run.
        with pytest.raises(BlockingIOError, match="it runs already"):
            start_process(folder, suite, ORACLE, os.environ)
        return
    assert folder.is_running()
    process = start_process(folder, suite, ORACLE, os.environ)
    assert folder.is_running()
    assert process.wait(60) == 0, folder.output.read_text()
    assert not folder.is_running()


def test_why_a_run_could_not_begin_is_said_in_a_sentence(tmp_path: Path) -> None:
    jobs = Jobs(settings(tmp_path))
    name = jobs.start(replace(ORDER, catalogue="8"), Access("baseline:nobody"), ANN)
    look = wait(jobs, name, lambda look: look.state == STOPPED)
    assert look.record.reason.startswith("baseline:nobody: expected one of")
    assert look.progress.total == 0


def endpoint(provider: Provider, key: str = KEY) -> Access:
    return Access("openai/stand-in", provider.url, key)


@pytest.mark.slow
def test_cancel_frees_the_slot_and_resume_goes_on(tmp_path: Path) -> None:
    order = replace(ORDER, source=ENDPOINT)
    jobs = Jobs(settings(tmp_path, slots=1))
    script = [first_tasks(3, then="hang")]
    with Provider(SUITE, script=lambda n, b: script[0](n, b)) as provider:
        name = jobs.start(order, endpoint(provider), ANN)
        behind = jobs.start(ORDER, ORACLE, BOB)
        some = wait(jobs, name, lambda look: look.progress.done > 0)
        assert jobs.look(behind).state == WAITING
        begun = time.monotonic()
        jobs.cancel(name)
        wait(jobs, behind, lambda look: look.state != WAITING)
        assert time.monotonic() - begun < 2
        kept = wait(jobs, name, lambda look: look.state == STOPPED)
        assert kept.record.reason == CANCELLED
        assert kept.progress.done >= some.progress.done
        wait(jobs, behind, lambda look: look.state == COMPLETE)
        script[0] = always("answer")
        asked = len(provider.requests)
        jobs.resume(name, endpoint(provider), ANN)
        wait(jobs, name, lambda look: look.state == COMPLETE)
        assert {headers["authorization"] for headers, _ in provider.requests} == {f"Bearer {KEY}"}
        answered = sum(len(task.steps) + 1 for task in SUITE.tasks)
        assert len(provider.requests) - asked < answered


@pytest.mark.slow
def test_a_process_that_does_not_listen_is_killed_within_two_seconds(tmp_path: Path) -> None:
    jobs = Jobs(settings(tmp_path, slots=1))
    with Provider(SUITE, script=always("hang")) as provider:
        name = jobs.start(replace(ORDER, source=ENDPOINT), endpoint(provider), ANN)
        wait(jobs, name, lambda look: look.progress.total > 0)
        pid = jobs.look(name).record.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        begun = time.monotonic()
        jobs.cancel(name)
        wait(jobs, name, lambda look: look.state == STOPPED)
        assert time.monotonic() - begun < 2
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.slow
def test_a_run_that_a_killed_page_left_is_taken_over(tmp_path: Path) -> None:
    jobs = Jobs(settings(tmp_path))
    with Provider(SUITE, script=lambda n, b: "answer" if n < 4 else "hang") as provider:
        order = replace(ORDER, source=ENDPOINT, protocol="single-turn")
        name = jobs.start(order, endpoint(provider), ANN)
        wait(jobs, name, lambda look: look.progress.done > 0)
        # As after SIGKILL: another page that knows nothing but the folder.
        other = Jobs(settings(tmp_path))
        assert other.look(name).state == RUNNING
        with jobs._lock:  # The page that was not killed after all comes last.
            other.cancel(name)
            look = wait(other, name, lambda look: look.state == STOPPED, 3)
            assert look.record.reason == CANCELLED
        look = wait(jobs, name, lambda look: look.state == STOPPED, 3)
        assert look.progress.done > 0
        assert look.record.reason == other.look(name).record.reason == CANCELLED


@pytest.mark.slow
def test_a_complete_run_with_fresh_tasks_is_verified_by_the_server_alone(tmp_path: Path) -> None:
    secret = b"the page's own"
    known = settings(tmp_path, secret=secret)
    jobs = Jobs(known)
    with Provider(SUITE) as provider:
        name = jobs.start(replace(ORDER, source=ENDPOINT), endpoint(provider), ANN)
        record = jobs.look(name).record
        assert record.fresh_id is not None
        fresh = fresh_suite(fresh_seed(secret, record.fresh_id))
        provider._by_prompt |= {task.prompt: task for task in fresh.tasks}
        wait(jobs, name, lambda look: look.fresh is not None and look.fresh.done > 0)
        for hosted in (known, replace(known, is_hosted=True)):
            with pytest.raises(InputError, match="only a run that is complete"):
                publish_job(jobs, name, hosted, ANN)
        wait(jobs, name, lambda look: look.state == COMPLETE)
        assert not (jobs.folder(name).run / "fresh.json").exists()
    with pytest.raises(InputError, match="log in"):
        publish_job(jobs, name, replace(known, is_hosted=True), Visitor(None, "1"))
    published = publish_job(jobs, name, replace(known, is_hosted=True), ANN)
    entry = board(known).find(published)
    assert entry is not None
    assert entry.fresh is not None
    assert (entry.tier, entry.fresh["n_tasks"], entry.is_ranked) == (VERIFIED, 60, True)
    assert json.loads((tmp_path / "runs" / published / "fresh.json").read_text())[
        "seed"
    ] == fresh_seed(secret, record.fresh_id)
    # A seed that the server's secret does not give vouches for nothing.
    other = board(replace(known, secret=b"another"))
    assert other.find(published) is None
    assert "another seed" in other.problems[0]


def board(known: Settings):  # type: ignore[no-untyped-def]
    return LiveBoard(known, Store(known.submissions), Cache(known.submissions / "scores")).current()


def test_published_runs_come_back_from_the_results_repository(tmp_path: Path) -> None:
    jobs = Jobs(settings(tmp_path))
    name = jobs.start(ORDER, ORACLE, ANN)
    wait(jobs, name, lambda look: look.state == COMPLETE)
    with Hub() as hub:
        repo = Repo("org/results", token=WRITER, endpoint=hub.url)
        hub.fail("POST", "/commit/", 500)
        with pytest.raises(InputError, match="try again later"):
            publish_job(jobs, name, jobs._settings, ANN, repo)
        assert not (tmp_path / "runs").exists()
        hub.mend()
        published = publish_job(jobs, name, jobs._settings, ANN, repo)
        fetch_runs(tmp_path / "elsewhere", repo)
    for file in ("run.json", "traces.jsonl"):
        ours = (tmp_path / "runs" / published / file).read_bytes()
        assert (tmp_path / "elsewhere" / published / file).read_bytes() == ours
