"""The repositories of the stand-in for the Hub (tests/stand_ins/hub.py), and who may use them."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

WRITER = "hf_standInWriter0000000000000000000"
READER = "hf_standInReader0000000000000000000"
DATE = "2026-11-22T00:00:00.000Z"


@dataclass(frozen=True)
class User:
    name: str
    namespaces: tuple[str, ...]
    role: str


USERS = {
    WRITER: User("maintainer", ("maintainer", "org"), "write"),
    READER: User("visitor", ("visitor",), "read"),
}


@dataclass(frozen=True)
class Commit:
    id: str
    message: str
    files: Mapping[str, bytes]


@dataclass
class Repository:
    """What one repository holds: its commits, oldest first, and its tags."""

    private: bool
    commits: list[Commit]
    tags: dict[str, str] = field(default_factory=dict)

    def at(self, revision: str) -> Commit | None:
        if revision == "main":
            return self.commits[-1]
        wanted = self.tags.get(revision, revision)
        return next((commit for commit in self.commits if commit.id == wanted), None)

    def files(self, revision: str = "main") -> dict[str, bytes]:
        commit = self.at(revision)
        assert commit is not None, f"no revision {revision}"
        return dict(commit.files)

    def commit(self, message: str, files: Mapping[str, bytes]) -> Commit:
        parent = self.commits[-1].id if self.commits else ""
        digest = hashlib.sha1(f"{parent}\n{message}\n{len(self.commits)}".encode())
        for path, content in sorted(files.items()):
            digest.update(f"{path}\n{oid(path, content)}\n".encode())
        self.commits.append(Commit(digest.hexdigest(), message, dict(files)))
        return self.commits[-1]


def is_lfs(path: str) -> bool:
    return path.endswith(".parquet")


def oid(path: str, content: bytes) -> str:
    """The SHA-256 of an LFS file, the git blob id of any other."""
    if is_lfs(path):
        return hashlib.sha256(content).hexdigest()
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def folder_entry(path: str, commit: Commit) -> dict[str, Any]:
    identity = hashlib.sha1(f"{commit.id}/{path}".encode()).hexdigest()
    return {"type": "directory", "oid": identity, "size": 0, "path": path}


def file_entry(path: str, commit: Commit) -> dict[str, Any]:
    content = commit.files[path]
    last = {"id": commit.id, "title": commit.message, "date": DATE}
    entry = {"type": "file", "path": path, "size": len(content), "lastCommit": last}
    if not is_lfs(path):
        return entry | {"oid": oid(path, content)}
    pointer = hashlib.sha1(b"pointer" + content).hexdigest()
    large = {"oid": oid(path, content), "size": len(content), "pointerSize": 130}
    return entry | {"oid": pointer, "lfs": large}
