"""Seeded faults of tools: the same everywhere, once a tool, and nothing lost by them."""

import json
import os
import subprocess
import sys

import pytest

from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tools import catalogue
from dataset_builder.tools.faults import FAILURES, FAULTS, FORMATS, Faults, is_changed_by_fault
from dataset_builder.tools.replay import Episode, replay

TOOLS = catalogue()
WEATHER = ("get_weather", {"city": "Berlin"})
SUM = ("calculator", {"expression": "1 + 1"})
ALWAYS = Faults("1|x", 100, 10)


def key_with(kind: str, tool: str) -> str:
    """A key under which a tool meets a fault of this kind."""
    return next(str(n) for n in range(1000) if Faults(str(n), 100, 1).of(tool) == kind)


def test_the_same_key_gives_the_same_faults_in_every_process() -> None:
    program = (
        "import json; from dataset_builder.tools import catalogue;"
        "from dataset_builder.tools.faults import Faults;"
        "print(json.dumps([Faults('7|L0_node_0001', 30, 9).of(tool) for tool in catalogue()]))"
    )
    drawn = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": "C"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert drawn[0] == drawn[1]
    assert json.loads(drawn[0]) == [Faults("7|L0_node_0001", 30, 9).of(tool) for tool in TOOLS]


@pytest.mark.parametrize("percent", [1, 20, 50, 100])
def test_the_share_of_tools_is_the_one_asked_for(percent: int) -> None:
    drawn = [Faults(f"1|{n}", percent, 9).of(tool) for n in range(100) for tool in TOOLS]
    met = [kind for kind in drawn if kind is not None]
    assert len(met) / len(drawn) == pytest.approx(percent / 100, abs=0.02)
    if percent == 100:
        shares = [met.count(kind) / len(met) for kind in FAULTS]
        assert shares == pytest.approx([1 / 3, 1 / 3, 1 / 9, 1 / 9, 1 / 9], abs=0.02)


def test_a_larger_share_keeps_the_faults_of_a_smaller_one() -> None:
    for tool in TOOLS:
        few, many = (Faults("1|x", percent, 9).of(tool) for percent in (20, 60))
        assert few in (None, many)


@pytest.mark.parametrize("kind", FAILURES)
def test_what_failed_has_not_happened_and_succeeds_the_next_time(kind: str) -> None:
    episode = Episode(TOOLS, faults=Faults(key_with(kind, "store_memory"), 100, 1))
    call = ("store_memory", {"key": "colour", "value": "green"})
    failed = episode.execute(*call)
    assert (failed.fault, failed.error) == (kind, FAILURES[kind])
    assert failed.shown == {"error": FAILURES[kind]}
    unknown = episode.execute("retrieve_memory", {"key": "colour"})
    plain = replay([("retrieve_memory", {"key": "colour"})], TOOLS)[0]
    assert unknown.output == plain.output
    again = episode.execute(*call)
    assert (again.fault, again.error) == (None, None)


@pytest.mark.parametrize("kind", FORMATS)
def test_another_format_keeps_every_value(kind: str) -> None:
    faults = Faults(key_with(kind, "get_weather"), 100, 1)
    executed, again = replay([WEATHER] * 2, TOOLS, faults=faults)
    assert executed.fault == kind
    assert again.shown == again.output == executed.output != executed.shown
    told = json.dumps(executed.shown)
    assert all(
        json.dumps(value).strip('"') in told for value in dict(executed.output or {}).values()
    )
    assert is_changed_by_fault(executed.shown)
    assert not is_changed_by_fault(again.shown)


def test_no_tool_gives_by_itself_what_a_fault_leaves() -> None:
    steps = [step for task in CompositionEngine().generate_suite().tasks for step in task.steps]
    assert not [step.tool for step in steps if is_changed_by_fault(step.output)]
    for step in steps:
        assert all(is_changed_by_fault(change(dict(step.output))) for change in FORMATS.values())


def test_only_a_call_that_can_be_executed_meets_a_fault() -> None:
    calls = [("calculator", "1 +"), ("fly", {}), ("calculator", {"expression": "{{9.x}}"})]
    executed = replay([*calls, SUM], TOOLS, faults=ALWAYS)
    assert [each.fault for each in executed[:3]] == [None] * 3
    assert executed[3].fault is not None
    assert replay([SUM], TOOLS, ["slugify"], ALWAYS)[0].fault is None


def test_there_are_at_most_so_many() -> None:
    calls = [WEATHER, SUM]
    for most in (0, 1, 2):
        executed = replay(calls, TOOLS, faults=Faults("1|x", 100, most))
        assert sum(each.fault is not None for each in executed) == most


def test_a_reference_points_into_the_output_as_it_was() -> None:
    faults = Faults(key_with("renamed", "get_weather"), 100, 1)
    fed = ("calculator", {"expression": "{{1.temperature_c}} + 0"})
    executed = replay([WEATHER, fed], TOOLS, faults=faults)
    assert executed[1].output == {"result": 36}
