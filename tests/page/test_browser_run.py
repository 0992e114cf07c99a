"""Running a model in a real browser: start, watch, cancel, come back by the link, resume, publish."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from evaluator.asking.local_model import obstacle
from tests.samples.small_suite import small_suite, write_suite
from tests.stand_ins.browser import NEEDED, SIZES, misfits, see
from tests.stand_ins.provider import Provider

pytestmark = NEEDED
SUITE = small_suite(6, 6, 6, 6)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    write_suite(SUITE, folder / "suite.jsonl")
    return folder


def field(page: Any, label: str) -> Any:
    """The field of that label that shows."""
    block = page.locator(".block").filter(has=page.get_by_text(label, exact=True), visible=True)
    return block.locator("input, textarea").first


@SIZES
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_form_fits_its_screen(visit: Any, size: tuple[int, int], theme: str) -> None:
    page = visit(f"?__theme={theme}&tab=model", size)
    see(page, "Where it runs")
    assert misfits(page, size) == []
    page.get_by_label("An OpenAI-compatible endpoint").check()
    see(page, "as the endpoint calls it")
    page.get_by_role("button", name="Start").click()
    see(page, "give the endpoint's address")
    assert "job=" not in page.url


@SIZES
@pytest.mark.skipif(obstacle() is not None, reason="the local model is not installed")
def test_the_local_model_runs_is_cancelled_and_resumed_by_its_link(
    visit: Any, address: str, size: tuple[int, int]
) -> None:
    page = visit("?tab=model", size)
    page.get_by_label("Here: a small model").check()
    see(page, "SmolLM2 135M; it takes")
    page.get_by_role("button", name="Estimate").click()
    see(page, "24 answers")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**?job=*")
    link = page.url.removeprefix(address)
    see(page, "Solved so far")
    assert misfits(page, size) == []
    page.get_by_role("button", name="Cancel").click()
    see(page, "it was cancelled")
    assert misfits(page, size) == []
    page.close()
    again = visit(link, size)
    see(again, "it was cancelled")
    with again.expect_download() as download:
        again.get_by_role("link", name="Download the traces").click()
    kept = Path(download.value.path()).read_text().splitlines()
    assert 0 < len(kept) < 24
    again.get_by_role("button", name="Resume").click()
    see(again, "running")
    again.reload()
    see(again, f"{len(kept) + 1} of 24 answers")
    again.get_by_role("button", name="Cancel").click()
    see(again, "it was cancelled")
    stranger = visit("?job=" + "0" * 32, size)
    see(stranger, "there is no such job here")


@SIZES
def test_a_complete_run_is_read_and_published(visit: Any, size: tuple[int, int]) -> None:
    key = f"sk-{size[0]}-secret"
    with Provider(SUITE) as provider:
        page = visit("?tab=model", size)
        page.get_by_label("An OpenAI-compatible endpoint").check()
        see(page, "as the endpoint calls it")
        field(page, "Model").fill(f"model-{size[0]}")
        field(page, "Address").fill(provider.url)
        key_field = page.locator("input[type=password]").filter(visible=True).first
        key_field.fill(key)
        field(page, "Protocol").click()
        page.get_by_role("option", name="multi-turn").click()
        page.get_by_role("button", name="Start").click()
        see(page, "Scores by level")
    job = page.url
    assert misfits(page, size) == []
    assert {headers["authorization"] for headers, _ in provider.requests} == {f"Bearer {key}"}
    assert key not in page.content()
    page.get_by_role("button", name="Publish this run").click()
    page.wait_for_url("**mark=**")
    name = parse_qs(urlsplit(page.url).query)["mark"][0]
    page.locator(f".board a[href*='run={name}']").filter(visible=True).first.click()
    see(page, "Run on this machine, without fresh tasks")
    page.goto(job)
    see(page, "Published:")
    page.get_by_role("button", name="Run another").click()
    key_field.wait_for()
    assert key_field.input_value() == ""
