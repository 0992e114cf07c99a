"""The commands of docs/integrations/inspect.md, run as a user runs them, by a stand-in for the model."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from inspect_ai.log import read_eval_log

from dataset_builder.published.load_suite import load_suite
from evaluator.integrations.inspect_ai_log import traces_of_log

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/integrations/inspect.md").read_text("utf-8")
ENTRY = ROOT / "docs/integrations/inspect_evals/register/comptoolbench/eval.yaml"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
INSPECT = [sys.executable, "-m", "inspect_ai"]
MODEL = "stand-in/baseline:oracle"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def installed(folder: Path) -> dict[str, str]:
    """An environment in which this copy is installed, its entry points as pyproject.toml has them."""
    about = folder / "comptoolbench-9.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: comptoolbench\nVersion: 9\n")
    points = PROJECT["entry-points"]["inspect_ai"]
    # And Inspect's own way to a model that is a stand-in.
    points = points | {"stand_in": "tests.stand_ins.inspect_model"}
    lines = [f"{name} = {value}" for name, value in points.items()]
    (about / "entry_points.txt").write_text("\n".join(["[inspect_ai]", *lines, ""]))
    return {**os.environ, "PYTHONPATH": f"{folder}:{ROOT}"}


def ran(command: list[str], folder: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_page_does_what_it_says(tmp_path: Path) -> None:
    [commands], [code] = blocks("bash"), blocks("python")
    environment = installed(tmp_path / "site")
    for line in commands.splitlines():
        words = line.replace("openai/gpt-4o", MODEL).split()
        assert words[:2] == ["inspect", "eval"]
        ran([*INSPECT, *words[1:], "--display", "plain"], tmp_path, environment)
    logs = sorted((tmp_path / "logs").iterdir())
    assert [len(list(traces_of_log(log))) for log in logs] == [20, 4, 24, 2]
    printed = ran([sys.executable, "-c", code], tmp_path, environment).splitlines()
    assert len(printed) == 3
    assert all(line.endswith(" 1.0") for line in printed)
    # The log scores again by itself.
    again = ["score", str(logs[0]), "--scorer", "comptoolbench/right_calls"]
    ran([*INSPECT, *again, "--action", "overwrite", "--overwrite"], tmp_path, environment)
    results = read_eval_log(str(logs[0]), header_only=True).results
    assert results is not None
    assert results.scores[0].metrics["mean"].value == 1


@pytest.mark.slow
def test_a_task_file_runs_by_its_path(tmp_path: Path) -> None:
    # As the register's page tells its users: from a checkout, by the file.
    [suite, _] = yaml.safe_load(ENTRY.read_text("utf-8"))["tasks"]
    spec = f"{suite['task_path']}@{suite['name']}"
    options = ["-T", "limit=4", "--display", "plain", "--log-dir", str(tmp_path / "logs")]
    command = [*INSPECT, "eval", spec, "--model", MODEL, *options]
    ran(command, ROOT, installed(tmp_path / "site"))
    [log] = (tmp_path / "logs").iterdir()
    assert [trace.error for trace in traces_of_log(log)] == [None] * 4


def test_the_register_entry_names_what_is_there() -> None:
    entry = yaml.safe_load(ENTRY.read_text("utf-8"))
    assert {"title", "description", "tasks", "source"} <= entry.keys()
    assert re.fullmatch("[0-9a-f]{40}", entry["source"]["repository_commit"])
    lengths = {"suite": len(load_suite().tasks), "horizon": len(load_suite(config="horizon").tasks)}
    for task in entry["tasks"]:
        source = (ROOT / task["task_path"]).read_text("utf-8")
        assert f"\n@task\n@registered\ndef {task['name']}(" in source
        assert task["dataset_samples"] == lengths.pop(task["name"])
    assert not lengths
