"""What was computed from traces once, kept in the user's own cache: never beside the traces.

    $XDG_CACHE_HOME/comptoolbench/scores/<key>.json      (~/.cache where that is not set)

Who hands on a run folder can write into it, so nothing in it is believed but the traces. An entry is
found by a digest of all that it was computed from, the code included, and can be deleted at any time.
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

from dataset_builder.read_files import read_plain
from dataset_builder.write_files import write_whole

MAX_ENTRIES = 1_000
_PACKAGES = ("dataset_builder", "evaluator")


def cached(
    depends: Sequence[Any],
    compute: Callable[[], Any],
    environment: Mapping[str, str] = os.environ,
) -> Any:
    """The JSON value that ``compute`` gives; ``depends``, JSON too, is all that it hangs on.

    Where there is no cache, or a damaged entry, the value is computed.
    """
    folder = cache_folder(environment)
    if folder is None:
        return compute()
    key = json.dumps([code_digest(), platform.python_version(), *depends], sort_keys=True)
    file = folder / f"{_sha256(key.encode())}.json"
    if (found := _read(file)) is not None:
        return found[0]
    value = compute()
    _write(file, value)
    return value


def cache_folder(environment: Mapping[str, str]) -> Path | None:
    """The folder of entries, made where it is missing; None where strangers could write there."""
    home = environment.get("XDG_CACHE_HOME", "")
    try:
        # The specification has a relative path ignored: it would be any folder's that one works in.
        base = Path(home) if os.path.isabs(home) else Path.home() / ".cache"
        base.mkdir(parents=True, exist_ok=True)
        folder = base / "comptoolbench" / "scores"
        for each in (folder.parent, folder):
            each.mkdir(mode=0o700, exist_ok=True)
            if not _is_own(each.lstat()):
                return None
    except (OSError, RuntimeError, ValueError):
        return None
    return folder


def _is_own(found: os.stat_result) -> bool:
    if not stat.S_ISDIR(found.st_mode):
        return False
    if not hasattr(os, "getuid"):  # Windows: a user's profile is the user's.
        return True
    return found.st_uid == os.getuid() and not found.st_mode & 0o022


@lru_cache(maxsize=1)
def code_digest() -> str:
    """A digest of all that computes scores, facts that tools know among it.

    Only a version would be forgotten now and then.
    """
    home = Path(__file__).resolve().parents[2]
    files = (file for name in _PACKAGES for file in sorted((home / name).rglob("*")))
    digest = hashlib.sha256()
    for file in files:
        if file.is_file() and file.suffix != ".pyc":
            digest.update(f"{file.relative_to(home)} {_sha256(file.read_bytes())}\n".encode())
    return digest.hexdigest()


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read(file: Path) -> tuple[Any] | None:
    """The value of an entry; None where there is none, or one that is not as it was written."""
    try:
        digest, _, content = read_plain(file).partition(b"\n")
    except OSError:
        return None
    return (json.loads(content),) if digest.decode("ascii", "replace") == _sha256(content) else None


def _write(file: Path, value: Any) -> None:
    """Keep a value; a disk that refuses costs no more than time."""
    content = json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    try:
        write_whole(file, _sha256(content).encode() + b"\n" + content)
        entries = sorted(file.parent.glob("*.json"), key=lambda each: each.stat().st_mtime_ns)
        for entry in entries[:-MAX_ENTRIES]:
            entry.unlink(missing_ok=True)
    except OSError:
        return
