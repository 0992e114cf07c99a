"""Submissions on disk: immutable trace files named by their content, and what is said about them.

    traces/<id>.jsonl       exactly the bytes that came; id = first 16 hexadecimal digits of SHA-256
    about/<id>.json         flat strings; written last, it makes the submission visible
    notes/<id>.<n>.json     what happened to it since: withdrawn, flagged, restored

Every file is written whole under another name and then linked to its own, which only the first of
several writers can do. So any number of threads and processes may write, and be killed.
"""

import datetime as dt
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dataset_builder.errors import InputError, why
from dataset_builder.write_files import new_file

ID_DIGITS = 16


@dataclass(frozen=True)
class Submission:
    """One published trace file."""

    id: str
    about: Mapping[str, str]
    """Model, organisation, link and so on; ``sha256`` is the whole digest of the file."""
    notes: tuple[Mapping[str, str], ...]
    """What happened to it, oldest first: ``event``, ``by``, ``at``, ``reason``."""
    traces: Path


class Store:
    """A folder of submissions. The board is derived from what lies in it and from nothing else."""

    def __init__(self, folder: Path) -> None:
        """The folder is made when the first submission comes."""
        self.folder = folder
        # Files never change, so what was read once stays true.
        self._read_files: dict[str, Mapping[str, str]] = {}

    def add(self, content: bytes, about: Mapping[str, str]) -> tuple[Submission, bool]:
        """Keep a trace file; the same content is kept once. Says whether it is new.

        When it returns, the submission is on disk whole. InputError where that cannot be.
        """
        files = submission_files(content, about)
        name = content_id(content)
        if (known := self.get(name)) is not None:
            return _same(known, content), False
        is_new = False
        for path, data in files.items():
            is_new = self._write(path, data)
        return _same(self._known(name), content), is_new

    def note(self, name: str, event: Mapping[str, str]) -> Submission:
        """Write down what happened to a submission; InputError where there is none of that id."""
        submission = self._known(name)
        while not self._write(note_path(submission), note_bytes(event)):
            submission = self._known(name)
        return self._known(name)

    def get(self, name: str) -> Submission | None:
        """The submission of that id."""
        return next(iter(self._submissions({name})), None)

    def all(self) -> list[Submission]:
        """Every submission, by its id."""
        return self._submissions(None)

    def state(self) -> tuple[str, ...]:
        """The names of all descriptions and notes: another state, another board."""
        return (*self._names("about"), *self._names("notes"))

    def trouble(self) -> str:
        """What visitors should know of the store's health, a sentence; nothing where it is well."""
        return ""

    def _known(self, name: str) -> Submission:
        submission = self.get(name)
        if submission is None:
            raise InputError(f"there is no submission {name[:ID_DIGITS]!r}")
        return submission

    def _submissions(self, wanted: set[str] | None) -> list[Submission]:
        notes: dict[str, list[str]] = {}
        for file in self._names("notes"):
            notes.setdefault(file.partition(".")[0], []).append(file)
        submissions = []
        for file in self._names("about"):
            name = file.removesuffix(".json")
            if wanted is None or name in wanted:
                events = sorted(notes.get(name, ()), key=lambda note: int(note.split(".")[1]))
                submissions.append(
                    Submission(
                        name,
                        self._read("about", file),
                        tuple(self._read("notes", event) for event in events),
                        self.folder / "traces" / f"{name}.jsonl",
                    )
                )
        return submissions

    def _names(self, kind: str) -> list[str]:
        try:
            names = os.listdir(self.folder / kind)
        except (FileNotFoundError, NotADirectoryError):
            return []
        return sorted(name for name in names if name.endswith(".json") and name[0] != ".")

    def _read(self, kind: str, file: str) -> Mapping[str, str]:
        name = f"{kind}/{file}"
        if (known := self._read_files.get(name)) is not None:
            return known
        try:
            value = json.loads((self.folder / name).read_text("utf-8"))
        except (OSError, ValueError):
            value = None
        if not isinstance(value, dict):
            # Written by another hand: nothing is known of it.
            return {}
        self._read_files[name] = value
        return value

    def _write(self, path: str, content: bytes) -> bool:
        """Write a file that is not there yet; says whether this call did."""
        try:
            return write_once(self.folder / path, content)
        except OSError as error:
            raise InputError(f"the submission cannot be kept ({why(error)})") from None


def now() -> str:
    """The time as texts keep it. Who came first keeps the place: seconds would tie."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="microseconds")


def content_id(content: bytes) -> str:
    """What a trace file is called."""
    return hashlib.sha256(content).hexdigest()[:ID_DIGITS]


def submission_files(content: bytes, about: Mapping[str, str]) -> dict[str, bytes]:
    """The files of a new submission by their paths, what makes it visible last."""
    digest = hashlib.sha256(content).hexdigest()
    name = digest[:ID_DIGITS]
    description = {**about, "sha256": digest, "bytes": str(len(content))}
    return {
        f"traces/{name}.jsonl": content,
        f"about/{name}.json": note_bytes({"id": name, **description}),
    }


def note_path(submission: Submission) -> str:
    """Where the next note about a submission goes."""
    return f"notes/{submission.id}.{len(submission.notes) + 1}.json"


def _same(submission: Submission, content: bytes) -> Submission:
    """The submission, if it holds this very content and not another of the same id."""
    if submission.about.get("sha256") != hashlib.sha256(content).hexdigest():
        raise InputError(f"another file has the id {submission.id}: change this one by a space")
    return submission


def note_bytes(value: Mapping[str, str]) -> bytes:
    """A description or a note as a file: one line, as readers of JSON lines expect it."""
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def write_once(path: Path, content: bytes) -> bool:
    """Write a file whole, to the disk, if it is not there yet; says whether it was not."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with new_file(path.parent, content) as new:
        try:
            os.link(new, path)
        except FileExistsError:
            return False
    _sync_folder(path.parent)
    return True


def _sync_folder(folder: Path) -> None:
    """The name of a new file is on the disk only when its folder is."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
