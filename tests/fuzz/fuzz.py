"""Fuzzing one target in a process of its own, and what came of it."""

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.corpus import keep, kept, target_of

MOST_BYTES = 4_000
"""Of an input: what is long is tested by count, and takes the time of many short ones."""
_HANG_S, _MEMORY_MB = 60, 2_048
_BROKEN = ("crash", "timeout", "oom")
_STATISTIC = re.compile(r"^stat::(\w+):\s+(\d+)", re.MULTILINE)
_COVERED = re.compile(r"cov: (\d+) ft: (\d+)")


@dataclass(frozen=True)
class Outcome:
    """What fuzzing gave."""

    executions: int
    edges: int
    features: int
    finding: bytes | None
    """The input for which something did not hold; None where there is none."""
    said: str
    """The end of what the process wrote: for a finding its traceback."""

    @property
    def sentence(self) -> str:
        """The counts, or the finding."""
        if self.finding is not None:
            return f"{self.said}\nFound with the input {self.finding!r}"
        counts = f"{self.executions:,} executions, {self.edges:,} edges, {self.features:,} features"
        return f"{counts}, nothing found"


def fuzz(name: str, seconds: int, folder: Path, seed: int = 0) -> Outcome:
    """Fuzz a target from its seeds and its kept inputs; what it finds stands in ``folder``.

    ``seed``: of the fuzzer's draws; 0 for new ones each time.

    An input is a finding that breaks what the target checks, takes over a minute or 2 GB.
    """
    start, found, broken = (folder / part for part in ("start", "found", "broken"))
    for part in (start, found, broken):
        part.mkdir()
    _write(start, [*target_of(name).seeds(), *kept(name)])
    options = (
        f"-max_total_time={seconds}",
        f"-max_len={MOST_BYTES}",
        "-len_control=0",
        f"-seed={seed}",
    )
    done = _run(name, found, start, f"-artifact_prefix={broken}/", "-print_final_stats=1", *options)
    said = done.stdout
    statistics = dict(_STATISTIC.findall(said))
    edges, features = _COVERED.findall(said)[-1] if _COVERED.search(said) else (0, 0)
    inputs = [file.read_bytes() for kind in _BROKEN for file in broken.glob(f"{kind}-*")]
    if done.returncode and not inputs:
        raise RuntimeError(f"{name}: {said[-3_000:]}")
    executions = int(statistics.get("number_of_executed_units", 0))
    finding = inputs[0] if inputs else None
    return Outcome(executions, int(edges), int(features), finding, said[-6_000:])


def keep_found(name: str, folder: Path) -> int:
    """Keep what `fuzz` found of a target: few inputs that reach what its seeds do not. How many they are."""
    seeds, fewest = folder / "seeds", folder / "fewest"
    for part in (seeds, fewest):
        part.mkdir()
    known = list(target_of(name).seeds())
    _write(seeds, known)
    done = _run(name, "-set_cover_merge=1", fewest, seeds, folder / "start", folder / "found")
    inputs = {file.read_bytes() for file in fewest.iterdir()} - set(known)
    if not any(fewest.iterdir()):
        raise RuntimeError(f"{name}: {done.stdout[-3_000:]}")
    return keep(name, inputs)


def _run(name: str, *options: str | Path) -> "subprocess.CompletedProcess[str]":
    limits = (f"-timeout={_HANG_S}", f"-rss_limit_mb={_MEMORY_MB}")
    command = [sys.executable, "-m", "tests.fuzz.child", name, *limits, *map(str, options)]
    return subprocess.run(
        command,
        cwd=Path(__file__).parents[2],
        # Sets in the same order each time, so that a finding is one again.
        env={**os.environ, "PYTHONHASHSEED": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )


def _write(folder: Path, inputs: Iterable[bytes]) -> None:
    for number, data in enumerate(inputs):
        (folder / f"{number:05}").write_bytes(data)
