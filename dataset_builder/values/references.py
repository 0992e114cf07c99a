"""References between calls: ``{{2.total}}`` is field ``total`` of what the second call gave.

Tolerated spellings: spaces, ``{{step_2.total}}``, and ``[0]`` for an item of a list.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

MAX_RENDERED_CHARACTERS = 200_000
_BRACES = re.compile(r"\{\{([^{}]{1,200})\}\}")
_INNER = re.compile(r"\s*(?:step_)?([0-9]{1,6})\s*((?:\.[^.\[\]]+|\[\s*[0-9]{1,6}\s*\])*)\s*")
_SEGMENT = re.compile(r"\.([^.\[\]]+)|\[\s*([0-9]+)\s*\]")


@dataclass(frozen=True)
class Unresolved:
    """Stands where a reference points at nothing: equal to no expected value."""

    reference: str


def references(text: str) -> Iterator[tuple[re.Match[str], int, tuple[str, ...]]]:
    """Each reference in a text: where it stands, the call's number, and the path below it."""
    for match in _BRACES.finditer(text):
        inner = _INNER.fullmatch(match[1])
        if inner is not None:
            yield (
                match,
                int(inner[1]),
                tuple((m[1] or m[2]).strip() for m in _SEGMENT.finditer(inner[2])),
            )


def dig(value: Any, path: str | Sequence[str]) -> Any:
    """What stands at a dotted path below a JSON value; `Unresolved` where nothing does."""
    segments = path.split(".") if isinstance(path, str) else path
    for segment in segments:
        if isinstance(value, dict) and segment in value:
            value = value[segment]
        elif isinstance(value, list) and segment.isdecimal() and int(segment) < len(value):
            value = value[int(segment)]
        else:
            return Unresolved(".".join(segments))
    return value


def project(value: Any, path: str) -> Any:
    """As `dig`, where a segment ``*`` stands for every item of a list: ``records.*.price``."""
    head, star, rest = path.partition("*")
    part = dig(value, head.rstrip(".")) if head else value
    if not star or isinstance(part, Unresolved):
        return part
    if not isinstance(part, list):
        return Unresolved(path)
    items = [project(item, rest.lstrip(".")) if rest else item for item in part]
    return next((item for item in items if isinstance(item, Unresolved)), items)


def render(value: Any) -> str:
    """A value inside a text: numbers as ``.12g``, text as it is, other JSON compact."""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:.12g}"
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def resolve(value: Any, outputs: Sequence[Any]) -> Any:
    """The argument value with its references replaced by what earlier calls gave.

    ``outputs``: one per earlier call, in order; None where the call gave nothing to refer to.
    A reference that stands alone keeps the type of what it points at. A string with a reference to
    nothing, or to more than `MAX_RENDERED_CHARACTERS` over all arguments, becomes `Unresolved`. What
    is put in is never resolved again.
    """
    return _resolve(value, outputs, [MAX_RENDERED_CHARACTERS])


def _resolve(value: Any, outputs: Sequence[Any], room: list[int]) -> Any:
    """As `resolve`; ``room`` holds how much may still be put in, over all arguments."""
    if isinstance(value, str):
        return _resolve_text(value, outputs, room) if "{{" in value else value
    if isinstance(value, dict):
        return {key: _resolve(item, outputs, room) for key, item in value.items()}
    if isinstance(value, list):
        return [_resolve(item, outputs, room) for item in value]
    return value


def _resolve_text(text: str, outputs: Sequence[Any], room: list[int]) -> Any:
    pieces: list[str] = []
    end = 0
    for match, number, path in references(text):
        output = outputs[number - 1] if 1 <= number <= len(outputs) else None
        value = Unresolved(match[0]) if output is None else dig(output, path)
        if isinstance(value, Unresolved):
            return Unresolved(match[0])
        if match[0] == text.strip():
            # Put in as often as they can be written, even short references to a list would be long.
            room[0] -= _size(value) if room[0] >= 0 else 0
            return value if room[0] >= 0 else Unresolved(match[0])
        piece = render(value)
        room[0] -= len(piece)
        if room[0] < 0:
            return Unresolved(match[0])
        pieces += [text[end : match.start()], piece]
        end = match.end()
    return "".join([*pieces, text[end:]]) if pieces else text


def _size(value: Any) -> int:
    """Characters and values in an output or a part of it."""
    size, pending = 0, [value]
    while pending:
        node = pending.pop()
        size += len(node) if isinstance(node, str) else 1
        if isinstance(node, dict):
            pending.extend(node.values())
        elif isinstance(node, list):
            pending.extend(node)
    return size


def unresolved(value: Any) -> Unresolved | None:
    """The first `Unresolved` anywhere in a resolved argument."""
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, Unresolved):
            return node
        if isinstance(node, dict):
            pending.extend(node.values())
        elif isinstance(node, list):
            pending.extend(node)
    return None
