"""The plain description of a dataset: its files, its tables and what a careful reader asks."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

PARQUET = "application/x-parquet"


@dataclass(frozen=True)
class Column:
    """A column of a Parquet file, typed as Arrow and `datasets` name it.

    `repeated` makes it a list of `type`; `json` says that a string holds a JSON document.
    """

    name: str
    type: Literal["string", "int64", "float64", "bool"]
    description: str
    repeated: bool = False
    json: bool = False


@dataclass(frozen=True)
class File:
    """A file of the dataset: POSIX path from the folder's root, hex SHA-256, size in bytes."""

    path: str
    sha256: str
    size: int
    encoding_format: str = PARQUET


@dataclass(frozen=True)
class RecordSet:
    """One table: the `columns` of one Parquet file, a record per row; `key` names unique columns.

    Croissant cannot concatenate tabular files, so a table that is spread over several files has to
    be written as one; several record sets may read the same file.
    """

    name: str
    description: str
    columns: tuple[Column, ...]
    file: str
    key: tuple[str, ...] = ()


@dataclass(frozen=True)
class Agent:
    """Who made or published something."""

    name: str
    url: str = ""
    kind: Literal["Person", "Organization"] = "Organization"


@dataclass(frozen=True)
class Source:
    """Something that the dataset was derived from: a dataset, a paper, a body of facts."""

    name: str
    url: str
    license: str = ""


@dataclass(frozen=True)
class Activity:
    """A step that brought the data about, and the software that carried it out."""

    name: str
    description: str
    kind: Literal["collection", "preprocessing", "annotation"]
    software: str


@dataclass(frozen=True)
class ResponsibleAI:
    """What a responsible user asks of a dataset; nothing is optional.

    `biases` to `sensitive_information` and the last three are the minimum that the NeurIPS
    evaluations and datasets track requires. Texts become `rai:*` properties, `derived_from` and
    `generated_by` PROV-O. For `collection_types` the vocabulary recommends, among others, "Software
    Collection", "Manual Human Curator", "Experiments" and "Others".
    """

    collection: str
    collection_types: tuple[str, ...]
    annotation: str
    biases: str
    limitations: str
    use_cases: str
    social_impact: str
    sensitive_information: str
    maintenance: str
    has_synthetic_data: bool
    derived_from: tuple[Source, ...]
    generated_by: tuple[Activity, ...]


@dataclass(frozen=True)
class Metadata:
    """The dataset as a whole.

    Both versions are semantic: `version` of the data, `metadata_version` of this description.
    `license` is a URL, `citation` BibTeX, `date_published` an ISO 8601 date.
    """

    name: str
    description: str
    version: str
    metadata_version: str
    license: str
    url: str
    citation: str
    creators: tuple[Agent, ...]
    publisher: Agent
    keywords: tuple[str, ...]
    date_published: str
    responsible_ai: ResponsibleAI
    same_as: tuple[str, ...] = ()
    languages: tuple[str, ...] = ("en",)


def describe_file(folder: Path, path: str, encoding_format: str = PARQUET) -> File:
    """Hash and measure `folder / path`; raises OSError if it cannot be read."""
    with (folder / path).open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        return File(path, sha256, file.tell(), encoding_format)
