"""Files and folders that are written whole, so that nobody ever reads half of one."""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dataset_builder.read_files import named


@contextmanager
def new_file(folder: Path, content: bytes) -> Iterator[Path]:
    """A file with a name of its own, on the disk; to be renamed or linked, and gone afterwards.

    OSError where there is no such folder or the disk refuses.
    """
    with _named_as(folder):
        descriptor, name = tempfile.mkstemp(dir=folder, prefix=".new-", suffix=".tmp")
    new = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        new.chmod(0o644)
        yield new
    finally:
        new.unlink(missing_ok=True)


def write_whole(path: Path, content: bytes) -> None:
    """Put a file in place of another at once, on the disk when this returns.

    OSError where there is no such folder or the disk refuses; then the old file stands.
    """
    with new_file(path.parent, content) as new:
        new.replace(path)


@contextmanager
def _named_as(path: Path) -> Iterator[None]:
    """Has an OSError of the body name what was asked for, and not a name that was made up here."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


# Folders --------------------------------------------------------------------------------------


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
        with _named_as(folder):
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
