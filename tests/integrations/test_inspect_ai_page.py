"""The commands of docs/integrations/inspect.md, run as a user runs them against a stand-in provider."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.task import Suite
from evaluator.integrations.inspect_ai_log import traces_of_log
from tests.stand_ins.provider import Provider

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/integrations/inspect.md").read_text("utf-8")
ENTRY = ROOT / "docs/integrations/inspect_evals/register/comptoolbench/eval.yaml"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def everything() -> Suite:
    """All tasks that the page's commands ask."""
    of = load_suite()
    return Suite(of.version, of.seed, (*of.tasks, *load_suite(config="horizon").tasks))


def installed(folder: Path) -> dict[str, str]:
    """An environment in which this copy is installed, its entry points as pyproject.toml has them."""
    about = folder / "comptoolbench-9.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: comptoolbench\nVersion: 9\n")
    points = PROJECT["entry-points"]["inspect_ai"]
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
def test_the_page_does_what_it_says(everything: Suite, tmp_path: Path) -> None:
    [commands], [code] = blocks("bash"), blocks("python")
    with Provider(everything) as provider:
        environment = installed(tmp_path / "site") | {
            "STAND_IN_BASE_URL": provider.url,
            "STAND_IN_API_KEY": "sk-1",
        }
        for line in commands.splitlines():
            words = line.replace("openai/gpt-4o", "openai-api/stand-in/m").split()
            assert words[:2] == ["inspect", "eval"]
            ran(
                [sys.executable, "-m", "inspect_ai", *words[1:], "--display", "plain"],
                tmp_path,
                environment,
            )
        sent = provider.requests[0][1]
    logs = sorted((tmp_path / "logs").iterdir())
    assert len(logs) == len(commands.splitlines())
    counts = [len(list(traces_of_log(log))) for log in logs]
    assert counts == [20, 4, 24, 2]
    printed = ran([sys.executable, "-c", code], tmp_path, environment).splitlines()
    assert len(printed) == 3
    assert all(line.endswith(" 1.0") for line in printed)
    # On the wire as well the tools are those of a run.
    task = next(t for t in everything.tasks if t.prompt == sent["messages"][1]["content"])
    assert {tool["function"]["name"] for tool in sent["tools"]} == set(task.offered)


@pytest.mark.slow
def test_a_task_file_runs_by_its_path(everything: Suite, tmp_path: Path) -> None:
    # As the register's page tells its users: from a checkout, by the file.
    [suite, _] = yaml.safe_load(ENTRY.read_text("utf-8"))["tasks"]
    with Provider(everything) as provider:
        environment = installed(tmp_path / "site") | {
            "STAND_IN_BASE_URL": provider.url,
            "STAND_IN_API_KEY": "sk-1",
        }
        spec = f"{suite['task_path']}@{suite['name']}"
        command = [
            sys.executable,
            "-m",
            "inspect_ai",
            "eval",
            spec,
            "--model",
            "openai-api/stand-in/m",
        ]
        options = ["-T", "limit=4", "--display", "plain", "--log-dir", str(tmp_path / "logs")]
        ran([*command, *options], ROOT, environment)
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
