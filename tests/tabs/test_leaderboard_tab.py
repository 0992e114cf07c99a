"""The leaderboard's controls: they stand for a setting and are set by one; whoever publishes sees his row."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from space.board.page_address import BoardQuery
from space.services import Services
from space.tabs.leaderboard_tab import LeaderboardTab
from tests.samples.small_site import first_level, oracle, silent, small_site
from tests.stand_ins.lone_tab import lone_tab


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Services:
    folder: Path = tmp_path_factory.mktemp("site")
    answers = {"vendor-a": oracle, "vendor-b": first_level, "baseline:silent": silent}
    return small_site(folder, answers=answers)


def held(updates: Mapping[Any, Any]) -> dict[Any, Any]:
    """What the components hold after updates."""
    return {
        part: value["value"] if isinstance(value, dict) and "value" in value else value
        for part, value in updates.items()
    }


@pytest.mark.parametrize(
    "query",
    [
        BoardQuery(),
        BoardQuery("made here", "calls", "vendor", "-cost_per_task", mark="vendor-b"),
        BoardQuery(references=True),
        BoardQuery(incomplete=True, references=True, columns=("solved", "signature")),
        BoardQuery(filters={"protocol": ("single-turn",), "regime": ("not said",)}),
    ],
)
def test_controls_stand_for_the_setting_that_set_them(site: Services, query: BoardQuery) -> None:
    tab = lone_tab(LeaderboardTab, site)
    values = held(tab.set_controls(query))
    assert values.keys() == {*tab.controls}
    assert tab.query(values) == query


@pytest.mark.parametrize(
    "changed",
    [
        {"view": "<b>"},
        {"order": "nothing", "mark": "x" * 5000},
        {"search": None, "order": None, "mark": None},
        {"switches": ["references", "x"]},
        {"columns": ["x"]},
        {"columns": None},
    ],
)
def test_what_a_program_may_send_is_a_setting(site: Services, changed: dict[str, Any]) -> None:
    tab = lone_tab(LeaderboardTab, site)
    values = held(tab.set_controls(BoardQuery()))
    query = tab.query(values | {getattr(tab, name): value for name, value in changed.items()})
    assert (query.view, query.order) == ("", "")
    assert query.columns == BoardQuery().columns
    assert len(query.mark) <= 100


def test_whoever_publishes_lands_on_the_board_with_the_row_marked(site: Services) -> None:
    tab = lone_tab(LeaderboardTab, site)
    updates = tab.show_marked("vendor-b")
    page = updates[tab.board]
    row = page[page.index('aria-current="true"') :].partition("</tr>")[0]
    assert "vendor-b" in row
    assert "vendor-a" in page
    assert "baseline:silent" not in page
    assert "mark=vendor-b" in updates.values()
    assert tab.query(held(updates)) == BoardQuery(mark="vendor-b")


def test_files_are_those_of_the_setting(site: Services) -> None:
    tab = lone_tab(LeaderboardTab, site)
    files = tab.show(BoardQuery(view="made here", order="-model"))[tab.files]
    for kind in ("csv", "json"):
        assert f"download/leaderboard.{kind}?view=made+here&amp;order=-model" in files
