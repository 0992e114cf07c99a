"""The folder of a run: its name, one writer at a time, and what is left to ask."""

from pathlib import Path

import pytest

from dataset_builder.errors import InputError
from evaluator.asking.run_folder import RunFolder, default_folder, left_to_ask
from evaluator.traces.trace import Trace
from tests.samples.small_suite import small_suite

SUITE = small_suite()


def test_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    first = RunFolder(tmp_path / "run", {"model": "m"})
    second = RunFolder(tmp_path / "run", {"model": "m"})
    first.begin()
    with pytest.raises(InputError, match="another run is writing"):
        second.begin()
    with pytest.raises(InputError, match="another run is writing"):
        RunFolder(tmp_path / "run", {"model": "m"})
    first.append(Trace("L0_node_0001", model="m"))
    first.close()
    RunFolder(tmp_path / "run", {"model": "m"}).close()


def test_a_run_that_does_not_begin_leaves_nothing(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run", {"model": "m"})
    folder.close()
    assert list(tmp_path.iterdir()) == []


def test_what_is_left_to_ask() -> None:
    items = [(task, sample) for sample in range(2) for task in SUITE.tasks[:2]]
    complete = [Trace(SUITE.tasks[0].task_id, sample=1)]
    assert left_to_ask(items, complete) == [items[0], items[1], items[3]]


def test_default_folders() -> None:
    folder = default_folder("openrouter/google/gemini-2.0", "multi-turn", "32", "json")
    assert folder == Path("runs/openrouter-google-gemini-2.0-multi-turn-32-json")
    assert default_folder("../../etc", "single-turn", "full", "native").parent == Path("runs")
