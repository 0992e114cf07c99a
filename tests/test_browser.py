"""The page in a real browser: the board, the reasons, a bad upload, a good one, and publishing it."""

import json
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.small_suite import small_suite, write_suite

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="needs chromium on the PATH"),
]


def command(folder: Path, *arguments: str) -> list[str]:
    """The command line in a process of its own."""
    return [
        sys.executable,
        "-m",
        "comptoolbench",
        *arguments,
        "--suite",
        str(folder / "suite.jsonl"),
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working directory with a small suite and two runs over it."""
    folder = tmp_path_factory.mktemp("page")
    write_suite(small_suite(), folder / "suite.jsonl")
    for model in ("baseline:oracle", "baseline:silent"):
        subprocess.run(command(folder, "run", model), cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """The page, served on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(command(folder, "space", "--port", str(port)), cwd=folder)
    url = f"http://127.0.0.1:{port}/"
    try:
        for _ in range(240):
            try:
                urllib.request.urlopen(url, timeout=5).read()
                break
            except OSError:
                assert server.poll() is None, "the page did not start"
                time.sleep(0.5)
        yield url
    finally:
        server.terminate()
        server.wait(20)


@pytest.fixture
def page(address: str) -> Iterator[Any]:
    """A browser page that has loaded the board; any error in its console fails the test."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 1000})
        page.set_default_timeout(30_000)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address)
        see(page, "baseline:oracle")
        yield page
        browser.close()
    assert errors == []


def see(page: Any, text: str) -> None:
    """Wait until a text shows; tables keep hidden copies of their cells to measure them."""
    page.get_by_text(text).filter(visible=True).first.wait_for()


def upload(page: Any, file: Path) -> None:
    """Choose a file in the tab where traces are scored."""
    page.get_by_role("tab", name="Score a trace file").click()
    with page.expect_file_chooser() as chooser:
        page.get_by_text("Click to Upload").click()
    chooser.value.set_files(file)


def test_the_board_lists_the_runs_and_the_second_tab_says_why(page: Any) -> None:
    see(page, "baseline:silent")
    page.get_by_role("tab", name="Why").click()
    see(page, "selection gap")
    page.get_by_label("Run", exact=True).click()
    page.get_by_role("option", name="baseline:silent").click()
    see(page, "There is no call.")
    see(page, "E2_no_call")


def test_a_bad_upload_names_its_lines(page: Any, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{\n{"task_id": "L9_none_0001", "calls": []}\n')
    upload(page, bad)
    see(page, "bad.jsonl:1")
    see(page, "L9_none_0001")
    assert not page.get_by_role("button", name="Add to the board").is_visible()


def test_a_good_upload_is_scored_published_and_listed(page: Any, folder: Path) -> None:
    rows = (folder / "runs/baseline-oracle-single-turn-full/traces.jsonl").read_text().splitlines()
    renamed = folder / "mine.jsonl"
    renamed.write_text(
        "".join(json.dumps(json.loads(r) | {"model": "my <b>model</b>"}) + "\n" for r in rows)
    )
    upload(page, renamed)
    page.get_by_role("button", name="Add to the board").click()
    see(page, "On the board as")
    page.get_by_role("tab", name="Leaderboard").click()
    see(page, "my <b>model</b>")
    assert len(list((folder / "submissions").glob("*.jsonl"))) == 1
