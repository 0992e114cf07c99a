"""The bench: its table from end to end, beside another revision, and what cannot be measured."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.groups import measure
from tests.bench.measure import Measure, Reading, timed
from tests.bench.table import Row, line
from tests.bench.trees import ROOT, Tree, tree_here

QUICK = Measure("some work", lambda folder: lambda: None)


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.bench", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_one_table_beside_another_revision_is_printed_and_kept(tmp_path: Path) -> None:
    kept = tmp_path / "bench.json"
    done = bench("--only", "tools --help", "--base", "HEAD", "--json", str(kept))
    assert (done.returncode, done.stderr) == (0, "")
    head, *lines = done.stdout.splitlines()
    assert head.split() == ["seconds", "base", "now", "ratio", "(rounds)", "loops", "MB"]
    assert [each.split("  ")[0] for each in lines] == [
        *("reference:", "reference loop"),
        *("start-up:", "tools --help"),
    ]
    said = json.loads(kept.read_text("utf-8"))
    assert said["base"] == "HEAD"
    loop, start_up = said["measures"]
    assert loop["measure"] == "reference loop"
    assert (start_up["group"], start_up["counts"]) == ("start_up", "cpu")
    for readings in (start_up["now"], start_up["base"], loop["base"]):
        assert len(readings) == 5
        assert all(reading["cpu"] > 0 and reading["wall"] > 0 for reading in readings)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (
            ("--only", "no such thing"),
            2,
            "no measure is called 'no such thing'; the groups are ref",
        ),
        (("--base", "no-such-revision"), 1, "bench: git ls-tree"),
    ],
)
def test_what_there_is_not_is_said_in_a_sentence(
    arguments: tuple[str, str], code: int, said: str
) -> None:
    done = bench(*arguments)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_another_product_than_the_one_asked_for_is_no_reading(tmp_path: Path) -> None:
    """A revision without the module must not be measured with the one that is installed."""
    here = tree_here(tmp_path / "scratch")
    chosen = measure("audit", "audit of the requests without a call")
    (tmp_path / "empty").mkdir()
    elsewhere = Tree(tmp_path / "empty", here.scratch)
    assert elsewhere.make_files("audit", chosen) is None
    said = elsewhere.read("audit", chosen)
    assert isinstance(said, str)
    assert "Error" in said or f"not of {tmp_path / 'empty'}" in said


def test_the_time_of_other_processes_counts() -> None:
    loop = "sum(number * number for number in range(2_000_000))"
    reading = timed(lambda: subprocess.run([sys.executable, "-c", loop], check=True))
    assert reading.cpu > timed(lambda: None).cpu
    assert reading.wall > 0


def test_a_row_shows_the_best_rounds_their_ratio_and_its_spread() -> None:
    now = (Reading(2.0, 9.0, 10.0), Reading(1.0, 9.0, 30.0))
    base = (Reading(3.0, 9.0, None), Reading(4.0, 9.0, None))
    shown = line(Row("group", QUICK, now, base), 0.5, True).split()
    assert shown == [*"some work 3.000 1.000 3.00 1.50 to 4.00 2.0 30".split()]
    waits = Measure("some wait", QUICK.prepare, waits=True)
    shown = line(Row("group", waits, now), 0.5, False).split()
    assert shown == [*"some wait (wall) 9.000 18.0 30".split()]


def test_what_a_revision_cannot_do_has_no_figure() -> None:
    now = (Reading(2.0, 9.0, 10.0),)
    shown = line(Row("group", QUICK, now), 0.5, True).split()
    assert shown == [*"some work - 2.000 - - 4.0 10".split()]
    assert line(Row("group", QUICK, ()), 0.5, True).split() == [*"some work - - - - - -".split()]
