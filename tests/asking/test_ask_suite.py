"""Asking a model of a suite: what the run's folder says, how a run goes on, what does not mix in."""

import io
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dataset_builder.errors import InputError
from dataset_builder.tools import catalogue
from evaluator.asking.ask_suite import ask_model
from evaluator.asking.run_options import RunOptions
from evaluator.scoring.score import Scorer
from evaluator.scoring.score_traces import score_files
from evaluator.traces.trace_reader import read_traces
from tests.samples.small_suite import small_suite, write_suite
from tests.stand_ins.provider import Provider, always, first

TOOLS = catalogue()
SUITE = small_suite()


@pytest.fixture
def suite_file(tmp_path: Path) -> str:
    return str(write_suite(SUITE, tmp_path / "suite.jsonl"))


def asked(suite: str, **more: Any) -> RunOptions:
    return RunOptions(model="baseline:oracle", suite=suite, catalogue="task", **more)


def run(asked: RunOptions, out: Path) -> Any:
    return ask_model(asked, out, io.StringIO())


def test_a_run_folder_says_all_that_a_repetition_needs(tmp_path: Path, suite_file: str) -> None:
    finished = run(asked(suite_file, samples=2), tmp_path / "run")
    assert finished.exit_code == 0
    data = json.loads((tmp_path / "run" / "run.json").read_text())
    assert data["suite"]["digest"] == SUITE.digest
    assert data["signature"].endswith(
        "|n:8|protocol:single-turn.1|catalogue:task|calls:native|scorer:2"
    )
    assert (data["model"], data["protocol"], data["prompt_version"]) == (
        "baseline:oracle",
        "single-turn",
        1,
    )
    assert (data["samples"], data["limit"], data["calls"]) == (2, None, "native")
    assert data["sessions"][0]["done"] == 16
    assert "comptoolbench" in data["sessions"][0]["packages"]
    traces = read_traces([tmp_path / "run"], SUITE)
    assert Counter(trace.sample for trace in traces) == {0: 8, 1: 8}
    assert not list((tmp_path / "run").glob("*.new"))


def test_a_run_goes_on_where_it_was(tmp_path: Path, suite_file: str) -> None:
    out = tmp_path / "run"
    run(asked(suite_file), out)
    file = out / "traces.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    # Three whole rows, one of a failed request, one that a kill cut in half.
    failed = json.loads(lines[3]) | {"calls": [], "error": {"kind": "rate_limit", "message": "no"}}
    kept = b"".join(lines[:3])
    file.write_bytes(kept + json.dumps(failed).encode() + b"\n" + lines[4][:50])
    stream = io.StringIO()
    finished = ask_model(asked(suite_file), out, stream)
    assert finished.state.asked == 5
    # What the first session measured tells how long the rest takes.
    assert stream.getvalue().startswith("time: about 0s for 5 answers (the median of 3 answers, ")
    assert file.read_bytes().startswith(kept)
    traces = read_traces([out], SUITE)
    assert Counter(t.task_id for t in traces) == Counter(t.task_id for t in SUITE.tasks)
    assert not any(t.error for t in traces)
    assert len(json.loads((out / "run.json").read_text())["sessions"]) == 2


def test_a_complete_run_asks_nothing(tmp_path: Path, suite_file: str) -> None:
    run(asked(suite_file), tmp_path / "run")
    before = [(f.name, f.read_bytes()) for f in sorted((tmp_path / "run").iterdir())]
    assert run(asked(suite_file), tmp_path / "run").exit_code == 0
    assert [(f.name, f.read_bytes()) for f in sorted((tmp_path / "run").iterdir())] == before


CHANGES: list[dict[str, Any]] = [
    {"protocol": "multi-turn"},
    {"catalogue": "full"},
    {"calls": "json"},
    {"limit": 4},
    {"model": "baseline:silent"},
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_another_run_does_not_mix_in(
    tmp_path: Path, suite_file: str, change: dict[str, Any]
) -> None:
    run(asked(suite_file), tmp_path / "run")
    with pytest.raises(InputError, match=f"holds a run with {next(iter(change))} .*--out"):
        run(replace(asked(suite_file), **change), tmp_path / "run")


def test_samples_are_added_to_those_at_hand(tmp_path: Path, suite_file: str) -> None:
    out = tmp_path / "run"
    run(asked(suite_file), out)
    before = (out / "traces.jsonl").read_bytes()
    finished = run(asked(suite_file, samples=3), out)
    assert (finished.state.asked, finished.state.done, finished.state.total) == (16, 24, 24)
    assert (out / "traces.jsonl").read_bytes().startswith(before)
    data = json.loads((out / "run.json").read_text())
    assert (data["samples"], data["total"], len(data["sessions"])) == (3, 24, 2)
    [scored] = score_files([out], SUITE, Scorer(TOOLS))
    assert (scored.scores["n_samples"], scored.scores["signature"]) == (3, data["signature"])
    traces = read_traces([out], SUITE)
    assert Counter(trace.sample for trace in traces) == {0: 8, 1: 8, 2: 8}
    assert run(asked(suite_file, samples=3), out).state.asked == 0


def test_raised_samples_go_on_where_they_were(tmp_path: Path, suite_file: str) -> None:
    out = tmp_path / "run"
    run(asked(suite_file), out)
    run(asked(suite_file, samples=2), out)
    file = out / "traces.jsonl"
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:11]))
    assert run(asked(suite_file, samples=3), out).state.asked == 13
    assert Counter(t.sample for t in read_traces([out], SUITE)) == {0: 8, 1: 8, 2: 8}


def test_samples_are_not_lowered_below_those_at_hand(tmp_path: Path, suite_file: str) -> None:
    out = tmp_path / "run"
    run(asked(suite_file, samples=2), out)
    before = [(f.name, f.read_bytes()) for f in sorted(out.iterdir())]
    with pytest.raises(
        InputError, match=r"holds answers of 2 samples a task, more than --samples 1"
    ):
        run(asked(suite_file), out)
    assert [(f.name, f.read_bytes()) for f in sorted(out.iterdir())] == before


def test_samples_that_got_no_answer_may_be_given_up(tmp_path: Path) -> None:
    suite = str(write_suite(SUITE, tmp_path / "suite.jsonl"))
    answers = [*["answer"] * 8, *["forbidden"] * 100]
    with Provider(SUITE, script=first(answers)) as provider:
        one = RunOptions("m", "single-turn", "task", suite, api_base=provider.url, concurrency=1)
        run(one, tmp_path / "run")
        more = run(replace(one, samples=2), tmp_path / "run")
        assert (more.state.done, more.state.is_complete) == (8, False)
        assert run(one, tmp_path / "run").state.is_complete


def test_a_run_under_other_prompts_is_not_resumed(tmp_path: Path, suite_file: str) -> None:
    out = tmp_path / "run"
    now = asked(suite_file, protocol="multi-turn")
    run(now, out)
    data = json.loads((out / "run.json").read_text())
    (out / "run.json").write_text(json.dumps(data | {"prompt_version": 1}))
    message = "holds a run with prompt_version 1, not 2; give another folder with --out"
    with pytest.raises(InputError, match=message):
        run(now, out)


def test_another_suite_does_not_mix_in(tmp_path: Path, suite_file: str) -> None:
    run(asked(suite_file), tmp_path / "run")
    other = str(write_suite(small_suite(1, 1, 1, 1), tmp_path / "other.jsonl"))
    with pytest.raises(InputError, match="holds a run with suite"):
        run(asked(other), tmp_path / "run")


def spoil_nothing(folder: Path) -> None:
    folder.mkdir()
    (folder / "traces.jsonl").write_text("{}\n")


def spoil_json(folder: Path) -> None:
    folder.mkdir()
    (folder / "run.json").write_text("{")


def spoil_format(folder: Path) -> None:
    folder.mkdir()
    (folder / "run.json").write_text('{"format": 99}')


def spoil_file(folder: Path) -> None:
    folder.write_text("")


@pytest.mark.parametrize("spoil", [spoil_nothing, spoil_json, spoil_format, spoil_file])
def test_folders_that_cannot_be_used(
    tmp_path: Path, suite_file: str, spoil: Callable[[Path], None]
) -> None:
    spoil(tmp_path / "run")
    with pytest.raises(InputError):
        run(asked(suite_file), tmp_path / "run")


def test_run_json_stands_there_before_the_first_answer(tmp_path: Path) -> None:
    suite = write_suite(SUITE, tmp_path / "suite.jsonl")
    file = tmp_path / "run" / "run.json"
    seen: list[dict[str, Any]] = []

    def look(number: int, body: Any) -> str:
        seen.append(json.loads(file.read_text()))
        return "answer"

    with Provider(SUITE, script=look) as provider:
        order = RunOptions("m", "single-turn", "task", str(suite), samples=3, api_base=provider.url)
        ask_model(order, file.parent, io.StringIO())
    assert seen[0]["total"] == 24
    assert "ended_at" not in seen[0]["sessions"][0]
    assert len((file.parent / "traces.jsonl").read_text().splitlines()) == 24
    assert json.loads(file.read_text())["sessions"][0]["done"] == 24


def test_a_run_without_a_trace_leaves_nothing(tmp_path: Path) -> None:
    suite = write_suite(SUITE, tmp_path / "suite.jsonl")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "notes.txt").write_text("mine")
    for name, left in (("new", []), ("run", ["notes.txt"])):
        with Provider(SUITE, script=always("unauthorized")) as provider:
            order = RunOptions("m", "single-turn", "task", str(suite), api_base=provider.url)
            with pytest.raises(InputError, match="Incorrect API key"):
                ask_model(order, tmp_path / name, io.StringIO())
        folder = tmp_path / name
        assert [file.name for file in folder.glob("*")] == left
        assert folder.exists() == bool(left)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"model": "baseline:none"}, "expected one of baseline:oracle"),
    ({"model": "local:none"}, "local:none"),
    ({"suite": "no/such/file.jsonl"}, "no such file"),
]


@pytest.mark.parametrize(("change", "said"), BAD)
def test_bad_input_is_refused_before_anything_is_written(
    tmp_path: Path, suite_file: str, change: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        run(replace(asked(suite_file), **change), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_plain_lines_without_a_terminal(tmp_path: Path, suite_file: str) -> None:
    stream = io.StringIO()
    ask_model(asked(suite_file), tmp_path / "run", stream)
    assert stream.getvalue() == "8/8 done, solved 100.0 %\n"
