"""Compare and Figures: what the page says of several runs."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from dataset_builder.tasks.task import Suite
from evaluator.comparing.compare import comparison
from evaluator.comparing.solved_by_one import solved_by_one
from evaluator.scoring.metrics import SOLVED
from evaluator.scoring.text_tables import percent
from space.html.compare_page import claim, compare_address, compare_page
from space.services import Services
from space.tabs.compare_tab import MOST, CompareTab
from space.tabs.figures_tab import MOST_RUNS, SLOTS, FiguresTab, figures_address, sections
from tests.samples.small_site import (
    Answer,
    add_run,
    add_submission,
    careless,
    first_level,
    oracle,
    silent,
    small_site,
)
from tests.samples.small_suite import small_suite
from tests.stand_ins.lone_tab import lone_tab

SUITE = small_suite(8, 8, 8, 8)
ANSWERS: Mapping[str, Answer] = {
    "oracle": oracle,
    "silent": silent,
    "careless": careless,
    "first_level": first_level,
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Services:
    folder = tmp_path_factory.mktemp("site")
    add_run(folder, "asked_otherwise", oracle, SUITE, protocol="multi-turn")
    return small_site(folder, SUITE, ANSWERS)


def page(site: Services, *names: str) -> str:
    tab = lone_tab(CompareTab, site)
    return str(tab.show(names)[tab.page])


def text(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_the_page_says_what_the_command_says(site: Services) -> None:
    board = site.board.current()
    entries = [board.find(name) for name in ("oracle", "first_level")]
    results = [entry.result for entry in entries if entry]
    compared = comparison(results, SUITE)
    words = text(page(site, "oracle", "first_level"))
    for row in compared["differences"]:
        if row["difference"] is not None:
            assert percent(row["difference"], signed=True) in words
    for row in compared["categories"]:
        assert row["category"].replace("&", "&amp;") in words
    test = compared["strict"][0]
    assert f"{test['only_a']} : {test['only_b']} {test['p']:.3g} {test['p_holm']:.3g}" in words
    assert "They were asked alike" in words
    # Five templates are too few to claim anything, however clear it looks.
    assert "no difference shown" in words
    assert "ahead" not in words
    assert "too few templates" in words


@pytest.mark.parametrize(
    ("significant", "difference", "said"),
    [(True, 0.1, "✓ A ahead"), (True, -0.1, "✓ B ahead"), (False, 0.9, "no difference shown")],
)
def test_only_what_is_significant_is_claimed(
    significant: bool, difference: float, said: str
) -> None:
    assert said in claim({"significant": significant, "difference": difference}, "A", "B")


def test_a_gap_has_no_winner(site: Services) -> None:
    """A larger loss is no lead, and the weighted gap is no evidence, whatever their intervals are."""
    html = page(site, "oracle", "first_level")
    tables = [part.partition("</table>")[0] for part in html.split("<table")[1:]]
    (gaps,) = (part for part in tables if "gap of A minus gap of B" in part)
    assert "loss to graphs (L0 − L3)" in gaps
    assert "verdict" not in gaps
    assert "says" not in gaps
    assert "a larger one is no better" in gaps
    judged = [part for part in tables if "verdict" in part]
    assert len(judged) == 3
    assert all(f"{SOLVED.name} says" in part for part in judged)


def test_tasks_that_only_one_solves_are_one_click_away(site: Services) -> None:
    board = site.board.current()
    results = [entry.result for n in ("silent", "oracle") if (entry := board.find(n))]
    only = solved_by_one(results)
    assert only == dict.fromkeys(SUITE.by_id, 1)
    results = [e.result for n in ("first_level", "oracle", "silent") if (e := board.find(n))]
    only = solved_by_one(results)
    assert only == {task.task_id: 1 for task in SUITE.tasks if task.level > 0}
    html = page(site, "first_level", "oracle", "silent")
    for task in SUITE.tasks:
        for run in ("first_level", "oracle", "silent"):
            link = f'href="?task={task.task_id}&amp;run={run}"'
            assert (link in html) == (task.level > 0)
    assert "A 0, B 24, C 0" in html


def test_runs_that_were_asked_differently_are_said_to_be(site: Services) -> None:
    words = text(page(site, "oracle", "asked_otherwise"))
    assert "These runs were not asked alike." in words
    assert "protocol (single-turn.1, multi-turn.2)" in words
    assert "no difference shown" in words
    assert "There is none: every task is solved by none of them or by several." in words


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ((), "Choose two runs or more"),
        (("oracle",), "Choose two runs or more"),
        (("oracle", "oracle"), "Choose two runs or more"),
        (("oracle", "<b>none</b>"), "is not on this page"),
        (tuple(f"run{i}" for i in range(MOST + 1)), f"At most {MOST} runs"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(
    site: Services, names: tuple[str, ...], said: str
) -> None:
    html = page(site, *names)
    assert said in html
    assert "<b>none" not in html


def test_runs_without_a_common_task_are_one_sentence(tmp_path: Path) -> None:
    for number, task in enumerate(SUITE.tasks[:2]):
        run = tmp_path / "runs" / f"part{number}"
        run.mkdir(parents=True)
        (run / "run.json").write_text('{"limit": 1}')
        row = {"task_id": task.task_id, "model": "m", "calls": []}
        (run / "traces.jsonl").write_text(f"{json.dumps(row)}\n")
    words = page(small_site(tmp_path, SUITE), "part0", "part1")
    assert "the runs have no task in common" in words


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    site = small_site(tmp_path, SUITE, {"oracle": oracle})
    nasty = "<script>alert(1)</script>"
    name = add_submission(site, nasty, silent)
    board = site.board.complete()
    html = compare_page([e for n in ("oracle", name) if (e := board.find(n))], SUITE)
    assert "<script" not in html
    assert "&lt;script&gt;" in html


def test_the_address_leads_back() -> None:
    assert compare_address(["a", "b c"]) == "tab=compare&with=a&with=b+c"
    assert figures_address("made here", None) == "tab=figures&view=made+here"


# Figures --------------------------------------------------------------------------------------


def test_the_figures_are_the_reports(site: Services) -> None:
    figures, left_out = sections(site.board.current(), "made here")
    assert left_out == 0
    assert len(figures) == 2
    tab = lone_tab(FiguresTab, site)
    shown = list(tab.show({"view": "made here", "setting": figures[0].name}).values())
    assert shown[0] == "made here"
    slots = shown[3:]
    charts = [slot for slot in slots[2::4] if slot is not None]
    assert len(charts) == len(figures[0].figures) <= SLOTS
    parts = zip(slots[1::4], slots[2::4], slots[3::4], strict=True)
    for figure, (title, chart, caption) in zip(figures[0].figures, parts, strict=False):
        assert chart.to_dict()["config"] == figure.chart.to_dict()["config"]
        assert figure.title in title
        assert figure.alt.split("<")[0][:40] in caption


def test_an_empty_view_and_a_made_up_setting_get_an_answer(site: Services) -> None:
    tab = lone_tab(FiguresTab, site)
    assert "There is no run to draw" in tab.show({"view": "verified"})[tab.words]
    assert tab.show({"view": "<b>", "setting": "none"})[tab.view] == "made here"


def test_of_many_runs_the_best_are_drawn(tmp_path: Path) -> None:
    suite: Suite = small_suite()
    site = small_site(tmp_path, suite)
    for number in range(MOST_RUNS + 5):
        answer: Answer = oracle if number < 3 else silent
        add_submission(site, f"model {number:03}", answer)
    figures, left_out = sections(site.board.complete(), "self-reported")
    assert left_out == 5
    assert len(figures) == 1
