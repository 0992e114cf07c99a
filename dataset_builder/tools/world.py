"""The simulated world: fixed facts, values drawn from SHA-256, and the state of one episode."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from dataset_builder.values.canonical import canonical_json
from dataset_builder.values.draw import Draw
from dataset_builder.values.facts import load

# Every simulated value hangs on this text. It was chosen once, by trying "ctb-0", "ctb-1", … until
# Berlin, whose July days the simulation spreads around 25 °C, came out at the 36 °C of the paper's
# example (Appendix G). Changing it changes every simulated output, hence the suite version.
SALT = "ctb-1"

# The instant at which every episode takes place (UTC): a Wednesday in the northern summer.
NOW = "2026-07-15T09:30:00+00:00"
TODAY = NOW[:10]


def draw_for(tool: str, arguments: Mapping[str, Any]) -> Draw:
    """The choices that a simulated tool makes for canonical arguments (defaults filled in)."""
    return Draw(f"{SALT}|{tool}|{canonical_json(arguments)}")


class World:
    """What one episode can change: memories and files. Each episode starts from the same fixtures."""

    __slots__ = ("files", "memories")

    def __init__(self) -> None:
        """A fresh episode."""
        self.memories: dict[str, str] = dict(load("episode")["memories"])
        self.files: dict[str, str] = dict(_files())


@cache
def _files() -> dict[str, str]:
    """The files that every episode starts with, by their paths."""
    return {path: "\n".join(lines) for path, lines in load("episode")["files"].items()}
