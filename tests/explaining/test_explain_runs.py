"""The command line says why: the same verdicts as the page, inert and within 80 columns."""

import io
import json
import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from comptoolbench import main
from dataset_builder.tasks.task import Task
from evaluator.asking.run_options import RunOptions
from evaluator.experiments.control_and_sweep import control
from evaluator.explaining.explain_runs import answer_data
from evaluator.explaining.explain_text import answer_text
from evaluator.explaining.explanation import Explanation
from evaluator.scoring.error_classes import main_reason, reasons
from space.html.answer_page import answer_page
from tests.samples.small_site import (
    Answer,
    careless,
    explained,
    first_level,
    oracle,
    silent,
    trace_lines,
)
from tests.samples.small_suite import small_suite, write_suite
from tests.stand_ins.html_reader import ReadPage

SUITE = small_suite()
CHAIN = next(t for t in SUITE.tasks if t.metadata["template"] == "weather_in_fahrenheit")
ANSWERS: Mapping[str, Answer] = {
    "oracle": oracle,
    "silent": silent,
    "careless": careless,
    "first_level": first_level,
}
HOSTILE = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202eabc\u2066\u200b\r\n\x08漢字" + "́" * 50


class Printed:
    """What a command printed, and how it ended."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(["explain", *arguments])
        self.code = ended.value.code
        self.out, self.err = capsys.readouterr()


@pytest.fixture
def suite_file(tmp_path: Path) -> str:
    return str(write_suite(SUITE, tmp_path / "suite.jsonl"))


def file_of(folder: Path, *parts: bytes) -> str:
    path = folder / "traces.jsonl"
    path.write_bytes(b"".join(parts))
    return str(path)


def columns_of(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def assert_inert(text: str) -> None:
    for line in text.splitlines():
        assert columns_of(line) <= 80, line
    assert {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")} <= {"\n"}


# A run ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ANSWERS)
def test_a_run_lists_what_failed_worst_first_with_the_reason_of_its_class(
    name: str, tmp_path: Path, suite_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = file_of(tmp_path, trace_lines(name, ANSWERS[name], SUITE))
    printed = Printed(capsys, file, "--suite", suite_file, "--json")
    data = json.loads(printed.out)
    listed = {row["task_id"]: row for row in data["tasks"]}
    for task in SUITE.tasks:
        score = explained(task, list(ANSWERS[name](task))).score
        assert (task.task_id in listed) == (not score.strict)
        if not score.strict:
            row = listed[task.task_id]
            assert (row["error"], row["reason"]) == (score.error, main_reason(score))
            assert row["reasons"] == reasons(score)
            assert row["reason"] in row["reasons"]
    order = [(row["step"], row["score"]) for row in data["tasks"]]
    assert order == sorted(order)
    assert data["solved"] + len(listed) == len(SUITE.tasks)
    assert sum(data["outcomes"].values()) == len(listed)

    shown = Printed(capsys, file, "--suite", suite_file, "--all")
    assert_inert(shown.out)
    assert re.findall(r"^(L\d_\w+_\d{4})", shown.out, re.MULTILINE) == list(listed)
    assert (printed.code, shown.code) == (0, 0)


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        (["--level", "L2", "--level", "3"], lambda row: row["level"] in (2, 3)),
        (["--error", "E4"], lambda row: row["error"] == "E4_wrong_arguments"),
        (["--error", "e7", "--error", "E9_DATA_FLOW_ERROR"], lambda row: row["error"][:2] == "E9"),
        (["--error", "missing"], lambda row: False),
    ],
)
def test_filters(
    options: list[str],
    kept: Any,
    tmp_path: Path,
    suite_file: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = file_of(tmp_path, trace_lines("m", careless, SUITE))
    arguments = (file, "--suite", suite_file, "--json")
    every = json.loads(Printed(capsys, *arguments).out)["tasks"]
    tasks = json.loads(Printed(capsys, *arguments, *options).out)["tasks"]
    assert tasks == [row for row in every if kept(row)]
    assert len(every) > len(tasks)


def test_the_list_says_how_much_it_leaves_out(
    tmp_path: Path, suite_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = file_of(tmp_path, trace_lines("m", silent, SUITE))
    printed = Printed(capsys, file, "--suite", suite_file, "--most", "3").out
    assert "The worst tasks (3 of 8)" in printed
    assert printed.splitlines()[-1] == "5 more: --all, or --error and --level to choose"
    file = file_of(tmp_path, trace_lines("m", oracle, SUITE))
    assert Printed(capsys, file, "--suite", suite_file).out.endswith("There is nothing to mend.\n")


def test_tasks_without_a_row_come_last(
    tmp_path: Path, suite_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = trace_lines("m", careless, SUITE).splitlines(keepends=True)
    file = file_of(tmp_path, *lines[5:])
    data = json.loads(Printed(capsys, file, "--suite", suite_file, "--json").out)
    assert [row["error"] == "missing" for row in data["tasks"]] == [False] * 3 + [True] * 5
    assert data["outcomes"]["missing"] == 5


# One task -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ANSWERS)
@pytest.mark.parametrize("task", SUITE.tasks, ids=lambda task: str(task.task_id))
def test_page_and_command_line_say_the_same(name: str, task: Task) -> None:
    explanation = explained(task, list(ANSWERS[name](task)))
    data = answer_data(explanation)
    page, text = ReadPage(answer_page(explanation, "m")).words, " ".join(answer_text(data).split())
    words = [*data["reasons"][:6], data["step_of"]]
    for step in data["steps"]:
        words.append(step["words"])
        words += [argument["words"] for argument in step.get("arguments", ())]
        words += [f"{edge['flow']}:" for edge in step["edges"]]
        words += [edge["words"] for edge in step["edges"]]
    words += [call["words"] for call in data["calls"]]
    words += [term["made_of"] for term in data["dimensions"]]
    for said in words:
        assert said in page
        assert said in text
    assert_inert(answer_text(data))


def test_an_answer_is_shown_value_by_value() -> None:
    weather, convert = oracle(CHAIN)
    convert["arguments"] |= {"value": "{{1.temperature_c}}", "to": "kelvin", "colour": "red"}
    del convert["arguments"]["from"]
    extra = {"name": "get_current_time", "arguments": {}}
    said = answer_text(answer_data(explained(CHAIN, [weather, convert, extra])))
    for lines in (
        '    ✗ to: wrong\n        expected "fahrenheit"\n        given    "kelvin"\n',
        '    ✗ from: missing\n        expected "celsius"\n',
        '    ✗ colour: not asked for\n        given    "red"\n',
        '        written  "{{1.temperature_c}}"\n',
        "    ✓ value takes temperature_c of step_1: flowed\n",
        "3 get_current_time {}\n    stands for: ✗ nothing: nobody asked for it",
        "min(1, 2 expected / 3 made)",
        "E4_wrong_arguments: An argument is wrong.",
    ):
        assert lines in f"{said}\n"
    assert CHAIN.prompt in " ".join(said.split())


def test_what_else_would_have_been_right_is_shown() -> None:
    task = next(t for t in SUITE.tasks if t.metadata["template"] == "mail_two_findings")
    calls = oracle(task)
    calls[2]["arguments"]["body"] = "It is warm."
    values = task.steps[2].match["body"]["values"]
    said = answer_text(answer_data(explained(task, calls)))
    wanted = ", ".join(json.dumps(value) for value in values)
    assert f"        expected a text that mentions {wanted}\n" in said
    assert '        given    "It is warm."\n' in said


def test_a_difference_far_into_a_long_value_is_seen() -> None:
    task = next(t for t in SUITE.tasks if t.level == 0)
    tool, (name, *_) = task.steps[0].tool, task.steps[0].arguments
    long = "x" * 500
    found = explained(task, [{"name": tool, "arguments": {name: f"{long}END"}}])
    argument = answer_data(found)["steps"][0]["arguments"][0]
    shown = answer_text(
        {**answer_data(found), "steps": [_step_with(found, argument, f"{long}FIN")]}
    )
    assert '        expected "…' not in shown
    assert re.search(r'expected …x{19,21}FIN"\n +given    …x{19,21}END"', shown)


def _step_with(found: Explanation, argument: dict[str, Any], expected: str) -> dict[str, Any]:
    step = answer_data(found)["steps"][0]
    return {**step, "arguments": [{**argument, "expected": expected}]}


def test_json_holds_all_of_an_answer(
    tmp_path: Path, suite_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = file_of(tmp_path, trace_lines("m", careless, SUITE))
    for task in SUITE.tasks:
        found = Printed(capsys, file, task.task_id, "--suite", suite_file, "--json")
        data = json.loads(found.out)
        score = explained(task, careless(task)).score
        assert {name: data[name] for name in score.to_row()} == score.to_row()
        assert [step["expected"] if step["call"] is None else None for step in data["steps"]] == [
            None for _ in task.steps
        ]
        given = [a["given"] for step in data["steps"] for a in step["arguments"]]
        assert "no such value" in given
        assert data["prompt"] == task.prompt
        assert len(data["calls"]) == len(task.steps) + 1


def test_several_samples(
    tmp_path: Path, suite_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = [trace_lines("m", a, SUITE, sample=n) for n, a in enumerate((oracle, silent, careless))]
    arguments = (file_of(tmp_path, *parts), CHAIN.task_id, "--suite", suite_file)
    said = Printed(capsys, *arguments).out
    assert said.startswith("3 samples; shown is 1, --sample shows another:\n")
    assert "There is no call." in said
    assert "Every call is right, and in" in Printed(capsys, *arguments, "--sample", "0").out
    data = json.loads(Printed(capsys, *arguments, "--json").out)
    assert [row["error"] for row in data["samples"]][:2] == [None, "E2_no_call"]
    refused = Printed(capsys, *arguments, "--sample", "3")
    assert (refused.code, refused.out) == (2, "")
    assert "has no sample 3; it has 0, 1, 2" in refused.err


# What strangers wrote -------------------------------------------------------------------------

HOSTILE_ANSWERS: list[tuple[list[Any], dict[str, Any]]] = [
    ([{"name": HOSTILE * 20, "arguments": {HOSTILE: HOSTILE * 50}}] * 60, {}),
    ([{"name": "get_weather", "arguments": {"city": HOSTILE, HOSTILE * 9: [HOSTILE]}}], {}),
    ([{"name": "get_weather", "arguments": f"{{{HOSTILE}"}], {}),
    ([{"name": "unit_convert", "arguments": {"value": "{{9." + HOSTILE + "}}"}}], {}),
    ([{"name": "get_weather", "arguments": {"city": "漢字" * 200}}], {}),
    ([], {"error": {"kind": "rate_limit", "message": HOSTILE}}),
    ([], {"error": {"kind": "timeout", "message": HOSTILE * 9}}),
]


@pytest.mark.parametrize("at", range(len(HOSTILE_ANSWERS)))
def test_hostile_text_drives_no_terminal(
    at: int, tmp_path: Path, suite_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    calls, more = HOSTILE_ANSWERS[at]
    file = file_of(tmp_path, trace_lines("m", lambda _: calls, SUITE, **more))
    for arguments in ((), ("--json",)):
        for task in ((), (CHAIN.task_id,)):
            found = Printed(capsys, file, *task, "--suite", suite_file, *arguments)
            assert found.code == 0, found.err
            if arguments:
                assert found.out.isascii()
                assert "\x1b" not in found.out
                json.loads(found.out)
            else:
                assert_inert(found.out)


# Which run ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "holds 2 runs (ada, bo): say which with --model"),
        (["--model", "adda"], "no run of adda, but of ada, bo; did you mean ada?"),
        (["--model", "bo", "L1_chain_03"], "did you mean L1_chain_0003"),
        (
            ["--model", "bo", "L9"],
            "there is no task 'L9' in this suite; its ids are like L0_node_0001",
        ),
        (["--model", "bo", "--sample", "1"], "--sample is for one task"),
        (["--model", "bo", CHAIN.task_id, "--all"], "leave out the task's id"),
        (["--model", "bo", "--error", "E99"], "expected one of E10_format_error"),
        (["--model", "bo", "--error", "E4_wrong_argument"], "did you mean E4_wrong_arguments?"),
        (["--model", "bo", "--level", "L4"], "expected L0, L1, L2 or L3"),
        (["--model", "bo", "--most", "0"], "--most"),
    ],
)
def test_a_mistake_is_one_sentence(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    suite_file: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = file_of(tmp_path, *(trace_lines(name, silent, SUITE) for name in ("ada", "bo")))
    found = Printed(capsys, file, *arguments, "--suite", suite_file)
    assert (found.code, found.out) == (2, "")
    assert said in found.err


def test_one_model_of_a_file_is_explained(
    tmp_path: Path, suite_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = file_of(tmp_path, trace_lines("ada", silent, SUITE), trace_lines("bo", oracle, SUITE))
    found = Printed(capsys, file, "--model", "ada", "--suite", suite_file)
    assert found.out.startswith("ada: single-turn.1, catalogue full\n")


@pytest.mark.parametrize("wording", ["tool_hinted", "context_rich", None])
def test_a_wording_that_the_task_does_not_have_is_no_fault(
    wording: Any, tmp_path: Path, suite_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text(json.dumps({"wording": wording}))
    (tmp_path / "run" / "traces.jsonl").write_bytes(trace_lines("m", silent, SUITE))
    for arguments in ((), (CHAIN.task_id,)):
        found = Printed(capsys, str(tmp_path / "run"), *arguments, "--suite", suite_file)
        assert found.code == 0, found.err
    assert CHAIN.prompt in " ".join(found.out.split())


def test_a_control_experiment_is_explained_as_one(
    tmp_path: Path, suite_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "control"
    control(RunOptions("baseline:silent", suite=suite_file), folder, io.StringIO())
    said = Printed(capsys, str(folder), "--suite", suite_file).out
    assert [line.split()[0] for line in said.splitlines()[:4]] == [
        "wording",
        "minimal",
        "tool_hinted",
        "context_rich",
    ]
    assert said.count("The worst tasks (2)") == 3
    task = SUITE.tasks[0]
    data = json.loads(
        Printed(capsys, str(folder), task.task_id, "--suite", suite_file, "--json").out
    )
    prompts = [task.prompt, *(task.metadata["control"][w] for w in ("tool_hinted", "context_rich"))]
    assert [row["prompt"] for row in data] == prompts
    one = Printed(capsys, str(folder / "tool_hinted"), task.task_id, "--suite", suite_file).out
    assert prompts[1] in " ".join(one.split())
