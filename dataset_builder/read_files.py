"""Files that somebody names, read only where they are plain ones."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
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
