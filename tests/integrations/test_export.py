"""Runs in other people's formats, read back by their own classes and schema."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from click.testing import CliRunner
from huggingface_hub import eval_result_entries_to_yaml, parse_eval_result_entries

import comptoolbench
from dataset_builder.errors import InputError
from evaluator.commands.export import export
from evaluator.integrations.eval_results import TASK_IDS
from evaluator.integrations.every_eval_ever import SCHEMA_VERSION
from evaluator.scoring.text_tables import percent

ROOT = Path(__file__).parents[2]
# The schema of Every Eval Ever 0.3.0 as its package has it, MIT licence (in the same folder), unchanged.
SCHEMA = json.loads((ROOT / "tests/golden/every_eval_ever/eval.schema.json").read_text("utf-8"))


def make_run(out: Path, *options: str) -> Path:
    command = [sys.executable, "-m", "comptoolbench", "run", "baseline:retrieval", *options]
    done = subprocess.run([*command, "--out", str(out)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run over the whole suite."""
    return make_run(tmp_path_factory.mktemp("runs") / "retrieval")


@pytest.fixture(scope="module")
def scores(run: Path) -> dict[str, Any]:
    return comptoolbench.score(run)


def exported(run: Path, form: str, *options: str) -> str:
    done = CliRunner().invoke(export, [str(run), "--to", form, *options], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_eval_results_are_what_the_hub_s_classes_read(run: Path, scores: dict[str, Any]) -> None:
    text = exported(run, "eval-results", "--dataset", "org/data")
    entries = parse_eval_result_entries(yaml.safe_load(text))
    assert eval_result_entries_to_yaml(entries) == yaml.safe_load(text)
    assert {entry.dataset_id for entry in entries} == {"org/data"}
    wanted = {"overall": scores["strict"]}
    wanted |= {level: scores["levels"][level]["strict"] for level in scores["levels"]}
    assert {entry.task_id: entry.value for entry in entries} == {
        task: round(100 * score, 2) for task, score in wanted.items()
    }
    ended = json.loads((run / "run.json").read_text("utf-8"))["sessions"][-1]["ended_at"]
    assert all(entry.date == ended for entry in entries)
    assert all(entry.notes and scores["signature"] in entry.notes for entry in entries)
    assert all(
        (entry.notes or "").startswith(f"Solved {percent(wanted[entry.task_id])} %, 95 % ")
        for entry in entries
    )


def test_task_ids_are_those_that_the_dataset_registers() -> None:
    from dataset_builder.published.columns import CONFIGS

    template = (ROOT / "dataset_builder/published/documents/eval.yaml").read_text("utf-8")
    tasks = yaml.safe_load(template.replace("$", ""))["tasks"]
    assert tuple(task["id"] for task in tasks) == TASK_IDS
    assert {task["config"] for task in tasks} <= {config.name for config in CONFIGS}


def test_every_eval_ever_is_valid_under_its_schema(run: Path, scores: dict[str, Any]) -> None:
    record = json.loads(exported(run, "every-eval-ever", "--dataset", "org/data"))
    jsonschema.Draft7Validator(SCHEMA).validate(record)
    assert record["schema_version"] == SCHEMA_VERSION == SCHEMA["version"]
    found = {
        entry["evaluation_result_id"]: entry["score_details"]
        for entry in record["evaluation_results"]
    }
    metrics = ("strict", "step", "weighted")
    assert list(found) == [f"{task}.{metric}" for task in TASK_IDS for metric in metrics]
    names = [entry["metric_config"]["metric_name"] for entry in record["evaluation_results"][:3]]
    assert names == ["Solved", "Calls right", "Weighted score (paper)"]
    assert found["overall.strict"]["score"] == pytest.approx(scores["strict"])
    assert found["overall.weighted"]["score"] == pytest.approx(scores["overall"])
    assert found["L3.step"]["score"] == pytest.approx(scores["levels"]["L3"]["step"])
    for details in found.values():
        interval = details["uncertainty"]["confidence_interval"]
        assert interval["lower"] - 1e-9 <= details["score"] <= interval["upper"] + 1e-9
    assert record["model_info"]["id"] == "baseline:retrieval"


def test_the_schema_is_not_lenient(run: Path) -> None:
    record = json.loads(exported(run, "every-eval-ever"))
    del record["evaluation_results"][0]["score_details"]["score"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft7Validator(SCHEMA).validate(record)


@pytest.mark.parametrize("form", ["eval-results", "every-eval-ever"])
def test_the_same_run_gives_the_same_bytes(run: Path, tmp_path: Path, form: str) -> None:
    moved = tmp_path / "moved"
    shutil.copytree(run, moved)
    assert exported(moved, form) == exported(run, form)


def refusal(run: Path) -> str:
    with pytest.raises(InputError) as refused:
        CliRunner().invoke(export, [str(run), "--to", "eval-results"], catch_exceptions=False)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_only_whole_runs_in_the_suite_s_wording_are_exported(run: Path, tmp_path: Path) -> None:
    partial = make_run(tmp_path / "partial", "--limit", "16")
    assert "only ranked runs are exported (184 tasks missing)" in refusal(partial)
    assert "no run folder" in refusal(tmp_path)
    control = tmp_path / "control"
    shutil.copytree(run, control)
    about = json.loads((control / "run.json").read_text("utf-8"))
    (control / "run.json").write_text(json.dumps(about | {"wording": "tool_hinted"}), "utf-8")
    assert "a run in another wording is no result of the benchmark" in refusal(control)


@pytest.mark.parametrize(
    "sessions", [None, [], [{}], [{"started_at": None}], [{"started_at": "2026-11-01"}, {}]]
)
def test_a_run_that_does_not_say_when_it_was_made(run: Path, tmp_path: Path, sessions: Any) -> None:
    moved = tmp_path / "moved"
    shutil.copytree(run, moved)
    about = json.loads((moved / "run.json").read_text("utf-8"))
    (moved / "run.json").write_text(json.dumps(about | {"sessions": sessions, "provider": None}))
    assert exported(moved, "eval-results")
    command = [str(moved), "--to", "every-eval-ever"]
    refused = CliRunner().invoke(export, command)
    assert "run.json does not say when the run was made" in str(refused.exception)
