"""Waiting for what another thread or process does."""

import time
from collections.abc import Callable


def until(condition: Callable[[], object], seconds: float = 20) -> None:
    """Wait until it holds; AssertionError where it does not in that time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"it did not come to be within {seconds} seconds"
        time.sleep(0.01)
