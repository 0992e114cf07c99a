"""False calls: what counts as one, what is left out, and where the rate is told."""

import json
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from comptoolbench import main
from dataset_builder.errors import InputError
from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.irrelevance import irrelevance_suite
from dataset_builder.tasks.task import Suite
from dataset_builder.tools import catalogue
from evaluator.asking.ask_suite import ask_model
from evaluator.asking.run_options import RunOptions
from evaluator.comparing.leaderboard import board_text
from evaluator.comparing.load_results import load_results
from evaluator.scoring.irrelevance import answered_text, irrelevance_text
from evaluator.scoring.score import Scorer
from evaluator.scoring.score_traces import score, score_folder
from evaluator.traces.trace import Call, Trace, TraceProblems
from evaluator.traces.trace_reader import read_trace_text
from tests.samples.small_suite import small_suite

REQUESTS = irrelevance_suite()
IDS = [task.task_id for task in REQUESTS.tasks]
ASKED = {"model": "m", "protocol": "single-turn", "catalogue": "task"}
SUITE = small_suite()
SAID = [{"role": "assistant", "content": "Gladly."}]
MUTE = [{"role": "assistant", "content": " "}]


def scored(traces: Sequence[Trace], suite: Suite = SUITE) -> dict[str, Any]:
    return score(traces, suite, allow_partial=True)


def answer(number: int, **more: Any) -> Trace:
    return Trace(IDS[number], **{"response": SAID, **ASKED, **more})


@pytest.mark.parametrize(
    ("trace", "row_score", "error"),
    [
        (answer(0), 1, None),
        (answer(0, response=MUTE), 1, None),
        (answer(0, calls=(Call("get_weather", {"city": "Oslo"}),)), 0, "E6_hallucinated_tool"),
        (answer(0, catalogue="full", calls=(Call("get_weather", {}),)), 0, "E7_unnecessary_tool"),
        (answer(0, calls=(Call("parse_date", "{"),)), 0, "E10_format_error"),
        (answer(0, error={"kind": "malformed_call", "message": ""}), 0, "E10_format_error"),
        (answer(0, error={"kind": "timeout", "message": ""}), 1, None),
    ],
)
def test_any_call_is_a_false_one(trace: Trace, row_score: int, error: str | None) -> None:
    scores = scored([trace])
    (row,) = scores["tasks"]
    assert (row["score"], row["step"], row["strict"]) == (row_score, row_score, row_score == 1)
    assert row["error"] == error
    assert scores["irrelevance"]["false_calls"]["share"] == 1 - row_score
    assert not scores["ranked"]


def test_calls_tried_again_are_false_calls_too() -> None:
    calls = (Call("get_weather", {}, turn=0), Call("get_weather", {"city": "Oslo"}, turn=1))
    scores = scored([answer(0, protocol="multi-turn", calls=calls)])
    assert scores["irrelevance"]["false_calls"]["share"] == 1


def test_the_rate_has_an_interval_and_leaves_infrastructure_out() -> None:
    call = (Call("get_weather", {"city": "Oslo"}),)
    failure = {"kind": "connection", "message": ""}
    traces = [answer(n, calls=call if n < 3 else ()) for n in range(9)]
    traces += [answer(9, error=failure, response=None), answer(10, response=MUTE)]
    scores = scored(traces)
    section = scores["irrelevance"]
    rate = section["false_calls"]
    assert (rate["n"], rate["share"]) == (10, 0.3)
    assert rate["low"] == pytest.approx(0.1078, abs=1e-4)
    assert rate["high"] == pytest.approx(0.6032, abs=1e-4)
    assert section["silent"]["share"] == 0.1
    assert scores["n_infrastructure"] == 1
    assert sum(share["n"] for share in section["by_kind"].values() if share) == 10


def test_what_has_no_answer_is_told() -> None:
    assert "37 have no answer and are left out" in irrelevance_text(
        {**scored([answer(n) for n in range(3)]), "n_missing": 37}
    )
    assert "no answer" not in irrelevance_text({**scored([answer(0)]), "n_missing": 0})


def test_how_many_have_an_answer_is_counted() -> None:
    failed = answer(9, error={"kind": "connection", "message": ""}, response=None)
    answers = [answer(n) for n in range(3)]
    for allow_partial in (True, False):
        scores = score([*answers, failed], SUITE, allow_partial=allow_partial)
        assert answered_text(scores) == "3 of 40"
    assert answered_text(scored([failed])) == "0 of 40"
    samples = [answer(0, sample=number) for number in range(2)]
    assert answered_text(scored(samples)) == "1 of 40"


def test_samples_of_a_request_count_by_their_mean() -> None:
    call = (Call("get_weather", {}),)
    traces = [answer(0, sample=0, calls=call), answer(0, sample=1)]
    assert scored(traces)["irrelevance"]["false_calls"] == pytest.approx(
        {"share": 0.5, "n": 1, "low": 0.0546, "high": 0.9454}, abs=1e-4
    )


def test_silence_is_told_of_rows_that_hold_a_response_alone() -> None:
    unknown = answer(0, response=None)
    uploaded = replace(answer(1, response=None), extra={"messages": [{"role": "user"}, *MUTE]})
    broken = answer(2, response=None, error={"kind": "timeout", "message": ""})
    assert scored([unknown])["irrelevance"]["silent"] is None
    silent = scored([unknown, uploaded, broken, answer(3)])["irrelevance"]["silent"]
    assert (silent["share"], silent["n"]) == (pytest.approx(2 / 3), 3)


def test_an_upload_finds_its_suite_and_is_not_mixed() -> None:
    rows = [answer(n).to_row() for n in range(2)]
    text = "\n".join(map(json.dumps, rows))
    assert [trace.task_id for trace in read_trace_text(text, SUITE)] == IDS[:2]
    with pytest.raises(TraceProblems, match="I_0041"):
        read_trace_text(json.dumps({**rows[0], "task_id": "I_0041"}), SUITE)
    task = {"task_id": SUITE.tasks[0].task_id, "calls": []}
    with pytest.raises(TraceProblems, match=r"requests without a call \(I_…\) and tasks of levels"):
        read_trace_text(f"{text}\n{json.dumps(task)}", SUITE)


def ran(model: str, folder: Path, config: str) -> Path:
    options = RunOptions(model=model, catalogue="task", config=config, limit=8)
    suite = SUITE if config == "default" else None
    finished = ask_model(options, folder, StringIO(), suite=suite)
    assert finished.exit_code == 0
    return finished.folder


@pytest.mark.parametrize(
    ("model", "rate"),
    [("silent", 0), ("oracle", 0), ("dump", 0), ("spam", 1), ("random", 1), ("retrieval", 1)],
)
def test_a_run_folder_is_scored_without_its_suite_being_named(
    model: str, rate: int, tmp_path: Path
) -> None:
    folder = ran(f"baseline:{model}", tmp_path / "run", "irrelevance")
    scores = score_folder(folder, SUITE, Scorer(catalogue())).scores
    assert scores["irrelevance"]["false_calls"]["share"] == rate
    assert scores["signature"].startswith("ctb:3.1.0+03e98e40|seed:42|n:8|")


def test_the_board_sets_silence_on_the_tasks_beside_the_rate(tmp_path: Path) -> None:
    folders = [
        ran("baseline:silent", tmp_path / "a", "irrelevance"),
        ran("baseline:silent", tmp_path / "b", "default"),
        ran("baseline:spam", tmp_path / "c", "irrelevance"),
    ]
    results = load_results(folders, SUITE)
    assert [result.apart for result in results] == ["irrelevance", None, "irrelevance"]
    lines = [line.split() for line in board_text(results).splitlines()]
    rows = {line[0]: (line[1:4], line[-1]) for line in lines if line[2:3] == ["of"]}
    answered = ["8", "of", "40"]
    assert rows == {"baseline:silent": (answered, "100.0"), "baseline:spam": (answered, "–")}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--faults", "20", "--protocol", "multi-turn"], "not with --faults or --withhold"),
        (["--withhold"], "not with --faults or --withhold"),
        (["--fresh"], "not with --fresh"),
    ],
)
def test_what_needs_calls_is_refused(
    more: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["run", "baseline:oracle", "--config", "irrelevance", *more]
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_a_file_of_other_rows_holds_none(tmp_path: Path) -> None:
    file = tmp_path / "suite.jsonl"
    file.write_text("".join(SUITE.lines()), "utf-8")
    with pytest.raises(InputError, match="holds no requests that no tool serves"):
        load_suite(file, config="irrelevance")
    file.write_text("".join(REQUESTS.lines()), "utf-8")
    assert load_suite(file).name == "irrelevance"
    file.write_text("".join([*REQUESTS.lines(), *SUITE.lines()]), "utf-8")
    with pytest.raises(InputError, match="are requests that no tool serves, which are a suite"):
        load_suite(file)
