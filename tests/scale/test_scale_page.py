"""What docs/scale.md shows, run as it stands there over a small input."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from comptoolbench import main
from dataset_builder.published.load_suite import load_suite
from evaluator.scale.gathered import MAX_MODELS
from evaluator.scale.tally import KEY_BYTES
from evaluator.scale.units import UNIT_BYTES
from tests.bench.rollouts import rollouts
from tests.samples.rollout_files import jsonl

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/scale.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = [
    shlex.split(line) for language, block in BLOCKS for line in block.splitlines() if not language
]


def command(*words: str) -> list[str]:
    """The one of the page that begins with these words, without our name."""
    [found] = [each for each in COMMANDS if each[1 : len(words) + 1] == list(words)]
    return found[1:]


def run(arguments: list[str]) -> int:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_scores_are_read_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rollouts").mkdir()
    for number in range(2):
        rows = [row | {"model": f"m{number}"} for row in rollouts(load_suite(), 60, number)]
        (tmp_path / "rollouts" / f"{number}.jsonl").write_bytes(jsonl(rows))
    shown = command("score", "rollouts/")
    assert shown[-2:] == ["--workers", "16"]
    assert run([*shown[:-1], "2"]) == 0
    assert "120 rows in 2 parts, scores/summary.json" in capsys.readouterr().out
    [code] = [block for language, block in BLOCKS if language == "python"]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    first, second, total = done.stdout.splitlines()
    assert first.startswith("m0 60 0.")
    assert second.startswith("m1 60 0.")
    assert total == "120"


@pytest.mark.slow
def test_many_seeds_are_audited_and_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["1-2" if word == "1-100" else word for word in command("audit")]) == 0
    assert capsys.readouterr().out == "400 tasks of 2 seeds: no defects\n"
    assert run(["1-2" if word == "1-20" else word for word in command("build")]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    for seed in (1, 2):
        assert load_suite(tmp_path / "suites" / f"seed-{seed}").seed == seed


def test_the_page_tells_the_limits() -> None:
    specification = (ROOT / "docs/specification.md").read_text("utf-8")
    assert f"{UNIT_BYTES // 2**20} MB of a `.jsonl` file" in specification
    assert f"{KEY_BYTES} bytes (a hash of model, task and sample" in PAGE
    assert f"more than {MAX_MODELS:,} models" in PAGE
