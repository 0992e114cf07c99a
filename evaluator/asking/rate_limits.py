"""Keeps a run within a provider's limits, and asks again when it was not: bounded and visible.

The clock and the sleep are arguments, so that tests need not wait.
"""

import asyncio
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from evaluator.asking.request_reply import Infrastructure
from evaluator.traces.error_kinds import RETRIED

T = TypeVar("T")
Sleep = Callable[[float], Awaitable[None]]

WINDOW_S = 60.0


@dataclass(frozen=True)
class Retries:
    """How often and how patiently a request is made again.

    Waits double from ``first_s`` (longer where a rate limit was met, which is often one of a minute)
    up to ``longest_s``, each shortened at random by up to half so that requests that failed
    together do not return together. A provider's Retry-After is kept as it is; one beyond
    ``patience_s`` ends the attempts, and so does a server that fails every request for
    ``dead_after_s``.
    """

    attempts: int = 8
    first_s: float = 0.5
    first_when_limited_s: float = 2.0
    longest_s: float = 30.0
    patience_s: float = 120.0
    dead_after_s: float = 16.0

    def wait_s(self, failure: Infrastructure, attempt: int, jitter: float) -> float | None:
        """Seconds to wait after the ``attempt``-th failure (from 1); None: do not ask again.

        ``jitter`` is in [0, 1).
        """
        if failure.kind not in RETRIED or attempt >= self.attempts:
            return None
        first = self.first_when_limited_s if failure.kind == "rate_limit" else self.first_s
        delay = min(self.longest_s, first * 2.0 ** (attempt - 1)) * (1 - jitter / 2)
        if failure.retry_after is None:
            return delay
        if failure.retry_after > self.patience_s:
            return None
        return max(failure.retry_after, 0.0) + delay * jitter / 2


@dataclass
class Limits:
    """At most so many requests at once, and so many requests and tokens in any minute.

    None means no limit. One that a provider makes known by its Retry-After holds for all requests.
    """

    concurrency: int = 8
    rpm: int | None = None
    tpm: int | None = None
    clock: Callable[[], float] = time.monotonic
    sleep: Sleep = asyncio.sleep
    waiting: int = 0
    """How many requests wait for the limit or for their next attempt."""
    retried: int = 0
    """How many attempts have been made again."""
    _recent: deque[tuple[float, int]] = field(default_factory=deque)
    _tokens: int = 0
    _paused_until: float = 0.0
    _failing_since: float | None = None

    def __post_init__(self) -> None:
        self._slots = asyncio.Semaphore(self.concurrency)
        self._turn = asyncio.Lock()

    async def ask(
        self,
        attempt: Callable[[], Awaitable[T]],
        tokens: int,
        retries: Retries,
        jitter: Callable[[], float] = random.random,
    ) -> T:
        """What ``attempt`` gives, made again where that may help; the last Infrastructure otherwise.

        ``tokens``: about how many the request costs.
        """
        number = 0
        while True:
            number += 1
            try:
                async with self._slots:
                    await self._admit(tokens)
                    result = await attempt()
            except Infrastructure as failure:
                wait = retries.wait_s(failure, number, jitter())
                if wait is None or self._is_dead(failure, wait, retries):
                    raise
                self.retried += 1
                if failure.kind == "rate_limit" and failure.retry_after is not None:
                    self._paused_until = max(self._paused_until, self.clock() + failure.retry_after)
                await self._wait(wait)
            else:
                self._failing_since = None
                return result

    def _is_dead(self, failure: Infrastructure, wait: float, retries: Retries) -> bool:
        """Whether nothing but failures will have come for so long that the next attempt is vain."""
        if failure.kind == "rate_limit":
            return False
        if self._failing_since is None:
            self._failing_since = self.clock()
        return self.clock() + wait - self._failing_since >= retries.dead_after_s

    async def _wait(self, seconds: float) -> None:
        self.waiting += 1
        try:
            await self.sleep(seconds)
        finally:
            self.waiting -= 1

    async def _admit(self, tokens: int) -> None:
        """Wait until one more request of so many tokens keeps all limits, first come first served."""
        self.waiting += 1
        try:
            async with self._turn:
                while (delay := self._delay(tokens)) > 0:
                    await self.sleep(delay)
                self._recent.append((self.clock(), tokens))
                self._tokens += tokens
        finally:
            self.waiting -= 1

    def _delay(self, tokens: int) -> float:
        now = self.clock()
        while self._recent and self._recent[0][0] <= now - WINDOW_S:
            self._tokens -= self._recent.popleft()[1]
        delay = self._paused_until - now
        if not self._recent:
            return delay
        oldest = self._recent[0][0] + WINDOW_S - now
        full = self.rpm is not None and len(self._recent) >= self.rpm
        spent = self.tpm is not None and self._tokens + tokens > self.tpm
        return max(delay, oldest) if full or spent else delay
