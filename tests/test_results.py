import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import comptoolbench
from comptoolbench import _cli
from dataset_builder.errors import InputError
from dataset_builder.task import Suite
from dataset_builder.tools import catalogue
from evaluator.offline import score_folder
from evaluator.results import load_result, load_results, task_frame, template_of
from evaluator.tables import percent
from evaluator.trace import TraceProblems
from tests.small_suite import small_suite, write_suite

SUITE = small_suite()


def run(model: str, folder: Path, *more: str, command: str = "run") -> Path:
    """A run of a built-in agent over the small suite."""
    suite = write_suite(SUITE, folder.parent / "suite.jsonl")
    arguments = [command, model, "--suite", str(suite), "--out", str(folder), *more]
    done = CliRunner().invoke(_cli, arguments)
    assert done.exit_code == 0, done.output
    return folder


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


def suite_of(folder: Path) -> str:
    return str(folder.parent / "suite.jsonl")


def test_what_is_kept_is_what_scoring_gives(tmp_path: Path) -> None:
    folder = run("baseline:retrieval", tmp_path / "r", "--samples", "2")
    load_result(folder, SUITE)
    assert load_result(folder, SUITE).scores == score_folder(folder, SUITE, catalogue()).scores


def test_one_path_has_one_result(tmp_path: Path) -> None:
    sample = run("baseline:dump", tmp_path / "sample", "--limit", "4", "--calls", "json")
    whole = run("baseline:oracle", tmp_path / "whole", "--catalogue", "20")
    found = [result.scores for result in load_results([sample, whole], SUITE)]
    assert found == [comptoolbench.score(path, suite_of(sample)) for path in (sample, whole)]
    assert found == [comptoolbench.score(str(path), SUITE) for path in (sample, whole)]
    assert found == [comptoolbench.score([path], SUITE) for path in (sample, whole)]
    for given in ([sample], [whole], [sample, whole], [whole, sample]):
        arguments = ["score", *map(str, given), "--suite", suite_of(sample), "--json"]
        printed = json.loads(CliRunner().invoke(_cli, arguments).output)
        expected = [found[path is whole] for path in given]
        assert printed == (expected[0] if len(given) == 1 else expected)
    assert found[0]["n_tasks"] == 4


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
    assert "strict" in saved.stdout
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


# One bad run ----------------------------------------------------------------------------------


def board(*paths: Path, command: str = "leaderboard") -> Any:
    """What a command over runs prints."""
    suite = write_suite(SUITE, paths[0].parent / "suite.jsonl")
    return CliRunner().invoke(_cli, [command, *map(str, paths), "--suite", str(suite)])


def runs_and_a_bad_one(tmp_path: Path) -> list[Path]:
    fine = [run(f"baseline:{name}", tmp_path / name) for name in ("dump", "retrieval")]
    bad = run("baseline:silent", tmp_path / "bad")
    (bad / "traces.jsonl").write_text("{\n[]\n")
    return [bad, *fine, tmp_path / "nowhere"]


@pytest.mark.parametrize("command", ["leaderboard", "compare", "ablate"])
def test_a_bad_run_is_said_and_the_others_are_shown(command: str, tmp_path: Path) -> None:
    paths = runs_and_a_bad_one(tmp_path)
    done = board(*paths, command=command)
    assert done.exit_code == 2
    assert done.stderr.splitlines() == [
        f"comptoolbench: {paths[0]}/traces.jsonl:1: is no JSON (expecting property name enclosed in "
        "double quotes at character 2) (and 1 more problem)",
        f"comptoolbench: {paths[3]}: expected a run folder, a folder of runs or a trace file",
    ]
    whole = board(*paths[1:3], command=command)
    assert whole.exit_code == 0
    assert done.stdout == whole.stdout != ""


@pytest.mark.parametrize("command", ["leaderboard", "compare", "ablate"])
def test_bad_runs_alone_are_said(command: str, tmp_path: Path) -> None:
    bad, *_, nowhere = runs_and_a_bad_one(tmp_path)
    refused = board(bad, nowhere, command=command)
    assert isinstance(refused.exception, InputError)
    assert [text in str(refused.exception) for text in ("is no JSON", "nowhere")] == [True, True]


@pytest.mark.parametrize("keep", [1, 40, -1])
def test_a_row_that_is_being_written_hides_no_run(keep: int, tmp_path: Path) -> None:
    folder = run("baseline:dump", tmp_path / "dump")
    file = folder / "traces.jsonl"
    *whole, last = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(whole))
    without = load_result(folder, SUITE).scores
    file.write_bytes(b"".join([*whole, last.rstrip(b"\n")[:keep]]))
    assert load_result(folder, SUITE).scores["tasks"] == without["tasks"]
    assert comptoolbench.score(folder, SUITE)["n_missing"] == 1
    # A whole row without a line end is a row.
    file.write_bytes(b"".join([*whole, last.rstrip(b"\n")]))
    assert load_result(folder, SUITE).scores["n_missing"] == 0
    # Elsewhere in the run's file, and in any other file, it is a problem.
    for content in (last[:40] + b"\n" + b"".join(whole), b"".join(whole) + last[:40] + b"\n"):
        file.write_bytes(content)
        with pytest.raises(TraceProblems):
            load_result(folder, SUITE)
    file.write_bytes(b"".join(whole) + last[:40])
    with pytest.raises(TraceProblems):
        comptoolbench.score(file, SUITE)


DESCRIBED: list[tuple[Any, str]] = [
    ([], "expected a JSON object"),
    ({"model": "a\u200b"}, "model: expected"),
    ({"model": ["m"]}, "model: expected text"),
    ({"provider": 3}, "provider: expected text"),
    ({"sessions": "often"}, "sessions: expected a list of objects"),
    ({"sessions": [3]}, "sessions: expected a list of objects"),
    ({"sessions": [{"started_at": 3}]}, "sessions: started_at: expected a time"),
    ({"sessions": [{"ended_at": "now"}]}, "sessions: ended_at: expected a time"),
    ({"sessions": [{"packages": [1]}]}, "sessions: packages: expected an object"),
    ({"served_by": "x"}, "served_by: expected a list of texts"),
    ({"system_fingerprints": [1]}, "system_fingerprints: expected a list of texts"),
    ({"suite": "mine"}, "suite: expected an object"),
    ({"limit": -1}, "limit: expected a whole number"),
    ({"calls": "loud"}, "asked.calls: expected native or json"),
    ({"wording": ["minimal"]}, "asked.wording: expected minimal"),
    ({"prompt_version": 7, "protocol": "single-turn"}, "asked.prompt_version: expected 1 to"),
    ({"catalogue": "0008"}, "catalogue: expected full, task or a number"),
    ({"protocol": "chat"}, "protocol: expected single-turn"),
]


@pytest.mark.parametrize(("change", "said"), DESCRIBED)
def test_a_description_of_the_wrong_shape_is_said(change: Any, said: str, tmp_path: Path) -> None:
    folder = run("baseline:dump", tmp_path / "dump", "--limit", "1")
    file = folder / "run.json"
    about = json.loads(file.read_text())
    file.write_text(json.dumps({**about, **change} if isinstance(change, dict) else change))
    with pytest.raises(InputError, match=re.escape(said)) as refused:
        load_result(folder, SUITE)
    assert str(file) in str(refused.value)
    resumed = ["run", "baseline:dump", "--suite", suite_of(folder), "--out", str(folder)]
    assert isinstance(CliRunner().invoke(_cli, resumed).exception, InputError)


def test_how_silent_rows_were_asked_stands_in_their_folder(tmp_path: Path) -> None:
    folder = run("baseline:dump", tmp_path / "dump", "--calls", "json")
    rows = [json.loads(line) for line in (folder / "traces.jsonl").read_text().splitlines()]
    text = "".join(json.dumps({**row, "asked": None}) + "\n" for row in rows)
    (folder / "traces.jsonl").write_text(text)
    assert "|calls:json|" in load_result(folder, SUITE).signature


# Copies ---------------------------------------------------------------------------------------


def rewritten(source: Path, target: Path, model: str, **change: Any) -> Path:
    """The trace file of a run under another name, its rows changed in some fields."""
    lines = (source / "traces.jsonl").read_text().splitlines()
    rows = [{**json.loads(line), "model": model, **change} for line in lines]
    target.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return target


def reasons(*paths: Path) -> list[list[str]]:
    """Why each run is not ranked."""
    return [r.scores["diagnostics"]["not_ranked"] for r in load_results(paths, SUITE)]


COSMETIC: list[dict[str, Any]] = [
    {},
    {"latency_ms": 7, "started_at": "2026-11-01", "cost_usd": 1},
    {"provider": "mine", "suite": None, "note": "x"},
    {"response": None},
    {"asked": {"calls": "json"}},
    {"catalogue": "task"},
]


@pytest.mark.parametrize("change", COSMETIC)
def test_a_copy_under_another_name_is_not_ranked(change: dict[str, Any], tmp_path: Path) -> None:
    folder = run("baseline:dump", tmp_path / "dump")
    copy = rewritten(folder, tmp_path / "copy.jsonl", "mine", **change)
    assert reasons(folder, copy) == [[], [f"a copy of {folder}"]]
    assert reasons(copy, folder) == [[], [f"a copy of {copy}"]]
    lines = board(folder, copy).stdout.splitlines()
    assert [line.split()[0] for line in lines if "a copy of" in line] == ["–"]
    assert f"a copy of {folder}" in board(folder, copy, command="compare").stdout


def test_the_same_file_in_two_places_is_one_run(tmp_path: Path) -> None:
    folder = run("baseline:dump", tmp_path / "dump")
    shutil.copytree(folder, tmp_path / "again")
    assert reasons(folder, tmp_path / "again") == [[], [f"a copy of {folder}"]]
    (tmp_path / "link").symlink_to(folder)
    assert reasons(folder, tmp_path / "link", folder / ".." / "dump") == [[]]


def test_those_who_answer_alike_are_no_copies(tmp_path: Path) -> None:
    folder = run("baseline:oracle", tmp_path / "oracle")
    # The same agent again; under another catalogue; another built-in agent; one that never calls.
    again = run("baseline:oracle", tmp_path / "again")
    fewer = run("baseline:oracle", tmp_path / "fewer", "--catalogue", "20")
    assert reasons(folder, again, fewer) == [[], [], []]
    one = rewritten(folder, tmp_path / "one.jsonl", "baseline:other")
    # Two models whose providers sent something of their own.
    two = rewritten(folder, tmp_path / "two.jsonl", "vendor/two", response=[{"id": "2"}])
    three = rewritten(folder, tmp_path / "three.jsonl", "vendor/three", response=[{"id": "3"}])
    assert reasons(folder, one, two, three) == [[], [], [], []]
    silent = [rewritten(folder, tmp_path / f"{n}.jsonl", n, calls=[]) for n in ("s", "t")]
    assert reasons(*silent) == [[], []]


def test_a_copy_of_a_copy_names_the_first(tmp_path: Path) -> None:
    folder = run("baseline:dump", tmp_path / "dump")
    copies = [rewritten(folder, tmp_path / f"{name}.jsonl", name) for name in "abc"]
    assert reasons(folder, *copies) == [[], *([[f"a copy of {folder}"]] * 3)]


def test_a_report_is_of_the_runs_that_can_be_read(tmp_path: Path) -> None:
    suite = str(write_suite(SUITE, tmp_path / "suite.jsonl"))
    paths = [str(path) for path in runs_and_a_bad_one(tmp_path)]
    out = str(tmp_path / "report")
    done = CliRunner().invoke(_cli, ["report", *paths, "--suite", suite, "--out", out])
    assert done.exit_code == 2
    assert "report/index.html: 2 runs" in done.stdout
    assert len(done.stderr.splitlines()) == 2


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
