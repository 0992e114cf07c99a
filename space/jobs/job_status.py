"""A job as its page shows it: its state, how far it is, and its place in the queue."""

from dataclasses import dataclass

from space.jobs.job import Record
from space.jobs.job_progress import Progress

WAITING, RUNNING, COMPLETE, STOPPED = "waiting", "running", "complete", "stopped"


@dataclass(frozen=True)
class Look:
    """A job as its page shows it."""

    id: str
    record: Record
    state: str
    """``waiting``, ``running``, ``complete`` or ``stopped``."""
    progress: Progress
    fresh: Progress | None = None
    """Of the fresh tasks; None where none are asked."""
    place: int = 0
    """In the queue, from 1; 0 outside of it."""
    is_ending: bool = False
    """Whether its process was told to end."""
    is_stuck: bool = False
    """Whether the queue does not move at the moment."""


def state_of(progress: Progress, fresh: Progress | None, has_process: bool, place: int) -> str:
    """The state of a job with or without a process, at a place in the queue or at none (0)."""
    if has_process:
        return RUNNING
    if place:
        return WAITING
    is_complete = progress.is_complete and (fresh is None or fresh.is_complete)
    return COMPLETE if is_complete else STOPPED
