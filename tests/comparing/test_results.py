import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import comptoolbench
from comptoolbench import _cli
from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite
from dataset_builder.tools import catalogue
from evaluator.comparing.load_results import load_result, load_results
from evaluator.comparing.results import task_frame, template_of
from evaluator.scoring.score import Scorer
from evaluator.scoring.score_traces import score_folder
from evaluator.scoring.text_tables import percent
from tests.samples.small_runs import SUITE, rewritten, run, suite_of


def inside(folder: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    return {str(file): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_reading_a_run_writes_nothing_into_it(tmp_path: Path) -> None:
    folder = run("baseline:dump", tmp_path / "dump")
    before = inside(folder)
    first = load_result(folder, SUITE)
    assert first.model == "baseline:dump"
    assert first.about["model"] == "baseline:dump"
    assert first.templates == template_of(SUITE)
    assert load_result(folder, SUITE) == first
    assert inside(folder) == before


def test_scores_follow_their_traces(tmp_path: Path) -> None:
    folder = run("baseline:dump", tmp_path / "dump")
    before = load_result(folder, SUITE).scores
    traces = (folder / "traces.jsonl").read_text().splitlines(keepends=True)
    (folder / "traces.jsonl").write_text("".join(traces[1:]))
    after = load_result(folder, SUITE).scores
    assert (before["n_missing"], after["n_missing"]) == (0, 1)


EDITED = ["{", "[]", '{"diagnostics": 3}', "better", None]


@pytest.mark.parametrize("content", EDITED)
def test_scores_beside_the_traces_are_never_believed(content: str | None, tmp_path: Path) -> None:
    folder = run("baseline:dump", tmp_path / "dump")
    fresh = load_result(folder, SUITE).scores
    if content is None:
        (folder / "scores.json").mkdir()
    else:
        better = json.dumps({**fresh, "overall": 0.99, "step": 1.0})
        (folder / "scores.json").write_text(better if content == "better" else content)
    assert load_result(folder, SUITE).scores == fresh
    shown = CliRunner().invoke(_cli, ["leaderboard", str(folder), "--suite", suite_of(folder)])
    assert percent(fresh["overall"]) in shown.output
    assert "99.0" not in shown.output


def test_what_is_kept_is_what_scoring_gives(tmp_path: Path) -> None:
    folder = run("baseline:retrieval", tmp_path / "r", "--samples", "2")
    load_result(folder, SUITE)
    assert (
        load_result(folder, SUITE).scores == score_folder(folder, SUITE, Scorer(catalogue())).scores
    )


def test_one_path_has_one_result(tmp_path: Path) -> None:
    sample = run("baseline:dump", tmp_path / "sample", "--limit", "4", "--calls", "json")
    whole = run("baseline:oracle", tmp_path / "whole", "--catalogue", "20")
    scores = [result.scores for result in load_results([sample, whole], SUITE)]
    assert scores == [comptoolbench.score(path, suite_of(sample)) for path in (sample, whole)]
    assert scores == [comptoolbench.score(str(path), SUITE) for path in (sample, whole)]
    assert scores == [comptoolbench.score([path], SUITE) for path in (sample, whole)]
    for given in ([sample], [whole], [sample, whole], [whole, sample]):
        arguments = ["score", *map(str, given), "--suite", suite_of(sample), "--json"]
        printed = json.loads(CliRunner().invoke(_cli, arguments).output)
        expected = [scores[path is whole] for path in given]
        assert printed == (expected[0] if len(given) == 1 else expected)
    assert scores[0]["n_tasks"] == 4


def test_scores_are_written_on_request(tmp_path: Path) -> None:
    folder = run("baseline:dump", tmp_path / "dump")
    command = ["score", str(folder), "--suite", suite_of(folder)]
    before = inside(folder)
    assert CliRunner().invoke(_cli, command).exit_code == 0
    assert inside(folder) == before
    assert CliRunner().invoke(_cli, [*command, "--save"]).exit_code == 0
    assert json.loads((folder / "scores.json").read_text()) == load_result(folder, SUITE).scores
    assert (folder / "scores.parquet").is_file()
    assert inside(folder).items() >= before.items()


def test_a_folder_that_takes_no_scores_is_scored_all_the_same(tmp_path: Path) -> None:
    folder = run("baseline:silent", tmp_path / "silent")
    # A folder in its place refuses the file even to root.
    (folder / "scores.json").mkdir()
    command = ["score", str(folder), "--suite", suite_of(folder)]
    assert CliRunner().invoke(_cli, command).exit_code == 0
    saved = CliRunner().invoke(_cli, [*command, "--save"])
    assert "Solved" in saved.stdout
    assert isinstance(saved.exception, InputError)
    assert "scores cannot be written" in str(saved.exception)
    file = folder / "traces.jsonl"
    refused = CliRunner().invoke(_cli, ["score", str(file), "--suite", suite_of(folder), "--save"])
    assert "--save writes into run folders" in str(refused.exception)


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
    results = load_results([runs, runs / "dump", file], SUITE)
    assert [result.name.removeprefix(f"{tmp_path}/") for result in results] == [
        "runs/dump",
        "runs/silent",
        "both.jsonl (baseline:dump)",
        "both.jsonl (baseline:silent)",
    ]
    assert results[2].about == {}
    assert results[2].scores["tasks"] == results[0].scores["tasks"]


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


# One name for a catalogue ---------------------------------------------------------------------


def test_all_tools_are_the_full_catalogue(tmp_path: Path) -> None:
    folder = run("baseline:dump", tmp_path / "dump", "--catalogue", "106")
    result = load_result(folder, SUITE)
    assert result.about["catalogue"] == "full"
    assert "|catalogue:full|" in result.signature
    numbered = rewritten(folder, tmp_path / "numbered.jsonl", "mine", catalogue=106)
    assert comptoolbench.score(numbered, SUITE)["signature"] == result.signature


def test_a_run_of_all_tools_by_their_number_is_resumed(tmp_path: Path) -> None:
    folder = run("baseline:dump", tmp_path / "dump")
    about = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps({**about, "catalogue": "106"}))
    lines = (folder / "traces.jsonl").read_text().splitlines(keepends=True)
    old = [line.replace('"catalogue":"full"', '"catalogue":"106"') for line in lines[:3]]
    (folder / "traces.jsonl").write_text("".join(old))
    run("baseline:dump", folder, "--catalogue", "106")
    assert load_result(folder, SUITE).scores["ranked"]
    assert (folder / "traces.jsonl").read_text().startswith("".join(old))
