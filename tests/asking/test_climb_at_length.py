"""Whole climbs: those of agents whose horizon is known, and one that is killed again and again."""

import asyncio
import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from math import inf, log
from pathlib import Path
from typing import Any

import pytest

from dataset_builder.procedures.rungs import horizon_suite
from dataset_builder.tools import catalogue
from evaluator.asking.baselines import answering
from evaluator.asking.baselines.noisy import noisy
from evaluator.asking.climb import Ladder, climb
from evaluator.asking.episode import Setting, answer_task, timed
from evaluator.asking.run_options import RunOptions
from evaluator.scoring.score import Scorer
from evaluator.scoring.score_traces import score, score_folder
from evaluator.traces.protocols import SINGLE_TURN
from evaluator.traces.trace_reader import read_traces
from tests.samples.small_suite import small_suite
from tests.stand_ins.provider import Provider

pytestmark = pytest.mark.slow

TOOLS = catalogue()
SEEDS = (42, 1, 2)


def horizon_of(folder: Path, model: str, seed: int) -> dict[str, Any]:
    options = RunOptions(model=model, catalogue="task")
    climb(options, Ladder(seed), folder, io.StringIO(), environment={})
    found: dict[str, Any] = score_folder(folder, small_suite(), Scorer(TOOLS)).scores["horizon"]
    return found


def holds(found: dict[str, Any], truth: float) -> bool:
    """Whether an interval holds a value; an end that is None lies beyond the ladder."""
    low, high = found["low"], found["high"]
    return (low is None or low <= truth) and (high is None or truth <= high)


# Their intervals hold the truth in at least 93 of 100 seeds, which takes all of those to be shown.
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("p", [0.9, 0.97, 0.99])
def test_known_horizons_lie_in_their_intervals(tmp_path: Path, p: float, seed: int) -> None:
    found = horizon_of(tmp_path / "run", f"baseline:noisy-{p}", seed)
    print(p, seed, found["h50"], found["exponent"])
    assert holds(found["h50"], log(0.5) / log(p))
    assert holds(found["exponent"], 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_horizon_beyond_the_ladder_is_told_as_such_or_bracketed(
    tmp_path: Path, seed: int
) -> None:
    found = horizon_of(tmp_path / "run", "baseline:noisy-0.999", seed)
    assert holds(found["h50"], 693)
    assert found["h50"]["high"] is None


def test_errors_that_grow_with_length_show_an_exponent_above_1() -> None:
    agent = answering(
        lambda request: noisy(request, lambda place: min(1, 0.001 * 2 ** (place / 32)), "grows"),
        "grows",
    )
    setting = Setting("grows", "built-in", "horizon", SINGLE_TURN, "task", "native")
    suite = horizon_suite()
    traces = [
        asyncio.run(answer_task(task, 0, setting, TOOLS, lambda request: timed(agent(request))))
        for task in suite.tasks
    ]
    found = score(traces, suite)["horizon"]
    print(found["h50"], found["exponent"])
    assert found["exponent"]["low"] > 1
    # No length where no short procedure had a wrong call.
    assert found["h50"]["value"] < (found["independent"]["h50"] or inf)


def test_kills_at_any_moment_lose_and_double_nothing(tmp_path: Path) -> None:
    ladder, out, draw = Ladder(7, per_rung=3), tmp_path / "killed", random.Random(7)
    kills = 0
    with Provider(ladder.suite, latency_s=0.3) as provider:
        arguments = ["horizon", "stand-in", "--api-base", provider.url, "--catalogue", "task"]
        arguments += ["--seed", "7", "--per-rung", "3", "--concurrency", "2", "--out", str(out)]
        command = [sys.executable, "-m", "comptoolbench", *arguments]
        while kills < 8:
            answered, seen = _answered_prompts(out, ladder), len(provider.requests)
            process = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            while len(provider.requests) == seen and process.poll() is None:
                time.sleep(0.01)
            time.sleep(draw.uniform(0, 0.9))
            assert process.poll() is None, "the climb was over before it was killed"
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
            assert not answered & _prompts(provider, seen)
        answered, seen = _answered_prompts(out, ladder), len(provider.requests)
        done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ))
        assert done.returncode == 0, done.stderr
        assert not answered & _prompts(provider, seen)
    keys = Counter(json.loads(line)["task_id"] for line in (out / "traces.jsonl").open())
    assert set(keys.values()) == {1}
    assert len(keys) == 21
    assert score_folder(out, small_suite(), Scorer(TOOLS)).scores["horizon"]["h50"]["above"]
    print(f"{kills} kills, {len(provider.requests)} requests, {len(keys)} rows")


def _prompts(provider: Provider, since: int) -> set[str]:
    """What was asked since a request."""
    return {body["messages"][1]["content"] for _, body in provider.requests[since:]}


def _answered_prompts(folder: Path, ladder: Ladder) -> set[str]:
    """The procedures of which a whole row stands in the folder."""
    if not (folder / "traces.jsonl").exists() or not (folder / "traces.jsonl").stat().st_size:
        return set()
    by_id = ladder.suite.by_id
    return {by_id[trace.task_id].prompt for trace in read_traces([folder])}


def test_the_local_model_gets_a_row(tmp_path: Path) -> None:
    arguments = ["horizon", "local:smollm2", "--catalogue", "task", "--per-rung", "2"]
    arguments += ["--max-calls", "8", "--out", str(tmp_path / "run"), "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "comptoolbench", *arguments],
        capture_output=True,
        text=True,
        timeout=1500,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [rung["calls"] for rung in found["rungs"]] == [4, 8]
    assert found["h50"]["below"]
