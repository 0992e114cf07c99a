"""What asking costs beside the wait: 200 tasks of a provider that takes half a second for each answer."""

import atexit
import io
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from dataset_builder.published.load_suite import load_suite
from evaluator.asking.ask_suite import ask_model
from evaluator.asking.client import Client
from evaluator.asking.find_target import find_target
from evaluator.asking.run_options import RunOptions
from tests.bench.measure import Measure, Work
from tests.samples.small_suite import write_suite

LATENCY_S = 0.5
CONCURRENCY = 32
"""So no run of 200 tasks takes less than 3.1 s."""


def _provider(suite: Path) -> str:
    """The address of a stand-in that answers as the oracle, in a process of its own until this one ends."""
    command = [sys.executable, "-m", "tests.stand_ins.provider", "--suite", str(suite)]
    process = subprocess.Popen(
        [*command, "--latency", str(LATENCY_S)], stdout=subprocess.PIPE, text=True
    )
    atexit.register(process.kill)
    assert process.stdout is not None
    return process.stdout.readline().strip()


def _run(catalogue: str) -> Callable[[Path], Work]:
    def prepare(folder: Path) -> Work:
        suite = load_suite()
        file = write_suite(suite, folder / "suite.jsonl")
        address = _provider(file)
        # Loading LiteLLM is no part of it.
        Client(find_target("stand-in", address))
        options = RunOptions(
            "stand-in",
            suite=str(file),
            catalogue=catalogue,
            api_base=address,
            concurrency=CONCURRENCY,
        )
        out = Path(tempfile.mkdtemp(dir=folder)) / "run"

        def work() -> None:
            finished = ask_model(options, out, io.StringIO())
            assert finished.state.is_complete
            assert finished.state.scores == [1.0] * len(suite.tasks)

        return work

    return prepare


MEASURES = tuple(
    Measure(f"200 requests, catalogue {catalogue}{said}", _run(catalogue), waits=waits, rounds=2)
    for catalogue in ("full", "task")
    for waits, said in ((False, ""), (True, ", ideal 3.1"))
)
