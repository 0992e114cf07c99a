"""Runs that cannot be read, or are still being written: said in a sentence, and no other is hidden."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import comptoolbench
from comptoolbench import _cli
from dataset_builder.errors import InputError
from evaluator.comparing.load_results import load_result, load_results
from evaluator.traces.trace import TraceProblems
from tests.samples.small_runs import SUITE, board, run, suite_of
from tests.samples.small_suite import write_suite


def runs_and_a_bad_one(tmp_path: Path) -> list[Path]:
    fine = [run(f"baseline:{name}", tmp_path / name) for name in ("dump", "retrieval")]
    bad = run("baseline:silent", tmp_path / "bad")
    (bad / "traces.jsonl").write_text("{\n[]\n")
    return [bad, *fine, tmp_path / "nowhere"]


@pytest.mark.parametrize("command", ["leaderboard", "compare", "ablate"])
def test_a_bad_run_is_said_and_the_others_are_shown(command: str, tmp_path: Path) -> None:
    paths = runs_and_a_bad_one(tmp_path)
    done = board(*paths, command=command)
    assert done.exit_code == 2
    assert done.stderr.splitlines() == [
        f"comptoolbench: {paths[0]}/traces.jsonl:1: is no JSON (expecting property name enclosed in "
        "double quotes at character 2) (and 1 more problem)",
        f"comptoolbench: {paths[3]}: expected a run folder, a folder of runs or a trace file",
    ]
    whole = board(*paths[1:3], command=command)
    assert whole.exit_code == 0
    assert done.stdout == whole.stdout != ""


@pytest.mark.parametrize("command", ["leaderboard", "compare", "ablate"])
def test_bad_runs_alone_are_said(command: str, tmp_path: Path) -> None:
    bad, *_, nowhere = runs_and_a_bad_one(tmp_path)
    refused = board(bad, nowhere, command=command)
    assert isinstance(refused.exception, InputError)
    assert [text in str(refused.exception) for text in ("is no JSON", "nowhere")] == [True, True]


@pytest.mark.parametrize("keep", [1, 40, -1])
def test_a_row_that_is_being_written_hides_no_run(keep: int, tmp_path: Path) -> None:
    folder = run("baseline:dump", tmp_path / "dump")
    file = folder / "traces.jsonl"
    *whole, last = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(whole))
    without = load_result(folder, SUITE).scores
    file.write_bytes(b"".join([*whole, last.rstrip(b"\n")[:keep]]))
    assert load_result(folder, SUITE).scores["tasks"] == without["tasks"]
    assert comptoolbench.score(folder, SUITE)["n_missing"] == 1
    # A whole row without a line end is a row.
    file.write_bytes(b"".join([*whole, last.rstrip(b"\n")]))
    assert load_result(folder, SUITE).scores["n_missing"] == 0
    # Elsewhere in the run's file, and in any other file, it is a problem.
    for content in (last[:40] + b"\n" + b"".join(whole), b"".join(whole) + last[:40] + b"\n"):
        file.write_bytes(content)
        with pytest.raises(TraceProblems):
            load_result(folder, SUITE)
    file.write_bytes(b"".join(whole) + last[:40])
    with pytest.raises(TraceProblems):
        comptoolbench.score(file, SUITE)


DESCRIBED: list[tuple[Any, str]] = [
    ([], "expected a JSON object"),
    ({"model": "a\u200b"}, "model: expected"),
    ({"model": ["m"]}, "model: expected text"),
    ({"provider": 3}, "provider: expected text"),
    ({"sessions": "often"}, "sessions: expected a list of objects"),
    ({"sessions": [3]}, "sessions: expected a list of objects"),
    ({"sessions": [{"started_at": 3}]}, "sessions: started_at: expected a time"),
    ({"sessions": [{"ended_at": "now"}]}, "sessions: ended_at: expected a time"),
    ({"sessions": [{"packages": [1]}]}, "sessions: packages: expected an object"),
    ({"served_by": "x"}, "served_by: expected a list of texts"),
    ({"system_fingerprints": [1]}, "system_fingerprints: expected a list of texts"),
    ({"suite": "mine"}, "suite: expected an object"),
    ({"limit": -1}, "limit: expected a whole number"),
    ({"calls": "loud"}, "asked.calls: expected native or json"),
    ({"wording": ["minimal"]}, "asked.wording: expected minimal"),
    ({"prompt_version": 7, "protocol": "single-turn"}, "asked.prompt_version: expected 1 to"),
    ({"catalogue": "0008"}, "catalogue: expected full, task or a number"),
    ({"protocol": "chat"}, "protocol: expected single-turn"),
]


@pytest.mark.parametrize(("change", "said"), DESCRIBED)
def test_a_description_of_the_wrong_shape_is_said(change: Any, said: str, tmp_path: Path) -> None:
    folder = run("baseline:dump", tmp_path / "dump", "--limit", "1")
    file = folder / "run.json"
    about = json.loads(file.read_text())
    file.write_text(json.dumps({**about, **change} if isinstance(change, dict) else change))
    with pytest.raises(InputError, match=re.escape(said)) as refused:
        load_result(folder, SUITE)
    assert str(file) in str(refused.value)
    resumed = ["run", "baseline:dump", "--suite", suite_of(folder), "--out", str(folder)]
    assert isinstance(CliRunner().invoke(_cli, resumed).exception, InputError)


def test_how_silent_rows_were_asked_stands_in_their_folder(tmp_path: Path) -> None:
    folder = run("baseline:dump", tmp_path / "dump", "--calls", "json")
    rows = [json.loads(line) for line in (folder / "traces.jsonl").read_text().splitlines()]
    text = "".join(json.dumps({**row, "asked": None}) + "\n" for row in rows)
    (folder / "traces.jsonl").write_text(text)
    assert "|calls:json|" in load_result(folder, SUITE).signature


def test_what_lies_in_a_run_is_none_for_itself(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    folder = run("baseline:dump", runs / "dump")
    run("baseline:dump", folder / "fresh", "--limit", "1")
    control = run("baseline:dump", runs / "control", command="control")
    names = [result.name for result in load_results([runs], SUITE)]
    arms = ("context_rich", "minimal", "tool_hinted")
    assert names == [*(str(control / arm) for arm in arms), str(folder)]


def test_a_report_is_of_the_runs_that_can_be_read(tmp_path: Path) -> None:
    suite = str(write_suite(SUITE, tmp_path / "suite.jsonl"))
    paths = [str(path) for path in runs_and_a_bad_one(tmp_path)]
    out = str(tmp_path / "report")
    done = CliRunner().invoke(_cli, ["report", *paths, "--suite", suite, "--out", out])
    assert done.exit_code == 2
    assert "report/index.html: 2 runs" in done.stdout
    assert len(done.stderr.splitlines()) == 2
