"""Reads filled-in sheets as spreadsheets write them: separators, byte order marks, encodings, line ends."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dataset_builder.errors import InputError, why
from dataset_builder.read_files import read_plain
from evaluator.audit.annotation import CRITERIA

Verdicts = dict[str, dict[str, bool]]
"""Task → criterion → verdict."""
Row = tuple[int, list[str]]
"""The line on which a row begins, and its cells."""

_VERDICTS = {
    **dict.fromkeys(("yes", "y", "1", "true", "x"), True),
    **dict.fromkeys(("no", "n", "0", "false"), False),
}
_NEEDED = ("task_id", *CRITERIA)
_SEPARATORS = (",", ";", "\t")
_SHOWN = 40
# What a task expects stands in one cell of some thousand characters.
_LARGEST_CELL = 1_000_000


@dataclass(frozen=True)
class Sheet:
    """An annotator's verdicts, and what was taken for granted in reading them (empty: nothing)."""

    verdicts: Verdicts
    remark: str = ""


def read_sheet(path: Path) -> Sheet:
    """The verdicts of a filled-in sheet; InputError names file, line and column of what is none.

    Commas, semicolons or tabs; UTF-8 or UTF-16 with or without a mark, else Windows-1252; columns in
    any order, others beside them; empty lines.
    """
    try:
        content = read_plain(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({why(error)})") from None
    text, remark = _decoded(path, content)
    (_, head), *rows = _rows(path, text)
    columns = _columns(path, head)
    verdicts: Verdicts = {}
    lines: dict[str, int] = {}
    for line, cells in rows:
        task, task_verdicts = _row(f"{path}:{line}", columns, len(head), cells)
        if task in verdicts:
            raise InputError(f"{path}:{line}: {task} stands in line {lines[task]} already")
        verdicts[task], lines[task] = task_verdicts, line
    if not verdicts:
        raise InputError(f"{path}: holds no verdict")
    return Sheet(verdicts, remark)


def _decoded(path: Path, content: bytes) -> tuple[str, str]:
    """The text, and a remark where its encoding was guessed."""
    try:
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            return content.decode("utf-16"), ""
        return content.decode("utf-8-sig"), ""
    except UnicodeDecodeError as error:
        where = error.start
    try:
        return content.decode("cp1252"), f"{path}: is no UTF-8, read as Windows-1252"
    except UnicodeDecodeError:
        raise InputError(
            f"{path}: is neither UTF-8 nor Windows-1252 text (byte {where + 1}): save it as CSV UTF-8"
        ) from None


def _rows(path: Path, text: str) -> list[Row]:
    """The head and the rows that hold anything, each with the line on which it begins."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text), strict=True)
    csv.field_size_limit(_LARGEST_CELL)
    rows: list[Row] = []
    start = 1
    try:
        for cells in reader:
            is_named = start == 1 and _is_separator_named(cells[0] if cells else "")
            if any(cell.strip() for cell in cells) and not is_named:
                rows.append((start, cells))
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{path}:{start}: cannot be read as CSV ({error})") from None
    return rows or [(1, [])]


def _separator(text: str) -> str:
    """What stands between the cells: as the first line says, or what gives most of our columns."""
    first = next(iter(text.strip().splitlines()), "")
    if _is_separator_named(first):
        return first[4:5] or ","
    return max(_SEPARATORS, key=lambda each: _known(next(csv.reader([first], delimiter=each), [])))


def _is_separator_named(line: str) -> bool:
    """Whether this is the line by which Excel is told the separator."""
    return line[:4].casefold() == "sep="


def _known(head: Sequence[str]) -> int:
    return len({_plain(name) for name in head} & {*_NEEDED})


def _columns(path: Path, head: Sequence[str]) -> dict[str, int]:
    """Where each column that we need stands."""
    names = [_plain(name) for name in head]
    missing = [name for name in _NEEDED if name not in names]
    if missing:
        head_shown = ", ".join(name[:_SHOWN] for name in names[:10] if name) or "nothing"
        raise InputError(
            f"{path}: the head lacks the columns {', '.join(missing)}; expected "
            f"{', '.join(_NEEDED)} apart by commas, semicolons or tabs, got {head_shown}"
        )
    for name in _NEEDED:
        if names.count(name) > 1:
            raise InputError(f"{path}: the column {name} stands twice")
    return {name: names.index(name) for name in _NEEDED}


def _plain(name: str) -> str:
    return name.strip().casefold()


def _row(
    where: str, columns: dict[str, int], width: int, cells: Sequence[str]
) -> tuple[str, dict[str, bool]]:
    if any(cell.strip() for cell in cells[width:]):
        raise InputError(
            f"{where}: has {len(cells)} cells and the head {width}: is a text with separators "
            "in it not quoted?"
        )
    texts = {name: cells[at].strip() if at < len(cells) else "" for name, at in columns.items()}
    if not texts["task_id"]:
        raise InputError(f"{where}, column task_id: is empty, expected the id of a task")
    return texts["task_id"], {name: _verdict(where, name, texts[name]) for name in CRITERIA}


def _verdict(where: str, criterion: str, text: str) -> bool:
    verdict = _VERDICTS.get(text.casefold())
    if verdict is None:
        given = repr(text[:_SHOWN]) if text else "empty"
        raise InputError(f"{where}, column {criterion}: is {given}, expected yes or no")
    return verdict
