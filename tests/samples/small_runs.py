"""Runs of built-in agents over the small suite, and what the commands over runs say of them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from comptoolbench import _cli
from tests.samples.small_suite import small_suite, write_suite

SUITE = small_suite()


def run(model: str, folder: Path, *more: str, command: str = "run") -> Path:
    """A run of a built-in agent over the small suite."""
    suite = write_suite(SUITE, folder.parent / "suite.jsonl")
    arguments = [command, model, "--suite", str(suite), "--out", str(folder), *more]
    done = CliRunner().invoke(_cli, arguments)
    assert done.exit_code == 0, done.output
    return folder


def run_baselines(folder: Path, *agents: str) -> None:
    """Runs of built-in agents where a page of that folder reads them, and its suite.

    Each is made in a process of its own: Playwright's event loop runs in the tests' process.
    """
    write_suite(SUITE, folder / "suite.jsonl")
    for agent in agents:
        command = [sys.executable, "-m", "comptoolbench", "run", agent, "--suite", "suite.jsonl"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)


def suite_of(folder: Path) -> str:
    return str(folder.parent / "suite.jsonl")


def board(*paths: Path, command: str = "leaderboard") -> Any:
    """What a command over runs prints."""
    suite = write_suite(SUITE, paths[0].parent / "suite.jsonl")
    return CliRunner().invoke(_cli, [command, *map(str, paths), "--suite", str(suite)])


def rewritten(source: Path, target: Path, model: str, **change: Any) -> Path:
    """The trace file of a run under another name, its rows changed in some fields."""
    lines = (source / "traces.jsonl").read_text().splitlines()
    rows = [{**json.loads(line), "model": model, **change} for line in lines]
    target.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return target
