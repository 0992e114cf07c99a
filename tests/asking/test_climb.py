"""Climbing the horizon's ladder: where it ends, how it goes on, and what its traces score."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dataset_builder.errors import InputError
from dataset_builder.procedures.rungs import horizon_suite
from dataset_builder.tasks.task import Level
from dataset_builder.tools import catalogue
from evaluator.asking.climb import Climbed, Ladder, climb
from evaluator.asking.run_options import RunOptions
from evaluator.scoring.score import Scorer
from evaluator.scoring.score_traces import score, score_folder
from evaluator.traces.protocols import PROTOCOLS
from evaluator.traces.trace import Trace
from evaluator.traces.trace_reader import read_traces
from space.submissions.upload_check import read_upload
from tests.samples.small_suite import small_suite
from tests.stand_ins.provider import Body, Provider, first

TOOLS = catalogue()
SMALL = Ladder(seed=7, per_rung=2)
FIELDS = {
    *("signature", "model", "protocol", "rungs", "h50", "h80", "exponent", "survival"),
    *("independent", "effects"),
}


def climbed(
    out: Path,
    model: str = "baseline:oracle",
    ladder: Ladder = SMALL,
    said: io.StringIO | None = None,
    **more: Any,
) -> Climbed:
    options = RunOptions(model=model, catalogue="task", **more)
    return climb(options, ladder, out, said or io.StringIO(), environment={})


def section(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = score_folder(folder, small_suite(), Scorer(TOOLS)).scores["horizon"]
    return found


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_oracle_is_above_the_ladder(tmp_path: Path, protocol: str) -> None:
    finished = climbed(tmp_path / "run", protocol=protocol)
    assert (finished.end, finished.exit_code) == ("climbed to 256 calls", 0)
    found = section(tmp_path / "run")
    assert found["h50"]["above"]
    assert found["h80"]["above"]
    assert [(rung["calls"], rung["solved"]) for rung in found["rungs"]] == [
        (4 << n, 2) for n in range(7)
    ]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_silence_is_below_the_ladder(tmp_path: Path, protocol: str) -> None:
    ladder = Ladder(7, per_rung=6)
    finished = climbed(tmp_path / "run", "baseline:silent", ladder, protocol=protocol)
    assert finished.end == "0 of 6 solved at 4 calls, fewer than a tenth"
    assert finished.exit_code == 0
    found = section(tmp_path / "run")
    assert found["h50"]["below"]
    assert [rung["calls"] for rung in found["rungs"]] == [4]


def test_fewer_than_six_answers_end_no_climb(tmp_path: Path) -> None:
    assert climbed(tmp_path / "run", "baseline:silent").end == "climbed to 256 calls"


def test_each_rung_is_announced_before_it_is_asked(tmp_path: Path) -> None:
    said = io.StringIO()
    climbed(tmp_path / "run", ladder=Ladder(7, 2, max_calls=8), said=said, protocol="multi-turn")
    lines = said.getvalue().splitlines()
    assert lines[0].startswith("2 procedures of 4 calls, about 10 requests, ")
    assert lines[0].endswith(" tokens read and 480 written")
    assert lines[1].startswith("2/2 done")
    assert lines[2].startswith("2 procedures of 8 calls, about 18 requests, ")
    assert len(lines) == 4


def test_run_json_tells_of_the_ladder_and_of_what_was_asked(tmp_path: Path) -> None:
    climbed(tmp_path / "run", ladder=Ladder(7, 2, max_calls=16))
    data = json.loads((tmp_path / "run" / "run.json").read_text())
    assert data["suite"]["digest"] == horizon_suite(7, 2).digest
    assert data["suite"]["ladder"] == {"per_rung": 2, "longest": 256}
    assert data["signature"] == section(tmp_path / "run")["signature"]
    assert "|seed:7|n:14|" in data["signature"]
    assert (data["tasks"], data["total"], len(data["sessions"])) == (6, 6, 1)
    assert data["sessions"][0]["ended"] == "climbed to 16 calls"


def test_a_climb_goes_on_further_and_where_it_was_cut(tmp_path: Path) -> None:
    out = tmp_path / "run"
    climbed(out, ladder=SMALL._replace(max_calls=16))
    file = out / "traces.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    # In the middle of a rung, one row of a failed request, one that a kill cut in half.
    failed = json.loads(lines[3]) | {"calls": [], "error": {"kind": "rate_limit", "message": "no"}}
    file.write_bytes(b"".join(lines[:3]) + json.dumps(failed).encode() + b"\n" + lines[4][:50])
    said = io.StringIO()
    finished = climbed(out, ladder=SMALL._replace(max_calls=32), said=said)
    assert (finished.end, finished.answers) == ("climbed to 32 calls", 8)
    assert said.getvalue().startswith("1 procedures of 8 calls")
    kept = [json.loads(line)["task_id"] for line in file.read_text().splitlines()]
    assert len(kept) == len(set(kept)) == 8
    assert file.read_bytes().startswith(b"".join(lines[:3]))


def test_a_climb_that_is_over_asks_nothing(tmp_path: Path) -> None:
    ladder = Ladder(7, per_rung=6)
    one = climbed(tmp_path / "run", "baseline:silent", ladder)
    files = {file.name: file.read_bytes() for file in (tmp_path / "run").iterdir()}
    said = io.StringIO()
    assert climbed(tmp_path / "run", "baseline:silent", ladder, said) == one
    assert said.getvalue() == ""
    assert {file.name: file.read_bytes() for file in (tmp_path / "run").iterdir()} == files


def test_another_ladder_does_not_mix_in(tmp_path: Path) -> None:
    climbed(tmp_path / "run", ladder=Ladder(7, 1, 4))
    with pytest.raises(InputError, match="holds a run with suite"):
        climbed(tmp_path / "run", ladder=Ladder(8, 1, 4))


@pytest.mark.parametrize(
    "ladder", [Ladder(7, 0), Ladder(7, 101), Ladder(7, 1, 3), Ladder(7, 1, 1025)]
)
def test_a_ladder_without_tasks_is_one_sentence(tmp_path: Path, ladder: Ladder) -> None:
    with pytest.raises(InputError) as refused:
        climbed(tmp_path / "run", ladder=ladder)
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "run").exists()


def test_a_run_json_of_no_ladder_is_one_sentence(tmp_path: Path) -> None:
    climbed(tmp_path / "run", ladder=Ladder(7, 1, 4))
    file = tmp_path / "run" / "run.json"
    data = json.loads(file.read_text())
    for ladder in (3, {"per_rung": "x"}, {"per_rung": 10**9, "longest": 256}, {"per_rung": 1}):
        file.write_text(json.dumps({**data, "suite": {**data["suite"], "ladder": ladder}}))
        with pytest.raises(InputError) as refused:
            section(tmp_path / "run")
        assert "\n" not in str(refused.value)


# Limits ---------------------------------------------------------------------------------------


def from_calls(calls: int, behaviour: str, ladder: Ladder) -> Callable[[int, Body], str]:
    """Procedures of so many calls and more are answered otherwise."""
    long = {task.prompt for task in ladder.suite.tasks if len(task.steps) >= calls}
    return lambda number, body: behaviour if body["messages"][1]["content"] in long else "answer"


def test_a_model_whose_context_ends_is_limited_and_not_wrong(tmp_path: Path) -> None:
    ladder = Ladder(7, per_rung=6)
    script = from_calls(16, "context_overflow", ladder)
    with Provider(ladder.suite, script=script) as provider:
        finished = climbed(tmp_path / "run", "m", ladder, api_base=provider.url)
    assert (finished.end, finished.exit_code) == ("limited by context at 16 calls", 0)
    rungs = section(tmp_path / "run")["rungs"]
    assert [(rung["tasks"], rung["solved"], rung["limited"]) for rung in rungs] == [
        (6, 6, 0),
        (6, 6, 0),
        (0, 0, 6),
    ]


def test_a_failing_provider_stops_the_climb_and_the_next_one_goes_on(tmp_path: Path) -> None:
    ladder = Ladder(7, per_rung=1, max_calls=16)
    refused = first(["answer", "bad_schema"])
    with Provider(ladder.suite, script=refused) as provider:
        stopped = climbed(tmp_path / "run", "m", ladder, api_base=provider.url)
        assert stopped.exit_code == 1
        assert "The same command again goes on from there" in stopped.summary()
        finished = climbed(tmp_path / "run", "m", ladder, api_base=provider.url)
        assert len(provider.requests) == 4
    assert finished.end == "climbed to 16 calls"
    assert finished.answers == 3


# The same scores everywhere -------------------------------------------------------------------


def test_the_horizon_is_the_same_however_it_is_scored(tmp_path: Path) -> None:
    # Of the published ladder, which a bare file's ids are looked up in.
    out = tmp_path / "run"
    climbed(out, "baseline:noisy-0.9", Ladder(max_calls=16))
    found = section(out)
    assert set(found) == FIELDS
    suite = small_suite()
    file = out / "traces.jsonl"
    assert score(file, suite)["horizon"] == found
    assert score(read_traces([file]), suite)["horizon"] == found
    draft = read_upload(file, suite)
    assert [run.scores["horizon"] for run in draft.runs] == [found]
    levels = {row["level"] for row in draft.runs[0].scores["tasks"]}
    assert levels == {Level.PROCEDURE}
    assert not draft.runs[0].scores["ranked"]


def test_procedures_and_other_tasks_are_never_scored_together(tmp_path: Path) -> None:
    rows = [{"task_id": each, "calls": []} for each in (small_suite().tasks[0].task_id, "P_0001")]
    file = tmp_path / "mixed.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    mixed = r"holds procedures \(P_…\) and tasks of levels 0 to 3"
    for scoring in (score, read_upload):
        with pytest.raises(InputError, match=mixed) as refused:
            scoring(file, small_suite())
        assert "\n" not in str(refused.value)
    with pytest.raises(InputError, match=mixed):
        score(read_traces([file]), small_suite())


def test_scores_of_other_tasks_have_no_horizon() -> None:
    traces = [Trace(small_suite().tasks[0].task_id, model="m")]
    assert "horizon" not in score(traces, small_suite(), allow_partial=True)
