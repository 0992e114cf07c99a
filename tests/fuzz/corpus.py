"""The targets, and the inputs that are kept of each: those that reach what its seeds do not.

`corpus/TARGET.jsonl` holds one input a line, as a JSON text with the bytes that are no UTF-8 escaped.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

TARGETS = (
    *("trace_reader", "scorer", "replay", "tools", "references", "expression"),
    *("model_reply", "logs", "upload", "address", "environment"),
)
FOLDER = Path(__file__).parent / "corpus"
MOST_KEPT_CHARACTERS = 40_000
"""Of one target, the shortest inputs: the corpus goes with every checkout."""


class Target(Protocol):
    """A module of `tests.fuzz.targets`."""

    seeds: Callable[[], Iterator[bytes]]
    """Inputs to begin with."""
    check: Callable[[bytes], None]
    """Whether all holds for an input that should: it raises otherwise."""


def target_of(name: str) -> Target:
    """The target of that name."""
    return cast(Target, import_module(f"tests.fuzz.targets.{name}"))


def kept(name: str, folder: Path = FOLDER) -> list[bytes]:
    """The inputs that are kept of a target."""
    file = folder / f"{name}.jsonl"
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [json.loads(line).encode("utf-8", "surrogateescape") for line in lines]


def keep(name: str, inputs: Iterable[bytes], folder: Path = FOLDER) -> int:
    """Keep these inputs of a target and no others, as many as there is room for. How many they are."""
    lines = []
    room = MOST_KEPT_CHARACTERS
    for data in sorted(inputs, key=lambda data: (len(data), data)):
        lines.append(json.dumps(data.decode("utf-8", "surrogateescape")) + "\n")
        room -= len(lines[-1])
        if room < 0:
            lines.pop()
            break
    (folder / f"{name}.jsonl").write_text("".join(lines), "utf-8")
    return len(lines)
