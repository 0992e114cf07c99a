"""comptoolbench run with a variation: what it says and writes, and what it refuses."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from evaluator.commands.run import run as run_command
from evaluator.commands.score import score
from tests.samples.small_suite import small_suite, write_suite

SUITE = small_suite()


def run(folder: Path, *arguments: str) -> Result:
    suite = str(write_suite(SUITE, folder / "suite.jsonl"))
    return CliRunner().invoke(run_command, ["baseline:oracle", "--suite", suite, *arguments])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--faults", "20"], "--faults: expected multi-turn beside it"),
        (
            ["--faults", "20", "--withhold", "--protocol", "multi-turn"],
            "--faults: not with withhold",
        ),
        (
            ["--variation-seed", "3"],
            "--variation-seed: goes with --scramble, --faults or --withhold",
        ),
        (["--withhold", "--catalogue", "4"], "--withhold: expected full, task or at least 8 tools"),
        (["--scramble", "names", "--fresh"], "--fresh and --fresh-suite: not with --scramble"),
        (["--withhold", "--fresh-suite", "f"], "--fresh and --fresh-suite: not with --scramble"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_asked(
    tmp_path: Path, arguments: list[str], said: str
) -> None:
    done = run(tmp_path, "--out", str(tmp_path / "run"), *arguments)
    assert done.exit_code != 0
    assert str(done.exception or done.output).startswith(said)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("share", ["0", "101", "x"])
def test_a_share_is_from_1_to_100(tmp_path: Path, share: str) -> None:
    done = run(tmp_path, "--protocol", "multi-turn", "--faults", share)
    assert (done.exit_code, "Invalid value for '--faults'" in done.output) == (2, True)


def test_a_varied_run_has_a_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(tmp_path, "--protocol", "multi-turn").exit_code == 0
    varied = ("--scramble", "names", "--faults", "50", "--variation-seed", "7")
    assert run(tmp_path, "--protocol", "multi-turn", *varied).exit_code == 0
    folders = sorted(path.name for path in (tmp_path / "runs").iterdir())
    plain = "baseline-oracle-multi-turn-full"
    assert folders == [plain, f"{plain}-scramble-names.7-faults-50.7"]
    signatures = [
        json.loads((tmp_path / "runs" / name / "run.json").read_text())["signature"]
        for name in folders
    ]
    assert signatures[1] == f"{signatures[0]}|scramble:names.7|faults:50.7"
    suite = str(tmp_path / "suite.jsonl")
    scored = CliRunner().invoke(score, ["--suite", suite, f"runs/{folders[1]}"])
    assert (
        "Not ranked: scrambled names (seed 7); faults in 50 % of the tools (seed 7)."
        in scored.output
    )
    assert "Recovery from faults: solved 100.0 % (" in scored.output
