"""What became of one procedure, as far as the horizon asks."""

from collections.abc import Mapping
from dataclasses import dataclass, field

Dial = str | int | float


@dataclass(frozen=True, slots=True)
class Outcome:
    """One procedure that a model was asked.

    ``right``: for each of its N calls, in order of execution, whether it was right. ``calls_right``:
    the step score, a fraction, which extra calls lower. ``is_limited``: the model's context or output
    ended before the answer did, which is no wrong call. ``dials``: how the procedure was made.
    """

    right: tuple[bool, ...]
    is_solved: bool
    calls_right: float
    is_limited: bool = False
    dials: Mapping[str, Dial] = field(default_factory=dict)

    @property
    def calls(self) -> int:
        """N, the number of its calls."""
        return len(self.right)

    @property
    def right_before_error(self) -> int:
        """The number of right calls before the first wrong one; N where none is wrong."""
        return self.right.index(False) if False in self.right else self.calls
