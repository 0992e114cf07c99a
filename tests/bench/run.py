"""How near a run comes to the ideal: 200 tasks against a provider that takes half a second each."""

import io
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dataset_builder.published.load_suite import load_suite
from evaluator.asking.ask_suite import ask_model
from evaluator.asking.client import Client
from evaluator.asking.find_target import find_target
from evaluator.asking.run_options import RunOptions
from tests.samples.small_suite import write_suite

LATENCY_S = 0.5
CONCURRENCY = 32


@contextmanager
def provider(suite: Path) -> Iterator[str]:
    """The address of a stand-in provider that answers as the oracle, in a process of its own."""
    command = [sys.executable, "-m", "tests.stand_ins.provider", "--suite", str(suite)]
    process = subprocess.Popen(
        [*command, "--latency", str(LATENCY_S)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()


def figures(catalogue: str = "full") -> tuple[float, float, float]:
    """Wall time of the run, the ideal, and processor time of a request, in seconds.

    Loading LiteLLM is no part of it.
    """
    suite = load_suite()
    with tempfile.TemporaryDirectory() as folder:
        file = write_suite(suite, Path(folder) / "suite.jsonl")
        with provider(file) as address:
            Client(find_target("stand-in", address))
            asked = RunOptions(
                "stand-in",
                suite=str(file),
                catalogue=catalogue,
                api_base=address,
                concurrency=CONCURRENCY,
            )
            began, cpu = time.perf_counter(), time.process_time()
            finished = ask_model(asked, Path(folder) / "run", io.StringIO())
            wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    assert finished.state.is_complete
    assert finished.state.scores == [1.0] * len(suite.tasks)
    return wall, len(suite.tasks) * LATENCY_S / CONCURRENCY, cpu / len(suite.tasks)


def measure(catalogue: str = "full") -> tuple[float, float]:
    """Wall time of the run and the ideal, in seconds."""
    return figures(catalogue)[:2]


def main() -> None:
    """Measure and print."""
    for catalogue in ("full", "task"):
        wall, ideal, cpu = figures(catalogue)
        print(
            f"run, catalogue {catalogue:5}       {wall:8.2f} s "
            f"({wall / ideal:.2f} times the ideal {ideal:.2f} s; {1000 * cpu:.1f} ms of processor "
            "time a request)"
        )


if __name__ == "__main__":
    main()
