"""Scores of files in parts: those of the ordinary scorer, whatever the workers, after whatever was there."""

import gzip
import hashlib
import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dataset_builder.errors import InputError
from dataset_builder.tools import catalogue
from evaluator.scale import gathered
from evaluator.scale.score_files import score_files
from evaluator.scale.score_unit import Outcome
from evaluator.scoring.error_classes import INFRASTRUCTURE
from evaluator.scoring.score import Scorer
from evaluator.scoring.score_traces import score_traces
from evaluator.scoring.verdict import ROW
from evaluator.traces.trace import TraceProblems
from evaluator.traces.trace_reader import read_traces
from tests.samples.rollout_files import SUITE, files_in, jsonl, rows_of, scored_rows

UNIT = 4_000


def scored(folder: Path, *inputs: Path | str, out: str = "out", **how: Any) -> dict[str, Any]:
    """Score into a folder of another."""
    return score_files(
        [str(each) for each in inputs], str(folder / out), SUITE, unit_bytes=UNIT, **how
    )


@pytest.fixture
def two_models(tmp_path: Path) -> Path:
    """A file of the answers of two models, one of which failed now and then."""
    rows = rows_of(60, model="ada", cost_usd=0.001)
    rows += rows_of(40, seed=2, model="bo")
    for row in rows[::9]:
        row["error"] = {"kind": "rate_limit"}
    file = tmp_path / "rows.jsonl"
    file.write_bytes(jsonl(rows))
    return file


def test_rows_and_means_are_those_of_the_ordinary_scorer(tmp_path: Path, two_models: Path) -> None:
    summary = scored(tmp_path, two_models)
    assert len(summary["parts"]) > 5
    runs = score_traces(
        read_traces(two_models, SUITE), SUITE, Scorer(catalogue()), "x", allow_partial=True
    )
    ordinary = {
        (run.scores["model"], row["task_id"], row["sample"]): row
        for run in runs
        for row in run.scores["tasks"]
    }
    rows = scored_rows(tmp_path / "out")
    ours = {(row["model"], row["task_id"], row["sample"]): row for row in rows}
    assert ours.keys() == ordinary.keys()
    for key, row in ordinary.items():
        assert {name: ours[key][name] for name in ROW} == row
    lines = [json.loads(line) for line in two_models.read_text().splitlines()]
    assert [(row["model"], row["task_id"], row["sample"]) for row in rows] == [
        (line["model"], line["task_id"], line["sample"]) for line in lines
    ]
    for run in runs:
        told = summary["models"][run.scores["model"]]
        tasks = run.scores["tasks"]
        assert told["rows"] == len(tasks)
        for name in ("score", "step", "strict"):
            exact = sum((Fraction(task[name]) for task in tasks), Fraction()) / len(tasks)
            assert told[name] == float(exact)
        assert told["infrastructure"] == sum(t["error"] == INFRASTRUCTURE for t in tasks) > 1
        assert told["output_tokens"] == sum(
            line["usage"]["completion_tokens"]
            for line in lines
            if line["model"] == run.scores["model"]
        )
        levels = told["levels"].values()
        assert sum(level["rows"] for level in levels) == told["rows"]
    assert summary["models"]["bo"]["cost_usd"] is None
    assert summary["models"]["ada"]["cost_usd"] == 0.06


def test_parts_are_listed_with_what_they_are(tmp_path: Path, two_models: Path) -> None:
    summary = scored(tmp_path, two_models)
    assert json.loads((tmp_path / "out" / "summary.json").read_bytes()) == summary
    lines = two_models.read_bytes().splitlines()
    row = 0
    for part in summary["parts"]:
        content = (tmp_path / "out" / part["part"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == part["sha256"]
        assert part["first_line"] == row + 1
        for scores in pq.read_table(pa.BufferReader(content)).to_pylist():
            line = json.loads(lines[part["first_line"] - 1 + scores["line"] - 1])
            assert (line["task_id"], line["sample"]) == (scores["task_id"], scores["sample"])
            row += 1
    assert row == len(lines)


def test_the_bytes_do_not_hang_on_the_workers(tmp_path: Path, two_models: Path) -> None:
    scored(tmp_path, two_models, out="one")
    scored(tmp_path, two_models, out="two", workers=2)
    assert files_in(tmp_path / "one") == files_in(tmp_path / "two")


def test_what_is_there_is_not_scored_again(tmp_path: Path, two_models: Path) -> None:
    scored(tmp_path, two_models)
    before = files_in(tmp_path / "out")
    names = sorted(name for name in before if name != "summary.json")
    rng = random.Random(3)
    cut, flipped, foreign, gone = rng.sample(names, 4)
    (tmp_path / "out" / cut).write_bytes(before[cut][: len(before[cut]) // 2])
    middle = bytearray(before[flipped])
    middle[len(middle) // 4] ^= 1
    (tmp_path / "out" / flipped).write_bytes(middle)
    (tmp_path / "out" / foreign).write_bytes(before[gone])
    (tmp_path / "out" / gone).unlink()
    made: list[str] = []

    def watch(units: Any, number: int, outcome: Outcome) -> None:
        made.extend([outcome.part] if outcome.is_new else [])

    scored(tmp_path, two_models, watch=watch)
    assert sorted(made) == sorted([cut, flipped, foreign, gone])
    assert files_in(tmp_path / "out") == before


def test_rows_that_are_added_are_scored_alone(tmp_path: Path, two_models: Path) -> None:
    first = scored(tmp_path, two_models)
    (tmp_path / "more.jsonl").write_bytes(jsonl(rows_of(20, seed=3, model="cy")))
    made: list[bool] = []
    both = scored(
        tmp_path,
        two_models,
        tmp_path / "more.jsonl",
        watch=lambda units, number, outcome: made.append(outcome.is_new),
    )
    assert made[: len(first["parts"])] == [False] * len(first["parts"])
    assert all(made[len(first["parts"]) :])
    assert both["models"]["ada"] == first["models"]["ada"]
    assert both["rows"] == 120


def test_parts_of_what_a_file_was_before_go(tmp_path: Path, two_models: Path) -> None:
    scored(tmp_path, two_models)
    two_models.write_bytes(jsonl(rows_of(30, seed=4)))
    (tmp_path / "out" / "notes.txt").write_text("mine")
    # What a kill in the middle of writing leaves.
    (tmp_path / "out" / ".new-0a1b.tmp").write_bytes(b"PAR1")
    scored(tmp_path, two_models)
    scored(tmp_path, two_models, out="new")
    assert files_in(tmp_path / "out") == files_in(tmp_path / "new") | {"notes.txt": b"mine"}


def test_scores_of_other_files_are_not_replaced(tmp_path: Path, two_models: Path) -> None:
    scored(tmp_path, two_models)
    before = files_in(tmp_path / "out")
    (tmp_path / "other.jsonl").write_bytes(jsonl(rows_of(5)))
    with pytest.raises(InputError, match=r"holds the scores of .*rows\.jsonl, which is no input"):
        scored(tmp_path, tmp_path / "other.jsonl")
    assert files_in(tmp_path / "out") == before
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "summary.json").write_text("[]")
    with pytest.raises(InputError, match=r"its summary\.json is not one of these scores"):
        scored(tmp_path, two_models, out="mine")
    assert files_in(tmp_path / "mine") == {"summary.json": b"[]"}


# What a file may be -------------------------------------------------------------------------------


def test_packed_files_hold_the_same_rows(tmp_path: Path, two_models: Path) -> None:
    plain = scored(tmp_path, two_models)
    content = two_models.read_bytes()
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(content))
    (tmp_path / "a.jsonl.zst").write_bytes(pa.compress(content, "zstd", asbytes=True))
    for name in ("a.jsonl.gz", "a.jsonl.zst"):
        packed = scored(tmp_path, tmp_path / name, out=name + ".out")
        assert packed["models"] == plain["models"]
    for name in ("a.jsonl.gz", "a.jsonl.zst"):
        (tmp_path / f"cut.{name}").write_bytes((tmp_path / name).read_bytes()[:-200])
        with pytest.raises(InputError, match=rf"{name}: cannot be unpacked \(truncated"):
            scored(tmp_path, tmp_path / f"cut.{name}", out="cut")


@pytest.mark.parametrize("form", ["text", "nested"])
def test_parquet_holds_the_same_rows(tmp_path: Path, two_models: Path, form: str) -> None:
    plain = scored(tmp_path, two_models)
    rows = [json.loads(line) for line in two_models.read_bytes().splitlines()]
    for row in rows:
        for call in row["calls"]:
            written = call["arguments"]
            call["arguments"] = written if isinstance(written, str) else json.dumps(written)
        if form == "text":
            row.update({name: json.dumps(row[name]) for name in ("calls", "usage")})
        row["reward_model"] = b"a column that nobody reads"
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet", row_group_size=7)
    table = scored(tmp_path, tmp_path / "a.parquet", out="table", workers=2)
    assert table["models"] == plain["models"]
    assert len(table["parts"]) > 1
    strip = ("line",)
    ours, theirs = (
        [{k: v for k, v in row.items() if k not in strip} for row in scored_rows(tmp_path / name)]
        for name in ("out", "table")
    )
    assert ours == theirs


def test_arguments_of_all_calls_in_one_struct_are_refused(tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(rows_of(5)), tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"column calls: arguments: expected JSON text"):
        scored(tmp_path, tmp_path / "a.parquet")


@pytest.mark.parametrize("value", [b"bytes", Fraction(1, 3), "date"])
def test_columns_that_hold_no_json_are_refused(tmp_path: Path, value: Any) -> None:
    import datetime as dt
    from decimal import Decimal

    odd = {"date": dt.date(2026, 1, 1), Fraction(1, 3): Decimal("0.1")}.get(value, value)
    rows = [{**row, "calls": "[]", "usage": None, "sample": odd} for row in rows_of(5)]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"column sample: expected text, numbers"):
        scored(tmp_path, tmp_path / "a.parquet")


def test_an_object_store_is_read_and_written(tmp_path: Path, two_models: Path) -> None:
    local = scored(tmp_path, two_models)
    store = fsspec.filesystem("memory")
    store.pipe_file("/lab/in/rows.jsonl", two_models.read_bytes())
    for _ in range(2):
        remote = score_files(["memory://lab/in"], "memory://lab/out", SUITE, unit_bytes=UNIT)
        assert remote["models"] == local["models"]
        names = [part["part"] for part in remote["parts"]]
        assert names == [part["part"] for part in local["parts"]]
        for name in names:
            assert store.cat_file(f"/lab/out/{name}") == (tmp_path / "out" / name).read_bytes()
    with pytest.raises(InputError, match=r"memory://lab/out: is seen by one process alone"):
        score_files(["memory://lab/in"], "memory://lab/out", SUITE, workers=2)


# What is wrong ------------------------------------------------------------------------------------


def problems_of(folder: Path, *files: bytes, **how: Any) -> list[str]:
    """What is wrong with files, without the folder's name; no summary is left."""
    for number, content in enumerate(files):
        (folder / f"{number}.jsonl").write_bytes(content)
    names = [folder / f"{number}.jsonl" for number in range(len(files))]
    with pytest.raises(TraceProblems) as caught:
        scored(folder, *names, **how)
    assert not (folder / "out" / "summary.json").exists()
    return [problem.replace(f"{folder}/", "") for problem in caught.value.problems]


def test_a_row_that_cannot_be_read_is_named_by_its_line(tmp_path: Path) -> None:
    rows = rows_of(100)
    lines = [json.dumps(row).encode() for row in rows]
    lines[40] = b'{"task_id": 3, "calls": []}'
    lines[41] = b""
    lines[80] = b"no json"
    lines[90] = json.dumps({**rows[90], "task_id": "L0_node_9999"}).encode()
    (found := problems_of(tmp_path, b"\n".join(lines), workers=2))
    assert [problem.partition(" ")[0] for problem in found] == [
        "0.jsonl:41:",
        "0.jsonl:81:",
        "0.jsonl:91:",
    ]
    kept = [name for name in files_in(tmp_path / "out") if name.startswith("part-")]
    assert len(kept) > 5
    ordinary = [problem.partition(": ")[2] for problem in found]
    with pytest.raises(TraceProblems) as caught:
        read_traces(tmp_path / "0.jsonl", SUITE)
    assert [problem.partition(": ")[2] for problem in caught.value.problems] == ordinary


def test_a_thousand_problems_are_listed(tmp_path: Path) -> None:
    (found := problems_of(tmp_path, b"wrong\n" * 3_000))
    assert len(found) == 1_001
    assert found[999].startswith("0.jsonl:1000: is no JSON")
    assert found[1000] == "more than 1,000 problems: the rest is not listed"


def test_an_answer_stands_once(tmp_path: Path) -> None:
    rows = rows_of(40)
    again = [rows_of(1, seed=9, model="m")[0] | {"task_id": rows[17]["task_id"]}]
    again[0] |= {name: rows[17][name] for name in ("model", "sample")}
    found = problems_of(tmp_path, jsonl(rows), b"\n" + jsonl(rows_of(9, seed=2, model="b") + again))
    answer = f"model {rows[17]['model']!r}, task {rows[17]['task_id']}, sample {rows[17]['sample']}"
    assert found == [f"1.jsonl:11: {answer} stands at 0.jsonl:18 already"]


def test_models_have_one_spelling(tmp_path: Path) -> None:
    found = problems_of(
        tmp_path, jsonl(rows_of(30, model="Ada")), jsonl(rows_of(30, seed=2, model="ada"))
    )
    assert found == ["1.jsonl:1: model: 'ada' was 'Ada' before; expected one spelling"]


def test_rows_of_a_model_were_asked_in_one_way(tmp_path: Path) -> None:
    found = problems_of(
        tmp_path,
        jsonl(rows_of(20, model="a", asked={"calls": "json"})),
        jsonl(
            [row | {"sample": 500} for row in rows_of(4, model="a", asked={"calls": "native"})][:1]
        ),
    )
    assert found == ["model 'a': the rows were asked in several ways (calls: json, native)"]


def test_suites_are_never_scored_together(tmp_path: Path) -> None:
    request = {"task_id": "I_0001", "model": "m", "calls": []}
    found = problems_of(tmp_path, jsonl(rows_of(3)) + jsonl([request]))
    assert len(found) == 1
    assert "requests without a call (I_…) and tasks of levels 0 to 3" in found[0]


def test_a_file_of_blank_lines_is_empty(tmp_path: Path) -> None:
    found = problems_of(tmp_path, jsonl(rows_of(3)), b"\n \n\n")
    assert found == ["1.jsonl: expected one trace a line, got an empty file"]


@pytest.mark.slow
def test_too_many_models_are_no_models(tmp_path: Path) -> None:
    names = range(gathered.MAX_MODELS + 1)
    row = rows_of(1)[0] | {"calls": [], "usage": None}
    found = problems_of(tmp_path, jsonl(row | {"model": f"m{n}"} for n in names))
    assert found == ["expected at most 10,000 models, got 10,001"]


def test_unnamed_models_and_unplayable_calls_have_scores(tmp_path: Path) -> None:
    rows = rows_of(10)
    for row in rows:
        del row["model"]
    (tmp_path / "a.jsonl").write_bytes(jsonl(rows))
    summary = scored(tmp_path, tmp_path / "a.jsonl")
    assert list(summary["models"]) == [""]


def test_an_unknown_engine_is_named(tmp_path: Path, two_models: Path) -> None:
    with pytest.raises(
        InputError, match=r"no engine is called 'dask' \(expected processes or ray\)"
    ):
        scored(tmp_path, two_models, engine="dask")
    assert not (tmp_path / "out").exists()
