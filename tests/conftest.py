"""Settings of all tests."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from tests.stand_ins.browser import CHROMIUM, FLAGS, WIDE

if TYPE_CHECKING:
    from tests.stand_ins.hub import Hub

# No test reads a login of the user's, or leaves anything in their cache.
_HOME = tempfile.TemporaryDirectory(prefix="home-")
os.environ["HF_HOME"] = os.environ["XDG_CACHE_HOME"] = _HOME.name
# The stand-in for the Hub takes large files through LFS. Both are read when huggingface_hub is imported.
os.environ["HF_HUB_DISABLE_XET"] = "1"

# A busy machine is no failure.
settings.register_profile("project", deadline=None)
settings.load_profile("project")


@pytest.fixture(scope="session")
def hub_server() -> Iterator["Hub"]:
    """A stand-in for the Hub, shared by the tests of a process."""
    from tests.stand_ins.hub import Hub

    with Hub() as hub:
        yield hub


@pytest.fixture
def hub(hub_server: "Hub") -> Iterator["Hub"]:
    """The stand-in, without a fault when the test begins."""
    yield hub_server
    hub_server.mend()


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """The page over the suite and the runs of a module's own ``folder``."""
    from tests.stand_ins.page_server import served

    with served(folder) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Any, address: str) -> Iterator[Any]:
    """Opens the page; an error in its console or a request to elsewhere fails the test."""
    pages, faults = [], []

    def open_page(query: str = "", size: tuple[int, int] = WIDE) -> Any:
        page = browser.new_page(viewport={"width": size[0], "height": size[1]})
        page.set_default_timeout(90_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: faults.append(f"dialog: {dialog.message}"))
        page.on(
            "request", lambda request: faults.append(request.url) if _is_outside(request) else None
        )
        page.goto(address + query)
        pages.append(page)
        return page

    def _is_outside(request: Any) -> bool:
        return not request.url.startswith((address, "data:", "blob:"))

    yield open_page
    for page in pages:
        page.close()
    assert faults == []
