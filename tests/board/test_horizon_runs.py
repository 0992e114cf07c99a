"""Runs of procedures on the page: kept, shown by their horizon, and in no ranking."""

import io
from pathlib import Path

import pytest

from evaluator.asking.climb import Ladder, climb
from evaluator.asking.run_options import RunOptions
from space.base.score_cache import Cache
from space.base.settings import Settings
from space.base.tiers import MADE_HERE, SELF_REPORTED
from space.base.visitors import Visitor
from space.board.live_board import LiveBoard
from space.board.publish_run import publish
from space.html.run_page import run_page
from space.html.upload_check_page import draft_page
from space.submissions.about import About
from space.submissions.store import Store
from space.submissions.upload_check import read_upload
from tests.samples.submitted_files import SUITE

LADDER = Ladder(max_calls=8)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A climb of the published ladder, under the name of a model."""
    folder = tmp_path_factory.mktemp("runs") / "climb"
    climb(RunOptions("baseline:noisy-0.9"), LADDER, folder, io.StringIO(), environment={})
    for file in folder.iterdir():
        file.write_text(file.read_text().replace("baseline:noisy-0.9", "vendor/model"))
    return folder


def test_run_folders_and_uploads_are_kept_and_ranked_nowhere(folder: Path, tmp_path: Path) -> None:
    settings = Settings(SUITE, folder.parent, tmp_path / "submissions", jobs=tmp_path / "jobs")
    store, cache = Store(settings.submissions), Cache(settings.scores)
    live = LiveBoard(settings, store, cache)
    # Its ladder is made in the background: nobody's first view waits for it.
    first = live.current()
    assert (first.entries, first.waiting) == ((), 1)
    assert live.complete().problems == ()
    draft = read_upload(
        (folder / "traces.jsonl").read_text().replace("vendor/model", "vendor/other"), SUITE
    )
    assert "composition exponent k" in draft_page(draft, SUITE)
    submission, _ = publish(
        draft, About(), Visitor("ann", "192.0.2.1"), store, cache, needs_login=True
    )
    board = live.complete()
    assert board.problems == ()
    assert {entry.id for entry in board.entries} == {"climb", submission.id}
    for view in (MADE_HERE, SELF_REPORTED):
        assert board.signatures(view) == []
    horizons = [entry.result.scores["horizon"]["rungs"] for entry in board.entries]
    assert horizons[0] == horizons[1]
    again = LiveBoard(settings, store, cache).current()
    assert [entry.id for entry in again.entries] == [submission.id]
    for entry in board.entries:
        assert not entry.is_ranked
        assert "composition exponent k" in run_page(board, entry, SUITE, ())
