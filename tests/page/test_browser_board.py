"""The board in a real browser: ordered, ticked and compared, marked, by keyboard, on a phone."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.samples.small_runs import run_baselines
from tests.samples.small_suite import small_suite
from tests.samples.submitted_files import trace_lines
from tests.stand_ins.browser import HOSTILE, NARROW, NEEDED, SIZES, misfits, see
from tests.stand_ins.page_calls import submit

pytestmark = NEEDED
SUITE = small_suite()
MODELS = {"alpha": 8, "beta": 5, f"gamma {HOSTILE}": 2}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working directory with a small suite and a reference run over it."""
    folder = tmp_path_factory.mktemp("page")
    run_baselines(folder, "baseline:oracle")
    return folder


@pytest.fixture(scope="module")
def runs(address: str) -> dict[str, str]:
    """The ids of three published runs by their models, each dearer than the one before, and of a part."""
    ids = {}
    for number, (model, right) in enumerate(MODELS.items(), 1):
        lines = trace_lines(model, right, cost_usd=number / 100, latency_ms=100 * number)
        ids[model] = submit(address, lines)["runs"][0]
    part = trace_lines("part", 3).splitlines()[0]
    ids["part"] = submit(address, part)["runs"][0]
    return ids


def names(page: Any) -> list[str]:
    """The models in the order of the rows."""
    return [name.split()[0] for name in page.locator(".board tbody .name").all_inner_texts()]


def asked(page: Any) -> dict[str, list[str]]:
    """The fields of the page's address."""
    return parse_qs(urlsplit(page.url).query)


def test_headers_order_rows_and_ticked_rows_are_compared(visit: Any, runs: dict[str, str]) -> None:
    page = visit()
    page.locator(".board").wait_for()
    assert names(page) == ["alpha", "beta", "gamma"]
    header = page.get_by_role("columnheader", name="Cost per task")
    header.get_by_role("link").click()
    page.wait_for_url("**order=cost_per_task**")
    header.and_(page.locator("[aria-sort=ascending]")).wait_for()
    # By keyboard, on the header that has kept the focus.
    assert page.evaluate("document.activeElement.dataset.column") == "cost_per_task"
    page.keyboard.press("Enter")
    page.wait_for_url("**order=-cost_per_task**")
    header.and_(page.locator("[aria-sort=descending]")).wait_for()
    assert names(page) == ["gamma", "beta", "alpha"]
    assert not page.get_by_role("link", name="Compare").is_visible()
    page.get_by_label("Compare alpha").check()
    page.get_by_label("Compare gamma").focus()
    page.keyboard.press("Space")
    page.get_by_role("link", name="Solved", exact=True).click()
    page.wait_for_url("**order=solved**")
    assert page.get_by_label("Compare alpha").is_checked()
    page.get_by_role("link", name="Compare 2 runs").click()
    see(page, "Tasks that only one solves")
    chosen = {runs["alpha"], runs[f"gamma {HOSTILE}"]}
    assert (asked(page)["tab"], {*asked(page)["with"]}) == (["compare"], chosen)


def test_switches_and_tiers_stand_in_the_address(visit: Any, runs: dict[str, str]) -> None:
    page = visit()
    see(page, "Not shown: 1 incomplete run and 1 reference row.")
    page.get_by_label("References").check()
    page.get_by_label("Incomplete runs").check()
    page.wait_for_url("**references=1&incomplete=1")
    see(page, "baseline:oracle")
    assert {*names(page)} == {"alpha", "beta", "gamma", "part", "baseline:oracle"}
    page.get_by_label("Verified").check()
    see(page, "There is no verified run yet")
    again = visit(f"?{urlsplit(page.url).query}")
    see(again, "There is no verified run yet")
    assert again.get_by_label("Verified").is_checked()
    assert again.get_by_label("References").is_checked()


@SIZES
def test_a_marked_row_is_in_view(visit: Any, runs: dict[str, str], size: tuple[int, int]) -> None:
    page = visit(f"?mark={runs['part']}", (size[0], 500))
    row = page.locator("tr.marked")
    row.wait_for()
    page.wait_for_function(
        "() => { const r = document.querySelector('tr.marked').getBoundingClientRect();"
        " return r.top >= 0 && r.bottom <= innerHeight; }"
    )
    assert "part" in row.inner_text()
    assert row.get_by_text("this run").is_visible()


@SIZES
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_cell_can_be_read(
    visit: Any, runs: dict[str, str], size: tuple[int, int], theme: str
) -> None:
    page = visit(f"?__theme={theme}&references=1&incomplete=1&mark={runs['part']}", size)
    page.locator(".board").wait_for()
    assert misfits(page, size) == []
    shown = page.get_by_role("columnheader").all_inner_texts()
    if size == NARROW:
        assert [" ".join(name.split()) for name in shown] == ["Rank", "Model", "Solved", "L0–L3"]
    else:
        assert len(shown) > 10


def test_head_and_first_columns_stay_while_the_table_scrolls(
    visit: Any, runs: dict[str, str]
) -> None:
    page = visit("?references=1&incomplete=1", (900, 600))
    frame = page.locator(".board .scroll")
    frame.wait_for()
    before = [page.locator(f".board thead th.{name}").bounding_box() for name in ("rank", "model")]
    frame.evaluate("element => { element.scrollTop = 120; element.scrollLeft = 400; }")
    after = [page.locator(f".board thead th.{name}").bounding_box() for name in ("rank", "model")]
    assert [box["x"] for box in after] == [box["x"] for box in before]
    top = frame.bounding_box()["y"]
    assert all(top <= box["y"] <= top + 60 for box in after)
    cell = page.locator(".board tbody td.rank").nth(2).bounding_box()
    assert cell["x"] == before[0]["x"]


def test_the_files_are_what_the_table_shows(visit: Any, runs: dict[str, str]) -> None:
    page = visit("?search=alpha")
    page.locator(".board").wait_for()
    page.wait_for_function("() => document.querySelectorAll('.board tbody .name').length == 1")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download this table (JSON)").click()
    said = json.loads(Path(download.value.path()).read_text())
    (row,) = said["rows"]
    assert (row["id"], row["rank"], row["rank_last"]) == (runs["alpha"], 1, 3)
    assert said["rank_by"] == "solved"
    assert (row["solved_high"], row["cost_per_task"]) == (100.0, 0.01)
