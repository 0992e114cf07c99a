"""Checking tasks by hand: the sample is stratified, sheets read back, kappa is Cohen's."""

import csv
import random
from pathlib import Path

import pytest

from dataset_builder.engine import CompositionEngine
from dataset_builder.errors import InputError
from dataset_builder.task import Level
from dataset_builder.tools import catalogue
from evaluator.annotate import (
    CRITERIA,
    agreement,
    cohen_kappa,
    passed,
    read_sheet,
    sample,
    write_sheet,
)
from tests.small_suite import small_suite


def test_the_sample_has_the_paper_s_strata() -> None:
    suite = CompositionEngine(42).generate_suite()
    chosen = sample(suite)
    assert [sum(t.level is level for t in chosen) for level in Level] == [12, 16, 10, 12]
    assert chosen == sample(suite)
    assert chosen != sample(suite, seed=1)
    assert len(sample(suite, 7)) == 7
    assert sample(suite, 900) == list(suite.tasks)


@pytest.mark.parametrize(
    ("one", "other", "kappa"),
    [
        # 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: agreement 0.7, by chance 0.5.
        ("1" * 25 + "0" * 25, "1" * 20 + "0" * 5 + "1" * 10 + "0" * 15, 0.4),
        ("1100", "1100", 1.0),
        ("1100", "0011", -1.0),
        ("1010", "1100", 0.0),
        ("1111", "1111", None),
        ("", "", None),
        ("1111", "1101", 0.0),
    ],
)
def test_kappa_is_cohen_s(one: str, other: str, kappa: float | None) -> None:
    found = cohen_kappa([c == "1" for c in one], [c == "1" for c in other])
    assert found == (None if kappa is None else pytest.approx(kappa))


def fill(path: Path, chance_of_no: float, seed: int) -> None:
    """Answer a sheet at random."""
    dice = random.Random(seed)
    rows = list(csv.DictReader(path.open(encoding="utf-8", newline="")))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        for row in rows:
            verdicts = {c: "no" if dice.random() < chance_of_no else "Yes " for c in CRITERIA}
            writer.writerow(row | verdicts)


def test_sheets_are_written_filled_in_and_compared(tmp_path: Path) -> None:
    sheets = {}
    for number, name in enumerate(("ada", "bo", "cy")):
        path = tmp_path / f"{name}.csv"
        write_sheet(small_suite().tasks, catalogue(), path)
        assert "→" in path.read_text("utf-8")
        fill(path, 0.3 * number, number)
        sheets[name] = read_sheet(path)
    assert passed(sheets["ada"]) == dict.fromkeys([*CRITERIA, "all"], 1.0)
    rows = agreement(sheets)
    assert len(rows) == 3 * len(CRITERIA)
    assert all(row["tasks"] == len(small_suite().tasks) for row in rows)


def test_an_unanswered_sheet_names_its_first_line(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    write_sheet(small_suite().tasks, catalogue(), path)
    with pytest.raises(InputError, match=r"sheet\.csv:\d+: prompt_trace is '', expected yes or no"):
        read_sheet(path)
    path.write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="expected the columns"):
        read_sheet(path)
