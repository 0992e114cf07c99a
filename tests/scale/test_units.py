"""Units: they hold each line once, wherever they are cut, and say what cannot be read."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.errors import InputError
from evaluator.scale.storage import Place, place_of
from evaluator.scale.unit_rows import lines_in, rows_of
from evaluator.scale.units import units_of
from evaluator.traces.row_reader import RowReader
from evaluator.traces.trace import MAX_LINE_BYTES
from evaluator.traces.trace_reader import read_trace_bytes
from tests.samples.rollout_files import SUITE, jsonl
from tests.samples.rollout_files import rows_of as rollouts

OUT = Place("out")


@given(
    lengths=st.lists(st.integers(0, 40), max_size=30),
    unit_bytes=st.integers(1, 60),
    end=st.booleans(),
)
def test_each_line_stands_in_one_unit_with_its_number(
    tmp_path_factory: pytest.TempPathFactory, lengths: list[int], unit_bytes: int, end: bool
) -> None:
    content = b"\n".join(b"x" * length for length in lengths) + b"\n" * end
    if not content:
        return
    file = tmp_path_factory.mktemp("lines") / "a.jsonl"
    file.write_bytes(content)
    found, before = [], 0
    for unit in units_of([str(file)], OUT, unit_bytes):
        found += [before + number for number, _ in rows_of(unit, RowReader(SUITE))]
        before += lines_in(unit)
    lines = content.removesuffix(b"\n").split(b"\n")
    assert before == len(lines)
    assert found == [number for number, line in enumerate(lines, 1) if line.strip()]


@pytest.mark.parametrize("unit_bytes", [300, 5_000, 10**7])
def test_rows_are_those_of_the_ordinary_reader(tmp_path: Path, unit_bytes: int) -> None:
    content = jsonl(rollouts(60))
    (tmp_path / "a.jsonl").write_bytes(content)
    units = units_of([str(tmp_path)], OUT, unit_bytes)
    read = [row for unit in units for _, row in rows_of(unit, RowReader(SUITE))]
    assert [trace for trace, _ in read] == read_trace_bytes(content, SUITE, "a")
    assert not any(problems for _, problems in read)


def test_a_line_that_nobody_can_hold_is_one_problem(tmp_path: Path) -> None:
    row = jsonl(rollouts(1))
    long = b'"' + b"x" * (3 * MAX_LINE_BYTES) + b'"\n'
    (tmp_path / "a.jsonl").write_bytes(row + long + row)
    problems, rows = [], 0
    for unit in units_of([str(tmp_path / "a.jsonl")], OUT, MAX_LINE_BYTES // 3):
        for _, (trace, wrong) in rows_of(unit, RowReader(SUITE)):
            rows += trace is not None
            problems += wrong
    assert (rows, problems) == (2, ["is longer than 4 MB"])


def test_a_folder_gives_its_trace_files_alone(tmp_path: Path) -> None:
    row = jsonl(rollouts(1))
    run = tmp_path / "run"
    for name in ("run.json", "fresh.json", "traces.jsonl", "other.jsonl"):
        run.mkdir(exist_ok=True)
        (run / name).write_bytes(row)
    for name in ("b.jsonl", "a.ndjson", ".hidden.jsonl", "_log.jsonl", "notes.txt"):
        (tmp_path / name).write_bytes(row)
    (tmp_path / f"part-{'0a' * 16}.parquet").write_bytes(b"scores, no traces")
    files = [
        Path(unit.file.address).relative_to(tmp_path) for unit in units_of([str(tmp_path)], OUT)
    ]
    assert sorted(map(str, files)) == ["a.ndjson", "b.jsonl", "run/traces.jsonl"]


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        (["{}/none.jsonl"], "none.jsonl: cannot be read (no such file or directory)"),
        (["{}/empty.jsonl"], "empty.jsonl: expected one trace a line, got an empty file"),
        (["{}/a.txt"], "a.txt: expected .jsonl (also .gz, .zst or .bz2) or .parquet file"),
        (["{}/folder"], "folder: holds no .jsonl"),
        (["{}/a.jsonl", "{}/a.jsonl"], "a.jsonl: is named twice"),
        (["{}/bad.parquet"], "bad.parquet: no readable Parquet file ("),
        (["{}/pipe.jsonl"], "pipe.jsonl: is no plain file"),
        ([""], "expected a path or an address, got an empty one"),
        (["nowhere://a.jsonl"], "nowhere://a.jsonl: cannot be read (Protocol not known: nowhere)"),
        (["{}"], "lies in the input"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(tmp_path: Path, inputs: list[str], said: str) -> None:
    import os

    for name, content in (("empty.jsonl", b""), ("a.txt", b"a"), ("bad.parquet", b"PAR1")):
        (tmp_path / name).write_bytes(content)
    (tmp_path / "a.jsonl").write_bytes(jsonl(rollouts(1)))
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe.jsonl")
    with pytest.raises(InputError) as caught:
        units_of([each.format(tmp_path) for each in inputs], Place(str(tmp_path / "out")))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_login_stands_in_what_is_shown() -> None:
    place = place_of("https://me:secret@host/a.jsonl?signature=secret")
    assert str(place) == "https://host/a.jsonl"
    assert place_of("file:///tmp/a").address == "/tmp/a"
    assert str(place_of("what?.jsonl")) == "what?.jsonl"


def test_random_cuts_agree_with_one_unit(tmp_path: Path) -> None:
    rng = random.Random(5)
    (tmp_path / "a.jsonl").write_bytes(jsonl(rollouts(40)))
    whole = [
        row for unit in units_of([str(tmp_path)], OUT) for _, row in rows_of(unit, RowReader(SUITE))
    ]
    for _ in range(10):
        units = units_of([str(tmp_path)], OUT, rng.randrange(1, 3_000))
        assert [row for unit in units for _, row in rows_of(unit, RowReader(SUITE))] == whole
