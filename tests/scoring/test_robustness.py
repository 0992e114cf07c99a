"""The sections of runs with faults or a withheld tool, and that declaring them gains nothing."""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dataset_builder.errors import InputError
from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tools import catalogue
from evaluator.asking.ask_suite import ask_model
from evaluator.asking.run_options import RunOptions
from evaluator.comparing.compare import comparison, comparison_text
from evaluator.comparing.load_results import load_results
from evaluator.comparing.places import places
from evaluator.intervals import wilson
from evaluator.scoring.metrics import SOLVED
from evaluator.scoring.robustness import robustness_text
from evaluator.scoring.score import Scorer
from evaluator.scoring.score_traces import score_files, score_folder, score_traces
from evaluator.traces.protocols import MULTI_TURN, SINGLE_TURN
from evaluator.traces.trace import Call, Trace
from evaluator.traces.trace_reader import read_traces
from evaluator.traces.variations import PLAIN, Variation, possible_steps
from tests.samples.small_suite import write_suite

TOOLS = catalogue()
SUITE = CompositionEngine(7, counts=(4, 4, 4, 4)).generate_suite()
FAULTS, WITHHOLD = Variation(faults="40.1"), Variation(withhold="1")


def asked(folder: Path, agent: str, variation: Variation, protocol: str = MULTI_TURN) -> Path:
    """The run of a baseline under a variation."""
    suite = str(write_suite(SUITE, folder / "suite.jsonl"))
    options = RunOptions(f"baseline:{agent}", protocol, "task", suite, variation=variation)
    assert ask_model(options, folder / "run", io.StringIO()).exit_code == 0
    return folder / "run"


def scores(folder: Path) -> Mapping[str, Any]:
    return score_folder(folder, SUITE, Scorer(TOOLS)).scores


def rows(calls_of: Any, variation: Variation = PLAIN, protocol: str = MULTI_TURN) -> list[Trace]:
    """A trace of a model for each task, its calls made by a function of the task."""
    extra = {"asked": variation.written} if variation.written else {}
    return [
        Trace(t.task_id, tuple(calls_of(t)), "m", protocol=protocol, catalogue="task", extra=extra)
        for t in SUITE.tasks
    ]


def score_of(traces: Sequence[Trace]) -> Mapping[str, Any]:
    return score_traces(traces, SUITE, Scorer(TOOLS), "rows")[0].scores


def expected_calls(task: Any) -> list[Call]:
    return [Call(step.tool, dict(step.arguments)) for step in task.steps]


def test_the_oracle_recovers_from_every_fault(tmp_path: Path) -> None:
    found = scores(asked(tmp_path, "oracle", FAULTS))
    section = found["recovery"]
    assert (found["strict"], found["step"], found["overall"]) == (1, 1, 1)
    assert section["solved"]["share"] == section["recovered"]["share"] == 1
    assert section["solved"]["n"] == len(section["tasks"]) >= 4
    assert section["solved_without_fault"]["n"] == len(SUITE.tasks) - len(section["tasks"])
    by_kind = section["recovered_by_kind"]
    assert sum(share["n"] for share in by_kind.values() if share) == section["recovered"]["n"]


def test_who_never_tries_again_recovers_from_other_formats_alone() -> None:
    found = score_of(rows(expected_calls, FAULTS))
    section = found["recovery"]
    by_kind = section["recovered_by_kind"]
    assert (by_kind["error"]["share"], by_kind["timeout"]["share"]) == (0, 0)
    # The rest hang on another call of their task, which failed.
    assert 0.5 < by_kind["format"]["share"] <= 1
    solved = {row["task_id"]: row["strict"] for row in found["tasks"]}
    met = [solved[task] for task in section["tasks"]]
    assert section["solved"] == {
        **dict(zip(("share", "low", "high"), wilson(sum(met), len(met)), strict=True)),
        "n": len(met),
    }
    assert 0 < section["recovered"]["share"] < 1
    assert section["solved_without_fault"]["share"] == 1


def test_no_call_meets_no_fault() -> None:
    section = score_of(rows(lambda task: [], FAULTS))["recovery"]
    assert (section["tasks"], section["solved"], section["recovered"]) == ([], None, None)
    assert section["solved_without_fault"]["share"] == 0


def test_an_upload_is_scored_as_the_run_was(tmp_path: Path) -> None:
    for number, variation in enumerate((FAULTS, WITHHOLD, Variation("names.1", "40.1"))):
        folder = tmp_path / str(number)
        folder.mkdir()
        run = asked(folder, "oracle", variation)
        (uploaded,) = score_files([run / "traces.jsonl"], SUITE, Scorer(TOOLS))
        about = json.loads((run / "run.json").read_text())
        assert uploaded.scores["signature"] == about["signature"] == scores(run)["signature"]
        for name in ("tasks", "recovery", "withheld", "ranked"):
            assert uploaded.scores.get(name) == scores(run).get(name)
        assert {name: about.get(name) for name in Variation._fields} == variation._asdict()


def test_a_resumed_run_must_vary_alike(tmp_path: Path) -> None:
    asked(tmp_path, "oracle", FAULTS)
    with pytest.raises(InputError, match=r"holds a run with (signature|faults) "):
        asked(tmp_path, "oracle", PLAIN)


def test_a_plain_run_says_nothing_of_variations(tmp_path: Path) -> None:
    run = asked(tmp_path, "oracle", PLAIN)
    assert not json.loads((run / "run.json").read_text()).keys() & set(Variation._fields)
    assert all(
        trace.extra["asked"] == {"calls": "native", "prompt_version": 2}
        for trace in read_traces([run], SUITE)
    )
    found = scores(run)
    assert not found.keys() & {"recovery", "withheld"}
    assert found["signature"].endswith("|calls:native|scorer:2")
    assert robustness_text(found) == []


@pytest.mark.parametrize("variation", [FAULTS, WITHHOLD, Variation(scramble="names.1")])
def test_declaring_a_variation_gains_nothing_among_plain_runs(variation: Variation) -> None:
    """Whoever has calls forgiven by it is in another setting, and ranked in none."""
    plain = score_of(rows(expected_calls))
    varied = score_of(rows(lambda task: [c for c in expected_calls(task) for _ in "ab"], variation))
    assert (plain["ranked"], varied["ranked"]) == (True, False)
    assert varied["signature"] != plain["signature"]
    assert varied["diagnostics"]["not_ranked"] == variation.words


def test_a_few_rows_alone_cannot_declare_it() -> None:
    traces = rows(expected_calls)
    first = replace(traces[0], extra={"asked": FAULTS.written})
    with pytest.raises(InputError, match=r"several ways \(faults: 40\.1, none\)"):
        score_of([first, *traces[1:]])


def test_varied_runs_have_no_place(tmp_path: Path) -> None:
    for name, variation in (("plain", PLAIN), ("varied", FAULTS)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "t.jsonl").write_text(
            "".join(json.dumps(t.to_row()) + "\n" for t in rows(expected_calls, variation))
        )
    results = load_results([tmp_path / n / "t.jsonl" for n in ("plain", "varied")], SUITE)
    assert [place.rank for result in results for place in places([result], SOLVED)] == [1, None]


def test_comparing_says_what_the_same_tasks_give_without(tmp_path: Path) -> None:
    paths = []
    for name, variation in (("plain", PLAIN), ("varied", FAULTS)):
        paths.append(tmp_path / f"{name}.jsonl")
        lines = (json.dumps(t.to_row()) + "\n" for t in rows(expected_calls, variation))
        paths[-1].write_text("".join(lines))
    compared = comparison(load_results(paths, SUITE), SUITE)
    section = score_of(rows(expected_calls, FAULTS))["recovery"]
    assert compared["differ_in"] == {"faults": ["none", "40.1"]}
    assert compared["recovery"] == [
        {
            "run": str(paths[1]),
            "beside": str(paths[0]),
            "n": len(section["tasks"]),
            "solved": pytest.approx(section["solved"]["share"]),
            "solved_beside": 1.0,
        }
    ]
    assert "tasks that met a fault in B, B solved" in comparison_text(compared)
    both_plain = comparison(load_results([paths[0], _renamed(paths[0])], SUITE), SUITE)
    assert "recovery" not in both_plain


def _renamed(path: Path) -> Path:
    other = path.with_name("other.jsonl")
    other.write_text(path.read_text().replace('"model": "m"', '"model": "n"'))
    return other


# Withheld -------------------------------------------------------------------------------------


def test_the_oracle_holds_back_and_makes_what_can_be_made(tmp_path: Path) -> None:
    section = scores(asked(tmp_path, "oracle", WITHHOLD, SINGLE_TURN))["withheld"]
    shares = {name: share["share"] for name, share in section.items()}
    assert shares == {"held_back": 1, "invented": 0, "substituted": 0, "still_right": 1}
    possible = [possible_steps(task, WITHHOLD.withheld_of(task)) for task in SUITE.tasks]
    assert section["still_right"]["n"] == sum(map(len, possible)) > 0


def test_silence_holds_back_and_does_nothing() -> None:
    section = score_of(rows(lambda task: [], WITHHOLD, SINGLE_TURN))["withheld"]
    assert (section["held_back"]["share"], section["still_right"]["share"]) == (1, 0)


def test_the_expected_calls_call_what_is_not_there() -> None:
    section = score_of(rows(expected_calls, WITHHOLD, SINGLE_TURN))["withheld"]
    assert (section["held_back"]["share"], section["invented"]["share"]) == (0, 1)


def test_another_tool_in_its_place_is_no_answer() -> None:
    def calls_of(task: Any) -> list[Call]:
        withheld = WITHHOLD.withheld_of(task)
        (other, *_) = (n for n in task.offered if n not in (*task.expected_tools, *withheld))
        made = [Call(s.tool, dict(s.arguments)) for s in possible_steps(task, withheld)]
        return [*made, Call(other, {})]

    section = score_of(rows(calls_of, WITHHOLD, SINGLE_TURN))["withheld"]
    shares = {name: share["share"] for name, share in section.items()}
    assert shares == {"held_back": 0, "invented": 0, "substituted": 1, "still_right": 1}


def test_a_value_made_up_for_what_is_missing_is_no_answer() -> None:
    def calls_of(task: Any) -> list[Call]:
        withheld = WITHHOLD.withheld_of(task)
        return [Call(s.tool, dict(s.arguments)) for s in task.steps if s.tool not in withheld]

    section = score_of(rows(calls_of, WITHHOLD, SINGLE_TURN))["withheld"]
    guessing = [
        len(possible_steps(task, WITHHOLD.withheld_of(task)))
        < sum(step.tool not in WITHHOLD.withheld_of(task) for step in task.steps)
        for task in SUITE.tasks
    ]
    assert section["substituted"]["share"] == pytest.approx(sum(guessing) / len(guessing))
    assert 0 < sum(guessing) < len(guessing)


def test_the_sections_are_told_in_a_line_each() -> None:
    (recovery,) = robustness_text(score_of(rows(expected_calls, FAULTS)))
    assert recovery.startswith("Recovery from faults: solved ")
    (nothing,) = robustness_text(score_of(rows(lambda task: [], FAULTS)))
    assert "– of 0 faults" in nothing
    (withheld,) = robustness_text(score_of(rows(lambda task: [], WITHHOLD, SINGLE_TURN)))
    assert withheld.startswith("Tool withheld: held back in 100.0 % (80.6–100.0) of 16 answers;")
