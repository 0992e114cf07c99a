"""The page over a small suite, served to a test as the command line serves it."""

import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from dataset_builder.tasks.task import Suite
from evaluator.traces.trace import Call, Trace
from tests.samples.small_suite import small_suite, write_suite


def trace_lines(suite: Suite, model: str, right: int, **more: object) -> str:
    """A trace file in which the first ``right`` tasks are answered and the others are not."""
    lines = []
    for number, task in enumerate(suite.tasks):
        steps = task.steps if number < right else ()
        calls = tuple(Call(step.tool, dict(step.arguments)) for step in steps)
        trace = Trace(task.task_id, calls, model, protocol="multi-turn", catalogue="full")
        lines.append(json.dumps(trace.to_row() | more))
    return "\n".join(lines) + "\n"


def run_baselines(folder: Path, *agents: str) -> None:
    """Make run folders of built-in agents over the small suite."""
    write_suite(small_suite(), folder / "suite.jsonl")
    for agent in agents:
        run = [sys.executable, "-m", "comptoolbench", "run", agent, "--suite", "suite.jsonl"]
        run += ["--protocol", "multi-turn"]
        subprocess.run(run, cwd=folder, check=True, capture_output=True)


@contextmanager
def served(
    folder: Path, suite: str | None = "suite.jsonl", environment: Mapping[str, str] | None = None
) -> Iterator[str]:
    """The address of a page over a folder's runs and submissions, in a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "comptoolbench", "space", "--port", str(port)]
    command += ["--suite", suite] if suite else []
    log = (folder / "page.log").open("wb")
    server = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}/"
    try:
        for _ in range(480):
            try:
                urllib.request.urlopen(address, timeout=5).read()
                break
            except OSError:
                assert server.poll() is None, (folder / "page.log").read_text()
                time.sleep(0.25)
        yield address
    finally:
        server.terminate()
        server.wait(20)
        log.close()
