"""Who waits, who runs, and whose turn it is."""

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from space.jobs.job import JobFolder
from space.jobs.providers import Access


@dataclass
class Waiting:
    """A job whose turn has not come. Its key is held here and nowhere else, until then."""

    access: Access
    owner: str
    is_local: bool


@dataclass
class Running:
    """A job whose process lives, or has just ended."""

    folder: JobFolder
    owner: str
    is_local: bool
    pid: int
    process: subprocess.Popen[bytes] | None
    """None where an earlier page started it."""
    since: float = field(default_factory=time.monotonic)
    kill_at: float | None = None
    reason: str = ""

    def has_ended(self) -> bool:
        """Whether its process is gone."""
        if self.process is not None:
            return self.process.poll() is not None
        return not self.folder.is_running()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process and those that it started."""
        # Who is waited for, or holds the lock, is no other process of the same number.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)


def startable(
    waiting: Sequence[tuple[str, bool]], running: Sequence[bool], slots: int
) -> list[str]:
    """Whose turn it is: in order, but the local model is asked by one job at a time.

    ``waiting``: name, and whether it asks the local model, which ``running`` says of each that runs.
    """
    free, is_local_free = slots - len(running), not any(running)
    chosen: list[str] = []
    for name, is_local in waiting:
        if len(chosen) < free and (is_local_free or not is_local):
            chosen.append(name)
            is_local_free = is_local_free and not is_local
    return chosen
