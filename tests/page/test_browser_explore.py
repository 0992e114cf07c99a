"""Explore, Compare, Figures and Validate in a real browser: wide and narrow, light and dark."""

from pathlib import Path
from typing import Any

import pytest

from evaluator.audit.annotation import sample
from evaluator.audit.annotation_sheets import read_sheet
from tests.samples.small_site import add_run, careless, first_level, oracle, trace_lines
from tests.samples.small_suite import small_suite, write_suite
from tests.stand_ins.browser import HOSTILE, NEEDED, SIZES, misfits, open_tab, see

pytestmark = NEEDED
SUITE = small_suite()
CHAIN = next(task.task_id for task in SUITE.tasks if task.level == 1)


def hostile(task: Any) -> list[dict[str, Any]]:
    """A call of hostile text for each expected one, and a great many more."""
    calls = [{"name": step.tool, "arguments": {HOSTILE: HOSTILE}} for step in task.steps]
    return [*calls, *({"name": HOSTILE, "arguments": {"x": HOSTILE * 9}} for _ in range(995))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working directory with a small suite and four runs over it."""
    folder = tmp_path_factory.mktemp("page")
    write_suite(SUITE, folder / "suite.jsonl")
    for answer in (careless, first_level, oracle, hostile):
        add_run(folder, answer.__name__, answer, SUITE)
    return folder


def choose(page: Any, label: str, *options: str) -> None:
    """Choose values of a list by the beginning of what they are called."""
    for option in options:
        # Typing needs no click: on a narrow screen the open list may cover the field.
        page.get_by_label(label, exact=True).filter(visible=True).first.fill(option)
        page.get_by_role("option").filter(has_text=option).first.click()
    page.keyboard.press("Escape")


PLACES = {
    "explore": ("?tab=explore&of=careless", "8 tasks"),
    "task": (f"?task={CHAIN}", "Expected calls"),
    "answer": (f"?task={CHAIN}&run=careless", "How the scores add up"),
    "hostile": (f"?task={CHAIN}&run=hostile", "more; the traces can be downloaded"),
    "compare": ("?tab=compare&with=careless&with=oracle", "Tasks that only one solves"),
    "figures": ("?tab=figures", "Models by levels"),
    "validate": ("?tab=validate", "0 judged"),
}


@SIZES
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("place", PLACES)
def test_every_place_fits_its_screen_and_can_be_read(
    visit: Any, size: tuple[int, int], theme: str, place: str
) -> None:
    query, words = PLACES[place]
    page = visit(f"{query}&__theme={theme}", size)
    see(page, words)
    assert misfits(page, size) == []


@SIZES
def test_a_failure_is_found_and_explained(visit: Any, size: tuple[int, int]) -> None:
    page = visit(size=size)
    open_tab(page, "Explore")
    see(page, "8 tasks")
    choose(page, "Run", "first_level")
    see(page, "E2_no_call")
    assert page.url.endswith("?tab=explore&of=first_level")
    choose(page, "Outcome", "failed")
    see(page, "6 tasks")
    # The filter stands in the address: of the list, and of a task in it.
    page.wait_for_url("**?tab=explore&of=first_level&outcome=failed")
    page.get_by_role("link", name=CHAIN).click()
    see(page, "There is no call.")
    see(page, "The answer of first_level")
    page.wait_for_url(lambda url: url.endswith(f"?task={CHAIN}&run=first_level&outcome=failed"))
    assert page.locator("svg.graph .step.missing").count() == 2
    # The filter holds while one goes from task to task.
    page.get_by_role("button", name="Previous").click()
    see(page, "L3_dag_0008")
    page.get_by_role("button", name="All tasks").click()
    see(page, "6 tasks")
    page.go_back()
    see(page, "The answer of first_level")


def test_each_verdict_is_in_words(visit: Any) -> None:
    page = visit(f"?task={CHAIN}&run=careless")
    see(page, "✗ wrong")
    see(page, "nothing: nobody asked for it")
    see(page, "min(1, 2 expected / 3 made)")
    picture = page.locator("svg.graph").filter(visible=True).first
    assert "which takes temperature_c of step 1 as value" in picture.get_attribute("aria-label")
    choose(page, "Run", "oracle")
    see(page, "Solved: every call is right")
    see(page, "✓ flowed")
    page.wait_for_url(f"**?task={CHAIN}&run=oracle")


@SIZES
def test_two_runs_are_compared_and_lead_to_a_task(visit: Any, size: tuple[int, int]) -> None:
    page = visit(size=size)
    open_tab(page, "Compare")
    see(page, "Choose two runs or more")
    choose(page, "Runs (two to 6)", "careless", "oracle")
    see(page, "They were asked alike")
    see(page, "A − B by level and by category")
    page.wait_for_url("**?tab=compare&with=careless&with=oracle")
    page.get_by_role("link", name="A: E").first.click()
    see(page, "The answer of careless")
    assert "&run=careless" in page.url
    page.go_back()
    see(page, "They were asked alike")


@SIZES
def test_the_figures_are_drawn_and_answer_the_mouse(visit: Any, size: tuple[int, int]) -> None:
    page = visit("?tab=figures", size)
    see(page, "Outcomes by level")
    chart = page.locator(".chart canvas, .chart svg.marks").filter(visible=True)
    chart.first.wait_for()
    page.wait_for_timeout(1500)
    assert chart.count() >= 5
    box = chart.first.bounding_box()
    assert box["x"] + box["width"] <= size[0]
    # Marks tell their values: points of a few pixels may lie between the places that are tried, the cells
    # of a heat map and bars do not.
    told = [text for number in range(chart.count()) if (text := told_by(page, chart.nth(number)))]
    assert len(told) >= 2
    assert any("model" in text for text in told)


def told_by(page: Any, chart: Any) -> str:
    """What a mark of a figure tells the mouse; nothing where none was met."""
    chart.scroll_into_view_if_needed()
    box, tip = chart.bounding_box(), page.locator("#vg-tooltip-element.visible")
    for across in range(10, 100, 9):
        for down in range(10, 100, 9):
            page.mouse.move(
                box["x"] + box["width"] * across / 100, box["y"] + box["height"] * down / 100
            )
            if tip.count():
                return str(tip.inner_text())
    return ""


@SIZES
def test_a_task_is_judged_and_one_goes_on_another_day(
    visit: Any, folder: Path, size: tuple[int, int]
) -> None:
    ids = [task.task_id for task in sample(SUITE)]
    done = 0 if size[0] > 1000 else 1
    page = visit(size=size)
    open_tab(page, "Validate")
    see(page, f"{done} judged")
    see(page, ids[done])
    page.get_by_role("button", name="Save and go on").click()
    see(page, "judge all four criteria")
    for number in range(4):
        answer = "No" if number == 3 else "Yes"
        page.get_by_label(answer, exact=True).filter(visible=True).nth(number).check()
    page.get_by_label("Note").filter(visible=True).fill(HOSTILE)
    page.get_by_role("button", name="Save and go on").click()
    see(page, f"Kept: {ids[done]}.")
    see(page, f"{done + 1} judged")
    sheet = read_sheet(next((folder / "submissions" / "annotations").glob("*/local.csv"))).verdicts
    assert list(sheet[ids[done]].values()) == [True, True, True, False]
    again = visit("?tab=validate", size)
    see(again, f"Task {done + 2} of 8 as local; {done + 1} judged.")


@SIZES
def test_from_the_board_to_why_a_model_fails_and_back(visit: Any, size: tuple[int, int]) -> None:
    page = visit(size=size)
    page.get_by_role("link", name="first_level").first.click()
    see(page, "Solved by level")
    focused(page, "first_level")
    page.get_by_role("link", name="There is no call.").click()
    see(page, "6 tasks")
    focused(page, "Answers of first_level")
    page.wait_for_url("**?tab=explore&of=first_level&outcome=E2_no_call")
    page.get_by_role("link", name=CHAIN).click()
    see(page, "The answer of first_level")
    focused(page, CHAIN)
    see(page, "Next E2_no_call (key N)")
    met = [CHAIN]
    for _ in range(6):
        page.keyboard.press("n")
        page.wait_for_function(
            "(id) => document.activeElement.tagName === 'H2' "
            "&& !document.activeElement.innerText.startsWith(id)",
            arg=met[-1],
        )
        met.append(page.evaluate("document.activeElement.innerText").split()[0])
        page.wait_for_url(f"**?task={met[-1]}&run=first_level&outcome=E2_no_call")
    assert met[-1] == CHAIN
    assert len(set(met)) == 6
    # Who is typing types.
    page.get_by_label("Run", exact=True).filter(visible=True).first.focus()
    page.keyboard.press("n")
    page.wait_for_timeout(600)
    assert f"task={CHAIN}" in page.url
    page.evaluate("history.go(-7)")
    page.wait_for_url("**?tab=explore&of=first_level&outcome=E2_no_call")
    see(page, "6 tasks")
    page.evaluate("history.back()")
    page.wait_for_url("**?run=first_level")
    see(page, "Solved by level")
    page.evaluate("history.back()")
    page.wait_for_url(lambda url: "run=" not in url)
    page.get_by_role("link", name="first_level").first.wait_for()


def focused(page: Any, beginning: str) -> None:
    """Wait until the heading of a page has the focus."""
    page.wait_for_function(
        "(text) => document.activeElement.tagName === 'H2' "
        "&& document.activeElement.innerText.startsWith(text)",
        arg=beginning,
    )


def test_an_upload_is_looked_at_before_it_is_published(visit: Any) -> None:
    page = visit("?tab=submit")
    traces = trace_lines("not yet public", careless, SUITE).decode()
    page.get_by_label("or paste the lines").fill(traces)
    page.get_by_role("button", name="Check and score").click()
    see(page, "Nothing is public yet")
    page.get_by_role("link", name="See every answer, task by task").click()
    see(page, "Answers of not yet public")
    page.wait_for_url("**?tab=explore&of=*")
    private = page.url
    page.get_by_role("link", name=CHAIN).click()
    see(page, "The answer of not yet public")
    see(page, "Next E9_data_flow_error (key N)")
    page.keyboard.press("n")
    page.wait_for_url(lambda url: "task=" in url and CHAIN not in url)
    see(page, "The answer of not yet public")
    # The form still holds what was pasted.
    open_tab(page, "Submit")
    assert page.get_by_label("or paste the lines").input_value() == traces
    with_link = visit(private.rpartition("/")[2])
    see(with_link, "Answers of not yet public")
    other = visit("?tab=explore")
    see(other, "8 tasks")
    other.get_by_label("Run", exact=True).filter(visible=True).first.fill("public")
    other.wait_for_timeout(600)
    assert other.get_by_role("option").filter(has_text="not yet public").count() == 0
    see(visit("?tab=explore&of=" + "0" * 32), "There is no run")


def test_the_worst_tasks_of_a_run_lead_to_why(visit: Any) -> None:
    page = visit("?run=first_level")
    page.get_by_role("link", name=CHAIN).click()
    see(page, "The answer of first_level")
    assert page.url.endswith(f"?task={CHAIN}&run=first_level")
