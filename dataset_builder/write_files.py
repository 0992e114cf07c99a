"""Files that are written whole, so that nobody ever reads half of one."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def new_file(folder: Path, content: bytes) -> Iterator[Path]:
    """A file with a name of its own, on the disk; to be renamed or linked, and gone afterwards.

    OSError where there is no such folder or the disk refuses.
    """
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
