"""Tables as text: records read from JSON, CSV and TSV, and written in these, YAML and Markdown."""

import csv
import io
import json
import re
from typing import Any

from dataset_builder.tools.records.records import Record, check_size, fields, text
from dataset_builder.tools.tool import ToolError
from dataset_builder.values.json_values import ArgumentError, json_or_text
from dataset_builder.values.kinds import kind_of

_DELIMITERS = {"csv": ",", "tsv": "\t"}
# A cell is a number where JSON would write it so: 007 and 1,250 stay text.
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?")
_PLAIN_YAML = re.compile(r"[A-Za-z](?:[A-Za-z0-9 _/-]*[A-Za-z0-9_])?")
_YAML_WORDS = frozenset("true false null yes no on off y n".split())


def read(data: str, form: str) -> list[Record]:
    """The records of a JSON, CSV or TSV text; ToolError where it is none."""
    records = _read_json(data) if form == "json" else _read_separated(data, _DELIMITERS[form])
    check_size(records)
    if not fields(records):
        raise ToolError("the data hold no record with a field")
    return records


def write(records: list[Record], form: str) -> str:
    """The records as JSON, CSV, TSV, YAML or Markdown, without a final line break."""
    if form == "json":
        return json.dumps(records, ensure_ascii=False)
    if form in _DELIMITERS:
        return _write_separated(records, _DELIMITERS[form])
    return _write_yaml(records) if form == "yaml" else _write_markdown(records)


def _read_json(data: str) -> list[Record]:
    try:
        value = json_or_text(data)
        records = [value] if isinstance(value, dict) else value
        return list(kind_of("list", item=kind_of("object")).read(records))
    except ArgumentError as error:
        raise ToolError(f"the data are no JSON array of objects: {error}") from None


def _read_separated(data: str, delimiter: str) -> list[Record]:
    try:
        rows = list(csv.reader(io.StringIO(data, newline=""), delimiter=delimiter, strict=True))
    except csv.Error:
        raise ToolError("a quoted cell is not closed as it should be") from None
    rows = [row for row in rows if row]
    header = [name.strip() for name in rows[0]] if rows else []
    if len(set(header)) < len(header) or "" in header:
        raise ToolError("the first line must name each column once")
    for line, row in enumerate(rows[1:], 2):
        if len(row) != len(header):
            raise ToolError(f"row {line} has {len(row)} cells where {len(header)} were expected")
    return [dict(zip(header, map(_cell, row), strict=True)) for row in rows[1:]]


def _cell(cell: str) -> Any:
    cell = cell.strip()
    if _NUMBER.fullmatch(cell):
        return float(cell) if "." in cell else int(cell)
    return cell


def _printed(value: Any) -> str:
    return "" if value is None else json.dumps(value) if isinstance(value, float) else text(value)


def _table(records: list[Record]) -> list[list[str]]:
    header = fields(records)
    if len(header) * len(records) > 50_000:
        raise ToolError("the records share too few fields to stand in one table")
    return [header, *([_printed(record.get(name)) for name in header] for record in records)]


def _write_separated(records: list[Record], delimiter: str) -> str:
    buffer = io.StringIO(newline="")
    csv.writer(buffer, delimiter=delimiter, lineterminator="\n").writerows(_table(records))
    return buffer.getvalue().removesuffix("\n")


def _write_markdown(records: list[Record]) -> str:
    rows = [
        [cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in _table(records)
    ]
    rows.insert(1, ["---"] * len(rows[0]))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _write_yaml(records: list[Record]) -> str:
    lines = []
    for record in records:
        pairs = [f"{_scalar(name)}: {_scalar(value)}" for name, value in record.items()] or ["{}"]
        lines += [f"{'  ' if i else '- '}{pair}" for i, pair in enumerate(pairs)]
    return "\n".join(lines)


def _scalar(value: Any) -> str:
    """A value on one line: plain where YAML reads it back as the same text, else as JSON."""
    if isinstance(value, str) and _PLAIN_YAML.fullmatch(value) and value.lower() not in _YAML_WORDS:
        return value
    return json.dumps(value, ensure_ascii=False)
