"""One thing that is measured, in one shape: files, made once; work, prepared and then timed."""

import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Work = Callable[[], object]


@dataclass(frozen=True)
class Measure:
    """A piece of work that is timed in a fresh process each time, so that nothing is warm by accident."""

    name: str
    prepare: Callable[[Path], Work]
    """The work over a folder; what it does itself, such as imports, is not timed."""
    files: Callable[[Path], object] | None = None
    """What fills the folder before; measures of one group with the same function share its folder."""
    rounds: int = 3
    waits: bool = False
    """Whether the time that counts is what a clock shows, and not what processors spent."""


@dataclass(frozen=True)
class Reading:
    """One run of a measure: seconds, and the most memory that one of its processes held in MB."""

    cpu: float
    """User and system time of the process and of the processes that it waited for."""
    wall: float
    mb: float | None
    """None where the system does not tell."""


def timed(work: Work) -> Reading:
    """The work, done once."""
    cpu, began = _cpu_seconds(), time.perf_counter()
    work()
    wall, spent = time.perf_counter() - began, _cpu_seconds() - cpu
    return Reading(spent, wall, _peak_mb())


def _cpu_seconds() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _peak_mb() -> float | None:
    """A process begins with the peak of who started it, so the own one is not that of getrusage."""
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    own = status.read_text("ascii").partition("VmHWM:")[2].split()[0]
    return max(int(own), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / 1024
