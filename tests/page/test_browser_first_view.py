"""The first view in a real browser: what a newcomer sees, reaches by keyboard, and is told of wrong links."""

from pathlib import Path
from typing import Any

import pytest

from tests.samples.small_site import add_run, careless, first_level, oracle
from tests.samples.small_suite import small_suite, write_suite
from tests.stand_ins.browser import NARROW, NEEDED, SIZES, WIDE, misfits, open_tab, see

pytestmark = NEEDED
SUITE = small_suite()
SPENT = {"usage": {"prompt_tokens": 900, "completion_tokens": 100}, "cost_usd": 0.01}
# What has the focus: its text, or what it is called; null where nothing has it.
_FOCUSED = """() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  return (element.innerText || element.value || element.getAttribute('aria-label') || '').trim();
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working directory with a small suite and three runs over it that say what they cost."""
    folder = tmp_path_factory.mktemp("page")
    write_suite(SUITE, folder / "suite.jsonl")
    for answer in (careless, first_level, oracle):
        add_run(folder, answer.__name__, answer, SUITE, **SPENT)
    return folder


@SIZES
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("chart", ["ranked", "cost"])
def test_the_first_view_fits_and_can_be_read(
    visit: Any, size: tuple[int, int], theme: str, chart: str
) -> None:
    page = visit(f"?__theme={theme}", size)
    page.locator(".bars").wait_for()
    page.locator(f".chart-switch input[value={chart}]").check(force=True)
    assert page.locator(".panel").filter(visible=True).count() == 1
    assert page.locator(f".panel.{chart}").is_visible()
    for words in ("Single call", "Chain", "Parallel", "Graph"):
        assert page.locator(".levels b").filter(has_text=words).is_visible()
    picture = page.locator(".hero svg.graph").bounding_box()
    assert picture["x"] >= 0
    assert picture["x"] + picture["width"] <= size[0]
    assert misfits(page, size) == []


def test_the_keyboard_reaches_chart_and_table_in_this_order(visit: Any) -> None:
    page = visit("", WIDE)
    page.locator(".bars").wait_for()
    seen: list[str | None] = []
    page.get_by_role("tab", name="About", exact=True).focus()
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(_FOCUSED))
        is_seen = page.evaluate("document.activeElement.matches(':focus-visible')")
        assert is_seen, f"nobody sees that {seen[-1]!r} has the focus"
        if page.evaluate("Boolean(document.activeElement.closest('.board a[data-run]'))"):
            break
    order = [seen.index("ranked"), seen.index("oracle"), len(seen) - 1]
    assert order == sorted(order)
    assert seen[-1] == "oracle"
    assert None not in seen, "the focus was lost on the way"


def test_the_chart_is_chosen_by_keyboard_and_stays_when_the_board_changes(visit: Any) -> None:
    page = visit("", WIDE)
    page.locator(".bars").wait_for()
    page.locator(".chart-switch input[value=ranked]").focus()
    page.keyboard.press("ArrowRight")
    page.locator(".panel.cost").wait_for()
    assert not page.locator(".panel.ranked").is_visible()
    page.get_by_label("Search").fill("oracle")
    page.wait_for_url("**search=oracle**")
    page.locator(".panel.cost .legend li").filter(has_text="careless").wait_for(state="detached")
    assert page.locator(".panel.cost").is_visible()
    page.locator(".panel.cost .legend a").first.click()
    see(page, "permalink")
    assert page.url.endswith("?run=oracle")


def test_there_are_five_tabs_and_each_has_a_title(visit: Any) -> None:
    page = visit("", WIDE)
    page.locator(".bars").wait_for()
    tabs = page.locator(".tab-container").nth(1).get_by_role("tab").all_inner_texts()
    assert tabs == ["Leaderboard", "Explore", "Compare", "Run or submit", "About"]
    for name, title in (
        ("Explore", "Explore"),
        ("Figures", "Figures"),
        ("Submit", "Submit"),
        ("Paper's results", "Paper's results"),
        ("Compare", "Figures"),
        ("Leaderboard", "CompToolBench: can"),
    ):
        open_tab(page, name)
        page.wait_for_function("(t) => document.title.startsWith(t)", arg=title)


@pytest.mark.parametrize(
    ("query", "selected", "words"),
    [
        ("?tab=model", ["Run or submit", "Run a model"], "Estimate"),
        ("?tab=submit", ["Run or submit", "Submit"], "Nothing is public before"),
        ("?tab=figures", ["Compare", "Figures"], "Models by levels"),
        ("?tab=compare", ["Compare", "Runs side by side"], "Choose two runs or more"),
        ("?tab=paper", ["About", "Paper's results"], "not comparable with any other number"),
        ("?tab=validate", ["About", "Validate"], "judged"),
        ("?tab=about", ["About", "The benchmark"], "What is measured"),
        ("?run=oracle", ["Run"], "permalink"),
    ],
)
def test_old_addresses_lead_to_their_place_and_stay(
    visit: Any, query: str, selected: list[str], words: str
) -> None:
    page = visit(query, WIDE)
    see(page, words)
    page.wait_for_timeout(1500)
    shown = page.get_by_role("tab", selected=True).filter(visible=True).all_inner_texts()
    assert shown == selected
    assert query in page.url


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("?tab=nowhere", "This page has no part 'nowhere': here is the leaderboard."),
        ("?run=nobody", "There is no run 'nobody' on this page."),
        ("?task=nothing", "This suite has no task 'nothing'."),
        ("?job=0123", "no such job"),
        ("?tab=compare&with=nobody&with=oracle", "The run 'nobody' is not on this page."),
    ],
)
def test_a_wrong_link_says_so_once(visit: Any, query: str, sentence: str) -> None:
    page = visit(query, NARROW)
    see(page, sentence)
    # Selecting the tab that the address asks for, which may come later, does not wipe it away.
    page.wait_for_timeout(1500)
    told = page.locator(".notice.problem").filter(visible=True).all_inner_texts()
    assert len(told) == 1
    assert sentence in told[0]
    # A job that is not there leaves the address, since its tab would wait for it.
    assert query in page.url or query.startswith("?job=")


def test_figures_take_the_width_and_have_words_below(visit: Any) -> None:
    page = visit("?tab=figures", NARROW)
    see(page, "Models by levels")
    page.locator("svg.marks").first.wait_for()
    page.wait_for_timeout(1000)
    for box in page.locator("svg.marks").filter(visible=True).all():
        place = box.bounding_box()
        assert place["x"] >= 0
        assert place["x"] + place["width"] <= NARROW[0]
        assert place["width"] > 250


def test_figures_are_dark_in_the_dark(visit: Any) -> None:
    page = visit("?tab=figures&__theme=dark", WIDE)
    figure = page.locator("svg.marks").first
    figure.wait_for()
    style = figure.evaluate(
        "(e) => [getComputedStyle(e).filter, getComputedStyle(e).backgroundColor]"
    )
    assert style == ["invert(1) hue-rotate(180deg)", "rgba(0, 0, 0, 0)"]
