"""A suite of whose tools some are not in the catalogue, as the paper's own: calls cannot be replayed.

What hangs on replaying (solved, calls right) is undefined there, and no command may stumble over that.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from comptoolbench import _cli

LEVELS = ("L0_node", "L1_chain", "L2_parallel", "L3_dag")
WEATHER = {"name": "get_weather", "arguments": {"city": "Berlin"}}
FOREIGN = {"name": "summon_weather", "arguments": {"x": 1}}


def task_row(number: int, level: str, calls: list[dict[str, Any]]) -> dict[str, Any]:
    """A row in the format of suite 2.0.0."""
    steps = [
        {
            "step_id": f"step_{i}",
            "tool_name": call["name"],
            "arguments": call["arguments"],
            "depends_on": [],
            "output_key": "out",
        }
        for i, call in enumerate(calls, 1)
    ]
    return {
        "task_id": f"{level}_{number:04}",
        "level": level,
        "prompt": "Do it.",
        "available_tools": ["get_weather", "summon_weather"],
        "expected_trace": json.dumps({"steps": steps, "final_answer_source": "step_1"}),
        "expected_final_answer": "x",
        "num_steps": len(steps),
        "num_tools_offered": 2,
        "category": "c",
        "pattern": "p",
    }


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """The suite, and traces of two models: one makes every call, the other only the first."""
    expected = {level: [FOREIGN, WEATHER][: 1 + (level != "L0_node")] for level in LEVELS[1:]}
    expected = {"L0_node": [WEATHER], **expected}
    rows = [task_row(i, level, calls) for i, (level, calls) in enumerate(expected.items(), 1)]
    setting = {"protocol": "single-turn", "catalogue": "task"}
    traces = [
        {
            "task_id": row["task_id"],
            "model": model,
            **setting,
            "calls": expected[row["level"]][:most],
        }
        for model, most in (("idle", 1), ("whole", 2))
        for row in rows
    ]
    paths = tmp_path / "suite.jsonl", tmp_path / "traces.jsonl"
    for path, content in zip(paths, (rows, traces), strict=True):
        path.write_text("".join(f"{json.dumps(row)}\n" for row in content))
    return paths


def printed(files: tuple[Path, Path], command: str, *more: str) -> str:
    suite, traces = files
    done = CliRunner().invoke(_cli, [command, str(traces), *more, "--suite", str(suite)])
    assert done.exit_code == 0, done.output
    return done.output


def test_nobody_is_ranked_by_what_is_undefined(files: tuple[Path, Path]) -> None:
    by_solved = [line.split() for line in printed(files, "leaderboard").splitlines()[2:4]]
    assert [row[:4] for row in by_solved] == [["–", name, "–", "–"] for name in ("whole", "idle")]
    by_score = printed(files, "leaderboard", "--rank-by", "weighted").splitlines()[2:4]
    assert [line.split()[:2] for line in by_score] == [["1–2", "whole"], ["1–2", "idle"]]


@pytest.mark.parametrize("metric", ["solved", "calls", "weighted"])
def test_a_report_is_written(files: tuple[Path, Path], metric: str, tmp_path: Path) -> None:
    out = tmp_path / "report"
    printed(files, "report", "--rank-by", metric, "--out", str(out))
    page = (out / "index.html").read_text()
    assert "whole" in page
    assert "nan" not in page.lower().split("</style>")[-1]


def test_an_answer_says_what_is_not_known(files: tuple[Path, Path]) -> None:
    text = printed(files, "explain", "L1_chain_0002", "--model", "whole")
    assert "solved: –   calls right – %   weighted 100.0 %" in text
    assert "Nothing wrong is found, but not every tool of the task is in the catalogue." in text
    assert "the call was not executed" in text
    assert "error" not in text
