"""Mutations that keep an input what it is: JSON, JSON lines, or a text with the words of its trade."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tests.tools.tool_cases import HOSTILE

MOST_HOSTILE = 300
"""Longer values would fill an input; tests of their own try them."""
_STRUCTURED = 0.8


class Mutator:
    """Changes an input; ``seeds`` lend the names and values that are put into others."""

    def __init__(self, seeds: Sequence[bytes], mutate: Callable[[bytes, int], bytes]) -> None:
        """``mutate``: the fuzzer's own way with bytes, of at most so many."""
        self._mutate = mutate
        found: dict[str, None] = {}
        for value in (*HOSTILE, *(value for seed in seeds for value in _leaves(seed))):
            if isinstance(value, str | list | dict) and len(value) > MOST_HOSTILE:
                continue
            try:
                written = json.dumps(value)
            except (TypeError, ValueError, RecursionError):
                continue  # no JSON has it
            if len(written) <= MOST_HOSTILE:
                found[written] = None
        self._values = list(found)
        """As JSON texts: whoever takes one gets one of their own."""
        self._words = [word.strip('"').encode() for word in found if len(word) > 2]
        self._names = [json.loads(word) for word in found if word.startswith('"')]

    def __call__(self, data: bytes, most: int, seed: int) -> bytes:
        """The input with something changed, at most so many bytes."""
        rng = random.Random(seed)
        if rng.random() < _STRUCTURED:
            try:
                changed = self._structured(data, rng)
            except (ValueError, RecursionError):
                changed = data  # no line of JSON, or one too deep to be written
            if changed != data and len(changed) <= most:
                return changed
        return self._text(data, most, rng)

    def _structured(self, data: bytes, rng: random.Random) -> bytes:
        """The input with one of its lines of JSON changed in a few places."""
        lines = data.split(b"\n")
        place = rng.randrange(len(lines))
        box = [json.loads(lines[place])]
        for _ in range(rng.choice((1, 1, 1, 2, 3, 5))):
            self._change(box, rng)
        lines[place] = json.dumps(box[0]).encode()
        return b"\n".join(lines)

    def _change(self, box: list[Any], rng: random.Random) -> None:
        """Change the value in a box of one at one place."""
        places = list(_places(box))
        container, key = rng.choice(places)
        other, other_key = rng.choice(places)
        value = container[key]
        way = rng.randrange(10)
        if way <= 2:
            container[key] = self._leaf(value, rng)
        elif way == 3:
            container[key] = self._value(rng)
        elif way == 4:
            container[key] = json.loads(json.dumps(other[other_key]))
        elif way == 5 and container is not box:
            del container[key]
        elif way == 6:
            wraps: tuple[Any, ...] = ([value], {"a": value}, json.dumps(value), [value, value])
            container[key] = rng.choice(wraps)
        elif isinstance(value, list):
            value.insert(rng.randint(0, len(value)), json.loads(json.dumps(other[other_key])))
        elif isinstance(value, dict):
            value[rng.choice(self._names)] = self._value(rng)

    def _leaf(self, value: Any, rng: random.Random) -> Any:
        """A number or text near to the one that is there; any value in place of another."""
        if isinstance(value, str):
            changed = self._text(value.encode(errors="replace"), len(value) + 40, rng)
            return changed.decode(errors="replace")
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e290:
            return rng.choice((value + 1, -value, value / 3, value * 10**9, str(value), int(value)))
        return self._value(rng)

    def _value(self, rng: random.Random) -> Any:
        return json.loads(rng.choice(self._values))

    def _text(self, data: bytes, most: int, rng: random.Random) -> bytes:
        start = rng.randint(0, len(data))
        end = min(len(data), start + rng.choice((0, 0, 1, 4, 16, 64)))
        way = rng.randrange(6)
        if way == 0:
            return (data[:start] + rng.choice(self._words) + data[end:])[:most]
        if way == 1:
            return data[:start] + data[end:]
        if way == 2:
            return (data[:end] + data[start:])[:most]
        return self._mutate(data, most) if most else b""


def _leaves(seed: bytes) -> Iterator[Any]:
    """The names and plain values in an input that is JSON, and the words of one that is not."""
    for line in seed.splitlines():
        try:
            box = [json.loads(line)]
        except (ValueError, RecursionError):
            yield from line.decode(errors="replace").split()
            continue
        for container, key in _places(box):
            yield from (key,) if isinstance(key, str) else ()
            if not isinstance(container[key], dict | list):
                yield container[key]


def _places(box: Any) -> Iterator[tuple[Any, Any]]:
    """Each container in a value and each key or position in it."""
    pending = [box]
    while pending:
        node = pending.pop()
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            yield node, key
            if isinstance(node[key], dict | list):
                pending.append(node[key])
