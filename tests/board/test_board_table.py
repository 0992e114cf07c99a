"""Which rows an address shows, in which order, and the files that are made of them."""

import csv
import io
import json
from collections.abc import Sequence

import pytest

from space.base.tiers import (
    BASELINE,
    FLAGGED,
    INCOMPLETE,
    MADE_HERE,
    SELF_REPORTED,
    VERIFIED,
    WITHDRAWN,
)
from space.board.board import Board
from space.board.board_columns import CHOICES, COLUMNS, DEFAULT_COLUMNS, exported
from space.board.board_table import ranking_of, records, shown_rows, to_csv
from space.board.entry import Entry
from space.board.page_address import BoardQuery, read_board_query
from space.html.board_html import board_html
from tests.samples.board_entries import entry
from tests.samples.submitted_files import SUITE
from tests.stand_ins.html_reader import ReadPage

ALL = len(SUITE.tasks)
DEAR = {"usage": {"completion_tokens": 300}, "cost_usd": 0.5, "latency_ms": 900}
CHEAP = {"usage": {"completion_tokens": 20}, "cost_usd": 0.01, "latency_ms": 100}
HOSTILE = "</td><script>alert(1)</script> \" onclick='x' {{1.a}} ${alert(1)}"


@pytest.fixture(scope="module")
def board() -> Board:
    return Board(
        (
            entry("good", ALL, VERIFIED, usage=DEAR, said={"date": "2026-11-02"}),
            entry("fair", ALL - 2, VERIFIED, usage=CHEAP, said={"date": "2026-11-01"}),
            entry("plain", 3, MADE_HERE),
            entry("cut", 2, MADE_HERE, INCOMPLETE),
            entry("up", ALL, SELF_REPORTED, usage=CHEAP, said={"organisation": "A lab"}),
            entry("gone", 1, SELF_REPORTED, WITHDRAWN),
            entry("multi", 4, SELF_REPORTED, protocol="multi-turn"),
            entry("baseline:floor", 1, BASELINE),
        )
    )


def models(board: Board, address: str) -> list[list[str]]:
    """The models of each ranking that an address shows."""
    pairs = [pair.partition("=")[::2] for pair in address.split("&") if pair]
    shown = shown_rows(board, read_board_query([(a, b) for a, b in pairs]))
    return [[entry.about["model"] for entry in ranking.rows] for ranking in shown.rankings]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        # All tiers of a setting, the most trusted first; the setting of fewer runs follows.
        ("", [["good", "fair"], ["plain"], ["up", "gone"], ["multi"]]),
        ("view=verified", [["good", "fair"]]),
        ("view=self-reported", [["up", "gone"], ["multi"]]),
        ("view=nonsense", [["good", "fair"], ["plain"], ["up", "gone"], ["multi"]]),
        ("view=made here", [["plain"]]),
        ("view=made here&incomplete=1", [["plain", "cut"]]),
        ("view=verified&references=1", [["good", "fair"], ["baseline:floor"]]),
        ("mark=run-cut&view=made here", [["plain", "cut"]]),
        ("search=up", [["up"]]),
        ("search=nobody", []),
        ("protocol=multi-turn", [["multi"]]),
        ("order=cost_per_task&view=verified", [["fair", "good"]]),
        ("order=-cost_per_task&view=verified", [["good", "fair"]]),
        ("order=model&view=verified", [["fair", "good"]]),
        ("order=-model&view=verified", [["good", "fair"]]),
        ("order=solved&view=verified", [["good", "fair"]]),
        ("order=-solved&view=verified", [["fair", "good"]]),
        ("order=date&view=verified", [["good", "fair"]]),
        ("order=-date&view=verified", [["fair", "good"]]),
        # What has no value is last either way.
        ("order=cost_usd&view=self-reported", [["up", "gone"], ["multi"]]),
        ("order=-cost_usd&view=self-reported", [["up", "gone"], ["multi"]]),
        ("order=nothing&view=verified", [["good", "fair"]]),
    ],
)
def test_what_an_address_shows(board: Board, address: str, expected: list[list[str]]) -> None:
    assert models(board, address) == expected


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ((entry("baseline:a", 1, BASELINE), entry("baseline:b", 2, BASELINE)), 2),
        ((entry("cut", 1, MADE_HERE, INCOMPLETE), entry("baseline:a", 1, BASELINE)), 1),
        ((entry("cut", 1, MADE_HERE, INCOMPLETE), entry("flag", 1, MADE_HERE, FLAGGED)), 1),
        ((), 0),
    ],
)
def test_what_is_held_back_is_shown_where_there_is_nothing_else(
    entries: Sequence[Entry], expected: int
) -> None:
    assert shown_rows(Board(tuple(entries)), BoardQuery()).total == expected


def test_what_is_held_back_is_counted(board: Board) -> None:
    shown = shown_rows(board, BoardQuery())
    assert (shown.total, shown.references, shown.incomplete) == (6, 1, 1)
    assert "Not shown: 1 incomplete run and 1 reference row." in board_html(board, BoardQuery())[0]


def test_ranks_count_within_a_tier_and_a_setting_and_hang_on_no_order(board: Board) -> None:
    for order in ("", "cost_per_task", "-model"):
        ranks = {
            row["model"]: (row["rank"], row["rank_last"])
            for row in records(shown_rows(board, BoardQuery(order=order)).rankings)
        }
        assert ranks == {
            "good": (1, 2),
            "fair": (1, 2),
            "plain": (1, 1),
            "up": (1, 1),
            "gone": (None, None),
            "multi": (1, 1),
        }


@pytest.mark.parametrize("view", ["verified", "made here", "self-reported"])
def test_addresses_of_before_are_still_understood(view: str) -> None:
    columns = "rank,model,provider,solved,solved_interval,calls,horizon,L0,date,status,id"
    query = read_board_query([("view", view), ("columns", columns), ("order", "horizon")])
    assert (query.view, query.order) == (view, "horizon")
    assert query.columns == ("solved", "calls", "L0", "horizon", "provider", "date", "status")


def test_columns_that_nobody_fills_are_not_shown(board: Board) -> None:
    every = shown_rows(board, BoardQuery()).filled(DEFAULT_COLUMNS)
    assert {"solved", "cost_per_task", "output_tokens_per_solved", "organisation"} <= {*every}
    assert not {"horizon", "provider", "open_weights"} & {*every}
    one = BoardQuery(view=MADE_HERE)
    page = board_html(board, one)[0]
    assert "Cost per task" not in page.partition("What the columns mean")[0]
    assert "US dollars an answer, as recorded in the run. Not shown: no run here says it." in page


def test_files_hold_numbers(board: Board) -> None:
    rankings = shown_rows(board, BoardQuery(view=VERIFIED)).rankings
    good = next(csv.DictReader(io.StringIO(to_csv(rankings, ["solved", "cost_per_solved"]))))
    assert list(good) == [COLUMNS[name].label for name in exported(["solved", "cost_per_solved"])]
    assert float(good["Solved, low"]) < float(good["Solved"]) == 100.0
    assert float(good["Solved, high"]) == 100.0
    assert (good["Rank"], good["Last rank"], good["Cost per solved"]) == ("1", "2", "0.5")
    row = json.loads(json.dumps(records(rankings), allow_nan=False))[0]
    assert list(row) == list(COLUMNS)
    assert (row["output_tokens_per_task"], row["seconds_per_solved"]) == (300, 0.9)
    assert row["solved_low"] == float(good["Solved, low"])


@pytest.mark.parametrize("rank_by", ["solved", "calls", "weighted"])
def test_the_interval_under_a_score_is_its_own(board: Board, rank_by: str) -> None:
    signature = board.signatures(VERIFIED)[0]
    for row in records([ranking_of(board, VERIFIED, signature, rank_by=rank_by)]):
        for name in ("solved", "calls", "weighted"):
            if row[f"{name}_low"] is not None:
                assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]
        page = ReadPage(board_html(board, BoardQuery(VERIFIED, rank_by))[0]).words
        assert f"{row['solved']} {row['solved_interval']}" in page


def test_a_header_orders_by_its_column_and_back(board: Board) -> None:
    def headers(order: str) -> dict[str, tuple[str | None, str | None]]:
        page = ReadPage(board_html(board, BoardQuery(order=order))[0])
        cells = [attributes for name, attributes in page.tags if name == "th"]
        links = [attributes for name, attributes in page.tags if "data-order" in attributes]
        columns = [cell for cell in cells if cell.get("scope") == "col"][: len(links)]
        assert all(link["title"] for link in links)
        return {
            str(link["data-column"]): (link["data-order"], cell.get("aria-sort"))
            for link, cell in zip(links, columns, strict=True)
        }

    first = headers("")
    assert first["rank"] == ("-rank", "ascending")
    assert first["calls"] == ("calls", None)
    assert headers("calls")["calls"] == ("-calls", "descending")
    assert headers("calls")["rank"] == ("", None)
    assert headers("-calls")["calls"] == ("calls", "ascending")
    assert headers("cost_per_task")["cost_per_task"] == ("-cost_per_task", "ascending")


def test_every_column_is_explained_in_a_line() -> None:
    for column in COLUMNS.values():
        assert column.meaning.endswith(".")
        assert len(column.meaning) <= 130
        assert "\n" not in column.meaning
    assert not {"rank", "model", "id"} & {*CHOICES}


def test_what_an_upload_spent_is_marked_as_its_own_word(board: Board) -> None:
    own = board_html(board, BoardQuery(view=VERIFIED))[0]
    uploaded = board_html(board, BoardQuery(view=SELF_REPORTED))[0]
    assert 'title="self-reported"' not in own
    assert 'title="self-reported"' in uploaded
    assert "† self-reported" in uploaded


def test_the_marked_row_is_shown_however_far_down_it_stands(board: Board) -> None:
    page, total = board_html(board, BoardQuery(mark="run-multi"), rows=1)
    assert total == 6
    assert page.count('aria-current="true"') == page.count("this run") == 1
    assert page.count('scope="row"') == 6
    assert "aria-current" not in board_html(board, BoardQuery(mark="run-nobody"))[0]


def test_an_empty_installation_says_what_to_do_first() -> None:
    assert (
        "No model has been run yet. Run one or upload traces"
        in board_html(Board(()), BoardQuery())[0]
    )
    only = Board((entry("baseline:floor", 1, BASELINE),))
    page, total = board_html(only, BoardQuery())
    assert total == 1
    assert "What follows are reference rows." in page
    assert "No model has been run" not in board_html(Board((), waiting=1), BoardQuery())[0]


def test_hostile_words_are_text_in_every_cell() -> None:
    pages = []
    for words in ("plain", HOSTILE):
        said = dict.fromkeys(("organisation", "provider", "regime", "open_weights", "date"), words)
        one = entry("m", 3, SELF_REPORTED, "", CHEAP, said | {"model": words})
        other = entry("n", 2, SELF_REPORTED, FLAGGED, CHEAP, said | {"model": words})
        query = BoardQuery(columns=CHOICES, mark="run-m", search="", order="model")
        pages.append(ReadPage(board_html(Board((one, other)), query)[0]))
    plain, hostile = pages
    assert (hostile.names, hostile.attributes) == (plain.names, plain.attributes)
    assert hostile.text.count("<script>alert(1)</script>") >= 10
    assert not [attributes for _, attributes in hostile.tags if "onclick" in attributes]
