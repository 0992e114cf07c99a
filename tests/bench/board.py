"""How fast the page's board is with 1,000 submissions on disk: `python -m tests.bench.board`."""

import json
import random
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.task import Suite, Task
from dataset_builder.tools import catalogue
from evaluator.scoring.aggregate import summarise
from evaluator.scoring.attempts import Attempt
from evaluator.scoring.score import score_task
from evaluator.scoring.verdict import light
from evaluator.traces.protocols import PROMPT_VERSIONS
from evaluator.traces.trace import Call, Trace
from space.base.score_cache import Cache, Scored
from space.base.settings import Settings
from space.base.tiers import SELF_REPORTED
from space.board.board_columns import CHOICES
from space.board.live_board import LiveBoard
from space.board.page_address import BoardQuery
from space.board.publish_run import submission_key
from space.html.board_html import board_html
from space.submissions.store import Store
from space.submissions.upload_check import read_upload
from tests.stand_ins.page_calls import call
from tests.stand_ins.page_server import start, stop

SUBMISSIONS = 1_000


def trace(task: Task, model: str, is_right: bool) -> Trace:
    """An answer to a task: all calls right, or none made."""
    steps = task.steps if is_right else ()
    calls = tuple(Call(step.tool, dict(step.arguments)) for step in steps)
    return Trace(task.task_id, calls, model, protocol="single-turn", catalogue="full")


def lines(traces: list[Trace]) -> bytes:
    return "".join(f"{json.dumps(trace.to_row())}\n" for trace in traces).encode()


def fill(folder: Path, suite: Suite, count: int = SUBMISSIONS) -> None:
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


@contextmanager
def timed(what: str, limit: float) -> Iterator[None]:
    start = time.perf_counter()
    yield
    print(f"{what:48} {time.perf_counter() - start:6.2f} s   (at most {limit:g} s)")


def show(folder: Path) -> None:
    """Board and filters of what lies in a folder, in this process."""
    suite = load_suite()
    settings = Settings(suite, folder / "runs", folder / "submissions", jobs=folder / "jobs")
    with timed("board and ranking", 5):
        board = LiveBoard(settings, Store(settings.submissions), Cache(settings.scores)).current()
        total = board_html(board, BoardQuery()).total
    assert total == len(board.entries), (total, board.problems)
    with timed("a filter", 0.5):
        board_html(board, BoardQuery(filters={"provider": ("provider 3",)}))
    with timed("all columns, a search, another order", 0.5):
        board_html(board, BoardQuery(columns=CHOICES, search="model 1", order="-model"))
    traces = lines([trace(task, "fresh", True) for task in suite.tasks]).decode()
    with timed("200 rows from upload to scorecard", 2):
        read_upload(traces, suite)


def serve(folder: Path) -> None:
    """The page over ``folder/submissions``, in a process of its own, over HTTP."""
    begin = time.perf_counter()
    page, address = start(folder, suite=None)
    try:
        print(f"{'process start to a page':48} {time.perf_counter() - begin:6.2f} s")
        rows = call(address, "leaderboard", SELF_REPORTED, "weighted")
        seconds = time.perf_counter() - begin
        print(f"{'process start to the board':48} {seconds:6.2f} s   (at most 5 s)")
        assert len(rows) >= SUBMISSIONS, len(rows)
        with timed("all rows with all columns, over HTTP", 2):
            call(address, "leaderboard", SELF_REPORTED, "weighted")
        with timed("a filtered table, over HTTP", 0.5):
            query = "view=self-reported&provider=provider+3"
            urllib.request.urlopen(f"{address}download/leaderboard.csv?{query}").read()
        text = Path(f"/proc/{page.pid}/status").read_text()
        peak = int(text.partition("VmHWM:")[2].split()[0]) / 2**20
        print(f"{'memory':48} {peak:6.2f} GB  (at most 1.5 GB)")
    finally:
        stop(page)


def main() -> None:
    """Fill a folder, look at it without a cache of rankings and with one, and serve it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill(folder, load_suite())
        for said in ("cold ranking", "warm cache"):
            print(said)
            show(folder)
        serve(folder)


if __name__ == "__main__":
    main()
