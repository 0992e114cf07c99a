"""Submitting in a real browser: the example, pasted rows, problems in groups, what was read; own jobs."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.samples.small_suite import small_suite, write_suite
from tests.samples.submitted_files import trace_lines
from tests.stand_ins.browser import NEEDED, SIZES, misfits, see
from tests.stand_ins.provider import Provider, always

pytestmark = NEEDED
SUITE = small_suite()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    write_suite(SUITE, folder / "suite.jsonl")
    return folder


def paste(page: Any, text: str) -> None:
    page.get_by_label("or paste the lines").fill(text)
    page.get_by_role("button", name="Check and score").click()


@SIZES
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pasted_rows_are_told_apart_mended_and_scored(
    visit: Any, size: tuple[int, int], theme: str
) -> None:
    page = visit(f"?__theme={theme}&tab=submit", size)
    see(page, "An example: three tasks answered").click()
    see(page, '"task_id": "L0_')
    assert misfits(page, size) == []
    with page.expect_download() as download:
        page.get_by_role("link", name="Download it").click()
    example = Path(download.value.path()).read_text()
    bad = "".join(f'{{"task_id": "x{number}"}}\n' for number in range(200))
    paste(page, bad + "{\n")
    see(page, "the file has 201 problems of 2 kinds")
    see(page, "pasted text, lines 1–200: calls: expected a list of calls, got null")
    see(page, "pasted text:201: is no JSON")
    assert page.locator("ol.problems li").count() == 2
    assert misfits(page, size) == []
    rows = [json.loads(line) for line in trace_lines(f"m{size[0]}{theme}", 8).splitlines()]
    for row in rows:
        row["tool_calls"] = [
            {"type": "function", "function": {**call, "arguments": json.dumps(call["arguments"])}}
            for call in row.pop("calls")
        ]
    paste(page, "".join(f"{json.dumps(row)}\n" for row in rows))
    see(page, "Nothing is public yet")
    see(page, "8 of 8 tasks, one answer each")
    see(page, "The calls stand in “tool_calls” of 8 rows.")
    assert misfits(page, size) == []
    paste(page, example)
    see(page, "3 of 8 tasks, one answer each")


@SIZES
def test_without_a_model_the_field_has_the_focus(visit: Any, size: tuple[int, int]) -> None:
    page = visit("?tab=model", size)
    see(page, "Where it runs")
    for button in ("Estimate", "Start"):
        page.get_by_role("button", name=button).click()
        see(page, "choose a model first: one of the list, or any other as PROVIDER/MODEL")
        page.wait_for_function("document.activeElement.closest('#order-model') !== null")
        page.locator("#order-model input").blur()


@SIZES
def test_the_jobs_of_a_browser_are_listed_and_can_be_taken_off(
    browser: Any, address: str, size: tuple[int, int]
) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    with Provider(SUITE, script=always("hang")) as provider:
        page.goto(f"{address}?tab=model")
        page.get_by_label("An OpenAI-compatible endpoint").check()
        see(page, "as the endpoint calls it")
        page.locator("#order-model input").fill(f"mine-{size[0]}")
        page.get_by_label("Address").fill(provider.url)
        page.get_by_role("button", name="Start").click()
        page.wait_for_url("**?job=*")
        link = page.url.removeprefix(address)
        page.get_by_role("button", name="Cancel").click()
        see(page, "it was cancelled")
    # A new tab of the same browser, and one of somebody else's.
    again = context.new_page()
    again.goto(f"{address}?tab=model")
    see(again, "Runs ordered from this browser")
    assert misfits(again, size) == []
    line = again.locator("ul.jobs li").filter(has_text=f"mine-{size[0]}")
    assert "stopped" in line.inner_text()
    stranger = browser.new_page()
    stranger.goto(f"{address}?tab=model")
    see(stranger, "Where it runs")
    stranger.wait_for_timeout(1_500)
    assert stranger.locator("ul.jobs").count() == 0
    line.get_by_role("link").click()
    see(again, "it was cancelled")
    assert again.url.removeprefix(address) == link
    again.goto(f"{address}?tab=model")
    line.get_by_role("button", name="Remove").click()
    again.wait_for_function("!document.querySelector('ul.jobs')")
    again.reload()
    see(again, "Where it runs")
    again.wait_for_timeout(1_500)
    assert again.locator("ul.jobs").count() == 0
    again.evaluate("localStorage.setItem('comptoolbench-jobs', '[\"<img src=x>\", 7')")
    again.goto(f"{address}?job={'0' * 32}")
    see(again, "there is no such job here: the link is wrong, or the job was deleted")
    stranger.close()
    context.close()
