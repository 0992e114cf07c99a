import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pandas import DataFrame

from comptoolbench import _cli
from dataset_builder.errors import InputError
from dataset_builder.published.load_suite import load_suite
from evaluator.commands.ablate import ablate
from evaluator.commands.compare import compare
from evaluator.comparing.compare import (
    category_differences,
    comparison,
    comparison_text,
    differing_fields,
)
from tests.comparing.score_arrays import by, result_of, rows_of
from tests.samples.small_suite import small_suite, write_suite
from tests.scoring.null_model import null_result

SUITE = load_suite(None)
STRONG, WEAK = null_result(SUITE, 1, skill=0.9), null_result(SUITE, 2, skill=0.5)


def test_a_comparison_of_two() -> None:
    compared = comparison([STRONG, WEAK], SUITE)
    assert compared["differ_in"] == {}
    overall = {r["metric"]: r for r in compared["differences"] if r["quantity"] == "overall"}
    for metric, field in (("weighted", "overall"), ("step", "step"), ("strict", "strict")):
        expected = STRONG.scores[field] - WEAK.scores[field]
        assert overall[metric]["difference"] == pytest.approx(expected)
        assert overall[metric]["low"] < expected < overall[metric]["high"]
    assert compared["strict"][0]["p"] < 1e-6
    assert json.loads(json.dumps(compared, allow_nan=False)) == compared
    text = comparison_text(compared)
    assert "A ahead" in text
    assert text.index("Solved") < text.index("Calls right") < text.index("Weighted score (paper)")
    assert "200 tasks that all have" in text
    assert "Math & Statistics" in text


def test_gaps_have_no_winner_and_calls_right_leads_them() -> None:
    """Of A, which solves single calls alone, the loss to graphs is larger: that is no lead."""
    single = [
        {**row, "task_id": task.task_id, "score": float(task.level == 0)}
        for row, task in zip(rows_of([1.0] * 200), SUITE.tasks, strict=True)
    ]
    nothing = [{**row, "score": 0.0} for row in single]
    compared = comparison([result_of("single", single), result_of("nothing", nothing)], SUITE)
    loss = {r["metric"]: r for r in compared["differences"] if r["quantity"] == "delta_l0_l3"}
    assert {metric: row["difference"] for metric, row in loss.items()} == dict.fromkeys(loss, 1.0)
    assert {metric: row["significant"] for metric, row in loss.items()} == {
        "strict": None,
        "step": True,
        "weighted": None,
    }
    blocks = comparison_text(compared).split("\n\n")
    (gaps,) = (block for block in blocks if block.startswith("gap of A minus gap of B"))
    head, *rows = gaps.splitlines()
    assert head.index("Calls right") < head.index("Solved") < head.index("Weighted score (paper)")
    assert len(rows) == 3
    assert "ahead" not in gaps
    assert "Only a gap in calls right is evidence" in rows[-1]
    (levels,) = (block for block in blocks if block.startswith("level "))
    assert levels.count("A ahead") == 1


def test_categories_are_those_of_the_tasks_tools() -> None:
    differences = by(DataFrame(category_differences([STRONG, WEAK], SUITE)), "category", "metric")
    task_ids = [t.task_id for t in SUITE.tasks if "Date & Time" in t.metadata["categories"]]
    means = [
        sum(row["score"] for row in result.scores["tasks"] if row["task_id"] in task_ids)
        / len(task_ids)
        for result in (STRONG, WEAK)
    ]
    row = differences["Date & Time", "weighted"]
    assert row["n"] == len(task_ids)
    assert row["difference"] == pytest.approx(means[0] - means[1])
    assert row["low"] < row["difference"] < row["high"]
    assert {category for category, _ in differences} == {
        category for task in SUITE.tasks for category in task.metadata["categories"]
    }


def test_runs_that_were_asked_otherwise_are_compared_and_it_is_said() -> None:
    rows = rows_of([1.0] * 200)
    full, task = (
        result_of(
            name,
            [{**row, "task_id": t.task_id} for row, t in zip(rows, SUITE.tasks, strict=True)],
            signature=f"ctb:3.0.0+a|n:200|catalogue:{name}|scorer:1",
            about={"wording": wording},
        )
        for name, wording in (("full", None), ("task", "tool_hinted"))
    )
    assert differing_fields([full, task]) == {
        "catalogue": ["full", "task"],
        "wording": ["minimal", "tool_hinted"],
    }
    text = comparison_text(comparison([full, task], SUITE))
    assert (
        "These runs were not asked alike: they differ in catalogue (full, task) and wording "
        "(minimal, tool_hinted)." in text
    )


def test_of_many_runs_the_pairs_are_shown() -> None:
    others = [null_result(SUITE, seed, skill=0.5) for seed in (3, 4)]
    text = comparison_text(comparison([STRONG, WEAK, *others], SUITE))
    assert sum(" − " in line for line in text.splitlines()) == 6
    assert "Math & Statistics" not in text


def test_one_run_is_not_enough() -> None:
    with pytest.raises(InputError, match="two runs or more to compare, got 1"):
        comparison([STRONG], SUITE)


# The commands ---------------------------------------------------------------------------------


@pytest.fixture
def folders(tmp_path: Path) -> list[str]:
    """Runs of two agents over eight tasks."""
    suite = str(write_suite(small_suite(), tmp_path / "suite.jsonl"))
    for agent in ("oracle", "silent"):
        arguments = ["run", f"baseline:{agent}", "--suite", suite, "--out", str(tmp_path / agent)]
        assert CliRunner().invoke(_cli, arguments).exit_code == 0
    return ["--suite", suite, str(tmp_path / "oracle"), str(tmp_path / "silent")]


def run(command: object, arguments: list[str]) -> Result:
    """The command in this process."""
    return CliRunner().invoke(command, arguments)  # type: ignore[arg-type]


def test_compare(folders: list[str]) -> None:
    shown = run(compare, folders)
    assert shown.exit_code == 0, shown.output
    assert "baseline:silent" in shown.output
    data = json.loads(run(compare, [*folders, "--json"]).output)
    (test,) = data["strict"]
    assert (test["only_a"], test["only_b"], test["p"]) == (8, 0, 2 / 2**8)


def test_ablate(folders: list[str]) -> None:
    shown = run(ablate, folders)
    assert shown.exit_code == 0, shown.output
    assert "data-flow-heavy" in shown.output
    (group,) = json.loads(run(ablate, [*folders, "--json"]).output)
    assert len(group["configurations"]) == 8
    assert group["configurations"][0]["rho"] is None


def test_leaderboard(tmp_path: Path) -> None:
    for agent in ("silent", "oracle"):
        arguments = ["run", f"baseline:{agent}", "--out", str(tmp_path / agent)]
        assert CliRunner().invoke(_cli, arguments).exit_code == 0
        # A model that answers like the baseline, in responses of its own.
        rows = [
            json.loads(line) | {"model": f"like-{agent}", "response": [{"id": f"chat-{number}"}]}
            for number, line in enumerate((tmp_path / agent / "traces.jsonl").open())
        ]
        (tmp_path / f"{agent}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    files = [str(tmp_path / f"{agent}.jsonl") for agent in ("silent", "oracle")]
    shown = CliRunner().invoke(_cli, ["leaderboard", str(tmp_path), *files])
    assert shown.exit_code == 0, shown.output
    ranks = [line.split()[:2] for line in shown.output.splitlines()[2:6]]
    assert ranks == [
        ["1", "like-oracle"],
        ["2", "like-silent"],
        ["–", "baseline:oracle"],
        ["–", "baseline:silent"],
    ]


def test_what_cannot_be_read_is_one_sentence(folders: list[str], tmp_path: Path) -> None:
    for command in (compare, ablate):
        done = run(command, [*folders[:2], str(tmp_path / "nowhere")])
        assert isinstance(done.exception, InputError)
        assert "expected a run folder" in str(done.exception)
