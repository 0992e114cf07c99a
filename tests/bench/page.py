"""How fast the page starts, and what it shows of 1,000 submissions and runs."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from dataset_builder.published.load_suite import load_suite
from space.base.score_cache import Cache
from space.base.settings import Settings
from space.base.tiers import MADE_HERE, SELF_REPORTED
from space.board.board import Board
from space.board.board_columns import CHOICES
from space.board.explain_answer import explain
from space.board.live_board import LiveBoard
from space.board.page_address import BoardQuery
from space.html.answer_page import answer_page
from space.html.board_html import board_html
from space.html.compare_page import compare_page
from space.html.task_graph import graph
from space.html.task_list import task_rows, task_table
from space.html.task_query import TaskAddress, TaskQuery, select
from space.submissions.store import Store
from space.submissions.upload_check import read_upload
from tests.bench.measure import Measure, Work
from tests.bench.submissions import fill, lines, trace
from tests.samples.small_site import careless, first_level, oracle, silent, small_site
from tests.stand_ins.page_calls import call
from tests.stand_ins.page_server import start, stop

SUBMISSIONS = 1_000
TASK = "L3_dag_0177"


def submitted(folder: Path) -> None:
    """So many submissions; what ranks them was not computed yet."""
    fill(folder, load_suite(), SUBMISSIONS)
    shutil.copytree(folder / "jobs", folder / "unranked")


def _serve(is_whole: bool) -> Callable[[Path], Work]:
    """From the start of the process to its first page, or to all rows of the board."""

    def prepare(folder: Path) -> Work:
        def work() -> None:
            page, address = start(folder, suite=None)
            try:
                if is_whole:
                    rows = call(address, "leaderboard", SELF_REPORTED, "weighted")
                    assert len(rows) >= SUBMISSIONS, len(rows)
            finally:
                stop(page)

        return work

    return prepare


def _opened(folder: Path) -> Callable[[], Board]:
    settings = Settings(load_suite(), folder / "runs", folder / "submissions", jobs=folder / "jobs")

    def current() -> Board:
        board = LiveBoard(settings, Store(settings.submissions), Cache(settings.scores)).current()
        assert len(board.entries) == SUBMISSIONS, f"{len(board.entries)} entries"
        return board

    return current


def _board(is_ranked: bool) -> Callable[[Path], Work]:
    """The board as the first visitor waits for it, with the places of the runs in the cache or without."""

    def prepare(folder: Path) -> Work:
        if not is_ranked:
            shutil.rmtree(folder / "jobs")
            shutil.copytree(folder / "unranked", folder / "jobs")
        opened = _opened(folder)
        return lambda: board_html(opened(), BoardQuery())

    return prepare


def _shown(query: BoardQuery) -> Callable[[Path], Work]:
    def prepare(folder: Path) -> Work:
        board = _opened(folder)()
        board_html(board, BoardQuery())
        return lambda: board_html(board, query)

    return prepare


def _upload(folder: Path) -> Work:
    suite = load_suite()
    text = lines([trace(task, "fresh", True) for task in suite.tasks]).decode()
    return lambda: read_upload(text, suite)


def _many_runs(folder: Path) -> Board:
    """A board of so many entries, four runs over and over."""
    answers = {f.__name__: f for f in (oracle, silent, careless, first_level)}
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    own = small_site(folder, load_suite(), answers).board.current().entries
    entries = []
    for number in range(SUBMISSIONS):
        entry = own[number % len(own)]
        result = replace(entry.result, name=f"run {number}")
        tier = MADE_HERE if number < 60 else SELF_REPORTED
        entries.append(replace(entry, id=f"run {number}", tier=tier, result=result))
    return Board(tuple(entries))


def _task_list(folder: Path) -> Work:
    board, suite = _many_runs(folder), load_suite()
    entry, query = board.entries[2], TaskQuery(order="failed")
    return lambda: task_table(select(task_rows(board, suite, entry), query), entry, TaskAddress())


def _answer(folder: Path) -> Work:
    entry, suite = _many_runs(folder).entries[2], load_suite()
    task = suite.by_id[TASK]
    return lambda: (graph(task), answer_page(explain(entry, task, 0, suite), "m"))


def _compared(folder: Path) -> Work:
    entries, suite = _many_runs(folder).entries[:6], load_suite()
    return lambda: compare_page(entries, suite)


def _figures(folder: Path) -> Work:
    from space.tabs.figures_tab import sections

    board = _many_runs(folder)
    return lambda: sections(board, MADE_HERE)


MEASURES = (
    Measure("process start to a page", _serve(False), submitted, waits=True),
    Measure("process start to a board of 1,000", _serve(True), submitted, waits=True),
    Measure("board of 1,000, places unknown", _board(False), submitted),
    Measure("board of 1,000, places known", _board(True), submitted),
    Measure("a filter", _shown(BoardQuery(filters={"provider": ("provider 3",)})), submitted),
    Measure(
        "all columns, a search, another order",
        _shown(BoardQuery(columns=CHOICES, search="model 1", order="-model")),
        submitted,
    ),
    Measure("200 rows from upload to scorecard", _upload),
    Measure("list of tasks", _task_list),
    Measure("answer and graph", _answer),
    Measure("six runs compared", _compared),
    Measure("figures of 60 runs", _figures),
)
