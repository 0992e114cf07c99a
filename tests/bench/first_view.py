"""How soon a visitor sees the page, 300 rows on it, in Chromium that keeps nothing."""

import atexit
from collections.abc import Callable
from pathlib import Path

from dataset_builder.published.load_suite import load_suite
from tests.bench.measure import Measure, Work
from tests.bench.submissions import fill
from tests.stand_ins.browser import CHROMIUM, FLAGS, WIDE
from tests.stand_ins.page_server import start, stop

ROWS = 300
# By what is measured: the address, and the first thing on the page that a visitor came for.
VIEWS = {
    "the board": ("?view=self-reported", ".board tbody td.model, .board tbody th.model"),
    "the figures": ("?tab=figures&view=self-reported", ".chart .vega-embed svg, .chart canvas"),
    "submit": ("?tab=submit", "text=Nothing is public before"),
}


def submitted(folder: Path) -> None:
    fill(folder, load_suite(), ROWS)


def _visit(query: str, wanted: str, is_first: bool) -> Callable[[Path], Work]:
    """The first visit to a page that has just started, or a later one."""

    def prepare(folder: Path) -> Work:
        from playwright.sync_api import sync_playwright

        if CHROMIUM is None:
            raise SystemExit("needs chromium on the PATH")
        page, address = start(folder, suite=None)
        atexit.register(stop, page)
        playwright = sync_playwright().start()
        atexit.register(playwright.stop)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)

        def work() -> None:
            tab = browser.new_page(viewport={"width": WIDE[0], "height": WIDE[1]})
            tab.set_default_timeout(120_000)
            tab.goto(address + query, wait_until="commit")
            tab.locator(wanted).filter(visible=True).first.wait_for()
            tab.close()

        if not is_first:
            work()
        return work

    return prepare


MEASURES = tuple(
    Measure(
        f"{name}, {'first' if is_first else 'later'} visit",
        _visit(query, wanted, is_first),
        submitted,
        rounds=2,
        waits=True,
    )
    for name, (query, wanted) in VIEWS.items()
    for is_first in (True, False)
)
