"""The entries of a log file: JSON lines, one JSON document, or Inspect's zip of samples."""

import json
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO

from dataset_builder.errors import InputError, why
from dataset_builder.read_files import open_plain
from evaluator.converting.formats import is_one_conversation
from evaluator.traces.strict_json import parse_json

MAX_LINE_BYTES = 16 * 2**20
MAX_DOCUMENT_BYTES = 64 * 2**20
MAX_DEPTH = 64
_ZIP = b"PK\x03\x04"


def read_entries(path: Path) -> Iterator[tuple[str, Any]]:
    """Where each entry stands (``file:line``, or ``file[number]`` in an array), and its JSON value.

    One line is held at a time, or a document of at most 64 MB. InputError where the file cannot be
    read, with file and line.
    """
    try:
        with open_plain(path) as stream:
            is_zip = stream.read(len(_ZIP)) == _ZIP
            stream.seek(0)
            if not is_zip:
                yield from _entries(path, stream)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({why(error)})") from None
    if is_zip:
        yield from _inspect_samples(path)


def _entries(path: Path, stream: BinaryIO) -> Iterator[tuple[str, Any]]:
    number = 0
    is_empty = True
    while line := stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            value = _parsed(line, MAX_LINE_BYTES)
        except ValueError as error:
            if not is_empty:
                raise InputError(f"{where}: {error}") from None
            # The first line is no value of its own: the file may be one over several lines.
            stream.seek(0)
            yield from _of_document(path, stream)
            return
        is_empty = False
        if isinstance(value, list) and not is_one_conversation(value):
            yield from ((f"{where}[{place}]", item) for place, item in enumerate(value))
        else:
            yield where, value
    if is_empty:
        raise InputError(f"{path}: expected conversations, got an empty file")


def _of_document(path: Path, stream: BinaryIO) -> Iterator[tuple[str, Any]]:
    content = stream.read(MAX_DOCUMENT_BYTES + 1)
    try:
        value = _parsed(content, MAX_DOCUMENT_BYTES)
    except ValueError as error:
        cause = error.__context__
        line = cause.lineno if isinstance(cause, json.JSONDecodeError) else 1
        raise InputError(f"{path}:{line}: {error}") from None
    if isinstance(value, list) and not is_one_conversation(value):
        yield from ((f"{path}[{place}]", item) for place, item in enumerate(value))
    else:
        yield f"{path}:1", value


def _parsed(content: bytes, most: int) -> Any:
    if len(content) > most:
        raise ValueError(f"is longer than {most // 2**20} MB; write a conversation a line")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"is no UTF-8 text (byte {error.start + 1})") from None
    return parse_json(text.strip(), MAX_DEPTH)


def _inspect_samples(path: Path) -> Iterator[tuple[str, Any]]:
    """The samples of an `.eval` log, each as a log of its own."""
    if find_spec("inspect_ai") is None:
        raise InputError(
            f"{path}: a zipped log is read by Inspect: pip install 'comptoolbench[inspect]', or turn "
            "it into JSON with `inspect log convert --to json`"
        )
    from inspect_ai.log import read_eval_log, read_eval_log_samples

    try:
        _refuse_what_is_too_large(path)
        header = read_eval_log(str(path), header_only=True)
        told = {"eval": header.eval.model_dump(mode="json"), "status": header.status}
        samples = read_eval_log_samples(
            str(path), all_samples_required=False, resolve_attachments=True
        )
        for number, sample in enumerate(samples):
            held = sample.model_dump(mode="json", exclude_none=True)
            yield f"{path}[{number}]", {**told, "samples": [held]}
    except InputError:
        raise
    except Exception as error:  # A stranger's zip fails in whatever way its reader has.
        said = " ".join(str(error).split())[:200] or type(error).__name__
        raise InputError(f"{path}: is no log that Inspect can read ({said})") from None


def _refuse_what_is_too_large(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if member.file_size > MAX_DOCUMENT_BYTES:
                raise InputError(
                    f"{path}: {member.filename} is longer than {MAX_DOCUMENT_BYTES // 2**20} MB"
                )
