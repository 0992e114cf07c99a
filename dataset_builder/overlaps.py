"""Where two tools can answer the same need: the reviewed table of twins, and how it is applied."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from dataset_builder.canonical import fold
from dataset_builder.facts import load
from dataset_builder.surfaces import stands

_NAME = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True)
class Overlap:
    """``twin`` gives what ``tool`` gives, unless a cue in the prompt says which one is meant.

    ``arguments``: the twin's argument → text with the tool's arguments in braces (``{values}`` alone
    keeps its type), or a value as it is. ``outputs``: the tool's output field → the twin's; empty
    where the two meet the same need with values of their own, so that a cue must decide. ``cues``:
    words of which each alone makes ``tool`` the only right choice. ``example``: arguments for which
    both give the same.
    """

    tool: str
    twin: str
    arguments: Mapping[str, Any]
    outputs: Mapping[str, str]
    cues: tuple[str, ...]
    note: str = ""
    example: Mapping[str, Any] = field(default_factory=dict)

    def decided(self, prompt: str) -> bool:
        """Whether a cue word in the prompt excludes the twin."""
        folded = fold(prompt)
        return any(cue in folded and stands(cue, prompt) for cue in self._folded)

    @cached_property
    def _folded(self) -> tuple[str, ...]:
        return tuple(map(fold, self.cues))

    def twin_arguments(self, arguments: Mapping[str, Any]) -> dict[str, Any] | None:
        """The twin's arguments for a call of the tool; None where one that it needs is not given."""
        translated = {}
        for name, text in self.arguments.items():
            if not isinstance(text, str):
                translated[name] = text
                continue
            needed = _NAME.findall(text)
            if any(key not in arguments for key in needed):
                return None
            if len(needed) == 1 and text == f"{{{needed[0]}}}":
                translated[name] = arguments[needed[0]]
            else:
                translated[name] = _NAME.sub(lambda m: f"{arguments[m[1]]}", text)
        return translated


@lru_cache(maxsize=1)
def overlaps() -> dict[str, tuple[Overlap, ...]]:
    """The table, by the tool that is expected."""
    table: dict[str, tuple[Overlap, ...]] = {}
    for row in load("overlaps"):
        entry = Overlap(**row | {"cues": tuple(row["cues"])})
        table[entry.tool] = (*table.get(entry.tool, ()), entry)
    return table


def twins_of(tool: str) -> Iterator[str]:
    """The tools that overlap with a tool, in either direction."""
    for entries in overlaps().values():
        for entry in entries:
            if entry.tool == tool:
                yield entry.twin
            elif entry.twin == tool:
                yield entry.tool
