"""The dataset folder: what is in it, and that everybody's tools read it as it is meant."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dataset_builder.published.columns import CONFIGS, rows
from dataset_builder.published.dataset_folder import FolderError, write_folder
from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.irrelevance import irrelevance_suite
from dataset_builder.tools import catalogue
from tests.samples.small_suite import small_horizon, small_suite

SUITE = small_suite()
HORIZON = small_horizon()
FILES = {
    ".zenodo.json",
    "CHANGELOG.md",
    "CITATION.cff",
    "DATASHEET.md",
    "ERRATA.md",
    "LICENSE",
    "README.md",
    "croissant.json",
    "data",
    "eval.yaml",
    "jsonl",
    "task.svg",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset folder called as `build` calls it."""
    folder = tmp_path_factory.mktemp("beside") / "comptoolbench"
    write_folder(SUITE, catalogue(), folder, horizon=HORIZON)
    return folder


def expected(config: str) -> list[dict[str, Any]]:
    """The rows that a config should hold."""
    return list(rows(config, HORIZON if config == "horizon" else SUITE, catalogue()))


def test_the_folder_holds_what_a_careful_team_would_upload(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == FILES
    assert {path.stem for path in (folder / "data").iterdir()} == {c.name for c in CONFIGS}
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < 2e6
    assert "Attribution 4.0 International" in (folder / "LICENSE").read_text("utf-8")


def test_the_json_lines_are_the_rows_and_the_bytes_of_the_digest(folder: Path) -> None:
    plain = ("default", "horizon", "irrelevance", "tools")
    assert {path.stem for path in (folder / "jsonl").iterdir()} == {*plain}
    for config in plain:
        content = (folder / "jsonl" / f"{config}.jsonl").read_bytes()
        assert [json.loads(line) for line in content.splitlines()] == expected(config)
    suites = {"default": SUITE, "horizon": HORIZON, "irrelevance": irrelevance_suite()}
    for config, suite in suites.items():
        content = (folder / "jsonl" / f"{config}.jsonl").read_bytes()
        assert hashlib.sha256(content).hexdigest() == suite.digest


def test_every_build_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    write_folder(SUITE, catalogue(), again, horizon=HORIZON)
    first, second = (
        {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*.*")}
        for root in (folder, again)
    )
    assert first == second


LOADER = """
import json, sys
from datasets import load_dataset
for config in sys.argv[1:]:
    print(json.dumps(load_dataset("comptoolbench", config, split="test").to_list()))
"""


def test_load_dataset_by_name_beside_the_folder_and_offline(folder: Path, tmp_path: Path) -> None:
    names = [config.name for config in CONFIGS]
    # The front door is importable here too, under the folder's very name.
    done = subprocess.run(
        [sys.executable, "-c", LOADER, *names],
        cwd=folder.parent,
        env={"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    found = map(json.loads, done.stdout.splitlines())
    for name, given in zip(names, found, strict=True):
        assert given == expected(name)


def test_slices_and_streaming(folder: Path, tmp_path: Path) -> None:
    from datasets import load_dataset

    part = load_dataset(str(folder), split="test[:3]", cache_dir=str(tmp_path))
    assert part["task_id"] == [task.task_id for task in SUITE.tasks[:3]]
    stream = load_dataset(str(folder), "L1", split="test", streaming=True)
    assert [row["task_id"] for row in stream] == [row["task_id"] for row in expected("L1")]


def test_the_builder_gives_the_same_rows_in_process(tmp_path: Path) -> None:
    from dataset_builder.published.builder import CompToolBench
    from dataset_builder.tasks.engine import CompositionEngine

    counts = (3, 2, 2, 2)
    suite = CompositionEngine(7, counts=counts).generate_suite()
    for config in ("default", "L1", "tools", "l0_control"):
        builder = CompToolBench(cache_dir=str(tmp_path), config_name=config, seed=7, counts=counts)
        builder.download_and_prepare()
        found = builder.as_dataset(split="test").to_list()
        assert found == list(rows(config, suite, catalogue()))


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


def test_an_earlier_build_is_replaced_though_the_new_one_has_no_procedures(tmp_path: Path) -> None:
    target = tmp_path / "comptoolbench"
    write_folder(SUITE, catalogue(), target, horizon=HORIZON)
    write_folder(SUITE, catalogue(), target)
    assert not (target / "data" / "horizon.parquet").exists()
    assert not (target / "jsonl" / "horizon.jsonl").exists()
    assert "horizon" not in (target / "README.md").read_text("utf-8").partition("---\n\n")[0]


def test_an_earlier_build_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "comptoolbench"
    write_folder(small_suite(1, 1, 1, 1), catalogue(), target)
    write_folder(SUITE, catalogue(), target)
    assert {path.name for path in target.iterdir()} == FILES
    assert load_suite(target).digest == SUITE.digest
    assert [path.name for path in tmp_path.iterdir()] == ["comptoolbench"]


@pytest.mark.parametrize("name", ["traces.jsonl", "data/mine.parquet", ".git/HEAD"])
def test_an_earlier_build_with_somebody_elses_file_in_it_is_left_alone(
    name: str, tmp_path: Path
) -> None:
    target = tmp_path / "comptoolbench"
    write_folder(small_suite(1, 1, 1, 1), catalogue(), target)
    (target / name).parent.mkdir(exist_ok=True)
    (target / name).write_text("mine")
    with pytest.raises(FolderError, match=f"holds {name}, which a new build would delete"):
        write_folder(SUITE, catalogue(), target)
    assert (target / name).read_text() == "mine"
    assert len(load_suite(target).tasks) == 4


def test_a_level_without_tasks_has_no_config(tmp_path: Path) -> None:
    from datasets import get_dataset_config_names, load_dataset

    target = tmp_path / "comptoolbench"
    write_folder(SUITE, catalogue(), target)
    write_folder(small_suite(0, 2, 0, 0), catalogue(), target)
    assert sorted(get_dataset_config_names(str(target))) == [
        "L1",
        "default",
        "irrelevance",
        "tools",
    ]
    assert load_dataset(str(target), "L1", split="test", cache_dir=str(tmp_path)).num_rows == 2
    document = json.loads((target / "croissant.json").read_text("utf-8"))
    names = [table["@id"] for table in document["recordSet"]]
    assert names == ["default", "L1", "irrelevance", "tools"]


def test_the_official_validator_has_nothing_to_say(folder: Path) -> None:
    validator = Path(sys.executable).with_name("mlcroissant")
    done = subprocess.run(
        [validator, "validate", "--jsonld", folder / "croissant.json"],
        capture_output=True,
        text=True,
        check=True,
    )
    # absl starts each line with its severity: I is information, W a warning, E an error.
    assert [line for line in done.stderr.splitlines() if not line.startswith("I")] == []
    assert done.stderr.splitlines()[-1].endswith("Done.")


def test_croissant_names_every_data_file_with_its_hash(folder: Path) -> None:
    document = json.loads((folder / "croissant.json").read_text("utf-8"))
    listed = {file["@id"]: file["sha256"] for file in document["distribution"]}
    assert listed == {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (*folder.glob("data/*"), *folder.glob("jsonl/*"))
    }
    assert listed["jsonl/default.jsonl"] == SUITE.digest


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
