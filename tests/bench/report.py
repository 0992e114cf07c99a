"""What a report of 30 runs takes: time and memory of a process of its own."""

import io
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from evaluator.asking.ask_suite import ask_model
from evaluator.asking.run_options import RunOptions

RUNS = 30
_COMMAND = "from evaluator.commands.report import report; report()"


def copies(folder: Path) -> None:
    """The runs of two baselines over the whole suite, under 30 models' names."""
    names = ("retrieval", "dump")
    for name in names:
        ask_model(RunOptions(f"baseline:{name}"), folder / name, io.StringIO())
    for number in range(RUNS):
        source = folder / names[number % 2]
        own: dict[str, Any] = {"model": f"vendor/model-{number}", "provider": "vendor"}
        target = folder / "runs" / f"run-{number}"
        target.mkdir(parents=True)
        about = json.loads((source / "run.json").read_text())
        (target / "run.json").write_text(json.dumps(about | own))
        rows = map(json.loads, (source / "traces.jsonl").read_text().splitlines())
        # A run with the responses of another would be a copy.
        own["response"] = [own["model"]]
        text = "".join(f"{json.dumps(row | own)}\n" for row in rows)
        (target / "traces.jsonl").write_text(text)


def figures() -> list[tuple[str, float, float, float]]:
    """What, seconds, processor seconds and peak memory in GB of a report.

    Once before the runs' scores are in the cache and once after.
    """
    found = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        copies(folder)
        environment = os.environ | {"XDG_CACHE_HOME": str(folder / "cache")}
        for what in ("scored anew", "scores at hand"):
            arguments = [str(folder / "runs"), "--out", str(folder / "report")]
            began = time.perf_counter()
            process = subprocess.Popen(
                [sys.executable, "-c", _COMMAND, *arguments],
                stdout=subprocess.DEVNULL,
                env=environment,
            )
            _, status, usage = os.wait4(process.pid, 0)
            assert status == 0
            wall, cpu = time.perf_counter() - began, usage.ru_utime + usage.ru_stime
            found.append((what, wall, cpu, usage.ru_maxrss / 1024**2))
    return found


def main() -> None:
    """Measure and print."""
    for what, wall, cpu, memory in figures():
        print(
            f"report, {RUNS} runs, {what:15} {wall:6.1f} s "
            f"({cpu:.1f} s of processor time), {memory:.2f} GB"
        )


if __name__ == "__main__":
    main()
