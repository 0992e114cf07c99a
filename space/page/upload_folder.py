"""The folder of uploads: what is older than a visit is deleted, what an upload broke off left too."""

import os
import time
from pathlib import Path

from space.base.background_loop import Loop, survives

KEPT_S = 3600
"""For how long what a visitor uploaded and did not publish stays on disk, at least."""
_EVERY_S = 600.0


def keep_swept(folder: Path) -> Loop:
    """Begin to delete what is old in a folder that nobody else uses, now and every ten minutes."""

    def once() -> float:
        sweep(folder, time.time() - KEPT_S)
        return _EVERY_S

    loop = Loop("uploads", once)
    loop.wake()
    return loop


def sweep(folder: Path, before: float) -> None:
    """Delete the files last changed before a moment (seconds since 1970), and folders left empty."""
    for parent, folders, files in os.walk(folder, topdown=False):
        for name in files:
            survives("an upload", lambda file=Path(parent, name): _delete(file, before))  # type: ignore[misc]
        for name in folders:
            survives("a folder of uploads", lambda path=Path(parent, name): _drop(path, before))  # type: ignore[misc]


def _delete(file: Path, before: float) -> None:
    if file.lstat().st_ctime < before:
        file.unlink(missing_ok=True)


def _drop(path: Path, before: float) -> None:
    # An upload makes its folder a moment before it puts its file there.
    if path.lstat().st_ctime < before and not any(path.iterdir()):
        path.rmdir()
