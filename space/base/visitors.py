"""Who is asking, what they may do, and how often."""

import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass

from dataset_builder.errors import InputError
from space.base.settings import Settings

MOST_REMEMBERED = 10_000


@dataclass(frozen=True)
class Visitor:
    """Somebody in front of the page."""

    name: str | None
    """Login name; None where nobody is logged in."""
    address: str
    is_maintainer: bool = False

    @property
    def key(self) -> str:
        """What a limit counts by."""
        return f"name:{self.name}" if self.name else f"address:{self.address}"


def visitor_of(
    settings: Settings, login: str | None, address: str, forwarded: str | None
) -> Visitor:
    """The visitor of a request.

    ``forwarded`` is the X-Forwarded-For header, whose last entry the proxy of a hosted page wrote;
    what stands before it anybody may have. On a laptop the visitor is the machine's user.
    """
    if not settings.is_hosted:
        return Visitor(login or "local", address, is_maintainer=True)
    if forwarded:
        address = forwarded.rsplit(",", 1)[-1].strip() or address
    return Visitor(login, address, login is not None and login in settings.maintainers)


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
