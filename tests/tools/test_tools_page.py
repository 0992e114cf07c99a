"""The page of the tools is that of the catalogue."""

from pathlib import Path

from dataset_builder.tools import catalogue
from dataset_builder.tools.tools_page import KINDS, PAGE, page

ROOT = Path(__file__).parents[2]
TOOLS = list(catalogue().values())


def test_the_page_is_that_of_the_catalogue() -> None:
    committed = (ROOT / PAGE).read_text(encoding="utf-8")
    assert committed == page(catalogue()), "the page is out of date: make docs"


def test_the_page_says_everything() -> None:
    text = page(catalogue())
    for tool in TOOLS:
        section = text.partition(f"\n### {tool.name}\n")[2].partition("\n### ")[0]
        for name in [*tool.parameters, *tool.returns]:
            assert f"| `{name}` |" in section
        for p in tool.parameters.values():
            assert p.kind.describe()["kind"] in KINDS
