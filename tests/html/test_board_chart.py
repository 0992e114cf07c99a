"""The chart over the board: the rows of the board, in its order, with their own numbers."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from evaluator.comparing.places import Place
from evaluator.intervals import Interval
from evaluator.scoring.metrics import BY_OPTION, SOLVED
from space.base.tiers import BASELINE, MADE_HERE, SELF_REPORTED, WITHDRAWN
from space.board.board import Board
from space.board.entry import Entry
from space.board.page_address import BoardQuery
from space.html.bar_chart import MOST_BARS, bars, bars_note
from space.html.board_chart import board_chart, chart_switch
from space.html.chart_rows import Row
from space.html.climb_chart import climb_chart, climb_note
from space.html.plot import SERIES
from space.html.spending_chart import MOST_POINTS, SPENDING, spending_chart, spending_note
from tests.samples.horizon_runs import AGENTS, horizon_result
from tests.samples.small_site import careless, first_level, oracle, silent, small_site
from tests.stand_ins.browser import HOSTILE

MADE = BoardQuery(view=MADE_HERE)


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Board:
    """Four runs made here, of which nothing says what they cost."""
    folder = tmp_path_factory.mktemp("site")
    answers = {f.__name__: f for f in (oracle, first_level, careless, silent)}
    return small_site(folder, answers=answers).board.current()


def names(page: str) -> list[str]:
    """The models that bars are of, in their order."""
    return re.findall(r'<span class="name"><a [^>]*>([^<]*)</a>', page)


def with_spending(entry: Entry, **spent: float | None) -> Entry:
    """The entry as if its rows had told what they took in all."""
    diagnostics = {**entry.result.scores["diagnostics"], **spent}
    scores = {**entry.result.scores, "diagnostics": diagnostics}
    return replace(entry, result=replace(entry.result, scores=scores))


def climbs(*agents: str) -> tuple[Entry, ...]:
    """Runs of procedures by simulated agents."""
    results = [horizon_result(name, AGENTS[name]) for name in agents]
    return tuple(
        Entry(f"climb-{i}", MADE_HERE, result, {"model": result.model}, Path())
        for i, result in enumerate(results)
    )


# Which rows -----------------------------------------------------------------------------------


@pytest.mark.parametrize("rank_by", BY_OPTION)
def test_the_bars_are_the_rows_of_the_board_in_its_order(board: Board, rank_by: str) -> None:
    page = board_chart(board, replace(MADE, rank_by=rank_by))
    assert sorted(names(page)) == ["careless", "first_level", "oracle", "silent"]
    shares = [float(v) for v in re.findall(r"--value:([\d.]+)%", page)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] == 100
    assert BY_OPTION[rank_by].name in page


def test_what_the_board_hides_the_chart_hides(board: Board) -> None:
    assert names(board_chart(board, replace(MADE, search="oracle"))) == ["oracle"]
    assert names(board_chart(board, replace(MADE, search="nobody"))) == []


def test_a_withdrawn_run_is_not_drawn(board: Board) -> None:
    first, *others = board.entries
    page = board_chart(Board((replace(first, status=WITHDRAWN), *others)), MADE)
    assert first.id not in names(page)
    assert len(names(page)) == len(others)


def test_an_empty_board_has_no_chart() -> None:
    assert board_chart(Board(()), MADE) == ""


def test_a_board_of_horizons_alone_has_no_empty_bars() -> None:
    page = board_chart(Board(climbs("0.9 a call")), MADE)
    assert 'class="panel horizon"' in page
    assert 'class="panel ranked"' not in page


def test_every_chart_can_be_chosen(board: Board) -> None:
    entries = tuple(with_spending(e, cost_usd=1.0, output_tokens=10.0) for e in board.entries)
    page = board_chart(Board((*entries, *climbs("0.9 a call"))), MADE)
    drawn = re.findall(r'class="panel (\w+)"', page)
    assert drawn == re.findall(r'value="(\w+)"', chart_switch())
    assert chart_switch().count('checked="checked"') == 1


# Bars -----------------------------------------------------------------------------------------


def row(number: int, score: float, **changes: Any) -> Row:
    """A row of that score."""
    (entry,) = climbs("0.9 a call")
    entry = replace(entry, id=f"run-{number}", about={"model": f"model {number}"}, **changes)
    interval = Interval(score, max(0.0, score - 0.1), min(1.0, score + 0.1))
    return Row(entry, Place(number + 1, {SOLVED.key: interval}))


def test_of_many_rows_the_first_are_drawn_and_the_rest_counted() -> None:
    rows = [row(n, 0.5) for n in range(MOST_BARS + 7)]
    page = bars([("first", rows[:9]), ("second", rows[9:])], SOLVED)
    assert names(page) == [f"model {n}" for n in range(MOST_BARS)]
    assert bars_note(len(rows), SOLVED).endswith(" 7 more rows in the table below.")
    assert "more" not in bars_note(MOST_BARS, SOLVED)
    assert page.index("first") < page.index("second")


def test_a_single_ranking_needs_no_name() -> None:
    assert "its name" not in bars([("its name", [row(0, 0.5)])], SOLVED)


def test_an_undefined_score_has_no_bar() -> None:
    page = bars([("one", [row(0, float("nan"))])], SOLVED)
    assert "–" in page
    assert "nan" not in page


def test_hostile_names_are_text(board: Board) -> None:
    entries = tuple(
        with_spending(replace(e, about={**e.about, "model": HOSTILE}), cost_usd=1.0)
        for e in board.entries
    )
    agents = [replace(e, about={"model": f'"{HOSTILE}'}) for e in climbs("0.9 a call")]
    page = board_chart(Board((*entries, *agents)), MADE)
    assert "<img" not in page
    assert page.count("&lt;img src=x") >= 9
    assert not re.search(r'title="[^"]*"[^ >]', page)


# Against what was spent -----------------------------------------------------------------------


def priced(amounts: Sequence[float]) -> str:
    """The chart of runs that took so many dollars a task."""
    spent = {f"run-{n}": amount for n, amount in enumerate(amounts)}
    rows = [row(n, 0.5) for n in range(len(amounts))]
    return spending_chart(rows, SOLVED, "US dollars a task", lambda entry: spent[entry.id])


@pytest.mark.parametrize(
    ("amounts", "ticks"),
    [
        ([0.001], ["0.001", "0.01"]),
        ([0.0012, 0.03], ["0.001", "0.01", "0.1"]),
        ([0.0, 0.03], ["0", "0.01", "0.1"]),
        ([0.0], ["0", "1", "10"]),
        ([500.0, 20_000.0], ["100", "1,000", "10,000", "100,000"]),
        ([1e-9, 1e9], None),
    ],
)
def test_the_axis_holds_every_amount(amounts: list[float], ticks: list[str] | None) -> None:
    page = priced(amounts)
    axis = page.partition('<div class="x">')[2]
    if ticks is not None:
        assert re.findall(r">([\d.,]+)</span>", axis.partition("</div>")[0]) == ticks
    places = [float(v) for v in re.findall(r'class="dot s0" style="left:([-\d.]+)%', page)]
    assert len(places) == len(amounts)
    assert places == sorted(places)
    assert all(0 <= place <= 100 for place in places)


def test_points_have_the_numbers_of_the_list() -> None:
    page = priced([0.5, 0.02])
    assert re.findall(r'class="dot[^>]*>(\d+)<', page) == ["1", "2"]
    assert "50.0 %, 0.5 US dollars a task" in page
    assert re.findall(r"<li><a [^>]*>([^<]*)</a>", page) == ["model 0", "model 1"]


def test_an_amount_is_per_answer(board: Board) -> None:
    _, _, spent = SPENDING[0]
    entry = with_spending(board.entries[0], cost_usd=0.8)
    assert entry.result.scores["n_tasks"] == 8
    assert spent(entry) == pytest.approx(0.1)
    assert spent(with_spending(entry, cost_usd=None)) is None


def test_an_uploads_amount_is_said_to_be_self_reported() -> None:
    rows = [row(0, 0.5, tier=SELF_REPORTED), row(1, 0.5, tier=BASELINE)]
    page = spending_chart(rows, SOLVED, "tokens a task", lambda entry: 5.0)
    assert page.count("(self-reported)") == 2


def test_the_note_says_what_is_not_drawn() -> None:
    assert "runs say" not in spending_note(3, 3)
    assert "2 of 3 runs say what they took." in spending_note(2, 3)
    assert f"The first {MOST_POINTS} are drawn." in spending_note(MOST_POINTS + 1, MOST_POINTS + 1)
    assert f"The {SERIES} longest of {SERIES + 1} are drawn." in climb_note(SERIES + 1)
    assert "longest" not in climb_note(SERIES)


# By length ------------------------------------------------------------------------------------


def test_a_line_for_each_model_the_longest_first() -> None:
    page = climb_chart(climbs("0.9 a call", "never wrong", "0.99 a call"))
    listed = re.findall(r"<li><i [^>]*></i><a [^>]*>([^<]*)</a>", page)
    assert listed == ["never wrong", "0.99 a call", "0.9 a call"]
    assert page.count("<polyline") == 3
    assert "half solved at &gt; 256 calls" in page


def test_doublings_take_the_same_room() -> None:
    page = climb_chart(climbs("never wrong"))
    axis = page.partition('<div class="x">')[2]
    ticks = re.findall(r"left:([\d.]+)%\">(\d+)<", axis)
    assert [int(calls) for _, calls in ticks] == [4, 8, 16, 32, 64, 128, 256]
    places = [float(place) for place, _ in ticks]
    steps = [b - a for a, b in pairwise(places)]
    assert max(steps) - min(steps) < 0.02


def test_what_nobody_was_asked_is_not_drawn() -> None:
    (entry,) = climbs("0.9 a call")
    ladder: Mapping[str, Any] = entry.result.scores["horizon"]
    rungs = [{**rung, "tasks": 0} for rung in ladder["rungs"]]
    rungs[0] = ladder["rungs"][0]
    scores = {**entry.result.scores, "horizon": {**ladder, "rungs": rungs}}
    page = climb_chart([replace(entry, result=replace(entry.result, scores=scores))])
    assert page.count('class="dot') == 1
