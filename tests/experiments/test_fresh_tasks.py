"""Fresh tasks: of a secret seed, revealed when they are answered, and compared as two samples."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dataset_builder.errors import InputError
from dataset_builder.published.load_suite import published_suite
from dataset_builder.tasks.engine import COUNTS as PUBLIC_COUNTS
from evaluator.asking.ask_suite import ask_model
from evaluator.asking.run_options import RunOptions
from evaluator.comparing.load_results import load_result
from evaluator.comparing.results import Result, template_of
from evaluator.experiments.fresh_tasks import (
    COUNTS,
    ask_fresh,
    fresh_result,
    fresh_seed,
    fresh_suite,
    public_minus_fresh,
)

SUITE = published_suite()
SECRET = b"only for this test"


def made(folder: Path, agent: str = "baseline:retrieval") -> Result:
    """A run of a built-in agent with its fresh tasks."""
    asked = RunOptions(agent)
    ask_model(asked, folder, io.StringIO(), suite=SUITE)
    ask_fresh(asked, folder, SECRET, io.StringIO())
    return load_result(folder, SUITE)


def test_the_counts_are_sixty_in_proportion() -> None:
    assert sum(COUNTS) == 60
    shares = [60 * count / sum(PUBLIC_COUNTS) for count in PUBLIC_COUNTS]
    assert all(abs(count - share) < 1 for count, share in zip(COUNTS, shares, strict=True))


def test_a_seed_hangs_on_the_secret_and_the_run() -> None:
    seed = fresh_seed(SECRET, "run")
    # printf run | openssl dgst -sha256 -hmac "only for this test"
    assert seed == "91bd38bef2e2849925cd69d2245fb39e5bed984ff49093d6e46b192c5b697236"
    assert len({seed, fresh_seed(SECRET, "other"), fresh_seed(b"other", "run")}) == 3


def test_fresh_tasks_are_none_of_the_published_ones_and_do_not_say_their_seed() -> None:
    suite = fresh_suite(fresh_seed(SECRET, "run"))
    assert [sum(task.level == level for task in suite.tasks) for level in range(4)] == list(COUNTS)
    prompts = {task.prompt for task in SUITE.tasks}
    assert len({task.prompt for task in suite.tasks} - prompts) > 50
    assert suite.seed is None
    assert suite.digest == fresh_suite(fresh_seed(SECRET, "run")).digest
    assert suite.digest != fresh_suite(fresh_seed(SECRET, "other")).digest


def test_the_seed_is_revealed_when_all_are_answered_and_not_before(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    public = made(folder)
    told = json.loads((folder / "fresh.json").read_text())
    seed = fresh_seed(SECRET, told["run_id"])
    assert told == {"run_id": told["run_id"], "seed": seed}
    for file in (folder / "fresh").iterdir():
        assert seed not in file.read_text()
    found = fresh_result(folder, public, SECRET)
    assert found is not None
    assert found["seed"] == seed
    assert found["n_tasks"] == 60
    assert found["low"] < found["difference"] < found["high"]
    assert abs(found["difference"]) < 0.2
    kept = (folder / "fresh.json").read_text()
    assert fresh_result(folder, public, SECRET) == found
    assert (folder / "fresh.json").read_text() == kept

    with pytest.raises(InputError, match="another seed"):
        fresh_result(folder, public, b"another")
    traces = folder / "fresh" / "traces.jsonl"
    lines = traces.read_text().splitlines(keepends=True)
    traces.write_text("".join(lines[:-1]))
    assert fresh_result(folder, public, SECRET) is None
    (folder / "fresh.json").write_text(json.dumps({"run_id": told["run_id"]}))
    assert fresh_result(folder, public, SECRET) is None
    (folder / "fresh.json").write_text("{")
    with pytest.raises(InputError, match="cannot be read"):
        fresh_result(folder, public, SECRET)


def test_a_run_that_is_resumed_keeps_its_id(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    (folder).mkdir()
    (folder / "fresh.json").write_text('{"run_id": "mine"}')
    ask_fresh(RunOptions("baseline:silent"), folder, SECRET, io.StringIO())
    told = json.loads((folder / "fresh.json").read_text())
    assert told == {"run_id": "mine", "seed": fresh_seed(SECRET, "mine")}


def test_the_oracle_is_as_good_on_fresh_tasks(tmp_path: Path) -> None:
    found = fresh_result(tmp_path, made(tmp_path, "baseline:oracle"), SECRET)
    assert found is not None
    assert found["difference"] == pytest.approx(0)


def synthetic(suite_seed: str | None, right: float) -> Result:
    """Scores that are ``right`` on every second task of a level, and 0 on the others."""
    suite = SUITE if suite_seed is None else fresh_suite(suite_seed)
    rows = [
        {"task_id": t.task_id, "level": int(t.level), "sample": 0}
        | dict.fromkeys(("score", "step", "strict"), right * (n % 2))
        for n, t in enumerate(suite.tasks)
    ]
    return Result("r", {"tasks": rows}, {}, template_of(suite))


def test_who_learnt_the_published_answers_is_found_out() -> None:
    honest = public_minus_fresh(synthetic(None, 0.8), synthetic("seed", 0.8))
    learnt = public_minus_fresh(synthetic(None, 1.6), synthetic("seed", 0.4))
    assert honest["low"] < 0 < honest["high"]
    assert learnt["low"] > 0.3
    assert learnt["difference"] == pytest.approx(0.6, abs=0.05)


def test_the_command_needs_a_secret_and_passes_it_on_to_nobody(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "comptoolbench", "run", "baseline:silent", "--fresh"]
    command += ["--out", "run"]
    environment = {k: v for k, v in os.environ.items() if k != "COMPTOOLBENCH_SECRET"}
    options = {"cwd": tmp_path, "capture_output": True, "text": True}
    done = subprocess.run(command, env=environment, **options)  # type: ignore[call-overload]
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "COMPTOOLBENCH_SECRET" in done.stderr
    assert not (tmp_path / "run").exists()
    environment["COMPTOOLBENCH_SECRET"] = "a secret of some length"
    done = subprocess.run(command, env=environment, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stderr
    assert "seed" in json.loads((tmp_path / "run" / "fresh.json").read_text())
    for file in (tmp_path / "run").rglob("*"):
        assert file.is_dir() or "a secret of some length" not in file.read_text()
