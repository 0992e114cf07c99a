"""What was computed once, as JSON, kept in a folder of its own.

    $XDG_CACHE_HOME/comptoolbench/<name>/<key>.json      (~/.cache where that is not set)

An entry is found by a digest of all that it was computed from, the code included. Its first line is the
SHA-256 of the rest: what is damaged, or was written by hand, is no entry. All of it can be deleted at any
time.
"""

import hashlib
import json
import os
import platform
import stat
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import tzdata

from dataset_builder.read_files import read_plain
from dataset_builder.write_files import write_whole


class ValueCache:
    """A folder of computed JSON values by their keys (`key_of`)."""

    def __init__(self, folder: Path, most: int | None = None) -> None:
        """The folder is made when the first value comes; beyond ``most`` the oldest entries go."""
        self._folder, self._most = folder, most

    def read(self, key: str) -> Any:
        """A value; None where there is none, or one that is not as it was written."""
        try:
            digest, _, content = read_plain(self._file(key)).partition(b"\n")
            return json.loads(content) if digest == _seal(content) else None
        except (OSError, ValueError):
            return None

    def write(self, key: str, value: Any) -> None:
        """Keep a value other than None; a disk that refuses costs no more than time."""
        content = json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_whole(self._file(key), _seal(content) + b"\n" + content)
            self._drop_oldest()
        except OSError:
            return

    def _file(self, key: str) -> Path:
        return self._folder / f"{key}.json"

    def _drop_oldest(self) -> None:
        if self._most is not None:
            entries = sorted(self._folder.glob("*.json"), key=lambda each: each.stat().st_mtime_ns)
            for entry in entries[: -self._most]:
                entry.unlink(missing_ok=True)


def key_of(depends: Sequence[Any], packages: Sequence[str]) -> str:
    """The key of what hangs on these JSON values and on the code of some packages of ours.

    And on Python and the time zones, the one library that brings facts.
    """
    code = code_digest(tuple(packages))
    around = [platform.python_version(), tzdata.IANA_VERSION]
    made_of = json.dumps([code, *around, *depends], sort_keys=True)
    return _sha256(made_of.encode())


@lru_cache
def code_digest(packages: tuple[str, ...]) -> str:
    """A digest of all files of the packages, facts that tools know among them.

    Only a version would be forgotten now and then.
    """
    home = Path(__file__).resolve().parents[1]
    files = (file for name in packages for file in sorted((home / name).rglob("*")))
    digest = hashlib.sha256()
    for file in files:
        if file.is_file() and file.suffix != ".pyc":
            digest.update(f"{file.relative_to(home)} {_sha256(file.read_bytes())}\n".encode())
    return digest.hexdigest()


def _seal(content: bytes) -> bytes:
    return _sha256(content).encode()


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


# The user's own -------------------------------------------------------------------------------


def kept(folder: Path | None, most: int, key: str, compute: Callable[[], Any]) -> Any:
    """The JSON value of that key in a `cache_folder`; computed where there is none, or no folder."""
    if folder is None:
        return compute()
    cache = ValueCache(folder, most)
    value = cache.read(key)
    if value is None:
        value = compute()
        cache.write(key, value)
    return value


def cache_folder(name: str, environment: Mapping[str, str] = os.environ) -> Path | None:
    """The user's folder for entries of a sort, made where it is missing.

    None where strangers could write there.
    """
    home = environment.get("XDG_CACHE_HOME", "")
    try:
        # The specification has a relative path ignored: it would be any folder's that one works in.
        base = Path(home) if os.path.isabs(home) else Path.home() / ".cache"
        base.mkdir(parents=True, exist_ok=True)
        folder = base / "comptoolbench" / name
        for each in (folder.parent, folder):
            each.mkdir(mode=0o700, exist_ok=True)
            if not _is_private(each.lstat()):
                return None
    except (OSError, RuntimeError, ValueError):
        return None
    return folder


def _is_private(status: os.stat_result) -> bool:
    """Whether it is the user's folder, where nobody else may write."""
    if not stat.S_ISDIR(status.st_mode):
        return False
    if not hasattr(os, "getuid"):  # Windows: a user's profile is the user's.
        return True
    return status.st_uid == os.getuid() and not status.st_mode & 0o022
