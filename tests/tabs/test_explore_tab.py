"""Explore: the list of tasks, and what is said about a run's answer to one."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from math import fsum
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.errors import InputError
from evaluator.scoring.score_terms import counts, terms
from space.base.shown_values import LONG, value
from space.base.visitors import Visitor
from space.board.explain_answer import explain, samples
from space.html.answer_page import SHOWN_CALLS, answer_page
from space.html.scorecard import scorecard
from space.html.task_list import PART, task_rows, task_table
from space.html.task_page import task_page
from space.html.task_query import (
    FILTERS,
    TaskAddress,
    TaskQuery,
    TaskRow,
    choices,
    explore_address,
    next_failure,
    read_task_address,
    select,
    task_link,
)
from space.services import Services
from space.submissions.upload_check import read_upload
from space.tabs.explore_tab import ExploreTab
from tests.samples.small_site import (
    Answer,
    add_submission,
    careless,
    explained,
    first_level,
    oracle,
    silent,
    small_site,
    trace_lines,
)
from tests.samples.small_suite import small_suite
from tests.stand_ins.html_reader import ReadPage
from tests.stand_ins.lone_tab import lone_tab

SUITE = small_suite()
LOCAL = Visitor("local", "127.0.0.1")
ANSWERS: Mapping[str, Answer] = {
    "oracle": oracle,
    "silent": silent,
    "careless": careless,
    "first_level": first_level,
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Services:
    return small_site(tmp_path_factory.mktemp("site"), SUITE, ANSWERS)


# The verdict ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ANSWERS)
def test_the_explanation_is_of_the_score_on_the_board(site: Services, name: str) -> None:
    entry = site.board.current().find(name)
    assert entry is not None
    for row in entry.result.scores["tasks"]:
        explanation = explain(entry, SUITE.by_id[row["task_id"]], 0, SUITE)
        assert explanation.score.to_row() == row
        text = ReadPage(answer_page(explanation, name)).text
        assert row["task_id"] in text
        assert f"{100 * row['score']:.1f}" in text
        assert (row["error"] or "Solved: every call is right") in text


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_the_terms_add_up_to_the_score(answer: Any) -> None:
    for task in SUITE.tasks:
        score = explained(task, answer(task)).score
        parts = terms(score)
        if task.level == 0:
            assert parts == []
        else:
            assert fsum(term.weight for term in parts) == pytest.approx(1)
            total = fsum(term.share for term in parts) * score.economy
            assert total == pytest.approx(score.score, abs=1e-12)
        made_of = counts(score)
        assert made_of.right / max(made_of.expected, made_of.made) == pytest.approx(score.step)
        assert made_of.aligned / made_of.expected == pytest.approx(score.completeness)
        if made_of.edges:
            assert made_of.satisfied / made_of.edges == pytest.approx(score.data_flow)


def test_each_argument_and_each_value_that_flows_is_judged_in_words() -> None:
    task = next(
        task for task in SUITE.tasks if task.metadata["template"] == "weather_in_fahrenheit"
    )
    weather, convert = oracle(task)
    convert["arguments"] |= {"value": "{{1.temperature_c}}", "to": "kelvin"}
    extra = {"name": "get_current_time", "arguments": {}}
    page = answer_page(explained(task, [weather, convert, extra]), "m")
    words = ReadPage(page).words
    assert "value takes temperature_c of step_1: ✓ flowed" in words
    assert 'written as "{{1.temperature_c}}"' in words
    assert re.search(r'to "fahrenheit" "kelvin" ✗ wrong', words)
    assert "nothing: nobody asked for it" in words
    assert "min(1, 2 expected / 3 made) × 0.667" in words
    del convert["arguments"]["from"]
    convert["arguments"] |= {"value": 1234.5, "colour": "red"}
    words = ReadPage(answer_page(explained(task, [convert]), "m")).words
    assert "✗ missing" in words
    assert re.search(r'colour – "red" ✗ not asked for', words)
    assert "✗ did not: step_1 has no call" in words
    assert "1 get_weather ✗ no call" in words


def test_what_is_no_fault_of_the_model_is_told_as_such() -> None:
    task = SUITE.tasks[0]
    error = {"kind": "rate_limit", "message": "wait <b>a minute</b>"}
    page = ReadPage(answer_page(explained(task, [], error=error), "m"))
    assert "The provider failed, not the model." in page.text
    assert "wait <b>a minute</b>" in page.text


def test_an_answer_that_is_not_there_is_one_sentence(site: Services, tmp_path: Path) -> None:
    entry = site.board.current().find("oracle")
    assert entry is not None
    task = SUITE.tasks[0]
    assert samples(entry, task) == [0]
    with pytest.raises(InputError, match="has no answer to L0"):
        explain(entry, task, 7, SUITE)
    with pytest.raises(InputError, match="cannot be read any more"):
        explain(replace(entry, traces=tmp_path / "none"), task, 0, SUITE)
    with pytest.raises(InputError, match="withdrawn"):
        explain(replace(entry, status="withdrawn"), task, 0, SUITE)


def test_of_several_models_and_samples_the_right_row_is_read(tmp_path: Path) -> None:
    site = small_site(tmp_path)
    lines = []
    for model, answer in (("one", oracle), ("two", silent)):
        for sample in (0, 1):
            lines += [
                json.dumps(
                    {
                        "task_id": task.task_id,
                        "model": model,
                        "sample": sample,
                        "calls": answer(task) if sample == 0 else [],
                    }
                )
                for task in SUITE.tasks
            ]
    about = dict.fromkeys(("organisation", "link", "provider", "regime", "open_weights"), "")
    about |= {"model": "both", "models": "2", "submitter": "", "tier": "self-reported"}
    about |= {
        "suite": SUITE.version,
        "protocol": "multi-turn",
        "catalogue": "task",
        "submitted_at": "2026-11-22",
    }
    site.store.add("\n".join(lines).encode(), about)
    board = site.board.complete()
    assert len(board.entries) == 2
    task = SUITE.tasks[0]
    for entry in board.entries:
        assert samples(entry, task) == [0, 1]
        for sample in (0, 1):
            explanation = explain(entry, task, sample, SUITE)
            assert (explanation.trace.model, explanation.trace.sample) == (
                entry.about["model"],
                sample,
            )
            assert (explanation.trace.protocol, explanation.trace.catalogue) == (
                "multi-turn",
                "task",
            )
            row = next(
                r
                for r in entry.result.scores["tasks"]
                if (r["task_id"], r["sample"]) == (task.task_id, sample)
            )
            assert explanation.score.to_row() == row


# Hostile traces -------------------------------------------------------------------------------

NASTY = '"><img src=x onerror=alert(1)><script>alert(2)</script>\u202e\u0000\u200b{{1.x}}'


def test_hostile_text_stays_text() -> None:
    task = SUITE.tasks[-1]
    calls = oracle(task)
    for call in calls:
        call["arguments"] = dict.fromkeys(call["arguments"], NASTY) | {NASTY: {NASTY: [NASTY]}}
    calls += [
        {"name": NASTY, "arguments": {NASTY: NASTY}},
        {"name": "calculator", "arguments": NASTY},
    ]
    error = {"kind": "timeout", "message": NASTY, NASTY: NASTY}
    explanation = explained(task, calls, error=error, response=[{"content": NASTY}])
    page = answer_page(explanation, NASTY)
    elements = ReadPage(page)
    assert "img" not in elements.names
    assert "script" not in elements.names
    assert "onerror" not in {name for _, name in elements.attributes}
    assert "\u202e" not in page
    assert "\u200b" not in page
    assert "alert(2)" in elements.text


def test_long_values_and_a_thousand_calls_do_not_break_the_page() -> None:
    task = SUITE.tasks[-1]
    calls = [
        {"name": "send_email", "arguments": {"to": "x" * 3_000, "body": ["y" * 20] * 100}}
        for _ in range(1_000)
    ]
    page = answer_page(explained(task, calls, response="z" * 1_000_000), "m")
    # What is shown is bounded, whatever comes: each of so many values opens to at most so much.
    assert len(page) < SHOWN_CALLS * 4 * LONG
    assert "… and 960 more" in page
    many = {f"name{i}": "v" for i in range(5_000)}
    page = answer_page(explained(task, [{"name": "get_weather", "arguments": many}]), "m")
    assert len(page) < 300_000


@pytest.mark.parametrize(
    "found", [None, True, 1.5, "a\nb", {"a": [1]}, [[[[]]]], "é\u0301" * 9_000]
)
def test_a_value_is_one_line_of_bounded_length(found: Any) -> None:
    shown = value(found)
    assert "\n" not in shown
    assert len(shown) < 2 * LONG


# The list -------------------------------------------------------------------------------------


def test_tasks_are_listed_by_how_many_runs_fail_them(tmp_path: Path) -> None:
    site = small_site(tmp_path, SUITE, ANSWERS)
    board = site.board.current()
    rows = task_rows(board, SUITE, None)
    assert [row.task for row in rows] == list(SUITE.tasks)
    for row in rows:
        # Two runs pass single calls, one passes the others.
        assert (row.runs, row.failed) == (4, 2 if row.task.level == 0 else 3)
    ordered = select(rows, TaskQuery(order="failed"))
    assert [row.failed for row in ordered] == sorted((r.failed for r in rows), reverse=True)
    add_submission(site, "a baseline's peer", silent)
    rows = task_rows(site.board.complete(), SUITE, None)
    assert {row.runs for row in rows} == {5}


def test_filters_pass_what_they_say(site: Services) -> None:
    board = site.board.current()
    entry = board.find("first_level")
    rows = task_rows(board, SUITE, entry)
    options = choices(rows)
    assert options[0] == ["L0", "L1", "L2", "L3"]
    assert options[-1] == ["E2_no_call", "failed", "solved"]
    for position, values in enumerate(options):
        for wanted in values:
            filters = tuple((wanted,) if i == position else () for i in range(len(FILTERS)))
            passed = select(rows, TaskQuery(filters))
            assert passed
            assert passed == [row for row in rows if wanted in row.values(FILTERS[position])]
    failed = select(rows, TaskQuery(((), (), (), (), ("failed",))))
    assert {int(row.task.level) for row in failed} == {1, 2, 3}
    assert select(rows, TaskQuery(search="L0 " + rows[0].task.prompt.split()[0].upper())) != []
    assert select(rows, TaskQuery(search="no such words")) == []
    lowest = select(rows, TaskQuery(order="score"))
    assert [row.score for row in lowest] == sorted(
        row.score for row in lowest if row.score is not None
    )


def test_a_partial_run_lists_what_it_was_asked(tmp_path: Path) -> None:
    site = small_site(tmp_path)
    run = tmp_path / "runs" / "part"
    run.mkdir(parents=True)
    (run / "run.json").write_text('{"limit": 1}')
    row = {"task_id": SUITE.tasks[2].task_id, "model": "m", "calls": []}
    (run / "traces.jsonl").write_text(f"{json.dumps(row)}\n")
    board = site.board.current()
    rows = task_rows(board, SUITE, board.find("part"))
    assert [row.task for row in rows] == [SUITE.tasks[2]]
    assert "1 task." in task_table(rows, board.find("part"), TaskAddress())


def answered(number: int, outcome: str) -> TaskRow:
    task = replace(SUITE.tasks[0], task_id=f"T{number}")
    return TaskRow(task, 1, 1, 0.5, outcome)


@pytest.mark.parametrize(
    ("here", "listed", "there"),
    [
        ("T0", (0, 1, 2, 3, 4, 5), "T3"),
        ("T3", (0, 1, 2, 3, 4, 5), "T0"),
        ("T1", (0, 1, 2, 3, 4, 5), None),
        # From what is solved or was never answered any failure is the next one.
        ("T2", (0, 1, 2, 3, 4, 5), "T3"),
        ("T4", (0, 1, 2, 3, 4, 5), "T0"),
        ("T5", (1, 2, 5), "T1"),
        # Only what the filters pass, in their order.
        ("T0", (0, 1, 2), None),
        ("T0", (3, 2, 0), "T3"),
        ("T9", (1, 3), "T1"),
        ("T0", (), None),
    ],
)
def test_the_next_failure_is_of_the_same_class(
    here: str, listed: tuple[int, ...], there: str | None
) -> None:
    outcomes = ("E2", "E4", "solved", "E2", "missing", "infrastructure")
    rows = [answered(number, outcome) for number, outcome in enumerate(outcomes)]
    found = next_failure(rows, [rows[number] for number in listed], here)
    assert (found.task.task_id if found else None) == there


def test_a_long_list_comes_in_parts(site: Services) -> None:
    entry = site.board.current().find("careless")
    rows = [answered(number, "E4") for number in range(2 * PART + 1)]
    address = TaskAddress(run="careless", query=TaskQuery(search="x"))
    seen: list[str] = []
    for part in (1, 2, 3):
        html = task_table(rows, entry, replace(address, part=part))
        seen += re.findall(r">(T\d+)<", html)
        assert (
            f"{2 * PART + 1} tasks, {len(seen) - html.count('>T') + 1} to {len(seen)} shown" in html
        )
        assert html.count('aria-current="page"') == 1
        assert "tab=explore&amp;of=careless&amp;part=" in html
        assert "&amp;words=x" in html
    assert seen == [row.task.task_id for row in rows]
    assert "part=" not in task_table(rows[:PART], entry, address)
    assert "T100" in task_table(rows, entry, replace(address, part=9_999))


def test_what_was_not_asked_is_no_failure(tmp_path: Path) -> None:
    site = small_site(tmp_path)
    run = add_submission(site, "m", lambda task: [] if task is SUITE.tasks[0] else oracle(task))
    lines = trace_lines("few", careless, SUITE).splitlines()[:3]
    (few,) = site.private.keep(read_upload(b"\n".join(lines).decode(), SUITE), LOCAL)
    site.board.complete()
    for name, failures in ((run, 1), (few, 3)):
        entry = site.find(name)
        assert entry is not None
        rows = task_rows(site.board.current(), SUITE, entry)
        failed = select(rows, read_task_address([("outcome", "failed")]).query)
        assert len(failed) == failures
        assert all(row.outcome.startswith("E") for row in failed)
        outcomes = [row.outcome for row in select(rows, TaskQuery())]
        assert outcomes == sorted(outcomes, key=lambda outcome: outcome == "missing")
        assert outcomes.count("missing") == (len(SUITE.tasks) - 3) * (name == few)
        card = ReadPage(scorecard(entry.result, SUITE, name)).words
        assert ("have no answer in the file" in card) == (name == few)
        worst_tasks = card.partition("Worst tasks")[2].partition("Scores by level")[0]
        assert "missing" not in worst_tasks


# What is private ------------------------------------------------------------------------------


def test_a_private_run_is_looked_at_task_by_task_and_listed_nowhere(tmp_path: Path) -> None:
    site = small_site(tmp_path, SUITE, {"oracle": oracle})
    draft = read_upload(trace_lines("mine", careless, SUITE).decode(), SUITE)
    (name,) = site.private.keep(draft, LOCAL)
    tab = lone_tab(ExploreTab, site)
    mine = tab.show([("tab", "explore"), ("of", name)])
    assert "Answers of mine" in mine[tab.tasks]
    assert "only who has this link" in mine[tab.tasks]
    assert f"run={name}" in mine[tab.tasks]
    task = tab.show([("task", SUITE.tasks[0].task_id), ("run", name)])
    assert "The answer of mine" in task[tab.page]
    assert task[tab.next]["value"] == "Next E4_wrong_arguments (key N)"
    others = tab.show([("tab", "explore")])
    assert "1 of 1" not in others[tab.tasks]
    for shown in (others, tab.show([("of", "oracle"), ("tab", "explore")])):
        assert name not in str(shown)
        assert "mine" not in str(shown)


@pytest.mark.parametrize("name", ["0" * 32, "f" * 31, "../jobs", "<b>"])
def test_a_private_link_that_ended_says_so(site: Services, name: str) -> None:
    tab = lone_tab(ExploreTab, site)
    shown = tab.show([("tab", "explore"), ("of", name)])
    assert "There is no run" in shown[tab.tasks]
    assert "<b>" not in shown[tab.tasks].replace("<b aria", "")


def test_every_task_has_a_page() -> None:
    for task in SUITE.tasks:
        text = ReadPage(task_page(task)).text
        assert task.prompt in text
        for name in task.offered:
            assert name in text
        for step in task.steps:
            for argument in step.arguments:
                assert argument in text


# Addresses ------------------------------------------------------------------------------------


values = st.text("abc Ž/&=+?%#<", min_size=1, max_size=9).map(lambda text: " ".join(text.split()))
chosen = st.lists(values.filter(bool), max_size=3, unique=True).map(tuple)
addresses = st.builds(
    TaskAddress,
    task=st.sampled_from(("", "L0_node_0001")),
    run=values,
    sample=st.integers(0, 9_999),
    query=st.builds(
        TaskQuery,
        st.tuples(*(chosen for _ in FILTERS)),
        values,
        st.sampled_from(("id", "failed", "score")),
    ),
    part=st.integers(1, 9_999),
)


@given(addresses)
def test_the_address_leads_back(address: TaskAddress) -> None:
    # A list has no sample, and a task is in no part.
    address = replace(address, part=1) if address.task else replace(address, sample=0)
    assert read_task_address(parse_qsl(address.to_query())) == address


@given(st.lists(st.tuples(st.sampled_from(("task", "sample", "part", "level", "x")), st.text())))
def test_any_address_can_be_read(pairs: list[tuple[str, str]]) -> None:
    address = read_task_address(pairs)
    assert (address.part >= 1, address.sample >= 0) == (True, True)
    assert (
        read_task_address(parse_qsl(address.to_query(), max_num_fields=99)).query == address.query
    )


def test_addresses_are_short() -> None:
    task = SUITE.tasks[3].task_id
    assert TaskAddress(task, "a b", 2).to_query() == f"task={task}&run=a+b&sample=2"
    assert TaskAddress(task).to_query() == f"task={task}"
    assert explore_address("x") == "tab=explore&of=x"
    assert explore_address("x", level="L1") == "tab=explore&of=x&level=L1"
    assert 'href="?task=T&amp;run=%22%3E"' in task_link("T", "T", '">')


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"task": "L9_none"}, "has no task"),
        ({"task": "<script>"}, "&lt;script&gt;"),
        ({"task": SUITE.tasks[0].task_id, "run": "<b>"}, "There is no run &#39;&lt;b&gt;&#39;"),
        ({"task": SUITE.tasks[0].task_id, "run": "oracle", "sample": "99"}, "Solved: every"),
        ({"task": SUITE.tasks[0].task_id, "run": "oracle", "sample": "²"}, "Solved: every"),
        ({"task": SUITE.tasks[0].task_id, "run": "oracle", "sample": "9" * 9_999}, "Solved: every"),
        ({"task": SUITE.tasks[0].task_id, "run": "silent"}, "E2_no_call"),
        ({"task": SUITE.tasks[0].task_id}, "Expected calls"),
    ],
)
def test_any_address_gets_an_answer(site: Services, asked: dict[str, str], said: str) -> None:
    tab = lone_tab(ExploreTab, site)
    assert said in tab.show(list(asked.items()))[tab.page]
