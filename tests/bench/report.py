"""What a report of 30 runs takes, in time and memory."""

import io
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dataset_builder.published.load_suite import load_suite
from evaluator.asking.ask_suite import ask_model
from evaluator.asking.run_options import RunOptions
from evaluator.comparing.load_results import load_results
from tests.bench.measure import Measure, Work

RUNS = 30


def runs(folder: Path) -> None:
    """Runs of agents from weak to strong over the whole suite, under 30 models' names."""
    for number in range(RUNS):
        target = folder / "runs" / f"run-{number}"
        # Each draws errors of its own.
        ask_model(RunOptions(f"baseline:noisy-{0.4 + 0.02 * number:g}"), target, io.StringIO())
        own: dict[str, Any] = {"model": f"vendor/model-{number}", "provider": "vendor"}
        about = json.loads((target / "run.json").read_text())
        (target / "run.json").write_text(json.dumps(about | own))
        rows = map(json.loads, (target / "traces.jsonl").read_text().splitlines())
        # A run with the responses of another would be a copy.
        own["response"] = [own["model"]]
        text = "".join(f"{json.dumps(row | own)}\n" for row in rows)
        (target / "traces.jsonl").write_text(text)


def _report(is_scored: bool) -> Callable[[Path], Work]:
    """The command, with the runs' scores in the user's cache or without."""

    def prepare(folder: Path) -> Work:
        command = [sys.executable, "-m", "comptoolbench", "report", "runs", "--out", "report"]

        def work() -> None:
            subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=True)

        cache = folder.parents[2] / "cache"
        if not is_scored:
            shutil.rmtree(cache, ignore_errors=True)
        return work

    return prepare


def _scored(folder: Path) -> Work:
    shutil.rmtree(folder.parents[2] / "cache", ignore_errors=True)
    suite = load_suite()
    return lambda: load_results([folder / "runs"], suite)


MEASURES = (
    Measure("30 runs, read and scored", _scored, runs, rounds=2),
    Measure("report of 30 runs, scored anew", _report(False), runs, rounds=2),
    Measure("report of 30 runs, scores at hand", _report(True), runs, rounds=2),
)
