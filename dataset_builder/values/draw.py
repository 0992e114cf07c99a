"""Random choices that depend on nothing but a key and a label: SHA-256 in place of a generator's state.

Every choice has a label of its own, so that a new choice changes no other.
"""

import hashlib
from collections.abc import Iterable, Sequence
from struct import Struct
from typing import TypeVar

T = TypeVar("T")
_first_eight = Struct(">Q24x").unpack


class Draw:
    """Choices under one key."""

    __slots__ = ("_sha",)

    def __init__(self, key: str) -> None:
        """``key``: everything that the choices depend on, as text."""
        self._sha = hashlib.sha256(f"{key}|".encode())

    def _bits(self, label: str) -> int:
        sha = self._sha.copy()
        sha.update(label.encode())
        bits: int = _first_eight(sha.digest())[0]
        return bits

    def fraction(self, label: str) -> float:
        """A number in [0, 1), evenly spread."""
        return (self._bits(label) >> 11) / (1 << 53)

    def ranks(self, labels: Iterable[bytes]) -> list[float]:
        """A number for each label (UTF-8), by which they rank as by `fraction`."""
        drawn: list[float] = []
        for label in labels:
            sha = self._sha.copy()
            sha.update(label)
            drawn.append(_first_eight(sha.digest())[0] >> 11)
        return drawn

    def integer(self, label: str, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + self._bits(label) % (high - low + 1)

    def number(self, label: str, low: float, high: float, digits: int = 2) -> float:
        """A number from low to high, rounded to ``digits`` decimals."""
        return round(low + (high - low) * self.fraction(label), digits)

    def spread(self, label: str, mean: float, width: float) -> float:
        """A number within ± width of the mean, the middle likelier (mean of three even draws)."""
        total = sum(self.fraction(f"{label}.{i}") for i in range(3))
        return mean + width * (total / 1.5 - 1)

    def choice(self, label: str, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self._bits(label) % len(options)]

    def sample(self, label: str, options: Sequence[T], count: int) -> list[T]:
        """``count`` different options (all, where there are fewer), in random order."""
        if count == 1 and options:
            # Most often asked, and of pools that are long to copy.
            return [options[self._bits(f"{label}.0") % len(options)]]
        remaining = list(options)
        labelled = self._sha.copy()
        labelled.update(f"{label}.".encode())
        drawn = []
        for position in range(min(count, len(remaining))):
            sha = labelled.copy()
            sha.update(b"%d" % position)
            drawn.append(remaining.pop(_first_eight(sha.digest())[0] % len(remaining)))
        return drawn

    def token(self, label: str, length: int) -> str:
        """Lower-case hexadecimal characters, at most 64."""
        sha = self._sha.copy()
        sha.update(label.encode())
        return sha.hexdigest()[:length]
