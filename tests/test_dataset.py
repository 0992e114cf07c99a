"""The dataset folder: what is in it, and that everybody's tools read it as it is meant."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dataset_builder.columns import CONFIGS, rows
from dataset_builder.dataset import FolderError, write_folder
from dataset_builder.suite import SuiteError, load_suite
from dataset_builder.tools import catalogue
from tests.small_suite import small_suite

SUITE = small_suite()
FILES = {
    "CHANGELOG.md",
    "DATASHEET.md",
    "ERRATA.md",
    "LICENSE",
    "README.md",
    "croissant.json",
    "data",
    "eval.yaml",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset folder called as `build` calls it."""
    folder = tmp_path_factory.mktemp("beside") / "comptoolbench"
    write_folder(SUITE, catalogue(), folder)
    return folder


def expected(config: str) -> list[dict[str, Any]]:
    """The rows that a config should hold."""
    return list(rows(config, SUITE, catalogue()))


def test_the_folder_holds_what_a_careful_team_would_upload(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == FILES
    assert {path.stem for path in (folder / "data").iterdir()} == {c.name for c in CONFIGS}
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < 2e6
    assert "Attribution 4.0 International" in (folder / "LICENSE").read_text("utf-8")


def test_documents_state_computed_numbers_and_leave_no_placeholder(folder: Path) -> None:
    card = (folder / "README.md").read_text("utf-8")
    assert SUITE.digest in card
    assert f"There are {len(SUITE.tasks)} tasks over a catalogue of {len(catalogue())}" in card
    for name in FILES - {"data", "croissant.json", "LICENSE"}:
        text = (folder / name).read_text("utf-8")
        assert "$" not in text.replace("$ comptoolbench", "")


LOADER = """
import json, sys
from datasets import load_dataset
config = sys.argv[1]
print(json.dumps(load_dataset("comptoolbench", config, split="test").to_list()))
"""


@pytest.mark.parametrize("config", [config.name for config in CONFIGS])
def test_load_dataset_by_name_beside_the_folder_and_offline(
    config: str, folder: Path, tmp_path: Path
) -> None:
    # The front door is importable here too, under the folder's very name.
    done = subprocess.run(
        [sys.executable, "-c", LOADER, config],
        cwd=folder.parent,
        env={"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout.splitlines()[-1]) == expected(config)


def test_slices_and_streaming(folder: Path, tmp_path: Path) -> None:
    from datasets import load_dataset

    part = load_dataset(str(folder), split="test[:3]", cache_dir=str(tmp_path))
    assert part["task_id"] == [task.task_id for task in SUITE.tasks[:3]]
    stream = load_dataset(str(folder), "L1", split="test", streaming=True)
    assert [row["task_id"] for row in stream] == [row["task_id"] for row in expected("L1")]


def test_the_builder_gives_the_same_rows_in_process(tmp_path: Path) -> None:
    from dataset_builder.builder import CompToolBench
    from dataset_builder.engine import CompositionEngine

    counts = (3, 2, 2, 2)
    suite = CompositionEngine(7, counts=counts).generate_suite()
    for config in ("default", "L1", "tools", "l0_control"):
        builder = CompToolBench(cache_dir=str(tmp_path), config_name=config, seed=7, counts=counts)
        builder.download_and_prepare()
        found = builder.as_dataset(split="test").to_list()
        assert found == list(rows(config, suite, catalogue()))


def test_the_suite_reads_back_from_folder_and_files(folder: Path, tmp_path: Path) -> None:
    lines = tmp_path / "suite.jsonl"
    lines.write_text("".join(SUITE.lines()), "utf-8")
    for source in (folder, folder / "data" / "default.parquet", lines):
        assert load_suite(source).digest == SUITE.digest


def test_control_rows_differ_in_wording_alone() -> None:
    found = expected("l0_control")
    singles = [task for task in SUITE.tasks if task.level == 0]
    assert len(found) == 3 * len(singles)
    for task in singles:
        mine = {row["condition"]: row for row in found if row["task_id"] == task.task_id}
        assert list(mine) == ["minimal", "tool_hinted", "context_rich"]
        assert mine["minimal"]["prompt"] == task.prompt
        assert task.steps[0].tool in mine["tool_hinted"]["prompt"]
        assert task.steps[0].tool not in mine["context_rich"]["prompt"]
        same = [
            {k: v for k, v in row.items() if k not in ("prompt", "condition")}
            for row in mine.values()
        ]
        assert same[0] == same[1] == same[2]


def test_a_folder_that_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(FolderError, match="choose another --out"):
        write_folder(SUITE, catalogue(), tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_an_earlier_build_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "comptoolbench"
    write_folder(small_suite(1, 1, 1, 1), catalogue(), target)
    (target / "stale.txt").write_text("from an earlier version")
    write_folder(SUITE, catalogue(), target)
    assert {path.name for path in target.iterdir()} == FILES
    assert load_suite(target).digest == SUITE.digest
    assert [path.name for path in tmp_path.iterdir()] == ["comptoolbench"]


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


def test_croissant_validates_and_streams_what_load_dataset_gives(folder: Path) -> None:
    import mlcroissant

    dataset = mlcroissant.Dataset(jsonld=folder / "croissant.json")
    assert not dataset.metadata.issues.errors
    for config in CONFIGS:
        found = [
            {key.rpartition("/")[2]: _plain(value) for key, value in record.items()}
            for record in dataset.records(config.name)
        ]
        assert found == expected(config.name)


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode()
    if hasattr(value, "tolist"):
        value = value.tolist()
    return [_plain(item) for item in value] if isinstance(value, list) else value
