"""Submissions on disk: immutable trace files named by their content, with a description beside each."""

import hashlib
import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Submission:
    """One submitted trace file."""

    id: str
    """The first 16 hexadecimal digits of the SHA-256 of its bytes."""
    traces: Path
    about: dict[str, Any]


class Store:
    """A folder of submissions. The board is derived from what lies in it and from nothing else."""

    def __init__(self, folder: Path) -> None:
        """The folder is made when the first submission comes."""
        self.folder = folder

    def add(self, content: bytes, about: dict[str, Any]) -> tuple[Submission, bool]:
        """Keep a trace file; the same content is kept once. Says whether it is new.

        The traces are on disk before the description that makes them visible, so a submission is
        there whole or not at all.
        """
        name = hashlib.sha256(content).hexdigest()[:16]
        traces, description = self._files(name)
        if description.exists():
            return self._read(description), False
        self.folder.mkdir(parents=True, exist_ok=True)
        _write(traces, content)
        _write(description, json.dumps(about, ensure_ascii=False, indent=1).encode())
        return Submission(name, traces, about), True

    def all(self) -> list[Submission]:
        """Every submission, by its id."""
        return [self._read(file) for file in sorted(self.folder.glob("*.json"))]

    def _files(self, name: str) -> tuple[Path, Path]:
        return self.folder / f"{name}.jsonl", self.folder / f"{name}.json"

    def _read(self, description: Path) -> Submission:
        traces = description.with_suffix(".jsonl")
        return Submission(description.stem, traces, json.loads(description.read_text("utf-8")))


def _write(file: Path, content: bytes) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=file.parent, prefix=".new-")
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(temporary, file)
