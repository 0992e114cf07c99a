"""Reading a published suite: as typed tasks, with other tools, after a change, and what is refused."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import comptoolbench
from dataset_builder.procedures.rungs import horizon_suite
from dataset_builder.published.dataset_folder import write_folder
from dataset_builder.published.load_suite import (
    SuiteError,
    horizon_of,
    load_suite,
    published_horizon,
)
from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.task import SUITE_VERSION
from dataset_builder.tools import catalogue
from tests.samples.small_suite import small_horizon, small_suite

SUITE = small_suite()
HORIZON = small_horizon()
IDS = [task.task_id for task in SUITE.tasks]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("beside") / "comptoolbench"
    write_folder(SUITE, catalogue(), folder, horizon=HORIZON)
    return folder


@pytest.mark.parametrize("path", [".", "data/default.parquet", "jsonl/default.jsonl"])
def test_typed_tasks_from_folder_and_files(folder: Path, path: str) -> None:
    suite = comptoolbench.load_suite(folder / path)
    assert suite.tasks == SUITE.tasks
    assert (suite.version, suite.seed, suite.digest) == (SUITE.version, 7, SUITE.digest)


@pytest.mark.parametrize("path", [".", "data/horizon.parquet", "jsonl/horizon.jsonl"])
def test_procedures_from_folder_and_files(folder: Path, path: str) -> None:
    suite = comptoolbench.load_suite(folder / path, config="horizon")
    assert suite == HORIZON
    assert suite.digest == HORIZON.digest


def test_a_file_of_procedures_tells_by_itself_what_it_holds(folder: Path) -> None:
    assert load_suite(folder / "data" / "horizon.parquet").name == "horizon"


def test_the_published_procedures_are_the_ones_that_were_released() -> None:
    golden = Path(__file__).parents[1] / "golden" / "horizon_digest.txt"
    suite = load_suite(config="horizon")
    assert (suite.version, suite.seed, len(suite.tasks)) == (SUITE_VERSION, 42, 84)
    assert suite.digest == golden.read_text("utf-8").strip()


def test_levels_and_procedures_in_one_file_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "both.jsonl"
    file.write_text("".join([*SUITE.lines(), *HORIZON.lines()]))
    with pytest.raises(
        SuiteError, match="4 of 12 rows are procedures, which are a suite of their own"
    ):
        load_suite(file)


@pytest.mark.parametrize("path", ["data/default.parquet", "jsonl/default.jsonl"])
def test_procedures_where_there_are_none(folder: Path, path: str, tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match=r"holds no procedures \(config horizon\)"):
        load_suite(folder / path, config="horizon")
    write_folder(SUITE, catalogue(), tmp_path / "old")
    with pytest.raises(SuiteError, match=r"there is no data/horizon\.parquet in it"):
        load_suite(tmp_path / "old", config="horizon")


def test_a_config_that_is_no_suite_is_told(folder: Path) -> None:
    with pytest.raises(
        SuiteError, match=r"no suite is called 'L1' \(expected default, horizon or irrelevance\)"
    ):
        load_suite(folder, config="L1")


def test_a_suite_shows_its_version_seed_and_digest_and_not_its_tasks() -> None:
    shown = repr(SUITE)
    assert shown == f"Suite(comptoolbench 3.0.0, seed 7, 8 tasks, digest {SUITE.digest})"


def test_pandas_reads_the_parquet(folder: Path) -> None:
    import pandas as pd

    frame = pd.read_parquet(folder / "data" / "default.parquet")
    assert frame["task_id"].tolist() == IDS
    assert frame["offered_tools"].map(list).tolist() == [list(t.offered) for t in SUITE.tasks]


def test_polars_reads_the_parquet(folder: Path) -> None:
    import polars as pl

    frame = pl.read_parquet(folder / "data" / "default.parquet")
    assert frame.to_dicts() == [task.to_row() for task in SUITE.tasks]
    assert pl.read_ndjson(folder / "jsonl" / "default.jsonl")["task_id"].to_list() == IDS


def test_duckdb_queries_the_parquet(folder: Path) -> None:
    import duckdb

    query = "select task_id from read_parquet(?) where list_contains(offered_tools, ?)"
    found = duckdb.execute(
        query, [str(folder / "data" / "default.parquet"), "calculator"]
    ).fetchall()
    expected = {task.task_id for task in SUITE.tasks if "calculator" in task.offered}
    assert {task_id for (task_id,) in found} == expected


LOAD = """
import sys
from datasets import load_dataset
for config in ("default", "L0"):
    print(*load_dataset("comptoolbench", config, split="test")["prompt"], sep="|")
"""


def test_a_new_version_wins_over_the_cache_of_the_old_one(tmp_path: Path) -> None:
    from dataset_builder.tasks.engine import CompositionEngine
    from tests.samples.small_suite import TEMPLATES

    environment = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "cache")}
    # As many rows in each config, other tasks: only the card's digest tells the versions apart.
    for seed in (7, 8):
        engine = CompositionEngine(seed, templates=TEMPLATES, counts=(2, 2, 2, 2))
        suite = engine.generate_suite()
        write_folder(suite, catalogue(), tmp_path / "comptoolbench")
        done = subprocess.run(
            [sys.executable, "-c", LOAD],
            cwd=tmp_path,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=True,
        )
        prompts = [task.prompt for task in suite.tasks]
        assert [line.split("|") for line in done.stdout.splitlines()] == [prompts, prompts[:2]]


@pytest.mark.parametrize(
    "damaged", ["data/default.parquet", "data/L1.parquet", "jsonl/default.jsonl"]
)
@pytest.mark.parametrize("how", ["changed", "missing"])
def test_a_damaged_file_of_a_folder_is_named(
    damaged: str, how: str, folder: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    if how == "changed":
        # Still readable, with the same columns: only the hash can tell.
        other = {"data/default.parquet": "data/L0.parquet"}.get(damaged, damaged)
        (copy / damaged).write_bytes((folder / other).read_bytes() + b"\n" * (other == damaged))
    else:
        (copy / damaged).unlink()
    with pytest.raises(SuiteError, match=f"{damaged} is missing or not the file") as caught:
        load_suite(copy)
    assert "`comptoolbench build`" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_of_a_damaged_folder_can_be_read_as_it_is(folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    shutil.copy(copy / "data" / "L0.parquet", copy / "data" / "default.parquet")
    found = load_suite(copy / "data" / "default.parquet")
    assert [task.task_id for task in found.tasks] == [i for i in IDS if i.startswith("L0")]


@pytest.mark.parametrize(
    "document",
    [b"", b"\xff", b"[]", b'{"distribution": 1}', b'{"distribution": [{"@id": 1}]}', b"[" * 10**5],
)
def test_a_croissant_document_that_is_none_is_refused(
    document: bytes, folder: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    (copy / "croissant.json").write_bytes(document)
    with pytest.raises(SuiteError, match=r"croissant\.json: cannot be read"):
        load_suite(copy)


@pytest.mark.parametrize("listed", ["/dev/zero", "../outside.txt", "data", "no\0name"])
def test_a_croissant_document_reaches_no_file_outside_its_folder(
    listed: str, folder: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    (tmp_path / "outside.txt").write_bytes(b"")
    sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"  # of nothing
    (copy / "croissant.json").write_text(
        json.dumps({"distribution": [{"@id": listed, "sha256": sha256}]})
    )
    with pytest.raises(SuiteError):
        load_suite(copy)


@pytest.mark.parametrize("source", ["comptoolbench", "no/such/folder", "suite.jsonl"])
def test_a_suite_that_is_not_there_says_how_to_make_it(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SuiteError, match="`comptoolbench build`"):
        load_suite(source)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no task"),
        (b"\xff\xfe", "UTF-8"),
        (b"[1]\n", "one JSON object"),
        (b"{}\n", "row 1"),
    ],
)
def test_a_file_that_is_no_suite_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / "suite.jsonl"
    file.write_bytes(content)
    with pytest.raises(SuiteError, match=message):
        load_suite(file)


@pytest.mark.parametrize("config", ["default", "horizon"])
def test_a_suite_that_was_generated_before_is_the_same(
    config: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    published_horizon.cache_clear()
    first = load_suite(config=config)
    (entry,) = (tmp_path / "comptoolbench" / "suites").iterdir()
    written = entry.read_bytes()
    published_horizon.cache_clear()
    again = load_suite(config=config)
    generated = horizon_suite(42) if config == "horizon" else CompositionEngine(42).generate_suite()
    for suite in (first, again):
        assert suite == generated
        # The order of arguments and outputs, which equality does not see, is shown to people.
        assert repr(suite.tasks) == repr(generated.tasks)
    assert entry.read_bytes() == written


def test_a_damaged_suite_is_generated_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    digest = load_suite().digest
    (entry,) = (tmp_path / "comptoolbench" / "suites").iterdir()
    whole = entry.read_bytes()
    entry.write_bytes(whole.replace(b"Berlin", b"Bergen"))
    assert load_suite().digest == digest
    assert entry.read_bytes() == whole


def test_where_nothing_can_be_kept_the_suite_is_generated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    assert len(load_suite().tasks) == 200


def test_only_the_ladder_that_is_published_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    published_horizon.cache_clear()
    small = {"per_rung": 1, "longest": 8}
    for seed in (7, 42):
        assert horizon_of(seed, **small) == horizon_suite(seed, **small)
    assert not (tmp_path / "comptoolbench").exists()
    assert horizon_of(42, longest=256) == horizon_of(42, per_rung=12) == horizon_suite(42)
    assert len([*(tmp_path / "comptoolbench" / "suites").iterdir()]) == 1
