"""The dials of a procedure: what may be asked of the composer, each independent of the others."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from dataset_builder.errors import InputError

MOST_CALLS = 1_024
MOST_FAN_IN = 5
MOST_NEAR = 20
CHOICES: Mapping[str, tuple[str, ...]] = {
    "reach": ("near", "mixed", "far"),
    "order": ("executed", "shuffled"),
    "naming": ("number", "description"),
    "form": ("list", "prose"),
    "catalogue": ("task", "full"),
}


@dataclass(frozen=True, slots=True)
class Dials:
    """How a procedure is made.

    ``depth``: calls in its longest chain (None: as it comes). ``reach``: whether results are used
    soon or late. ``fan_in``: most results that one call takes (None: as it comes, up to 5).
    ``order``: listed as executed, or shuffled. ``naming``: results by the number of their step, or
    by what they are. ``catalogue``: whether the task offers its own tools or all. ``near``: how many
    tools of a needed one's category are offered beside.
    """

    depth: int | None = None
    reach: str = "mixed"
    fan_in: int | None = None
    order: str = "executed"
    naming: str = "description"
    form: str = "list"
    catalogue: str = "task"
    near: int = 4

    @property
    def is_numbered(self) -> bool:
        """Whether the prompt numbers the steps."""
        return self.form == "list" or self.naming == "number"

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> "Dials":
        """The dials by their names; InputError for one that does not exist."""
        known = [field.name for field in fields(cls)]
        for name in values:
            if name not in known:
                raise InputError(f"there is no dial {name!r} ({', '.join(known)})")
        return cls(**values)

    def check(self, calls: int) -> None:
        """Raise InputError unless a procedure of so many calls can have these dials."""
        if not _is_whole(calls, 1, MOST_CALLS):
            raise InputError(f"a procedure has 1 to {MOST_CALLS:,} calls, not {calls!r}")
        for name, choices in CHOICES.items():
            if (value := getattr(self, name)) not in choices:
                raise InputError(f"the dial {name} is {' or '.join(choices)}, not {value!r}")
        if self.depth is not None and not _is_whole(self.depth, 1, calls):
            raise InputError(
                f"the dial depth is 1 to {calls} for {calls} calls, not {self.depth!r}"
            )
        widest = min(MOST_FAN_IN, calls - 1)
        if self.fan_in is not None and not _is_whole(self.fan_in, 0, widest):
            raise InputError(
                f"the dial fan_in is 0 to {widest} for {calls} calls, not {self.fan_in!r}"
            )
        if None not in (self.depth, self.fan_in) and (self.depth == 1) != (self.fan_in == 0):
            raise InputError("a depth of 1 and a fan_in of 0 go together: nothing flows")
        if not _is_whole(self.near, 0, MOST_NEAR):
            raise InputError(f"the dial near is 0 to {MOST_NEAR}, not {self.near!r}")


def _is_whole(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high
