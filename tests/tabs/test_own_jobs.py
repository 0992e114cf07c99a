"""The jobs of a browser: what it kept may be anything, and shows nothing but jobs that are there."""

import json
from collections.abc import Iterator
from pathlib import Path

import gradio as gr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from space.base.settings import Settings
from space.base.visitors import Visitor
from space.jobs.job import Order
from space.jobs.jobs import Jobs
from space.jobs.providers import ENDPOINT, Access
from space.tabs.own_jobs import MOST, OwnJobs, ids
from tests.samples.small_suite import small_suite
from tests.stand_ins.html_reader import ReadPage

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    """A queue that starts nothing."""
    settings = Settings(
        small_suite(), tmp_path / "runs", tmp_path / "subs", jobs=tmp_path / "jobs", slots=0
    )
    queue = Jobs(settings)
    yield queue
    queue.close()


def order(jobs: Jobs, visitor: str, model: str = "m") -> str:
    asked = Order(ENDPOINT, model, "multi-turn", "full")
    return jobs.start(asked, Access(model), Visitor(visitor, visitor))


def lists(jobs: Jobs) -> OwnJobs:
    with gr.Blocks():
        return OwnJobs(jobs)


def test_a_job_is_listed_removed_and_still_there(jobs: Jobs) -> None:
    own = lists(jobs)
    first, second = order(jobs, "ann"), order(jobs, "bob", f"second {HOSTILE}")
    stored = own.add("", first)[own.stored]
    updates = own.add(stored, second)
    assert ids(updates[own.stored]) == [second, first]
    page = ReadPage(updates[own.list])
    assert page.text.index("second") < page.text.index("waiting")
    assert HOSTILE in page.text
    assert "img" not in page.names
    assert f"?job={first}" in updates[own.list]
    # The same job again, as when it is resumed, is no second line.
    assert ids(own.add(updates[own.stored], first)[own.stored]) == [first, second]
    left = own.remove(updates[own.stored], second)
    assert ids(left[own.stored]) == [first]
    assert "second" not in left[own.list]
    assert jobs.look(second).place == 2


def test_nothing_is_shown_of_a_job_that_is_not_there(jobs: Jobs) -> None:
    own = lists(jobs)
    name = order(jobs, "ann")
    others = ["0" * 32, "../jobs", HOSTILE, name.upper()]
    updates = own.show(json.dumps([*others, name]))
    assert updates[own.list].count("<li>") == 1
    assert not any(other in updates[own.list] for other in others)
    # The page of another folder may know them.
    assert ids(updates[own.stored]) == [*others, name]
    # A start that failed adds nothing.
    assert own.add(updates[own.stored], "") == updates


def test_the_latest_are_kept(jobs: Jobs) -> None:
    own, stored = lists(jobs), ""
    names = [f"{number:032x}" for number in range(MOST + 5)]
    for name in names:
        stored = own.add(stored, name)[own.stored]
    assert ids(stored) == names[: -MOST - 1 : -1]


@pytest.mark.parametrize(
    "stored",
    ["", "{", "null", '"x"', '{"a": 1}', "[1, null, [], {}]", "[" * 900, '["' + "x" * 2_000 + '"]'],
)
def test_what_is_no_list_of_ids_is_none(stored: str) -> None:
    assert ids(stored) == []


@given(st.text() | st.lists(st.text(max_size=40)).map(json.dumps))
def test_whatever_a_browser_kept_is_bounded(stored: str) -> None:
    found = ids(stored)
    assert len(found) <= MOST
    assert len(found) == len(set(found))
    assert ids(json.dumps(found)) == found or len(json.dumps(found)) > 1_000
