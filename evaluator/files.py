"""Files that are replaced whole, so that nobody ever reads half of one."""

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Put a file in place of another at once, on the disk when this returns.

    OSError where there is no such folder or the disk refuses; then the old file stands.
    """
    descriptor, new = tempfile.mkstemp(dir=path.parent, prefix=".new-", suffix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(new, 0o644)
        os.replace(new, path)
    except BaseException:
        os.unlink(new)
        raise
