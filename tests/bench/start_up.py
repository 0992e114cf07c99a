"""How long each command takes to answer: its help, and where it asks no model its smallest job."""

import io
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from comptoolbench import _COMMANDS
from tests.bench.measure import Measure, Work

TASK = "L1_chain_0049"
JOBS = {
    "tasks": "tasks",
    "tasks show": f"tasks show {TASK}",
    "tools": "tools",
    "tools show": "tools show get_weather",
    "models": "models",
    "audit of few requests": "audit --config irrelevance",
    "run of four tasks": "run baseline:oracle --limit 4 --out again",
    "control of three tasks": "control baseline:oracle --limit 3 --out controlled",
    "score of a row": "score row.jsonl",
    "score of a run": "score oracle",
    "explain a run": "explain retrieval",
    "explain an answer": f"explain retrieval {TASK}",
    "leaderboard": "leaderboard retrieval oracle",
    "compare": "compare retrieval oracle",
    "ablate": "ablate retrieval oracle",
    "export": "export retrieval --to eval-results",
    "convert": "convert log.jsonl --out - --protocol multi-turn --catalogue full",
    "annotate sample": "annotate sample --out sheet.csv",
    "annotate kappa": "annotate kappa filled.csv",
    "build of four tasks": "build --counts 1,1,1,1 --out built",
}
"""By what is done: the arguments, in a folder with two runs, a row, a log and a sheet."""
_LEFT = ("again", "controlled", "sheet.csv", "built")


def runs(folder: Path) -> None:
    """What the smallest jobs are done with."""
    from evaluator.asking.ask_suite import ask_model
    from evaluator.asking.run_options import RunOptions
    from evaluator.audit.annotation import CRITERIA

    for agent in ("retrieval", "oracle"):
        ask_model(RunOptions(f"baseline:{agent}"), folder / agent, io.StringIO())
    row = (folder / "oracle" / "traces.jsonl").read_text("utf-8").splitlines()[0]
    (folder / "row.jsonl").write_text(row, encoding="utf-8")
    call = {"id": "1", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    log = {"task_id": TASK, "model": "m", "messages": [message]}
    (folder / "log.jsonl").write_text(json.dumps(log), encoding="utf-8")
    sheet = [["task_id", *CRITERIA], [TASK, *["yes"] * len(CRITERIA)]]
    text = "".join(f"{','.join(line)}\n" for line in sheet)
    (folder / "filled.csv").write_text(text, encoding="utf-8")


def command(*arguments: str) -> Callable[[Path], Work]:
    """The command in a process of its own; what an earlier round wrote is gone."""

    def prepare(folder: Path) -> Work:
        for name in _LEFT:
            left = folder / name
            shutil.rmtree(left) if left.is_dir() else left.unlink(missing_ok=True)
        line = [sys.executable, "-m", "comptoolbench", *arguments]
        return lambda: subprocess.run(line, cwd=folder, capture_output=True, check=True)

    return prepare


MEASURES = (
    Measure("--help", command("--help"), rounds=5),
    *(Measure(f"{name} --help", command(name, "--help"), rounds=5) for name in _COMMANDS),
    *(Measure(name, command(*line.split()), runs, rounds=5) for name, line in JOBS.items()),
)
