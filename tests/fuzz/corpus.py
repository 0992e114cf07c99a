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


def keep(name: str, inputs: Iterable[bytes], folder: Path = FOLDER) -> None:
    """Keep these inputs of a target and no others, the shortest first."""
    texts = [data.decode("utf-8", "surrogateescape") for data in sorted(inputs, key=_by_length)]
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    (folder / f"{name}.jsonl").write_text(lines, "utf-8")


def _by_length(data: bytes) -> tuple[int, bytes]:
    return len(data), data
