"""The first view: sentences, levels, the example, and the pictures that documents show of it."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest

from dataset_builder.published.load_suite import published_suite
from dataset_builder.tasks.task import SUITE_LEVELS, Suite
from space.html.hero import EXAMPLE_ID, example, hero
from space.html.level_pictures import level_pictures
from space.html.task_graph import graph
from space.html.task_picture import PREVIEW_SIZE, preview, preview_png, task_picture
from tests.samples.small_suite import small_suite

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "dataset_builder" / "published" / "documents" / "task.svg"


def test_the_picture_in_the_documents_is_what_is_drawn() -> None:
    drawn = task_picture(example(published_suite()))
    assert PICTURE.read_text("utf-8") == drawn
    assert len(drawn) < 10_000
    for document in (ROOT / "README.md", PICTURE.with_name("README.md")):
        shown = re.findall(r"!\[[^]]+\]\(([^)]+\.svg)\)", document.read_text("utf-8"))
        assert [(document.parent / name).resolve() for name in shown] == [PICTURE]


def test_the_picture_of_the_page_is_small() -> None:
    page = ROOT / "docs" / "page.png"
    assert page.read_bytes().startswith(b"\x89PNG")
    assert page.stat().st_size < 150_000
    assert "(docs/page.png)" in (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("suite", [small_suite(), published_suite()], ids=["small", "published"])
def test_pictures_are_whole_svg_files(suite: Suite) -> None:
    for file in (task_picture(example(suite)), preview(suite)):
        root = ElementTree.fromstring(file)
        width, height = (int(root.attrib[name]) for name in ("width", "height"))
        assert root.attrib["viewBox"] == f"0 0 {width} {height}"
        # A ground of its own: readable on white and on dark.
        ground = next(e for e in root if e.tag.endswith("rect"))
        assert ground.attrib["fill"] == "#fff"
        assert (ground.attrib["width"], ground.attrib["height"]) == (str(width), str(height))


def test_the_preview_has_the_size_that_previews_have() -> None:
    png = preview_png(published_suite())
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    size = (int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big"))
    assert size == PREVIEW_SIZE == (1200, 630)


def test_the_request_is_whole_in_the_picture() -> None:
    task = example(published_suite())
    texts = [e.text or "" for e in ElementTree.fromstring(task_picture(task)).iter() if e.text]
    assert f"“{task.prompt}”" in " ".join(texts)


def test_the_example_is_a_graph_with_its_calls() -> None:
    task = example(published_suite())
    assert (task.task_id, task.level.title) == (EXAMPLE_ID, "Graph")
    page = hero(published_suite())
    assert task.prompt in page
    assert all(step.tool in page for step in task.steps)
    # What a call says and nothing flows into stands in its box.
    for words in ("city: Copenhagen", "from: celsius, to: fahrenheit", "recipient: Chloe Bennett"):
        assert words in page


def test_another_suite_shows_a_task_of_its_own() -> None:
    suite = small_suite()
    task = example(suite)
    assert task is suite.by_id[task.task_id]
    assert task.level == max(each.level for each in suite.tasks)


def test_the_levels_have_the_names_that_they_have_elsewhere() -> None:
    page = level_pictures()
    for level in SUITE_LEVELS:
        assert f"<b>{level.title} <small>L{level.value}</small></b>" in page
    assert page.count("<svg") == 4


def test_a_hostile_literal_is_text() -> None:
    task = example(published_suite())
    first = replace(task.steps[0], arguments={"city": "</text><script>x"})
    drawn = graph(replace(task, steps=(first, *task.steps[1:])))
    assert "<script" not in drawn
    assert "&lt;script&gt;" in drawn
