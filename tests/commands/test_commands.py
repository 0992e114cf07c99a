"""The command line: what it prints, and one clear sentence for every mistake of a user."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from comptoolbench import _COMMANDS
from tests.samples.small_suite import small_suite, write_suite

ROOT = Path(__file__).parents[2]


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "comptoolbench", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def suite_file(tmp_path: Path) -> Path:
    """A suite of eight tasks as a file."""
    return write_suite(small_suite(), tmp_path / "suite.jsonl")


def test_help_lists_every_command(tmp_path: Path) -> None:
    done = run("--help", folder=tmp_path)
    assert done.returncode == 0
    for command in _COMMANDS:
        assert f"  {command} " in done.stdout


def odd_row(**changes: object) -> str:
    """A published row with other content in some columns."""
    row = small_suite().tasks[0].to_row()
    as_text = {k: v if k == "prompt" else json.dumps(v) for k, v in changes.items()}
    return json.dumps(row | as_text)


def contradiction() -> str:
    """A row in which a value flows from a step that does not exist."""
    row = small_suite().tasks[-1].to_row()
    return json.dumps(
        row
        | {"expected_trace": row["expected_trace"].replace('"from":"step_1"', '"from":"step_9"')}
    )


CONTRADICTION = contradiction()
ENDPOINT = ("--api-base", "http://127.0.0.1:9/v1")
GOOD_ROW = '{"task_id": "L0_node_0001", "model": "m", "calls": []}'
MISTAKES = [
    (["score", "nowhere.jsonl"], None, "nowhere.jsonl"),
    (["score", "t.jsonl"], "{not json", "t.jsonl:1"),
    (["score", "t.jsonl"], "[]", "t.jsonl:1"),
    (["score", "t.jsonl"], "", "empty file"),
    (["score", "t.jsonl"], '{"task_id": "L9_none_0001", "calls": []}', "L9_none_0001"),
    (["score", "t.jsonl"], f"{GOOD_ROW}\n{GOOD_ROW}", "t.jsonl:2"),
    (["score", "t.jsonl"], '{"task_id": "L0_node_0001"}', "calls"),
    (["score", "t.jsonl", "--suite", "nowhere"], GOOD_ROW, "nowhere"),
    (["audit", "t.jsonl"], "{}", "row 1 is no task of a suite (it lacks"),
    (["audit", "t.jsonl"], "{", "t.jsonl:1"),
    (["audit", "t.jsonl"], odd_row(metadata={"pattern": 1}), "metadata.pattern: expected text"),
    (["audit", "t.jsonl"], odd_row(metadata=[]), "metadata: expected an object"),
    (["audit", "t.jsonl"], odd_row(prompt=None), "prompt: expected text"),
    (["score", "t.jsonl", "--suite", "t.jsonl"], odd_row(expected_trace=[]), "t.jsonl"),
    (["audit", "t.parquet"], "no parquet", "t.parquet"),
    (["build", "--counts", "1,2"], None, "four whole numbers"),
    (["build", "--counts", "0,0,0,0"], None, "at least one task"),
    (["build", "--counts", "100000,1,0,0"], None, "at most 100,000 tasks"),
    (["build", "--out", "t.jsonl"], "mine", "choose another --out"),
    (["build", "--out", "suite.jsonl/new"], None, "suite.jsonl: cannot be used (file exists"),
    (
        ["report", "--paper", "--out", "suite.jsonl/new"],
        None,
        "suite.jsonl: cannot be used (file exists",
    ),
    (["annotate", "kappa", "nowhere.csv"], None, "nowhere.csv: cannot be read (no such file"),
    (["run", "baseline:oracle", "--catalogue", "107"], None, "at most 106"),
    (["run", "no-such-model"], None, "no-such-model"),
    (["horizon", "no-such-model"], None, "no-such-model"),
    (["horizon", "baseline:noisy-1.5"], None, "baseline:noisy-P with P such as 0.99"),
    (["horizon", "baseline:oracle", "--max-calls", "0"], None, "'--max-calls': 0 is not in"),
    (["horizon", "baseline:oracle", "--max-calls", "1025"], None, "1025 is not in"),
    (["horizon", "baseline:oracle", "--per-rung", "0"], None, "'--per-rung': 0 is not in"),
    (["horizon", "baseline:oracle", "--dial", "depth"], None, "No such option '--dial'"),
    (
        ["score", "t.jsonl"],
        f"{GOOD_ROW}\n{GOOD_ROW.replace('L0_node_0001', 'P_0001')}",
        "t.jsonl: holds procedures (P_…) and tasks of levels 0 to 3",
    ),
    (["score", "t.jsonl"], GOOD_ROW.replace("L0_node_0001", "P_0085"), "has no task 'P_0085'"),
    (["run", "baseline:nobody"], None, "baseline:nobody"),
    (["run", "local:nobody"], None, "local:nobody"),
    (["run", ""], None, "'' is no name of a model: expected 1 to 200 printable characters"),
    (["run", " "], None, "' ' is no name of a model"),
    (["run", "a\tb"], None, "is no name of a model"),
    (["run", "m" * 201], None, "is no name of a model"),
    (["run", "openai/gpt\u200b-4o"], None, "is no name of a model"),
    (["run", "ｂaseline:oracle"], None, "as in 'baseline:oracle'"),
    (["run", "Baseline:oracle", *ENDPOINT], None, "looks like a built-in agent's"),
    (["run", "openai/baseline:oracle", *ENDPOINT], None, "is what a built-in agent is called"),
    (["run", "bаseline:oracle", *ENDPOINT], None, "looks like a built-in agent's"),
    (["run", "baseline:oracle", "--suite", "t.jsonl"], CONTRADICTION, "contradicts itself"),
    (["run", "baseline:dump", "--suite", "t.jsonl"], CONTRADICTION, "contradicts itself"),
    (["run", "baseline:oracle", "--catalogue", "0008"], None, "expected full, task or a number"),
    (["leaderboard", "nowhere"], None, "nowhere"),
    (["tools", "show", "hammer"], None, "hammer"),
    (["tasks", "show", "L9", "--suite", "suite.jsonl"], None, "L9"),
    (["frobnicate"], None, "frobnicate"),
    (["explane", "t"], None, "No such command 'explane'; did you mean explain?"),
    (["explain", "nowhere"], None, "nowhere: expected a run folder"),
    (["tools", "show", "get_wether"], None, "; did you mean get_weather?"),
    (["tasks", "show", "l0_NODE_0001", "--suite", "suite.jsonl"], None, "mean L0_node_0001?"),
    (["run", "baseline:orcale"], None, "; did you mean baseline:oracle?"),
    (["run", "gpt-4o-mni"], None, "; did you mean openai/gpt-4o-mini"),
    (["control", "oracle"], None, "; did you mean baseline:oracle?"),
    (["sweep", "local:smollm"], None, "expected one of local:smollm2"),
]


@pytest.mark.parametrize(("arguments", "content", "said"), MISTAKES, ids=lambda v: str(v)[:40])
def test_a_mistake_ends_in_one_sentence_and_exit_2(
    arguments: list[str], content: str | None, said: str, suite_file: Path
) -> None:
    folder = suite_file.parent
    if content is not None:
        (folder / f"t{Path(next(a for a in arguments if a.startswith('t.'))).suffix}").write_text(
            content
        )
    if arguments[0] == "score" and "--suite" not in arguments:
        arguments = [*arguments, "--suite", str(suite_file)]
    before = sorted(path.name for path in folder.iterdir())
    done = run(*arguments, folder=folder)
    assert done.returncode == 2, done.stdout + done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in folder.iterdir()) == before


def test_a_stranger_s_suite_drives_no_terminal(tmp_path: Path) -> None:
    row = small_suite().tasks[0].to_row()
    row |= {"task_id": "L0_node_0001", "prompt": "Weather\x1b[2J in \u202eOslo\x9b31m?"}
    (tmp_path / "s.jsonl").write_text(json.dumps(row) + "\n")
    for arguments in (
        ["tasks", "--suite", "s.jsonl"],
        ["tasks", "show", "L0_node_0001", "--suite", "s.jsonl"],
        ["audit", "s.jsonl"],
    ):
        done = run(*arguments, folder=tmp_path)
        assert done.returncode in (0, 1), done.stderr
        assert not {"\x1b", "\u202e", "\x9b"} & set(done.stdout)
        assert "Weather" in done.stdout or arguments[0] == "audit"


def test_what_cannot_be_printed_is_said(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "comptoolbench", "tools"],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 2
    assert (
        done.stderr == "comptoolbench: standard output: cannot be used (no space left on device)\n"
    )


def test_a_model_without_a_key_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    done = run("run", "openai/gpt-4o-mini", folder=tmp_path)
    assert done.returncode == 2
    assert "OPENAI_API_KEY" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_audit_exits_with_1_where_there_is_a_defect(suite_file: Path) -> None:
    fine = run("audit", str(suite_file), folder=suite_file.parent)
    assert (fine.returncode, "no defect" in fine.stdout) == (0, True), fine.stdout
    row = json.loads(suite_file.read_text().splitlines()[0])
    row["prompt"] = "How is it?"
    suite_file.write_text(json.dumps(row) + "\n")
    broken = run("audit", str(suite_file), "--json", folder=suite_file.parent)
    assert broken.returncode == 1
    defects = json.loads(broken.stdout)
    assert {"rule", "task_id", "detail"} == set(defects[0])
    assert "grounded" in {defect["rule"] for defect in defects}


def test_tools_and_tasks_are_shown(suite_file: Path) -> None:
    folder = suite_file.parent
    assert "temperature_c (number, °C)" in run("tools", "show", "get_weather", folder=folder).stdout
    assert "State Management (5)" in run("tools", folder=folder).stdout
    task = small_suite().tasks[2].task_id
    shown = run("tasks", "show", task, "--suite", str(suite_file), folder=folder).stdout
    assert "from temperature_c of step_1" in shown
    assert "stated in the prompt" in shown


def test_a_package_of_the_same_name_is_named_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "evaluator").mkdir()
    (tmp_path / "evaluator" / "__init__.py").write_text("")
    done = run("--help", folder=tmp_path)
    assert done.returncode == 2
    assert "hides the one that comptoolbench needs" in done.stderr


def test_score_prints_the_score_json(suite_file: Path) -> None:
    rows = [
        {"task_id": task.task_id, "model": "m", "protocol": "single-turn", "catalogue": "full"}
        | {"calls": [{"name": s.tool, "arguments": dict(s.arguments)} for s in task.steps]}
        for task in small_suite().tasks
    ]
    traces = suite_file.parent / "t.jsonl"
    traces.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = run("score", "t.jsonl", "--suite", str(suite_file), "--json", folder=traces.parent)
    scores = json.loads(done.stdout)
    assert (scores["overall"], scores["step"], scores["strict"]) == (1, 1, 1)
    assert scores["signature"].endswith(
        "|n:8|protocol:single-turn.1|catalogue:full|calls:native|scorer:2"
    )
    assert run("score", "t.jsonl", "--suite", str(suite_file), folder=traces.parent).returncode == 0
