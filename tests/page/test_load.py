"""A hundred submissions at once over HTTP, and a page that is killed meanwhile."""

import hashlib
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from evaluator.scoring.score_traces import score
from space.submissions.store import Store, content_id
from tests.samples.small_suite import small_suite, write_suite
from tests.samples.submitted_files import trace_lines
from tests.stand_ins.page_calls import Refused, call, submit
from tests.stand_ins.page_server import start, stop

pytestmark = pytest.mark.slow
SUITE = small_suite()
CLIENTS, EACH = 20, 5
FILES = [trace_lines(f"model {n}", n % 9) for n in range(CLIENTS * EACH)]


def test_nothing_confirmed_is_lost_when_the_page_is_killed(tmp_path: Path) -> None:
    write_suite(SUITE, tmp_path / "suite.jsonl")
    confirmed: dict[str, int] = {}
    enough = threading.Event()

    def client(number: int, address: str) -> None:
        for file in range(number * EACH, (number + 1) * EACH):
            if file in confirmed.values():
                continue
            try:
                done = submit(address, FILES[file])
            except (OSError, Refused):
                continue
            confirmed[done["id"]] = file
            if len(confirmed) > 30:
                enough.set()

    page, address = start(tmp_path)
    with ThreadPoolExecutor(CLIENTS) as pool:
        waiting = [pool.submit(client, number, address) for number in range(CLIENTS)]
        assert enough.wait(120)
        os.kill(page.pid, signal.SIGKILL)
        page.wait()
        for one in waiting:
            one.result()
    early = dict(confirmed)
    assert 30 < len(early) < len(FILES)
    check(tmp_path, early)

    page, address = start(tmp_path)
    try:
        listed = {row["id"] for row in call(address, "leaderboard", "self-reported", "weighted")}
        assert set(early) <= listed
        with ThreadPoolExecutor(CLIENTS) as pool:
            list(pool.map(lambda number: client(number, address), range(CLIENTS)))
        assert sorted(confirmed.values()) == list(range(len(FILES)))
        rows = call(address, "leaderboard", "self-reported", "weighted")
    finally:
        stop(page)
    stored = check(tmp_path, confirmed)
    assert len(stored) == len(FILES)
    for row in rows:
        scores = score(stored[row["id"]], SUITE)
        assert row["weighted"] == round(100 * scores["overall"], 1)
        assert row["model"] == scores["model"]
    assert len(rows) == len(FILES)


def check(folder: Path, confirmed: dict[str, int]) -> dict[str, Path]:
    """Everything confirmed is on disk, and everything visible is whole; the files by their ids."""
    submissions = {s.id: s for s in Store(folder / "submissions").all()}
    assert set(confirmed) <= set(submissions)
    for name, file in confirmed.items():
        content = submissions[name].traces.read_bytes()
        assert content == FILES[file].encode()
        assert content_id(content) == name
    for submission in submissions.values():
        digest = hashlib.sha256(submission.traces.read_bytes()).hexdigest()
        assert digest == submission.about["sha256"]
    return {name: submission.traces for name, submission in submissions.items()}
