"""Units of work: pieces of the input that hang on the input alone, so that their parts do as well."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dataset_builder.errors import InputError
from evaluator.scale.parquet_rows import row_group_sizes
from evaluator.scale.part import key_in
from evaluator.scale.storage import PACKED, Place, files_under, place_of, size_of

UNIT_BYTES = 8 * 2**20
"""About so much of a file is one unit: a few thousand rows, some seconds of scoring."""
LINES, WHOLE, ROW_GROUPS = "bytes", "file", "row groups"


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of one file: from ``start`` up to, not including, ``end``.

    ``kind``: ``bytes`` for the lines that begin there, ``row groups`` of a Parquet file, or the whole
    ``file``, packed, where it cannot be entered in its middle. ``size``: roughly its bytes.
    """

    file: Place
    kind: str
    start: int
    end: int
    size: int

    def __str__(self) -> str:
        where = "" if self.kind == WHOLE else f" ({self.kind} {self.start} to {self.end})"
        return f"{self.file}{where}"


def units_of(inputs: Sequence[str], out: Place, unit_bytes: int = UNIT_BYTES) -> list[Unit]:
    """The units of all files of the inputs, in order; InputError where there is nothing to read."""
    files = [file for text in inputs for file in _files(place_of(text), out)]
    seen: set[Place] = set()
    for file in files:
        if file in seen:
            raise InputError(f"{file}: is named twice")
        seen.add(file)
    return [unit for file in files for unit in _units(file, unit_bytes)]


def _files(place: Place, out: Place) -> list[Place]:
    """The files of one input: itself, or those with rows in it; of a run folder its traces.

    Parts, which a folder may hold from before, are scores and no traces.
    """
    if size_of(place) is not None:
        if _form(place) is None:
            raise InputError(f"{place}: expected {_EXPECTED}")
        return [place]
    if place.is_local and _holds(place, out):
        raise InputError(f"{out}: lies in the input {place}; name a folder outside of it")
    found = files_under(place)
    runs = {_folder(file) for file in found if _name(file) == "run.json"}
    files = [
        file
        for file in found
        if _form(file) is not None
        and not _name(file).startswith((".", "_"))
        and key_in(_name(file)) is None
        and (_folder(file) not in runs or _name(file) == "traces.jsonl")
    ]
    if not files:
        raise InputError(f"{place}: holds no {_EXPECTED}")
    return files


def _holds(folder: Place, out: Place) -> bool:
    inner, outer = (os.path.realpath(place.address) for place in (out, folder))
    return out.is_local and os.path.commonpath([inner, outer]) == outer


def _name(file: Place) -> str:
    return file.address.rpartition("/")[2]


def _folder(file: Place) -> str:
    return file.address.rpartition("/")[0]


_EXPECTED = ".jsonl (also .gz, .zst or .bz2) or .parquet file"


def _form(file: Place) -> str | None:
    """How a file is cut, by its name; None for one that holds no rows."""
    name = _name(file).lower()
    if name.endswith(".parquet"):
        return ROW_GROUPS
    if name.endswith((".jsonl", ".ndjson")):
        return LINES
    return WHOLE if name.endswith(tuple(f".jsonl.{packed}" for packed in PACKED)) else None


def _units(file: Place, unit_bytes: int) -> Iterator[Unit]:
    form, size = _form(file), size_of(file) or 0
    if not size:
        raise InputError(f"{file}: expected one trace a line, got an empty file")
    if form == WHOLE:
        yield Unit(file, WHOLE, 0, size, size)
    elif form == LINES:
        for start in range(0, size, unit_bytes):
            end = min(start + unit_bytes, size)
            yield Unit(file, LINES, start, end, end - start)
    else:
        yield from _of_row_groups(file, unit_bytes)


def _of_row_groups(file: Place, unit_bytes: int) -> Iterator[Unit]:
    start = held = 0
    sizes = row_group_sizes(file)
    for number, size in enumerate(sizes, 1):
        held += size
        if held >= unit_bytes or number == len(sizes):
            yield Unit(file, ROW_GROUPS, start, number, held)
            start, held = number, 0
