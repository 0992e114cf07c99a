import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from comptoolbench import _cli
from dataset_builder.errors import InputError
from dataset_builder.task import Suite
from dataset_builder.tools import catalogue
from evaluator.offline import score_folder, traces_sha256
from evaluator.results import load_result, load_results, refuse_mixed, task_frame, template_of
from tests.small_suite import small_suite, write_suite

SUITE = small_suite()


def run(model: str, folder: Path, *more: str, command: str = "run") -> Path:
    """A run of a built-in agent over the small suite."""
    suite = write_suite(SUITE, folder.parent / "suite.jsonl")
    arguments = [command, model, "--suite", str(suite), "--out", str(folder), *more]
    done = CliRunner().invoke(_cli, arguments)
    assert done.exit_code == 0, done.output
    return folder


def test_a_run_is_scored_once(tmp_path: Path) -> None:
    folder = run("baseline:dump", tmp_path / "dump")
    first = load_result(folder, SUITE)
    assert first.model == "baseline:dump"
    assert first.about["model"] == "baseline:dump"
    assert first.templates == template_of(SUITE)
    written = (folder / "scores.json").stat().st_mtime_ns
    assert (folder / "scores.parquet").is_file()
    again = load_result(folder, SUITE)
    assert again == first
    assert (folder / "scores.json").stat().st_mtime_ns == written


def test_scores_of_other_traces_are_not_believed(tmp_path: Path) -> None:
    folder = run("baseline:dump", tmp_path / "dump")
    before = load_result(folder, SUITE).scores
    traces = (folder / "traces.jsonl").read_text().splitlines(keepends=True)
    (folder / "traces.jsonl").write_text("".join(traces[1:]))
    after = load_result(folder, SUITE).scores
    assert (before["n_missing"], after["n_missing"]) == (0, 1)
    assert json.loads((folder / "scores.json").read_text()) == after


STALE = {
    "no JSON": "{",
    "no object": "[]",
    "another shape": '{"diagnostics": 3}',
    "another scorer": None,
}


@pytest.mark.parametrize("name", STALE)
def test_stale_scores_are_replaced(name: str, tmp_path: Path) -> None:
    folder = run("baseline:oracle", tmp_path / "oracle")
    fresh = load_result(folder, SUITE).scores
    older = {
        **fresh,
        "overall": 0.5,
        "signature": fresh["signature"].replace("scorer:2", "scorer:0"),
    }
    (folder / "scores.json").write_text(STALE[name] or json.dumps(older))
    assert load_result(folder, SUITE).scores == fresh


def test_what_is_stored_is_what_scoring_gives(tmp_path: Path) -> None:
    folder = run("baseline:retrieval", tmp_path / "r", "--samples", "2")
    load_result(folder, SUITE)
    assert load_result(folder, SUITE).scores == score_folder(folder, SUITE, catalogue()).scores


def test_a_run_that_may_only_be_read_is_scored_all_the_same(tmp_path: Path) -> None:
    folder = run("baseline:silent", tmp_path / "silent")
    # A folder in its place refuses the file even to root.
    (folder / "scores.json").mkdir()
    assert load_result(folder, SUITE).scores["overall"] == 0


def test_a_control_and_a_limited_run_count_what_was_asked(tmp_path: Path) -> None:
    control = run("baseline:oracle", tmp_path / "control", command="control")
    limited = run("baseline:oracle", tmp_path / "limited", "--limit", "4")
    results = load_results([control, limited], SUITE)
    names = [Path(result.name).name for result in results]
    assert names == ["context_rich", "minimal", "tool_hinted", "limited"]
    assert [result.is_control for result in results] == [True, False, True, False]
    assert [result.scores["n_tasks"] for result in results] == [2, 2, 2, 4]
    assert [result.scores["overall"] for result in results] == [1, 1, 1, 1]
    assert not any(result.scores["ranked"] for result in results)


def test_folders_of_runs_and_trace_files(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    for name in ("silent", "dump"):
        run(f"baseline:{name}", runs / name)
    file = tmp_path / "both.jsonl"
    file.write_text("".join((runs / n / "traces.jsonl").read_text() for n in ("dump", "silent")))
    found = load_results([runs, runs / "dump", file], SUITE)
    assert [result.name.removeprefix(f"{tmp_path}/") for result in found] == [
        "runs/dump",
        "runs/silent",
        "both.jsonl (baseline:dump)",
        "both.jsonl (baseline:silent)",
    ]
    assert found[2].about == {}
    assert found[2].scores["tasks"] == found[0].scores["tasks"]


def test_the_frame_of_tasks(tmp_path: Path) -> None:
    folder = run("baseline:retrieval", tmp_path / "r", "--samples", "2")
    result = load_result(folder, SUITE)
    frame = task_frame([result])
    assert len(frame) == 16
    assert list(frame.columns[:6]) == ["run", "model", "task_id", "sample", "level", "template"]
    assert frame["task_id"].tolist() == [row["task_id"] for row in result.scores["tasks"]]
    assert frame["data_flow"].isna().sum() == 4
    assert set(frame["template"]) <= {task.metadata["template"] for task in SUITE.tasks}


def test_what_is_no_run_is_refused_in_one_sentence(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(InputError, match="expected a run folder") as refusal:
            load_results([path], SUITE)
        assert "\n" not in str(refusal.value)


def test_the_run_of_another_suite_is_refused(tmp_path: Path) -> None:
    folder = run("baseline:oracle", tmp_path / "oracle")
    other = Suite("3.0.1", SUITE.seed, SUITE.tasks[1:])
    with pytest.raises(InputError, match=r"is a run of suite 3\.0\.0\+\w+, not of 3\.0\.1\+\w+"):
        load_results([folder], other)


MIXED = [
    ("ctb:3.0.0", "ctb:2.0.0", "several suites"),
    ("scorer:2", "scorer:3", "several scorer versions"),
]


@pytest.mark.parametrize(("ours", "theirs", "said"), MIXED)
def test_mixed_results_are_refused(ours: str, theirs: str, said: str, tmp_path: Path) -> None:
    result = load_result(run("baseline:oracle", tmp_path / "oracle"), SUITE)
    signature = result.signature.replace(ours, theirs)
    other = replace(result, scores={**result.scores, "signature": signature})
    refuse_mixed([result, result])
    with pytest.raises(InputError, match=said) as refusal:
        refuse_mixed([result, other])
    assert "\n" not in str(refusal.value)


def test_the_digest_of_traces(tmp_path: Path) -> None:
    assert traces_sha256(tmp_path) is None
    (tmp_path / "traces.jsonl").write_bytes(b"abc")
    assert traces_sha256(tmp_path) == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
