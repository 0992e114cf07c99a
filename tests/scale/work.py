"""What workers of the tests are given to do."""

import gc
import os
import signal
from pathlib import Path
from typing import NamedTuple

from dataset_builder.errors import InputError


class Fatal(NamedTuple):
    """A unit that kills its first workers, so many of them; ``folder`` holds a file for each."""

    folder: Path
    deaths: int

    def __str__(self) -> str:
        return "the fatal unit"


def square(number: int) -> int:
    return number * number


def refuse_three(number: int) -> int:
    if number == 3:
        raise InputError("three cannot be used")
    return number


def objects_between_looks(unit: object) -> int:
    """After how many new objects this process looks for cycles."""
    return gc.get_threshold()[0]


def interrupted(unit: object) -> str:
    """What Ctrl-C does to a worker."""
    os.kill(os.getpid(), signal.SIGINT)
    return "deaf"


def die(unit: object) -> str:
    """Nothing but its worker's death, until enough have died."""
    if isinstance(unit, Fatal):
        died = len(list(unit.folder.iterdir()))
        if died < unit.deaths:
            (unit.folder / str(died)).touch()
            os.kill(os.getpid(), signal.SIGKILL)
    return "done"
