"""The page as a browser shows it: which one, on which screens, and what is looked for."""

import re
import shutil
from typing import Any

import pytest

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
NEEDED = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="needs chromium on the PATH"),
]
"""What a module of tests with a browser is marked with."""
WIDE, NARROW = (1440, 1000), (390, 844)
SIZES = pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
TAB_OF = {
    "Figures": "Compare",
    "Run a model": "Run or submit",
    "Submit": "Run or submit",
    "Paper's results": "About",
    "Validate": "About",
}
"""The tab in which a section stands."""
HOSTILE = "<img src=x onerror=alert(1)> {{1.x}} ${alert(2)}"

# The least contrast between a text and what lies under it, over all visible texts of the page.
_LEAST_CONTRAST = """() => {
  const parse = (c) => (c.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const under = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const c = parse(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] === 1) return c;
    }
    return document.body.classList.contains('dark') ? [0, 0, 0] : [255, 255, 255];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let least = [21, ''];
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim(), element = walker.currentNode.parentElement;
    if (!text || !element.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})) continue;
    if (element.closest('button:disabled')) continue;
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(under(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least[0]) least = [ratio, text.slice(0, 60)];
  }
  return least;
}"""


def see(page: Any, text: str | re.Pattern[str]) -> Any:
    """Wait until a text shows."""
    element = page.get_by_text(text).filter(visible=True).first
    element.wait_for()
    return element


def open_tab(page: Any, name: str) -> None:
    """Go to a tab, or to the section of one; on a narrow screen some stand in a menu."""
    if name in TAB_OF:
        open_tab(page, TAB_OF[name])
    page.get_by_role("tab").first.wait_for()
    tab = page.get_by_role("tab", name=name, exact=True).filter(visible=True)
    if name in TAB_OF:
        tab.first.wait_for()
    if not tab.count():
        page.locator(".overflow-menu > button").filter(visible=True).first.click()
        tab = page.locator(".overflow-dropdown button").filter(has_text=name, visible=True)
    tab.first.click()


def misfits(page: Any, size: tuple[int, int]) -> list[str]:
    """Whether the page is wider than its screen, and the text on it that is hardest to read, if it is."""
    page.wait_for_timeout(700)
    width = page.evaluate("document.documentElement.scrollWidth")
    ratio, text = page.evaluate(_LEAST_CONTRAST)
    too_wide = [f"{width} pixels on a screen of {size[0]}"] if width > size[0] else []
    too_pale = [f"{text!r} has a contrast of {ratio:.2f}"] if ratio < 4.5 else []
    return too_wide + too_pale
