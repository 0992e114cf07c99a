"""The page of a run: its bars lead to exactly their tasks; what takes it elsewhere is inert and bounded."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from dataset_builder.tasks.task import Task
from space.base.tiers import WITHDRAWN
from space.board.board import Board
from space.board.entry import Entry
from space.html.outcome_bars import FEWEST, error_bars, level_bars, weakest
from space.html.run_page import run_page
from space.html.run_pictures import badge_svg, preview_png, preview_svg
from space.html.run_sharing import bibtex, neighbour, tex
from space.html.task_list import task_rows
from space.html.task_query import read_task_address, select
from space.services import Services
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
from tests.stand_ins.html_reader import ReadPage

SUITE = small_suite(8, 8, 8, 8)
NASTY = '"><script>alert(1)</script>}\\input{x}%&\u202e\ud800\u0007' * 20


def uneven(task: Task) -> list[dict[str, object]]:
    """Right, wrong or nothing, by the task's number."""
    answers: tuple[Answer, ...] = (oracle, careless, silent, oracle)
    return list(answers[int(task.task_id[-4:]) % 4](task))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Services:
    folder = tmp_path_factory.mktemp("site")
    usage = {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}
    add_run(folder, "paid", uneven, SUITE, usage=usage, latency_ms=500, cost_usd=0.01)
    answers = {"oracle": oracle, "uneven": uneven, "silent": silent, "first_level": first_level}
    return small_site(folder, SUITE, answers)


def entry_of(site: Services, name: str) -> Entry:
    entry = site.board.current().find(name)
    assert entry is not None
    return entry


def links(html: str) -> list[tuple[str, str]]:
    """Address and text of each link to a list of tasks."""
    found = re.findall(r'<a href="\?(tab=explore[^"]*)"[^>]*>(.*?)</a>', html)
    return [(query.replace("&amp;", "&"), re.sub(r"<[^>]+>", " ", text)) for query, text in found]


# Bars -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["uneven", "silent", "first_level", "oracle"])
def test_each_bar_leads_to_exactly_its_tasks(site: Services, name: str) -> None:
    entry = entry_of(site, name)
    rows = task_rows(site.board.current(), SUITE, entry)

    def listed(query: str) -> int:
        address = read_task_address(parse_qsl(query))
        assert address.run == name
        return len(select(rows, address.query))

    levels = links(level_bars(entry.result, name))
    assert [listed(query) for query, _ in levels] == [8, 8, 8, 8]
    errors = links(error_bars(entry.result, SUITE, name))
    for query, text in errors:
        assert re.search(rf"\b{listed(query)} tasks?\b", text)
    unsolved = sum(not row["strict"] for row in entry.result.scores["tasks"])
    assert sum(listed(query) for query, _ in errors) == unsolved
    for part in weakest(entry.result, SUITE, name):
        counts = re.findall(r"(\d+) of (\d+) solved", part)
        assert counts
        for (query, _), (solved, of) in zip(links(part), counts, strict=True):
            assert listed(query) == int(of) - int(solved)
            assert int(of) >= FEWEST


def test_of_several_samples_a_bar_counts_tasks(tmp_path: Path) -> None:
    add_run(tmp_path, "twice", careless, SUITE)
    file = tmp_path / "runs" / "twice" / "traces.jsonl"
    lines = file.read_text().splitlines()
    again = [line.replace("{", '{"sample": 1, ', 1) for line in lines]
    file.write_text("\n".join([*lines, *again]))
    result = entry_of(small_site(tmp_path, SUITE), "twice").result
    assert len(result.scores["tasks"]) == 64
    counts = re.findall(r"(\d+) tasks?<", error_bars(result, SUITE, "twice"))
    assert sum(map(int, counts)) == 32


def test_without_a_run_to_look_at_nothing_is_a_link(site: Services) -> None:
    result = entry_of(site, "uneven").result
    html = (
        level_bars(result, "") + error_bars(result, SUITE, "") + "".join(weakest(result, SUITE, ""))
    )
    assert "<a" not in html
    assert "E2_no_call" in html


def test_spending_is_told_where_the_rows_tell_it(site: Services) -> None:
    board = site.board.current()
    words = ReadPage(run_page(board, entry_of(site, "paid"), SUITE, ())).words
    solved = sum(row["strict"] for row in entry_of(site, "paid").result.scores["tasks"])
    assert f"{32 * 0.01 / solved:.4g} US dollars a solved task" in words
    assert f"{32 * 0.5 / solved:.1f} seconds a solved task" in words
    assert "Self-reported" not in words
    assert "Spending" not in ReadPage(run_page(board, entry_of(site, "uneven"), SUITE, ())).words


def test_what_an_upload_spent_is_its_submitters_word(tmp_path: Path) -> None:
    site = small_site(tmp_path, SUITE)
    name = add_submission(site, "m", oracle, cost_usd=1.5)
    board = site.board.complete()
    entry = board.find(name)
    assert entry is not None
    words = ReadPage(run_page(board, entry, SUITE, ())).words
    assert "1.5 US dollars a solved task Self-reported: as the uploaded rows say" in words


def test_a_withdrawn_run_leads_to_no_answer(site: Services) -> None:
    entry = replace(entry_of(site, "uneven"), status=WITHDRAWN, status_reason="wrong")
    page = run_page(site.board.current(), entry, SUITE, ())
    assert "tab=explore" not in page
    assert "?task=" not in page
    assert "badge/" not in page


# Elsewhere ------------------------------------------------------------------------------------


def ranked(scores: dict[str, float], site: Services) -> Board:
    """A board of runs with these shares of the tasks solved."""
    template = entry_of(site, "uneven")
    entries = []
    for name, share in scores.items():
        made = {**template.result.scores, "strict": share}
        entries.append(
            replace(template, id=name, result=replace(template.result, name=name, scores=made))
        )
    return Board(tuple(entries))


def test_a_run_is_compared_with_the_one_before_it(site: Services) -> None:
    board = ranked({"a": 0.9, "b": 0.7, "c": 0.5}, site)
    near = {entry.id: neighbour(board, entry) for entry in board.entries}
    assert {name: found.id for name, found in near.items() if found} == {
        "a": "b",
        "b": "a",
        "c": "b",
    }
    alone = ranked({"a": 0.9}, site)
    assert neighbour(alone, alone.entries[0]) is None
    unranked = replace(board.entries[2], id="d", status="incomplete")
    assert neighbour(board, unranked) is board.entries[0]


def test_the_badge_says_solved_and_rank(site: Services) -> None:
    board = site.board.current()
    for name in ("oracle", "silent"):
        entry = entry_of(site, name)
        words = "".join(ET.fromstring(badge_svg(board, entry)).itertext())
        assert f"{100 * entry.result.scores['strict']:.1f} % solved" in words
        assert re.search(r"rank \d–\d of 5, made here", words)
    withdrawn = replace(entry_of(site, "oracle"), status=WITHDRAWN)
    assert "solved" not in badge_svg(board, withdrawn)


def test_hostile_names_stay_text_of_bounded_length(site: Services) -> None:
    board = site.board.current()
    entry = entry_of(site, "uneven")
    hostile = replace(entry, about={**entry.about, "model": NASTY, "submitter": NASTY})
    for draw in (badge_svg, preview_svg):
        plain, drawn = draw(board, entry), draw(board, hostile)
        assert ReadPage(drawn).names == ReadPage(plain).names
        assert len(drawn) < len(plain) + 600
        ET.fromstring(drawn)
    assert preview_png(board, hostile).startswith(b"\x89PNG")
    cited = bibtex(hostile)
    assert cited.count("{") == cited.count("}")
    assert "\\input" not in cited
    assert not re.search(r"(?<!\\)%", cited)
    assert len(cited) < 1_500


def test_a_citation_names_run_suite_and_signature(site: Services) -> None:
    entry = entry_of(site, "oracle")
    cited = bibtex(entry)
    assert cited.startswith("@misc{comptoolbenchoracle,\n")
    assert tex(entry.result.signature, 300) in cited
    assert "Solved 100.0 \\%" in cited
    assert f"Suite {SUITE.version}" in cited.replace("\\", "")
