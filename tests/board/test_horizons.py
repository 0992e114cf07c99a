"""A model's horizon stands beside its scores; the run over procedures itself is ranked nowhere."""

from dataclasses import replace
from pathlib import Path

import pytest

from space.base.tiers import BASELINE, FLAGGED, MADE_HERE, SELF_REPORTED, VERIFIED, WITHDRAWN
from space.board.board import Board
from space.board.board_columns import COLUMNS, DEFAULT_COLUMNS
from space.board.board_table import ranking_of, to_csv
from space.board.entry import Entry
from space.board.horizons import horizon_text, may_be_drawn, with_horizons
from space.board.page_address import BoardQuery, read_board_query
from space.html.board_html import board_html
from space.tabs.figures_tab import sections
from tests.horizon.coverage import Rates, independent_errors
from tests.samples.board_entries import about, entry
from tests.samples.board_frames import frame
from tests.samples.horizon_runs import horizon_result

PERFECT, NOISY, SILENT = (independent_errors(p) for p in (1.0, 0.97, 0.0))


def suite_run(model: str, tier: str = MADE_HERE, right: int = 3, submitter: str = "") -> Entry:
    """A run over the suite that answers so many of its tasks."""
    run = entry(model, right, tier, said={"submitter": submitter})
    return replace(run, id=f"run-{model}-{tier}")


def climb(
    model: str,
    rates: Rates = PERFECT,
    tier: str = MADE_HERE,
    submitter: str = "",
    status: str = "",
    protocol: str = "single-turn",
    seed: int = 1,
) -> Entry:
    """A run over procedures."""
    result = horizon_result(model, rates, seed, protocol)
    name = f"climb-{model}-{tier}-{seed}"
    return Entry(name, tier, result, about(model, submitter), Path(), status)


def shown(*entries: Entry) -> list[str]:
    """The horizons of the runs over the suite."""
    return [horizon_text(e) for e in with_horizons(entries) if not e.result.is_horizon]


@pytest.mark.parametrize("kept", [1, 6, 11])
def test_an_upload_of_picked_procedures_shows_no_horizon(kept: int) -> None:
    whole = climb("m", tier=SELF_REPORTED, submitter="ada")
    scores = whole.result.scores
    rungs = [{**rung, "tasks": kept} for rung in scores["horizon"]["rungs"]]
    picked = replace(
        whole.result, scores={**scores, "horizon": {**scores["horizon"], "rungs": rungs}}
    )
    run = suite_run("m", SELF_REPORTED, submitter="ada")
    assert shown(run, whole) == ["> 256"]
    assert shown(run, replace(whole, result=picked)) == [""]
    assert may_be_drawn(whole, SELF_REPORTED)
    assert not may_be_drawn(replace(whole, result=picked), SELF_REPORTED)
    # What was made here is shown while it grows.
    assert shown(suite_run("m"), replace(climb("m"), result=picked)) == ["> 256"]


def test_a_run_over_procedures_lends_its_horizon_and_has_no_row() -> None:
    board = Board(with_horizons([climb("m"), suite_run("m"), suite_run("other")]))
    assert [each.id for each in board.horizons] == ["climb-m-made here-1"]
    (signature,) = board.signatures(MADE_HERE)
    listed = [horizon_text(each) for each in board.shown(MADE_HERE, signature)]
    assert listed == ["> 256", ""]
    alone = Board((climb("m"),))
    assert alone.is_empty(MADE_HERE)
    assert alone.signatures(MADE_HERE) == []


@pytest.mark.parametrize(
    ("run", "lender", "text"),
    [
        (suite_run("m", VERIFIED), climb("m"), "> 256"),
        (suite_run("baseline:x", BASELINE), climb("baseline:x", tier=BASELINE), "> 256"),
        (suite_run("m"), climb("m", protocol="multi-turn"), ""),
        (suite_run("m"), climb("m", status=FLAGGED), ""),
        (suite_run("m"), climb("m", status=WITHDRAWN), ""),
        # An upload borrows nothing from what was made here or by others, and lends it to nobody.
        (suite_run("m", SELF_REPORTED, submitter="ann"), climb("m"), ""),
        (suite_run("m"), climb("m", tier=SELF_REPORTED), ""),
        (
            suite_run("m", SELF_REPORTED, submitter="ann"),
            climb("m", tier=SELF_REPORTED, submitter="bob"),
            "",
        ),
        (
            suite_run("m", SELF_REPORTED, submitter="ann"),
            climb("m", tier=SELF_REPORTED, submitter="ann"),
            "> 256",
        ),
    ],
)
def test_whose_horizon_a_run_may_show(run: Entry, lender: Entry, text: str) -> None:
    assert shown(lender, run) == [text]


def test_of_several_climbs_the_one_with_most_answers_counts() -> None:
    climbs = [climb("m", SILENT), climb("m", PERFECT, seed=2), climb("m", SILENT, seed=3)]
    assert shown(*climbs, suite_run("m")) == ["> 256"]


def test_a_limit_is_said() -> None:
    limited = horizon_result("m", independent_errors(0.999), 2, limited_from=128)
    lender = replace(climb("m"), result=limited)
    assert shown(lender, suite_run("m")) == ["> 64; limited by context at 128"]


@pytest.fixture
def board() -> Board:
    entries = [
        suite_run("none", right=6),
        suite_run("short", right=5),
        suite_run("long", right=4),
        suite_run("middle", right=3),
        climb("short", SILENT),
        climb("long", PERFECT),
        climb("middle", NOISY),
    ]
    return Board(with_horizons(entries))


def test_the_column_and_its_order(board: Board) -> None:
    assert "horizon" in DEFAULT_COLUMNS
    (signature,) = board.signatures(MADE_HERE)
    table = frame(board, MADE_HERE, signature)
    by_model = dict(zip(table["Model"], table["Horizon"], strict=True))
    assert by_model["long"] == "> 256"
    assert by_model["short"] == "< 4"
    assert by_model["middle"].startswith("26 (")
    assert by_model["none"] == ""
    ordered = frame(board, MADE_HERE, signature, order="horizon")
    assert list(ordered["Model"]) == ["long", "middle", "short", "none"]
    assert list(ordered.sort_values("Model")["Rank"]) == list(table.sort_values("Model")["Rank"])
    assert "> 256" in to_csv([ranking_of(board, MADE_HERE, signature)], ["horizon"])


def test_the_page_shows_it(board: Board) -> None:
    query = BoardQuery(MADE_HERE, order="horizon")
    page, total = board_html(board, query)
    assert total == 4
    assert page.index("long") < page.index("middle") < page.index("short")
    assert "&gt; 256" in page
    assert COLUMNS["horizon"].label in page
    assert read_board_query([("order", "horizon")]).order == "horizon"
    assert read_board_query([("order", "x")]).order == ""
    assert query.to_query() == "view=made+here&order=horizon"


def test_the_figures_have_the_horizons_of_a_view(board: Board) -> None:
    drawn, _ = sections(board, MADE_HERE)
    (horizon,) = (section for section in drawn if section.name == "horizon")
    assert [figure.name for figure in horizon.figures] == ["horizon-solved", "horizon-survival"]
    assert sections(board, SELF_REPORTED) == ([], 0)
    uploaded = climb("m", tier=SELF_REPORTED)
    seen = {view: may_be_drawn(uploaded, view) for view in ("", VERIFIED, SELF_REPORTED)}
    assert seen == {"": True, VERIFIED: False, SELF_REPORTED: True}
    # What was made here has no fresh tasks to be verified by, and is not kept from that view.
    assert [section.name for section in sections(board, VERIFIED)[0]] == ["horizon"]
