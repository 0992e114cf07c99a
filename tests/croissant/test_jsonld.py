"""Croissant metadata, judged by the reference implementation over real files and processes."""

import dataclasses
import hashlib
import json
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import mlcroissant
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from croissant.description import (
    Activity,
    Agent,
    Column,
    File,
    Metadata,
    RecordSet,
    ResponsibleAI,
    Source,
    describe_file,
)
from croissant.jsonld import dumps, jsonld

ROOT = Path(__file__).parents[2]

RESPONSIBLE_AI = ResponsibleAI(
    collection="Drawn from templates by a seeded program.",
    collection_types=("Software Collection", "Others"),
    annotation="Answers are computed by executing the steps.",
    biases="English only.",
    limitations="Simulated tools.",
    use_cases="Testing, never training.",
    social_impact="A fairer comparison of agents.",
    sensitive_information="None: every person is invented.",
    maintenance="A changed task changes the version.",
    has_synthetic_data=True,
    derived_from=(
        Source("First release", "https://example.org/2.0.0", "https://example.org/licence"),
        Source("Paper", "https://example.org/paper"),
    ),
    generated_by=(
        Activity("Composition", "Fills the templates.", "collection", "engine 1.0"),
        Activity("Ground truth", "Executes the steps.", "annotation", "replay 1.0"),
    ),
)

METADATA = Metadata(
    name="Ünïcode bench",
    description='Two lines,\nand "quotes".',
    version="3.0.0",
    metadata_version="1.0.0",
    license="https://creativecommons.org/licenses/by/4.0/",
    url="https://example.org/bench",
    citation="@misc{bench, title={Bench}}",
    creators=(Agent("Ada", kind="Person"), Agent("Team", "https://example.org/team")),
    publisher=Agent("Team", "https://example.org/team"),
    keywords=("tools", "composition"),
    date_published="2026-11-21",
    responsible_ai=RESPONSIBLE_AI,
    same_as=("https://example.org/mirror",),
)

TASKS = (
    Column("task_id", "string", "Identifier."),
    Column("level", "int64", "Level, 0 to 3."),
    Column("share", "float64", "A fraction."),
    Column("ranked", "bool", "Whether it counts."),
    Column("trace", "string", "Array of steps.", json=True),
    Column("tools", "string", "Offered tools.", repeated=True),
    Column("counts", "int64", "Numbers.", repeated=True),
)
TOOLS = (Column("name", "string", "Name."), Column("schema", "string", "Schema.", json=True))
IDS = (TASKS[0],)

RECORD_SETS = (
    RecordSet("default", "All tasks.", TASKS, "data/default.parquet", key=("task_id",)),
    RecordSet("L0", "Level 0.", TASKS, "data/L0.parquet", key=("task_id", "level")),
    RecordSet("tools", "The catalogue.", TOOLS, "data/tools.parquet"),
    RecordSet("ids", "A part of the columns of all tasks.", IDS, "data/default.parquet"),
)

ARROW = {"string": pa.string(), "int64": pa.int64(), "float64": pa.float64(), "bool": pa.bool_()}


def task_row(i: int) -> dict[str, Any]:
    return {
        "task_id": f"L{i % 4}_node_{i:04}",
        "level": i % 4,
        "share": i / 7,
        "ranked": i % 3 == 0,
        "trace": json.dumps([{"tool": "t", "text": 'é "日本"\n'}], ensure_ascii=False),
        "tools": [f"tool_{j}" for j in range(i % 3)],
        "counts": [2**53 + i] * (i % 2),
    }


ROWS = {
    # More rows than mlcroissant reads in one chunk of 100.
    "data/default.parquet": [task_row(i) for i in range(205)],
    "data/L0.parquet": [task_row(i) for i in range(0, 205, 4)],
    "data/tools.parquet": [{"name": f"tool_{i}", "schema": "{}"} for i in range(3)],
}


def write_parquet(path: Path, columns: tuple[Column, ...], rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    types = [pa.list_(ARROW[c.type]) if c.repeated else ARROW[c.type] for c in columns]
    schema = pa.schema([pa.field(c.name, t) for c, t in zip(columns, types, strict=True)])
    pq.write_table(pa.Table.from_pylist(rows, schema), path)


def describe(folder: Path) -> list[File]:
    parquet = [describe_file(folder, path) for path in ROWS]
    return [*parquet, describe_file(folder, "README.md", "text/markdown")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bench")
    for table in RECORD_SETS[:3]:
        write_parquet(folder / table.file, table.columns, ROWS[table.file])
    (folder / "README.md").write_text("# Bench\n")
    document = jsonld(METADATA, describe(folder), RECORD_SETS)
    (folder / "croissant.json").write_bytes(dumps(document).encode())
    return folder


@pytest.fixture(scope="module")
def metadata(folder: Path) -> mlcroissant.Metadata:
    return mlcroissant.Dataset(folder / "croissant.json").metadata


def plain(value: Any) -> Any:
    """A value as mlcroissant streams it (texts as bytes) in plain Python."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.decode() if isinstance(value, bytes) else value


def streamed(dataset: mlcroissant.Dataset, name: str) -> list[dict[str, Any]]:
    return [
        {field.removeprefix(f"{name}/"): plain(value) for field, value in record.items()}
        for record in dataset.records(name)
    ]


def expected(table: RecordSet) -> list[dict[str, Any]]:
    return [{c.name: row[c.name] for c in table.columns} for row in ROWS[table.file]]


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **environment}, timeout=120
    )


def test_command_line_validator_has_nothing_to_say(folder: Path) -> None:
    validator = Path(sys.executable).with_name("mlcroissant")
    done = run(validator, "validate", "--jsonld", folder / "croissant.json")
    assert done.returncode == 0, done.stderr
    # absl starts each line with its severity: I is information, W a warning, E an error.
    lines = (done.stdout + done.stderr).splitlines()
    assert [line for line in lines if not line.startswith("I")] == []
    assert lines[-1].endswith("Done.")


def test_validates_in_process_without_errors_or_warnings(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    metadata = mlcroissant.Dataset(folder / "croissant.json").metadata
    assert metadata.ctx.issues.errors == set()
    assert metadata.ctx.issues.warnings == set()
    assert [record for record in caplog.records if record.levelname != "INFO"] == []


@pytest.mark.parametrize("table", RECORD_SETS, ids=lambda table: table.name)
def test_every_record_streams_and_equals_what_was_written(folder: Path, table: RecordSet) -> None:
    dataset = mlcroissant.Dataset(folder / "croissant.json")
    assert streamed(dataset, table.name) == expected(table)


def test_all_record_sets_and_files_are_there(folder: Path, metadata: mlcroissant.Metadata) -> None:
    assert {table.id for table in metadata.record_sets} == {table.name for table in RECORD_SETS}
    assert {file.id for file in metadata.file_objects} == {*ROWS, "README.md"}
    for file in metadata.file_objects:
        content = folder / file.id
        assert file.content_size == f"{content.stat().st_size} B"
        assert file.sha256 == hashlib.sha256(content.read_bytes()).hexdigest()


@pytest.mark.parametrize("table", RECORD_SETS, ids=lambda table: table.name)
def test_a_corrupted_file_is_caught_by_its_hash(
    folder: Path, tmp_path: Path, table: RecordSet
) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    # Still a readable Parquet file with the same columns: only the hash can tell.
    (row, *_) = ROWS[table.file]
    columns = next(t.columns for t in RECORD_SETS if t.file == table.file)
    write_parquet(copy / table.file, columns, [row])
    with pytest.raises(mlcroissant.GenerationError) as caught:
        streamed(mlcroissant.Dataset(copy / "croissant.json"), table.name)
    assert "is not identical with the reference" in str(caught.value.__cause__)


def test_conforms_to_croissant_1_1_and_its_responsible_ai_vocabulary(
    metadata: mlcroissant.Metadata,
) -> None:
    assert metadata.ctx.conforms_to.value == "http://mlcommons.org/croissant/1.1"
    assert sorted(metadata.conforms_to) == [
        "http://mlcommons.org/croissant/1.1",
        "http://mlcommons.org/croissant/RAI/1.0",
    ]


# The reader's names on the left: what it understood, not what we wrote.
UNDERSTOOD = {
    "name": METADATA.name,
    "description": METADATA.description,
    "version": "3.0.0",
    "sd_version": "1.0.0",
    "license": [METADATA.license],
    "url": METADATA.url,
    "cite_as": METADATA.citation,
    "same_as": ["https://example.org/mirror"],
    "in_language": ["en"],
    "data_collection": RESPONSIBLE_AI.collection,
    "data_annotation_protocol": [RESPONSIBLE_AI.annotation],
    "data_biases": [RESPONSIBLE_AI.biases],
    "data_limitations": [RESPONSIBLE_AI.limitations],
    "data_use_cases": [RESPONSIBLE_AI.use_cases],
    "data_social_impact": RESPONSIBLE_AI.social_impact,
    "personal_sensitive_information": [RESPONSIBLE_AI.sensitive_information],
    "data_release_maintenance_plan": RESPONSIBLE_AI.maintenance,
}


@pytest.mark.parametrize("name", UNDERSTOOD)
def test_the_reader_understands_each_dataset_property(
    metadata: mlcroissant.Metadata, name: str
) -> None:
    assert getattr(metadata, name) == UNDERSTOOD[name]


def test_the_reader_understands_people_keywords_date_and_liveness(
    metadata: mlcroissant.Metadata,
) -> None:
    assert {type(creator).__name__: creator.name for creator in metadata.creators} == {
        "Person": "Ada",
        "Organization": "Team",
    }
    assert [publisher.url for publisher in metadata.publisher] == ["https://example.org/team"]
    # RDF has no order.
    assert sorted(metadata.keywords) == ["composition", "tools"]
    assert sorted(metadata.data_collection_type) == ["Others", "Software Collection"]
    assert metadata.date_published.isoformat() == "2026-11-21T00:00:00"
    assert metadata.ctx.is_live_dataset is False


def test_synthetic_generation_and_provenance_survive_the_reader(folder: Path) -> None:
    metadata = mlcroissant.Dataset(folder / "croissant.json").metadata.to_json()
    assert metadata["rai:hasSyntheticData"] is True
    sources = {source["@id"]: source["prov:label"] for source in metadata["prov:wasDerivedFrom"]}
    assert sources == {s.url: s.name for s in RESPONSIBLE_AI.derived_from}
    activities = {a["prov:label"]: a for a in metadata["prov:wasGeneratedBy"]}
    assert activities.keys() == {a.name for a in RESPONSIBLE_AI.generated_by}
    composition = activities["Composition"]
    assert composition["prov:wasAssociatedWith"]["prov:label"] == "engine 1.0"


@pytest.mark.parametrize(
    ("column", "types", "is_array"),
    [
        ("task_id", ["sc:Text"], None),
        ("level", ["sc:Integer"], None),
        ("share", ["sc:Float"], None),
        ("ranked", ["sc:Boolean"], None),
        ("trace", ["rdf:JSON", "sc:Text"], None),
        ("tools", ["sc:Text"], True),
        ("counts", ["sc:Integer"], True),
    ],
)
def test_column_types(
    metadata: mlcroissant.Metadata, column: str, types: list[str], is_array: bool | None
) -> None:
    (table,) = (table for table in metadata.record_sets if table.id == "default")
    (field,) = (field for field in table.fields if field.name == column)
    assert sorted(metadata.ctx.rdf.shorten_value(uri) for uri in field.data_types) == types
    assert field.is_array is is_array
    assert field.array_shape_tuple == ((-1,) if is_array else None)
    assert field.description == next(c.description for c in TASKS if c.name == column)


def test_keys(metadata: mlcroissant.Metadata) -> None:
    keys = {table.id: table.to_json().get("key") for table in metadata.record_sets}
    assert keys["default"] == {"@id": "default/task_id"}
    assert sorted(key["@id"] for key in keys["L0"]) == ["L0/level", "L0/task_id"]
    assert keys["tools"] is None


WRITE = """
import pickle, sys
from croissant.jsonld import dumps, jsonld
sys.stdout.buffer.write(dumps(jsonld(*pickle.load(sys.stdin.buffer))).encode())
"""


@pytest.mark.parametrize("seed", ["0", "1"])
def test_bytes_are_the_same_in_every_process(folder: Path, seed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WRITE],
        input=pickle.dumps((METADATA, describe(folder), RECORD_SETS)),
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": "C", "TZ": "Asia/Tokyo"},
        check=True,
        timeout=60,
    )
    assert done.stdout == (folder / "croissant.json").read_bytes()


def test_reading_a_document_does_not_change_the_next(folder: Path) -> None:
    # mlcroissant adds a key to the context of the document that it is given.
    document = jsonld(METADATA, describe(folder), RECORD_SETS)
    mlcroissant.Dataset(document)
    assert "@base" in document["@context"]
    again = dumps(jsonld(METADATA, describe(folder), RECORD_SETS))
    assert again.encode() == (folder / "croissant.json").read_bytes()


def test_stored_as_readable_utf_8_that_parses_back(folder: Path) -> None:
    content = (folder / "croissant.json").read_bytes()
    assert "Ünïcode bench".encode() in content
    assert b"\r" not in content
    assert content.endswith(b"}\n")
    assert json.loads(content) == jsonld(METADATA, describe(folder), RECORD_SETS)


FILES = [File(path, "0" * 64, 1) for path in ROWS]
IDS_TABLE = RECORD_SETS[3]


@pytest.mark.parametrize(
    ("files", "tables", "sentence"),
    [
        ([*FILES, FILES[0]], RECORD_SETS, "'data/default.parquet' is listed twice"),
        (FILES, [IDS_TABLE, IDS_TABLE], "'ids' is listed twice"),
        ([*FILES, File("ids", "0" * 64, 1)], [IDS_TABLE], "'ids' is listed twice"),
        (
            FILES,
            [dataclasses.replace(IDS_TABLE, columns=IDS * 2)],
            "column of record set 'ids' 'task_id' is listed twice",
        ),
        (FILES[1:], [IDS_TABLE], "reads 'data/default.parquet', which is not listed"),
        (FILES, [dataclasses.replace(IDS_TABLE, key=("x",))], "has no column 'x' for its key"),
    ],
)
def test_a_description_that_contradicts_itself_is_refused(
    files: list[File], tables: list[RecordSet], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        jsonld(METADATA, files, tables)


def test_needs_nothing_but_the_standard_library() -> None:
    # Under -I -S no installed package can be imported.
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import croissant.jsonld"
    done = run(sys.executable, "-I", "-S", "-c", code)
    assert done.returncode == 0, done.stderr
