"""How fast the dataset folder is written, and how fast it is read with nothing in the cache."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

BUILD = """
import time
from pathlib import Path
from dataset_builder.published.dataset_folder import write_folder
from dataset_builder.tasks.engine import CompositionEngine
began = time.perf_counter()
engine = CompositionEngine(42)
write_folder(engine.generate_suite(), engine.catalogue, Path("comptoolbench"))
print(time.perf_counter() - began)
"""
LOAD = """
import time
from datasets import load_dataset
began = time.perf_counter()
load_dataset("comptoolbench", split="test")
print(time.perf_counter() - began)
"""


def measure() -> tuple[float, float]:
    """Seconds for building seed 42 and for loading it cold; Python and imports are no part of it.

    PyArrow's import is part of building, since a user waits for it.
    """
    with tempfile.TemporaryDirectory() as folder:
        build, load = (_seconds(code, Path(folder)) for code in (BUILD, LOAD))
    return build, load


def _seconds(code: str, folder: Path) -> float:
    environment = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


def main() -> None:
    """Measure and print."""
    build, load = measure()
    print(f"build, {build:.2f} s; cold load, {load:.2f} s")


if __name__ == "__main__":
    main()
