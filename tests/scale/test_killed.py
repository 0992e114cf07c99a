"""Scoring that is killed or interrupted goes on where it stopped, and ends in the same bytes."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evaluator.scale.score_files import score_files
from tests.samples.rollout_files import SUITE, files_in, jsonl, rows_of
from tests.samples.small_suite import write_suite

pytestmark = pytest.mark.slow
UNITS = 12


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a file of rows, their suite, and their scores as one process gives them."""
    folder = tmp_path_factory.mktemp("rows")
    files = [jsonl(rows_of(120, seed=seed, model=f"m{seed}")) for seed in range(UNITS)]
    (folder / "in").mkdir()
    for number, content in enumerate(files):
        (folder / "in" / f"{number:02}.jsonl").write_bytes(content)
    write_suite(SUITE, folder / "suite.jsonl")
    score_files([f"{folder}/in"], f"{folder}/expected", SUITE)
    return folder


def started(rows: Path, out: Path) -> "subprocess.Popen[str]":
    """The command with two workers, in a group of processes of its own."""
    command = [sys.executable, "-m", "comptoolbench", "score", f"{rows}/in", "--out", str(out)]
    return subprocess.Popen(
        [*command, "--suite", f"{rows}/suite.jsonl", "--workers", "2"],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def parts(out: Path) -> set[str]:
    return {file.name for file in out.glob("part-*.parquet")}


def test_killed_again_and_again_it_ends_in_the_same_bytes(rows: Path, tmp_path: Path) -> None:
    rng = random.Random(11)
    out = tmp_path / "out"
    for goal in (1, 4, 8):
        process = started(rows, out)
        while process.poll() is None and len(parts(out)) < goal:
            time.sleep(0.02)
        time.sleep(rng.random() / 5)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    assert not (out / "summary.json").exists()
    kept = {name: (out / name).stat().st_mtime_ns for name in parts(out)}
    assert len(kept) >= 8
    _, said = started(rows, out).communicate()
    assert f"{UNITS - len(kept)} of {UNITS} units scored now, {len(kept)} were there" in said
    assert {name: (out / name).stat().st_mtime_ns for name in kept} == kept
    assert files_in(out) == files_in(rows / "expected")


def test_ctrl_c_says_how_to_go_on(rows: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    process = started(rows, out)
    # A worker's second part comes after it has told of its first.
    while len(parts(out)) < 4:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130
    assert re.search(r"stopped after \d+ of 12 units; the same command goes on from there", said)
    assert "Traceback" not in said
    assert "summary.json" not in files_in(out)
    _, said = started(rows, out).communicate()
    assert files_in(out) == files_in(rows / "expected")
    assert not re.search(r"^12 of 12 units scored now", said, re.MULTILINE)


def test_a_worker_that_is_killed_is_replaced(rows: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    process = started(rows, out)
    killed = 0
    while process.poll() is None and killed < 3:
        if len(parts(out)) > 2 * killed:
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            workers = [c for c in children if "spawn_main" in _command(c)]
            if workers:
                os.kill(int(workers[0]), signal.SIGKILL)
                killed += 1
        time.sleep(0.02)
    process.communicate()
    assert killed > 0
    assert process.returncode == 0
    assert files_in(out) == files_in(rows / "expected")


def _command(process: str) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return ""


def test_the_summary_counts_every_row(rows: Path) -> None:
    summary = json.loads((rows / "expected" / "summary.json").read_bytes())
    assert summary["rows"] == 120 * UNITS
    assert len(summary["parts"]) == UNITS
