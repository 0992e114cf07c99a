"""Runs as processes of their own, which are killed, interrupted, and lied to."""

import json
import os
import pty
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from dataset_builder.tools import catalogue
from evaluator.scoring.score import score_task
from evaluator.traces.trace_reader import read_traces
from tests.samples.small_suite import small_suite, write_suite
from tests.stand_ins.provider import Provider, always, faulty, first

pytestmark = pytest.mark.slow

KEY = "sk-do-not-tell/anyone+42"
SUITE = small_suite()
TOOLS = catalogue()


@pytest.fixture
def suite_file(tmp_path: Path) -> Path:
    return write_suite(SUITE, tmp_path / "suite.jsonl")


def command(suite: Path, url: str, out: Path, *more: str) -> list[str]:
    arguments = ["run", "stand-in", "--suite", str(suite), "--api-base", url, "--out", str(out)]
    arguments += ["--catalogue", "task", *more]
    return [sys.executable, "-m", "comptoolbench", *arguments]


def run(*arguments: Any, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **environment}
    return subprocess.run(command(*arguments), capture_output=True, text=True, env=env, timeout=300)


def scores(folder: Path) -> dict[tuple[str, int], float]:
    return {
        (trace.task_id, trace.sample): score_task(SUITE.by_id[trace.task_id], trace, TOOLS).score
        for trace in read_traces([folder], SUITE)
    }


def test_twenty_kills_lose_and_double_nothing(tmp_path: Path, suite_file: Path) -> None:
    draw = random.Random(20)
    kills = 0
    options = ("--samples", "30", "--concurrency", "4")
    with Provider(SUITE, "baseline:dump", faulty(0.25), latency_s=0.2) as provider:
        arguments = command(suite_file, provider.url, tmp_path / "killed", *options)
        while kills < 20:
            seen = len(provider.requests)
            process = subprocess.Popen(
                arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            while len(provider.requests) == seen and process.poll() is None:
                time.sleep(0.01)
            time.sleep(draw.uniform(0, 0.8))
            assert process.poll() is None, "the run was over before it was killed"
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
        assert run(suite_file, provider.url, tmp_path / "killed", *options).returncode == 0
    with Provider(SUITE, "baseline:dump") as provider:
        assert run(suite_file, provider.url, tmp_path / "whole", *options).returncode == 0
    rows = (tmp_path / "killed" / "traces.jsonl").read_text().splitlines()
    keys = Counter((row["task_id"], row["sample"]) for row in map(json.loads, rows))
    assert set(keys.values()) == {1}
    assert len(keys) == 8 * 30
    assert scores(tmp_path / "killed") == scores(tmp_path / "whole")
    sessions = json.loads((tmp_path / "killed" / "run.json").read_text())["sessions"]
    print(f"{kills} kills, {len(sessions)} sessions that wrote, {len(keys)} rows")


def test_a_server_that_fails_three_in_ten_answers_all(tmp_path: Path, suite_file: Path) -> None:
    with Provider(SUITE, script=faulty(0.3)) as provider:
        done = run(suite_file, provider.url, tmp_path / "run", "--samples", "5")
    assert done.returncode == 0, done.stderr
    assert set(scores(tmp_path / "run").values()) == {1.0}
    assert len(scores(tmp_path / "run")) == 40


def test_a_dead_server_ends_the_run_soon(tmp_path: Path, suite_file: Path) -> None:
    out = tmp_path / "run"
    began = time.monotonic()
    dead = run(suite_file, "http://127.0.0.1:9/v1", out)
    assert time.monotonic() - began < 30
    assert dead.returncode == 1
    assert "Connection error" in dead.stdout
    assert "goes on from there" in dead.stdout
    assert "Traceback" not in dead.stdout + dead.stderr
    with Provider(SUITE) as provider:
        assert run(suite_file, provider.url, out).returncode == 0
    assert set(scores(out).values()) == {1.0}
    assert len(scores(out)) == 8


def test_the_key_stands_nowhere(tmp_path: Path, suite_file: Path) -> None:
    out = tmp_path / "run"
    options = ("--key-variable", "STAND_IN_KEY", "--concurrency", "1")
    with Provider(SUITE, script=first(["quotes_key"] * 9 + ["bad_schema"])) as provider:
        done = run(suite_file, provider.url, out, *options, STAND_IN_KEY=KEY)
        assert provider.requests[0][0]["authorization"] == f"Bearer {KEY}"
    with Provider(SUITE, script=always("unauthorized")) as provider:
        refused = run(suite_file, provider.url, tmp_path / "no", *options, STAND_IN_KEY=KEY)
    written = [file.read_text() for file in out.iterdir()]
    assert any("[key]" in text for text in [*written, done.stderr, done.stdout])
    for text in [*written, done.stdout, done.stderr, refused.stdout, refused.stderr]:
        assert KEY not in text
        assert "do-not-tell" not in text


def test_a_refused_key_leaves_nothing(tmp_path: Path, suite_file: Path) -> None:
    with Provider(SUITE, script=always("unauthorized")) as provider:
        done = run(suite_file, provider.url, tmp_path / "run")
    assert done.returncode == 2
    assert "Incorrect API key" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_run_is_told_to_end_while_requests_are_in_flight(
    tmp_path: Path, suite_file: Path, sent: signal.Signals
) -> None:
    out = tmp_path / "run"
    script = first(["answer"] * 4, then="hang")
    with Provider(SUITE, script=script) as provider:
        process = subprocess.Popen(
            command(suite_file, provider.url, out, "--concurrency", "4"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        while len(provider.requests) < 8 and process.poll() is None:
            time.sleep(0.01)
        # How far it is can be read while it runs.
        assert json.loads((out / "run.json").read_text())["total"] == 8
        assert len(read_traces([out], SUITE)) == 4
        began = time.monotonic()
        process.send_signal(sent)
        stdout, stderr = process.communicate(timeout=10)
    assert time.monotonic() - began < 2
    assert process.returncode == 130
    assert "stopped; 4 of 8 answers are kept" in stdout
    assert "Traceback" not in stderr
    assert len(read_traces([out], SUITE)) == 4
    assert json.loads((out / "run.json").read_text())["sessions"][-1]["interrupted"] is True


def test_the_key_comes_from_standard_input(tmp_path: Path, suite_file: Path) -> None:
    out = tmp_path / "run"
    others = dict.fromkeys(("OPENAI_API_KEY", "LITELLM_API_KEY", "OPENAI_API_BASE"), "not-this-one")
    with Provider(SUITE, script=first(["quotes_key"])) as provider:
        arguments = command(suite_file, provider.url, out, "--concurrency", "1", "--api-key-stdin")
        done = subprocess.run(
            arguments,
            input=f"{KEY}\nmore\n",
            capture_output=True,
            text=True,
            env={**os.environ, **others},
        )
        assert done.returncode == 0, done.stderr
        assert {h["authorization"] for h, _ in provider.requests} == {f"Bearer {KEY}"}
        assert "not-this-one" not in str(provider.requests)
        empty = subprocess.run(
            arguments, input="\n", capture_output=True, text=True, env={**os.environ, **others}
        )
    assert empty.returncode == 2
    assert "expected a key" in empty.stderr
    for text in [*(file.read_text() for file in out.iterdir()), done.stdout, done.stderr]:
        assert KEY not in text


def test_control_c_ends_cleanly(tmp_path: Path, suite_file: Path) -> None:
    out = tmp_path / "run"
    options = ("--samples", "10", "--concurrency", "2")
    with Provider(SUITE, latency_s=0.2) as provider:
        process = subprocess.Popen(
            command(suite_file, provider.url, out, *options),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        while len(provider.requests) < 6 and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=10)
        assert process.returncode == 130
        assert "The same command again goes on from there" in stdout
        assert "Traceback" not in stderr
        kept = len(read_traces([out], SUITE))
        assert 0 < kept < 80
        assert run(suite_file, provider.url, out, *options).returncode == 0
    assert len(scores(out)) == 80


def test_the_display_of_a_terminal(tmp_path: Path, suite_file: Path) -> None:
    ours, theirs = pty.openpty()
    with Provider(SUITE, latency_s=0.3) as provider:
        process = subprocess.Popen(
            command(suite_file, provider.url, tmp_path / "run", "--concurrency", "2"),
            stdout=subprocess.DEVNULL,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
        )
        os.close(theirs)
        shown = b""
        while chunk := _read(ours):
            shown += chunk
        assert process.wait(30) == 0
    assert b"4/8 done" in shown
    assert b"left" in shown


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # The other end is closed.
        return b""


# In several turns the model rarely stops before the last, so a task takes ten times as long.
@pytest.mark.parametrize(("protocol", "limit"), [("single-turn", 4), ("multi-turn", 2)])
def test_the_local_model(tmp_path: Path, suite_file: Path, protocol: str, limit: int) -> None:
    out = tmp_path / "run"
    arguments = ["run", "local:smollm2", "--suite", str(suite_file), "--catalogue", "task"]
    arguments += ["--protocol", protocol, "--limit", str(limit), "--out", str(out)]
    done = subprocess.run(
        [sys.executable, "-m", "comptoolbench", *arguments],
        capture_output=True,
        text=True,
        timeout=1500,
    )
    assert done.returncode == 0, done.stderr
    traces = read_traces([out], SUITE)
    assert len({SUITE.by_id[trace.task_id].level for trace in traces}) == len(traces) == limit
    assert not any(trace.error for trace in traces)
    assert sum(len(trace.calls) for trace in traces) >= limit
    data = json.loads((out / "run.json").read_text())
    assert len(data["weights"]["sha256"]) == 64
    assert data["calls"] == "json"


def test_the_local_model_cannot_read_the_whole_catalogue(tmp_path: Path, suite_file: Path) -> None:
    arguments = ["run", "local:smollm2", "--suite", str(suite_file), "--out", str(tmp_path / "run")]
    done = subprocess.run(
        [sys.executable, "-m", "comptoolbench", *arguments], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "--catalogue task" in done.stderr
    assert not (tmp_path / "run").exists()
