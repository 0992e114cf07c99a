"""How soon a visitor sees the page, 300 rows on it, in Chromium: `python -m tests.bench.first_view`."""

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dataset_builder.published.load_suite import load_suite
from tests.bench.board import fill
from tests.stand_ins.browser import CHROMIUM, FLAGS, WIDE
from tests.stand_ins.page_server import start, stop

ROWS = 300
VISITS = 3
# By what is measured: the address, and the first thing on the page that a visitor came for.
VIEWS = {
    "the board": ("?view=self-reported", ".board tbody td.model, .board tbody th.model"),
    "the figures": ("?tab=figures&view=self-reported", ".chart .vega-embed svg, .chart canvas"),
    "submit": ("?tab=submit", "text=Nothing is public before"),
}
_SENT = "performance.getEntries().reduce((sum, e) => sum + (e.transferSize || 0), 0) / 2 ** 20"


def visit(browser: Any, address: str, query: str, wanted: str) -> tuple[float, float]:
    """Seconds until what is wanted can be seen, by a browser that keeps nothing, and MB it was sent."""
    page = browser.new_page(viewport={"width": WIDE[0], "height": WIDE[1]})
    page.set_default_timeout(120_000)
    begin = time.perf_counter()
    page.goto(address + query, wait_until="commit")
    page.locator(wanted).filter(visible=True).first.wait_for()
    seconds = time.perf_counter() - begin
    sent = float(page.evaluate(_SENT))
    page.close()
    return seconds, sent


def measure(browser: Any, serve: Callable[[], tuple[Any, str]]) -> None:
    """Print the first visit to a page that has just started, and the median of some later ones."""
    page, address = serve()
    try:
        for name, (query, wanted) in VIEWS.items():
            first, _ = visit(browser, address, query, wanted)
            later = [visit(browser, address, query, wanted) for _ in range(VISITS)]
            seconds = statistics.median(time for time, _ in later)
            print(
                f"{name:20} first {first:6.2f} s   later {seconds:6.2f} s   {later[0][1]:6.2f} MB"
            )
    finally:
        stop(page)


def main() -> None:
    """Fill a folder and look at it."""
    if CHROMIUM is None:
        print("needs chromium on the PATH")
        return
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        fill(Path(name), load_suite(), ROWS)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        print(f"load of this machine {os.getloadavg()[0]:.1f}, {ROWS} runs")
        measure(browser, lambda: start(Path(name), suite=None))
        browser.close()


if __name__ == "__main__":
    main()
