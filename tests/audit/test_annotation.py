"""Checking tasks by hand: the sample is stratified, sheets read back, kappa is Cohen's."""

import csv
import io
import random
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from comptoolbench import _cli
from dataset_builder.errors import InputError
from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.task import SUITE_LEVELS
from dataset_builder.tools import catalogue
from evaluator.audit.annotation import CRITERIA, sample, write_sheet
from evaluator.audit.annotation_sheets import Sheet, read_sheet
from evaluator.audit.annotator_agreement import agreement, cohen_kappa, passed
from tests.samples.small_suite import small_suite


def test_the_sample_has_the_paper_s_strata() -> None:
    suite = CompositionEngine(42).generate_suite()
    chosen = sample(suite)
    assert [sum(t.level is level for t in chosen) for level in SUITE_LEVELS] == [12, 16, 10, 12]
    assert chosen == sample(suite)
    assert chosen != sample(suite, seed=1)
    assert len(sample(suite, 7)) == 7
    assert sample(suite, 900) == list(suite.tasks)


def test_the_tasks_of_a_sheet_stay_the_same() -> None:
    """Annotators who are given a size and a seed judge the same tasks, now and later."""
    suite = load_suite()
    assert [task.task_id for task in sample(suite, 12, seed=1)] == [
        *("L0_node_0026", "L0_node_0038", "L0_node_0043", "L1_chain_0059", "L1_chain_0078"),
        *("L1_chain_0082", "L1_chain_0106", "L2_parallel_0116", "L2_parallel_0136"),
        *("L3_dag_0155", "L3_dag_0167", "L3_dag_0169"),
    ]
    ids = [task.task_id for size in range(1, 201) for task in sample(suite, size)]
    assert sha256(" ".join(ids).encode()).hexdigest()[:16] == "1dd9abf673b98477"


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
        sheets[name] = read_sheet(path).verdicts
    assert passed(sheets["ada"]) == dict.fromkeys([*CRITERIA, "all"], 1.0)
    rows = agreement(sheets)
    assert len(rows) == 3 * len(CRITERIA)
    assert all(row["tasks"] == len(small_suite().tasks) for row in rows)


def test_an_unanswered_sheet_names_its_first_line(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    write_sheet(small_suite().tasks, catalogue(), path)
    with pytest.raises(InputError, match=r"sheet\.csv:2, column prompt_trace: is empty, expected"):
        read_sheet(path)
    path.write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="the head lacks the columns task_id, prompt_trace"):
        read_sheet(path)


# As spreadsheets write them ---------------------------------------------------------------------

HEAD = ["task_id", *CRITERIA, "note", "task"]
ROWS = [
    ["t1", "yes", "no", "YES", "y", "café; or tea, \u201cno\u201d", "two\nlines"],
    ["t2", "N", "1", " No ", "TRUE", "", "→"],
]
READ = {
    "t1": dict(zip(CRITERIA, (True, False, True, True), strict=True)),
    "t2": dict(zip(CRITERIA, (False, True, False, True), strict=True)),
}


def written(
    rows: list[list[str]], separator: str = ",", end: str = "\n", quoting: int = csv.QUOTE_MINIMAL
) -> str:
    stream = io.StringIO(newline="")
    kinds = {"delimiter": separator, "lineterminator": end, "quoting": quoting}
    csv.writer(stream, **kinds).writerows(rows)  # type: ignore[arg-type]
    return stream.getvalue()


def in_cp1252(rows: list[list[str]]) -> list[list[str]]:
    return [[cell.replace("→", "-") for cell in row] for row in rows]


TURNED = [[row[i] for i in (6, 3, 0, 5, 4, 1, 2)] for row in [HEAD, *ROWS]]
LOUD = [[" TASK_ID ", *(name.upper() for name in CRITERIA), "note", "task"], *ROWS]
BLANK = [HEAD, [""] * 7, ROWS[0], [], ROWS[1], [""] * 7, [" "] * 7]
SHORT = [HEAD[:5], *(row[:5] for row in ROWS)]


@pytest.mark.parametrize(
    "content",
    [
        written([HEAD, *ROWS]).encode(),
        written([HEAD, *ROWS]).encode("utf-8-sig"),
        written([HEAD, *ROWS], ";", "\r\n").encode("utf-8-sig"),
        written([HEAD, *ROWS], "\t", "\r\n").encode("utf-16"),
        written([HEAD, *ROWS], ";", "\r", csv.QUOTE_ALL).encode(),
        written([HEAD, *ROWS], ";", quoting=csv.QUOTE_ALL).encode(),
        b"sep=;\r\n" + written([HEAD, *ROWS], ";", "\r\n").encode(),
        b"\xef\xbb\xbfsep=|\r\n" + written([HEAD, *ROWS], "|", "\r\n").encode(),
        written(TURNED, ";").encode(),
        written(LOUD).encode(),
        written(BLANK, ";", "\r\n").encode() + b"\r\n\r\n",
        written(SHORT, ";").rstrip().encode(),
    ],
)
def test_a_sheet_is_read_as_any_spreadsheet_writes_it(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "ada.csv"
    path.write_bytes(content)
    assert read_sheet(path) == Sheet(READ)


def test_another_encoding_is_read_and_said(tmp_path: Path) -> None:
    path = tmp_path / "ada.csv"
    path.write_bytes(written(in_cp1252([HEAD, *ROWS]), ";", "\r\n").encode("cp1252"))
    assert read_sheet(path) == Sheet(READ, f"{path}: is no UTF-8, read as Windows-1252")


FINE = written([HEAD, ROWS[0]])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (written([HEAD, ROWS[0], ["t2", "", *ROWS[1][2:]]]), ":4, column prompt_trace: is empty"),
        (written([HEAD, ["t1", "yes", "maybe", "no", "no"]]), ":2, column arguments: is 'maybe'"),
        (written([HEAD, ROWS[1], ["", *ROWS[0][1:]]]), ":3, column task_id: is empty"),
        (written([HEAD, ROWS[1], ["t3", "yes"]]), ":3, column arguments: is empty"),
        (written([HEAD, ROWS[0], ROWS[0]]), ":4: t1 stands in line 2 already"),
        (written([HEAD, [*ROWS[1], "", "more"]]), ":2: has 9 cells and the head 7"),
        (
            written([[*HEAD[:4], "note"], *ROWS]),
            ": the head lacks the columns distractors; expected",
        ),
        (written([[*HEAD, "task_id"], *ROWS]), ": the column task_id stands twice"),
        (f'{FINE}t2,yes,"no,yes,yes,,\nt3,yes,no,no,no,,\n', ":4: cannot be read as CSV"),
        (written([HEAD]), ": holds no verdict"),
        ("", ": the head lacks the columns task_id"),
        ("PK\x03\x04", ": the head lacks the columns task_id"),
    ],
)
def test_a_sheet_that_cannot_be_read_is_said_by_line_and_column(
    content: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "ada.csv"
    path.write_text(content, "utf-8", newline="")
    with pytest.raises(InputError) as refused:
        read_sheet(path)
    assert str(refused.value).startswith(f"{path}{said}")
    assert "\n" not in str(refused.value)


def test_no_byte_of_another_encoding_is_guessed(tmp_path: Path) -> None:
    path = tmp_path / "ada.csv"
    path.write_bytes(b"task_id\x81")
    with pytest.raises(InputError, match=r"is neither UTF-8 nor Windows-1252 text \(byte 8\)"):
        read_sheet(path)


def test_kappa_says_what_it_took_for_granted(tmp_path: Path) -> None:
    for name in ("ada", "bo"):
        text = written(in_cp1252([HEAD, *ROWS]), ";", "\r\n")
        (tmp_path / f"{name}.csv").write_bytes(text.encode("cp1252" if name == "bo" else "utf-8"))
    done = CliRunner().invoke(_cli, ["annotate", "kappa", *map(str, sorted(tmp_path.iterdir()))])
    assert done.exit_code == 0, done.output
    assert done.stderr == f"{tmp_path / 'bo.csv'}: is no UTF-8, read as Windows-1252\n"
    assert "ada / bo" in done.stdout
