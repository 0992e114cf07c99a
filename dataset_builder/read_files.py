"""Files that somebody names, read only where they are plain ones; folders made whole beside their place."""

import errno
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


def open_plain(path: Path) -> BinaryIO:
    """A plain file, opened for reading; OSError where there is none.

    A pipe would be waited for without end, a device read without end.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    raise OSError(errno.EINVAL, "is no plain file", str(path))


def read_plain(path: Path) -> bytes:
    """The bytes of a plain file; OSError where there is none."""
    with named(path), open_plain(path) as file:
        return file.read()


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Has an OSError of the body name a file, this one where it names none itself."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


# Folders made whole ---------------------------------------------------------------------------


@contextmanager
def scratch_beside(folder: Path) -> Iterator[Path]:
    """A new folder beside another, in which to make what takes its place; gone afterwards.

    What a killed process left behind there is removed first. OSError where nothing can be made.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with named(folder):
        for stale in folder.parent.glob(f".{_literal(folder.name)}-*.making"):
            if re.fullmatch(rf"\.{re.escape(folder.name)}-\w{{8}}\.making", stale.name):
                _remove_where_nobody_is(stale)
        scratch, lock = _locked_folder(folder)
        try:
            yield scratch
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
            if lock is not None:
                os.close(lock)


def _literal(name: str) -> str:
    """A name as a pattern of `glob` that matches nothing else."""
    return re.sub(r"([*?[])", r"[\1]", name)


def _locked_folder(folder: Path) -> tuple[Path, int | None]:
    """A scratch folder whose lock dies with this process."""
    while True:
        scratch = Path(tempfile.mkdtemp(".making", f".{folder.name}-", folder.parent))
        lock = _lock(scratch)
        if scratch.exists():
            return scratch, lock
        # Between its making and its lock somebody took it for one that was left behind.
        if lock is not None:
            os.close(lock)


def _remove_where_nobody_is(scratch: Path) -> None:
    if (lock := _lock(scratch)) is not None:
        shutil.rmtree(scratch, ignore_errors=True)
        os.close(lock)


def _lock(folder: Path) -> int | None:
    """A lock on a folder; None where another process has it, or the system has no such lock."""
    try:
        import fcntl
    except ImportError:  # Windows has no such lock, and what is left behind stays.
        return None
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
        else:
            return descriptor
    return None
