"""Commands over many rows and seeds: what they print, and a sentence for each mistake."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from comptoolbench import main
from tests.samples.rollout_files import SUITE, files_in, jsonl, rows_of
from tests.samples.small_suite import write_suite

ROOT = Path(__file__).parents[2]


@pytest.fixture
def rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with a file of rows and their suite."""
    monkeypatch.chdir(tmp_path)
    write_suite(SUITE, tmp_path / "suite.jsonl")
    (tmp_path / "rows.jsonl").write_bytes(jsonl(rows_of(30, model="ada")))
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, output and errors of a command."""
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    said = capsys.readouterr()
    return int(ended.value.code or 0), said.out, said.err


SCORE = ("score", "rows.jsonl", "--suite", "suite.jsonl", "--out", "out")


def test_a_table_and_where_the_scores_are(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *SCORE)
    assert code == 0
    head, ada, _, last = out.splitlines()
    assert head.split()[:3] == ["model", "rows", "tasks"]
    assert ada.split()[:3] == ["ada", "30", "8"]
    assert last == "30 rows in 1 part, out/summary.json"
    assert err == "1 of 1 units scored now, 0 were there\n"
    _, out, err = run(capsys, *SCORE, "--json")
    assert json.loads(out) == json.loads((rows / "out" / "summary.json").read_bytes())
    assert err == "0 of 1 units scored now, 1 were there\n"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--workers", "0"), "--workers: expected 1 or more, got 0"),
        (("--workers", "-2", "--engine", "processes"), "--workers: expected 1 or more, got -2"),
        (("--workers", "0", "--engine", "ray"), "--workers: expected 1 or more, got 0"),
        (("--engine", "dask"), "no engine is called 'dask' (expected processes or ray)"),
        (("--save",), "--save writes into run folders: leave it out with --out"),
        (("none.jsonl",), "none.jsonl: cannot be read (no such file or directory)"),
        (("rows.jsonl",), "rows.jsonl: is named twice"),
    ],
)
def test_a_mistake_is_one_sentence_and_touches_nothing(
    rows: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...], said: str
) -> None:
    code, out, err = run(capsys, *SCORE, *more)
    assert (code, out, err) == (2, "", f"comptoolbench: {said}\n")
    assert not (rows / "out").exists()
    run(capsys, *SCORE)
    before = files_in(rows / "out")
    assert run(capsys, *SCORE, *more)[0] == 2
    assert files_in(rows / "out") == before


def test_where_nothing_can_be_written(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (rows / "file").write_text("")
    code, _, err = run(capsys, *SCORE[:-1], "file/out")
    assert code == 2
    assert err.startswith("comptoolbench: file/out")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("package", "arguments", "said"),
    [
        ("ray", ("rows.jsonl", "--engine", "ray"), "--engine ray takes Ray: pip install 'comptool"),
        ("gcsfs", ("gs://lab/rows.jsonl",), "addresses of gs take a package that is not installed"),
    ],
)
def test_a_package_that_is_missing_is_named(
    rows: Path, package: str, arguments: tuple[str, ...], said: str
) -> None:
    (rows / "hidden").mkdir()
    (rows / "hidden" / f"{package}.py").write_text("raise ImportError('not installed')")
    command = [sys.executable, "-m", "comptoolbench", "score", *arguments, "--out", "out"]
    path = os.pathsep.join([str(rows / "hidden"), str(ROOT)])
    done = subprocess.run(
        [*command, "--suite", "suite.jsonl"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_workers_need_a_folder(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for more in (("--workers", "2"), ("--engine", "ray")):
        code, _, err = run(capsys, *SCORE[:-2], *more)
        assert (code, err) == (2, "comptoolbench: --workers and --engine go with --out\n")


def test_problems_are_listed_and_nothing_is_summed(
    rows: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (rows / "rows.jsonl").open("a") as file:
        file.write("\x1b[31mno json\n")
    code, out, err = run(capsys, *SCORE)
    assert (code, out) == (2, "")
    assert "rows.jsonl:31: is no JSON" in err
    assert "\x1b" not in err
    assert files_in(rows / "out") == {}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("audit", "--seeds", "3-1"), "expected seeds such as 1-100 or 1-3,42"),
        (("audit", "--seeds", "one"), "expected seeds such as 1-100 or 1-3,42"),
        (("audit", "--seeds", "1-999999"), "expected at most 100,000 seeds"),
        (("audit", "suite.jsonl", "--seeds", "1"), "--seeds makes its own suites: leave out SUITE"),
        (("audit", "--workers", "2"), "--workers goes with --seeds"),
        (
            ("audit", "--seeds", "1", "--config", "irrelevance"),
            "--seeds: the requests without a call are the same of every seed",
        ),
        (("audit", "--seeds", "1-2", "--workers", "0"), "--workers: expected 1 or more, got 0"),
        (("build", "--workers", "2"), "--workers goes with --seeds"),
        (("build", "--seed", "1", "--seeds", "1"), "expected --seed or --seeds, got both"),
        (("build", "--seeds", "1", "--out", "built"), "built: is a dataset folder itself"),
    ],
)
def test_a_mistake_with_seeds_is_one_sentence(
    rows: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    (rows / "built").mkdir()
    (rows / "built" / "croissant.json").write_text("{}")
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert said in err
    assert "Traceback" not in err
