"""Where two tools can answer the same need: the reviewed table of twins, and how it is applied."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import Any

from dataset_builder.values.canonical import fold
from dataset_builder.values.facts import load
from dataset_builder.values.references import render
from dataset_builder.values.surface_forms import folded_prompt, stands

# {name}, {name=default}, {name?} (left out where it is not given), {name| + } (its items, joined),
# {name#} (how many items it has).
_PLACE = re.compile(r"\{(\w+)(?:=([^{}]*)|(\?)|\|([^{}]+)|(#))?\}")


@dataclass(frozen=True)
class Overlap:
    """``twin`` gives what ``tool`` gives, unless a cue in the prompt says which one is meant.

    ``arguments``: the twin's argument → text with the tool's arguments in braces (``{values}`` alone
    keeps its type), or a value as it is. ``outputs``: the tool's output field → the twin's; empty
    where the two meet the same need with values of their own, so that a cue must decide. ``cues``:
    words of which each alone makes ``tool`` the only right choice; a row with outputs and no cue is
    right whatever the prompt says. ``example``: arguments for which both give the same. ``inputs``:
    of a twin that computes an expression the values that it has to be written with.
    """

    tool: str
    twin: str
    arguments: Mapping[str, Any]
    outputs: Mapping[str, str]
    cues: tuple[str, ...]
    note: str = ""
    example: Mapping[str, Any] = field(default_factory=dict)
    inputs: tuple[str, ...] = ()

    def decided(self, prompt: str) -> bool:
        """Whether a cue word in the prompt excludes the twin."""
        folded = folded_prompt(prompt)
        return any(cue in folded and stands(cue, prompt) for cue in self._folded)

    @cached_property
    def _folded(self) -> tuple[str, ...]:
        return tuple(map(fold, self.cues))

    def answers(self, used: Collection[str], fields: int) -> bool:
        """Whether the twin can give what is used of an output of so many ``fields``.

        Where nothing is used, the outcome itself is the answer; which of several fields the prompt
        asks for is then known from its cues alone.
        """
        return set(used) <= self.outputs.keys() and bool(used or self.cues or fields == 1)

    def twin_arguments(self, arguments: Mapping[str, Any]) -> dict[str, Any] | None:
        """The twin's arguments for a call of the tool; None where one that it needs is not given."""
        translated = {}
        for name, text in self.arguments.items():
            try:
                value = _filled(text, arguments) if isinstance(text, str) else text
            except LookupError:
                return None
            if value is not None:
                translated[name] = value
        return translated

    def twin_outputs(self, arguments: Mapping[str, Any]) -> dict[str, str] | None:
        """The tool's output paths → the twin's; None where a name in one is not given."""
        try:
            return {path: _filled(twin, arguments) for path, twin in self.outputs.items()}
        except LookupError:
            return None

    def rules(self, arguments: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """The match rules of the twin's arguments."""
        if not self.inputs:
            return {}
        filled = [_filled(text, arguments) for text in self.inputs]
        values = [
            item for value in filled for item in (value if isinstance(value, list) else [value])
        ]
        return {"expression": {"rule": "computes", "inputs": values}}


@cache
def _alone(text: str) -> re.Match[str] | None:
    """The place that is all of a text of the table."""
    whole = _PLACE.fullmatch(text)
    return whole if whole and not whole[4] and not whole[5] else None


def _filled(text: str, arguments: Mapping[str, Any]) -> Any:
    """A text with arguments in place of what stands in braces; one that stands alone keeps its type.

    None where it is optional and not given. KeyError where it is needed and not given, or no list.
    """
    if whole := _alone(text):
        return arguments.get(whole[1]) if whole[3] else _argument(whole, arguments)
    return _PLACE.sub(lambda match: _inside(match, arguments), text)


def _argument(place: re.Match[str], arguments: Mapping[str, Any]) -> Any:
    return arguments[place[1]] if place[2] is None else arguments.get(place[1], place[2])


def _inside(place: re.Match[str], arguments: Mapping[str, Any]) -> str:
    value = _argument(place, arguments)
    if not place[4] and not place[5]:
        return render(value)
    if not isinstance(value, list):
        raise KeyError(place[1])
    return str(len(value)) if place[5] else place[4].join(map(render, value))


@lru_cache(maxsize=1)
def overlaps() -> dict[str, tuple[Overlap, ...]]:
    """The table, by the tool that is expected."""
    table: dict[str, tuple[Overlap, ...]] = {}
    for row in load("overlaps"):
        lists = {"cues": tuple(row["cues"]), "inputs": tuple(row.get("inputs", ()))}
        entry = Overlap(**row | lists)
        table[entry.tool] = (*table.get(entry.tool, ()), entry)
    return table


@cache
def twins_of(tool: str) -> frozenset[str]:
    """The tools that overlap with a tool, in either direction."""
    every = [entry for entries in overlaps().values() for entry in entries]
    return frozenset(
        e.twin if e.tool == tool else e.tool for e in every if tool in (e.tool, e.twin)
    )
