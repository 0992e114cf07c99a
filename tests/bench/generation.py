"""How fast tasks and procedures are made, and the dataset folder written and read."""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from dataset_builder.published.dataset_folder import write_folder
from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.task import Suite
from evaluator.integrations.task_stream import TaskStream
from tests.bench.measure import Measure, Work

LARGE = (1200, 1600, 1000, 1200)


def suite() -> Suite:
    """The published tasks."""
    return CompositionEngine(42).generate_suite()


def _warm(work: Work) -> Callable[[Path], Work]:
    """The work without what is read once in a process: templates, catalogue, clauses."""

    def prepare(folder: Path) -> Work:
        suite()
        return work

    return prepare


def _large() -> object:
    return sum(1 for _ in CompositionEngine(3, counts=LARGE).generate())


def _procedures(calls: int, count: int) -> Callable[[Path], Work]:
    def prepare(folder: Path) -> Work:
        stream = TaskStream(7, {f"P{calls}": 1})
        list(islice(stream.tasks(10**6), 1))
        return lambda: list(islice(stream.tasks(), count))

    return prepare


def _procedures_of_42(folder: Path) -> Work:
    """As every process has them that was not the first to ask for them."""
    load = "from dataset_builder.published.load_suite import *; load_suite(config='horizon')"
    subprocess.run([sys.executable, "-c", load], check=True)
    return lambda: load_suite(config="horizon")


def _build(folder: Path) -> Work:
    import pyarrow.parquet  # noqa: F401

    engine = CompositionEngine(42)
    return lambda: write_folder(engine.generate_suite(), engine.catalogue, folder / "comptoolbench")


def _built(folder: Path) -> None:
    _build(folder)()


def _load(folder: Path) -> Work:
    from datasets import load_dataset

    cache = tempfile.mkdtemp(dir=folder)
    return lambda: load_dataset(str(folder / "comptoolbench"), split="test", cache_dir=cache)


MEASURES = (
    Measure("200 tasks of seed 42, nothing read yet", lambda folder: suite, rounds=5),
    Measure("200 tasks of seed 42 once more", _warm(suite), rounds=5),
    Measure("5,000 tasks of another seed", _warm(_large)),
    Measure("100 procedures of 8 calls", _procedures(8, 100)),
    Measure("procedures of seed 42, kept", _procedures_of_42),
    Measure("10 procedures of 128 calls", _procedures(128, 10)),
    Measure("dataset folder of 200 tasks", _build),
    Measure("dataset folder, loaded with datasets", _load, _built, rounds=2, waits=True),
)
