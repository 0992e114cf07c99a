import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from comptoolbench import _cli
from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite
from evaluator.asking.run_options import RunOptions
from evaluator.comparing.control_table import control_table
from evaluator.experiments.control_and_sweep import control, sweep, sweep_lines
from evaluator.traces.protocols import WORDINGS
from tests.samples.small_suite import small_suite, write_suite

SUITE = small_suite()


@pytest.fixture
def suite_file(tmp_path: Path) -> str:
    return str(write_suite(SUITE, tmp_path / "suite.jsonl"))


def test_the_control_asks_each_level_0_task_in_three_wordings(
    tmp_path: Path, suite_file: str
) -> None:
    asked = RunOptions("baseline:oracle", suite=suite_file)
    arms = control(asked, tmp_path / "control", io.StringIO())
    assert [arm.name for arm in arms] == list(WORDINGS)
    assert [arm.mean("score") for arm in arms] == [1.0, 1.0, 1.0]
    for wording in WORDINGS:
        folder = tmp_path / "control" / wording
        assert json.loads((folder / "run.json").read_text())["wording"] == wording
        assert len((folder / "traces.jsonl").read_text().splitlines()) == 2
    assert len(control_table([(arm.name, arm.rows) for arm in arms]).splitlines()) == 4


def test_a_suite_without_the_wordings_is_refused(tmp_path: Path) -> None:
    tasks = tuple(
        replace(task, metadata={**task.metadata, "control": None}) for task in SUITE.tasks
    )
    bare = tuple(
        replace(t, metadata={k: v for k, v in t.metadata.items() if k != "control"}) for t in tasks
    )
    file = write_suite(Suite(SUITE.version, 7, bare), tmp_path / "bare.jsonl")
    with pytest.raises(InputError, match="three wordings"):
        control(RunOptions("baseline:oracle", suite=str(file)), tmp_path / "control", io.StringIO())


def test_a_sweep_runs_each_catalogue(tmp_path: Path, suite_file: str) -> None:
    asked = RunOptions("baseline:spam", suite=suite_file)
    arms = sweep(asked, ("4", "16", "full"), tmp_path / "sweep", io.StringIO())
    made = [len(score.calls) for arm in arms for score in arm.scores[:1]]
    assert made == [4, 16, 106]
    assert [line.split()[0] for line in sweep_lines(arms)] == ["catalogue", "4", "16", "106"]


COMMANDS = [
    ["run", "baseline:oracle", "--catalogue", "task", "--limit", "4"],
    [
        "run",
        "baseline:retrieval",
        "--protocol",
        "multi-turn",
        "--calls",
        "json",
        "--catalogue",
        "9",
    ],
    ["control", "baseline:oracle", "--catalogue", "task"],
    ["sweep", "baseline:oracle", "--catalogue", "4,8,8"],
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda a: " ".join(a[:3]))
def test_commands(tmp_path: Path, suite_file: str, arguments: list[str]) -> None:
    more = ["--suite", suite_file, "--out", str(tmp_path / "run")]
    done = CliRunner().invoke(_cli, [*arguments, *more])
    assert done.exit_code == 0, done.output
    assert str(tmp_path / "run") in done.output


@pytest.mark.parametrize("command", ["leaderboard", "compare", "explain", "ablate"])
def test_no_run_of_a_control_folder_is_dropped_in_silence(
    command: str, tmp_path: Path, suite_file: str
) -> None:
    folder = tmp_path / "runs" / "control"
    control(RunOptions("baseline:oracle", suite=suite_file), folder, io.StringIO())
    done = CliRunner().invoke(_cli, [command, str(folder), "--suite", suite_file])
    assert done.exit_code == 0, done.output
    for wording in WORDINGS if command != "ablate" else WORDINGS[1:]:
        assert wording in done.output
    if command == "leaderboard":
        whole = CliRunner().invoke(_cli, [command, str(folder.parent), "--suite", suite_file])
        assert whole.output == done.output


REFUSED = [
    (["run", "baseline:oracle", "--catalogue", "none"], "expected full, task or a number"),
    (["run", "baseline:oracle", "--samples", "0"], "samples"),
    (["run", "baseline:oracle", "--max-cost", "-1"], "max-cost"),
    (["sweep", "baseline:oracle", "--catalogue", "4,x"], "expected full, task or a number"),
    (["run"], "MODEL"),
]


@pytest.mark.parametrize(("arguments", "said"), REFUSED)
def test_commands_that_are_refused(arguments: list[str], said: str) -> None:
    done = CliRunner().invoke(_cli, arguments)
    assert done.exit_code == 2
    assert said in done.output


def test_models_are_listed() -> None:
    done = CliRunner().invoke(_cli, ["models"])
    assert done.exit_code == 0
    assert len(done.output.splitlines()) == 34
    rows = json.loads(CliRunner().invoke(_cli, ["models", "--json"]).output)
    assert {row["id"] for row in rows} >= {"openai/gpt-4o-mini", "baseline:oracle", "local:smollm2"}
