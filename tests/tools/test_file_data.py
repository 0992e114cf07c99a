"""File & Data tools: an episode's files, reports, spreadsheets and the log."""

import csv
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.tools import file_data as f
from dataset_builder.tools.world import World
from dataset_builder.values.addresses import mailbox
from dataset_builder.values.facts import load

TEXT = st.text(st.characters(codec="utf-8"), max_size=60)


@pytest.fixture
def world():
    return World()


def test_a_fixture_file_is_read_whole(world):
    output = f.read_file({"path": "/data/lap_times.txt"}, world)
    assert output == {
        "content": "Lap 1: 92.4\nLap 2: 90.8\nLap 3: 91.3\nLap 4: 89.7\nLap 5: 95.1\nLap 6: 90.2",
        "line_count": 6,
        "size_bytes": 71,
    }


@pytest.mark.parametrize(
    ("content", "lines", "size"),
    [("", 0, 0), ("a", 1, 1), ("a\n", 1, 2), ("a\nb", 2, 3), ("\n\n", 2, 2), ("é‏", 1, 5)],
)
def test_lines_and_bytes_are_counted(world, content, lines, size):
    written = f.write_file({"path": "/drafts/x", "content": content}, world)
    output = f.read_file({"path": "/drafts/x"}, world)
    assert (output["line_count"], output["size_bytes"], written["bytes_written"]) == (
        lines,
        size,
        size,
    )


@given(TEXT, TEXT)
def test_what_was_written_last_is_read_and_another_episode_never_sees_it(first, second):
    world = World()
    one = f.write_file({"path": "/drafts/a.txt", "content": first}, world)
    two = f.write_file({"path": "/drafts/a.txt", "content": second}, world)
    assert f.read_file({"path": "/drafts/a.txt"}, world)["content"] == second
    assert (one == two) == (first == second)
    assert "error" in f.read_file({"path": "/drafts/a.txt"}, World())


def test_directories_list_what_is_below_them(world):
    assert f.list_files({"directory": "/web"}, world) == {
        "files": ["/web/landing.html"],
        "total_bytes": f.read_file({"path": "/web/landing.html"}, world)["size_bytes"],
    }
    everything = f.list_files({"directory": "/"}, world)
    assert everything["files"] == sorted(load("episode")["files"])
    f.write_file({"path": "/web/a/b.html", "content": "<p>"}, world)
    assert f.list_files({"directory": "/web/"}, world)["files"] == [
        "/web/a/b.html",
        "/web/landing.html",
    ]
    assert f.list_files({"directory": "/"}, world)["total_bytes"] == everything["total_bytes"] + 3


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("notes/standup.txt", "must be absolute"),
        ("", "must be absolute"),
        ("/", "no plain path"),
        ("/notes/", "no plain path"),
        ("/notes//standup.txt", "no plain path"),
        ("/notes/../notes/standup.txt", "no plain path"),
        ("/notes/ . /x", "no plain path"),
        ("/notes/\x00", "no plain path"),
        ("/" * 100_000, "at most 255"),
        ("/nowhere", "there is no file '/nowhere'"),
        (True, "expected text"),
    ],
)
def test_a_path_that_leads_nowhere_is_refused(world, path, why):
    assert why in f.read_file({"path": path}, world)["error"]


def test_an_unknown_directory_and_a_full_workspace_are_refused(world):
    assert "no directory '/note'" in f.list_files({"directory": "/note"}, world)["error"]
    for number in range(f.MAX_FILES):
        last = f.write_file({"path": f"/many/{number}", "content": ""}, world)
    assert "full" in last["error"]
    assert "error" not in f.write_file({"path": "/many/0", "content": "x"}, world)


def test_fixture_files_can_be_worked_with(world):
    for path, content in world.files.items():
        assert "error" not in f.read_file({"path": path}, world)
        assert 3 <= len(content.splitlines()) <= 12
        assert content == content.strip()
        assert content.replace("\n", "").isprintable()
    for path in ("/config/app.json", "/data/employees.json"):
        json.loads(world.files[path])
    for path in (p for p in world.files if p.endswith(".csv")):
        widths = {len(row) for row in csv.reader(world.files[path].splitlines())}
        assert len(widths) == 1
    for address in re.findall(r"\S+@\S+", " ".join(world.files.values())):
        assert mailbox(address.strip(".,")).endswith(".example")


def test_a_report_is_laid_out():
    output = f.generate_report(
        {"content": "Names: Oslo\nMood: good\n", "title": "City  news"}, World()
    )
    assert output["report"] == (
        "City news\n=========\n"
        f"{output['report_id']}, 15 July 2026\n\nNames: Oslo\nMood: good\n\nEnd of report"
    )


@given(TEXT.filter(str.strip))
def test_a_report_contains_its_content(content):
    output = f.generate_report({"content": content}, World())
    assert content.strip() in output["report"]
    assert output["report"].startswith("Report\n======\nRPT-")


@pytest.mark.parametrize(
    ("rows", "used_range", "cells"),
    [
        ([{"a": 1}], "A1:A2", 2),
        ([{"a": 1, "b": 2}, {"c": None}], "A1:C3", 9),
        ([{f"c{i}": i for i in range(26)}], "A1:Z2", 52),
        ([{f"c{i}": i for i in range(27)}, {}], "A1:AA3", 81),
        ([{f"c{i}": i for i in range(703)}], "A1:AAA2", 1406),
        ('[{"a": 1}, {"a": 2}]', "A1:A3", 3),
    ],
)
def test_a_spreadsheet_spans_its_rows_and_columns(rows, used_range, cells):
    output = f.create_spreadsheet({"rows": rows}, World())
    assert (output["used_range"], output["cell_count"]) == (used_range, cells)
    assert output["url"].startswith("https://sheets.")


@pytest.mark.parametrize(
    ("tool", "arguments", "why"),
    [
        (f.create_spreadsheet, {"rows": []}, "at least one record"),
        (f.create_spreadsheet, {"rows": [{}]}, "at least one record"),
        (f.create_spreadsheet, {"rows": ["a,b"]}, "item 0: expected an object"),
        (f.create_spreadsheet, {"rows": "a,b\n1,2"}, "expected a list"),
        (f.create_spreadsheet, {"rows": [{"a": 1}] * 10_000}, "too large"),
        (f.create_spreadsheet, {"rows": "[" * 90_000}, "nesting"),
        (f.generate_report, {"content": " "}, "content: the text is empty"),
        (f.generate_report, {"content": "x" * 100_000, "title": "y" * 100_000}, "would exceed"),
        (f.log_event, {"event": "x", "level": "fatal"}, "expected one of debug"),
        (f.log_event, {"event": ""}, "event: the text is empty"),
    ],
)
def test_a_wrong_argument_is_named(tool, arguments, why):
    output = tool(arguments, World())
    assert set(output) == {"error"}
    assert why in output["error"]


def test_log_entries_differ_by_event_and_level(world):
    entries = [
        f.log_event(arguments, world)["entry_id"]
        for arguments in ({"event": "up"}, {"event": "down"}, {"event": "up", "level": "error"})
    ]
    assert len(set(entries)) == 3
    assert f.log_event({"event": "up", "level": "INFO"}, world)["entry_id"] == entries[0]
