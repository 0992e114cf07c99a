"""The page in a real browser: load, filter, upload, publish, withdraw; wide and narrow, light and dark."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.samples.small_runs import run_baselines
from tests.samples.small_suite import small_suite
from tests.samples.submitted_files import trace_lines
from tests.stand_ins.browser import HOSTILE, NEEDED, SIZES, WIDE, misfits, open_tab, see

pytestmark = NEEDED
SUITE = small_suite()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working directory with a small suite and two runs over it."""
    folder = tmp_path_factory.mktemp("page")
    run_baselines(folder, "baseline:oracle", "baseline:silent")
    return folder


def upload(page: Any, file: Path) -> None:
    """Choose a file in the tab where traces are submitted."""
    open_tab(page, "Submit")
    with page.expect_file_chooser() as chooser:
        page.get_by_text("Click to Upload").click()
    chooser.value.set_files(file)


def publish(page: Any, file: Path, lines: str) -> str:
    """Upload traces, publish them, open their page; gives the run's id."""
    file.write_text(lines)
    upload(page, file)
    see(page, "Nothing is public yet")
    page.get_by_role("button", name="Publish").click()
    name = landed(page)
    page.locator(f".board a[href*='run={name}']").filter(visible=True).first.click()
    see(page, "permalink")
    return name


def landed(page: Any) -> str:
    """Wait for the board that shows what was just published; gives the run's id."""
    page.wait_for_url("**mark=**")
    return parse_qs(urlsplit(page.url).query)["mark"][0]


@SIZES
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("tab", ["leaderboard", "submit", "paper", "about"])
def test_every_tab_fits_its_screen_and_can_be_read(
    visit: Any, size: tuple[int, int], theme: str, tab: str
) -> None:
    page = visit(f"?__theme={theme}&tab={tab}&view=verified", size)
    words = {
        "leaderboard": "There is no verified run yet",
        "submit": "Nothing is public before",
        "paper": "not comparable with any other number",
        "about": "What is measured",
    }
    see(page, words[tab])
    assert misfits(page, size) == []


@SIZES
def test_a_submission_is_published_found_and_withdrawn(
    visit: Any, folder: Path, tmp_path: Path, size: tuple[int, int]
) -> None:
    page = visit("?view=verified", size)
    see(page, "There is no verified run yet")
    name = publish(page, tmp_path / "mine.jsonl", trace_lines(f"{size[0]} {HOSTILE}", size[0] % 7))
    see(page, f"{size[0]} {HOSTILE}")
    assert (folder / "submissions" / "traces" / f"{name}.jsonl").exists()
    assert page.url.endswith(f"?run={name}")
    open_tab(page, "Leaderboard")
    page.get_by_label("Self-reported").check()
    row = page.get_by_role("row").filter(has_text=f"{size[0]} <img")
    row.wait_for()
    page.wait_for_url("**view=self-reported**")
    row.get_by_role("link").click()
    see(page, "permalink")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download traces").click()
    assert download.value.suggested_filename == f"{name}.jsonl"
    page.get_by_role("button", name="Withdraw or flag this run").click()
    page.get_by_role("button", name="Withdraw for good").click()
    see(page, "give a reason")
    page.get_by_label("Reason").fill("a <b>mistake</b>")
    page.get_by_role("button", name="Withdraw for good").click()
    see(page, "Its submitter withdrew it: a <b>mistake</b>")
    open_tab(page, "Leaderboard")
    see(page, "withdrawn")
    again = visit(f"?run={name}", size)
    see(again, "Its submitter withdrew it: a <b>mistake</b>")
    assert again.get_by_role("button", name="Withdraw or flag").count() == 0


@SIZES
def test_a_bad_upload_names_every_line(visit: Any, tmp_path: Path, size: tuple[int, int]) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{\n{"task_id": "<b>L9</b>", "calls": []}\n')
    page = visit(size=size)
    upload(page, bad)
    see(page, "the file has 2 problems")
    see(page, "bad.jsonl:1")
    see(page, "<b>L9</b>")
    assert not page.get_by_role("button", name="Publish").is_visible()


def test_what_looks_like_a_key_is_shown_and_kept_back(
    visit: Any, folder: Path, tmp_path: Path
) -> None:
    key = "sk-" + "a1B2" * 10

    def is_public() -> bool:
        return any(
            key in traces.read_text("utf-8")
            for traces in (folder / "submissions" / "traces").glob("*.jsonl")
        )

    lines = trace_lines("leaky", 2, response=[{"content": f"my key is {key}"}])
    (tmp_path / "leaky.jsonl").write_text(lines)
    page = visit()
    upload(page, tmp_path / "leaky.jsonl")
    see(page, "what looks like a key")
    page.get_by_role("button", name="Publish").click()
    see(page, "would become public: take it out")
    assert not is_public()
    page.get_by_label("none of it is one").check()
    page.get_by_role("button", name="Publish").click()
    landed(page)
    assert is_public()


def test_an_address_sets_the_board_and_the_board_sets_the_address(
    visit: Any, tmp_path: Path
) -> None:
    publish(visit(), tmp_path / "one.jsonl", trace_lines("findable-one", 5))
    publish(visit(), tmp_path / "two.jsonl", trace_lines("findable-two", 6))
    page = visit("?view=self-reported&search=findable-two&rank_by=calls&columns=model,calls")
    row = page.get_by_role("row").filter(has_text="findable-two")
    row.wait_for()
    assert page.get_by_role("row").filter(has_text="findable-one").count() == 0
    assert page.get_by_label("Search").input_value() == "findable-two"
    assert page.get_by_role("columnheader").all_inner_texts() == ["Rank", "Model", "Calls right"]
    page.get_by_label("Search").fill("findable")
    page.get_by_role("row").filter(has_text="findable-one").wait_for()
    page.wait_for_url("**search=findable&**")
    assert "columns=calls" in page.url
    with page.expect_download() as download:
        page.get_by_role("link", name="Download this table (CSV)").click()
    table = Path(download.value.path()).read_text()
    head = table.splitlines()[0]
    assert head.startswith('Rank,Last rank,Model,Tier,Calls right,"Calls right, low"')
    assert table.count("findable") == 2
    # Back from a run's page to the board as it was set.
    row.get_by_role("link").click()
    see(page, "permalink")
    page.go_back()
    row.wait_for()
    assert page.get_by_label("Search").input_value() == "findable"


def test_the_keyboard_reaches_a_run_and_its_table(visit: Any, tmp_path: Path) -> None:
    page = visit()
    publish(page, tmp_path / "k.jsonl", trace_lines("by-keyboard", 7))
    page = visit("?view=self-reported&search=by-keyboard")
    link = page.locator(".board").get_by_role("link", name="by-keyboard")
    link.wait_for()
    page.get_by_label("Search").focus()
    # Past the other controls and the headers that order the table.
    for _ in range(60):
        page.keyboard.press("Tab")
        if link.evaluate("element => element === document.activeElement"):
            break
    assert link.evaluate("element => getComputedStyle(element).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    see(page, "permalink")


def test_nothing_jumps_when_the_board_comes(visit: Any) -> None:
    page = visit("?view=self-reported", WIDE)
    below = page.get_by_text("Filters and columns").first
    below.wait_for()
    before = below.bounding_box()["y"]
    page.locator(".board").wait_for()
    assert below.bounding_box()["y"] == before


def test_a_run_that_is_not_there_says_so(visit: Any) -> None:
    page = visit("?run=%3Cb%3Enobody")
    see(page, "There is no run '<b>nobody'")
    assert not page.get_by_text("permalink").filter(visible=True).count()


def test_one_visitor_sees_nothing_of_anothers_unpublished_work(visit: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text(trace_lines("secret-work", 4))
    page, other = visit(), visit("?view=self-reported")
    upload(page, tmp_path / "mine.jsonl")
    see(page, "secret-work")
    other.reload()
    see(other, "What the tiers mean")
    assert "secret-work" not in other.content()
    open_tab(other, "Submit")
    see(other, "appears here")
    assert json.dumps("secret-work") not in other.content()
