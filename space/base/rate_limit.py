"""At most so many of something per visitor in a window of time."""

import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable

from dataset_builder.errors import InputError
from space.base.visitors import Visitor

MOST_REMEMBERED = 10_000


class RateLimit:
    """At most so many of something per visitor in any window of time."""

    def __init__(
        self, count: int, seconds: float, what: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """``what``: plural, for the message ("uploads")."""
        self._count, self._seconds, self._what, self._clock = count, seconds, what, clock
        self._lock = threading.Lock()
        self._seen: OrderedDict[str, deque[float]] = OrderedDict()

    def take(self, visitor: Visitor) -> None:
        """Count one; InputError with the time to wait where that is one too many.

        Who keeps the page is not limited.
        """
        if visitor.is_maintainer:
            return
        with self._lock:
            now = self._clock()
            times = self._seen.setdefault(visitor.key, deque())
            self._seen.move_to_end(visitor.key)
            while len(self._seen) > MOST_REMEMBERED:
                self._seen.popitem(last=False)
            while times and times[0] <= now - self._seconds:
                times.popleft()
            if len(times) >= self._count:
                minutes = math.ceil((times[0] + self._seconds - now) / 60)
                raise InputError(
                    f"too many {self._what}: at most {self._count} in "
                    f"{self._seconds / 60:g} minutes, so wait {minutes} more"
                )
            times.append(now)
