"""References in any text, to any outputs: found, resolved and put in within bounds."""

import json
from collections.abc import Iterator
from typing import Any

from dataset_builder.values.references import (
    MAX_RENDERED_CHARACTERS,
    Unresolved,
    dig,
    project,
    references,
    resolve,
    unresolved,
)
from tests.fuzz.checks import json_of, settled

_OUTPUTS: list[Any] = [
    {"a": 1.5, "b": {"c": [1, "x", None, {"d": True}]}, "": 0, "0": "zero"},
    None,
    {"text": "{{1.a}} and {{3.text}}", "list": [[1, 2], [3]], "long": "y" * 50},
]
_WRITTEN = (
    *("{{1.a}}", " {{ step_1.b.c[0] }} ", "{{1.b.c.3.d}}", "{{1.}}", "{{2.a}}", "{{3}}"),
    *("{{1.a}} and {{3.text}}, {{3.list[0][1]}}", "{{{1.a}}}", "{{9.a}}", "{{000001.b.c[ 1 ]}}"),
)


def seeds() -> Iterator[bytes]:
    """Spellings of references as text, and in arguments beside other outputs than the usual ones."""
    for text in _WRITTEN:
        yield text.encode()
        yield json.dumps({"value": {"x": [text, 1]}, "outputs": _OUTPUTS}).encode()


def check(data: bytes) -> None:
    """What a value resolves to, and what stands at each path that its texts name."""
    value, outputs = _parts(data)
    resolved = settled(lambda: resolve(value, outputs))
    assert unresolved(resolved) is None or unresolved(value) is None
    if isinstance(value, str):
        if isinstance(resolved, str):
            assert len(resolved) <= len(value) + MAX_RENDERED_CHARACTERS
        for match, number, path in references(value):
            assert 0 <= number <= 999_999, match[0]
            for output in outputs:
                found = dig(output, path)
                assert isinstance(found, Unresolved) or dig(output, list(path)) == found
                project(output, ".".join(path))


def _parts(data: bytes) -> tuple[Any, list[Any]]:
    parts = json_of(data)
    if isinstance(parts, dict) and isinstance(parts.get("outputs"), list):
        outputs = [out if isinstance(out, dict) else None for out in parts["outputs"]]
        return parts.get("value"), outputs
    return data.decode(errors="replace"), _OUTPUTS
