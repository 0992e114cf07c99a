"""Seeded faults of tools: what an episode that has them does to the first call of a tool.

An error or a time-out leaves the world as it was, and the same call made again succeeds. With a
changed format the call has succeeded, and every value of its output is there in another shape.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dataset_builder.tools.tool import Output
from dataset_builder.values.canonical import canonical_json
from dataset_builder.values.draw import Draw

FAILURES: Mapping[str, str] = {
    "error": "the service is unavailable (503)",
    "timeout": "no answer within 30 seconds",
}
"""Kind → what the tool says in place of an output."""
FORMATS: Mapping[str, Callable[[Output], dict[str, Any]]] = {
    "wrapped": lambda output: {"status": 200, "data": dict(output)},
    "renamed": lambda output: {name.upper(): value for name, value in output.items()},
    "text": lambda output: {"response": canonical_json(output)},
}
"""Kind → the output in another shape."""
FAULTS = (*FAILURES, *FORMATS)


@dataclass(frozen=True)
class Faults:
    """The faults of one episode: drawn for each tool by a key, so that every model meets the same."""

    key: str
    percent: int
    """The chance that the first call of a tool meets one."""
    most: int
    """How many there are at most."""

    def of(self, tool: str) -> str | None:
        """The kind of fault that the first call of a tool meets, or None."""
        draw = Draw(f"faults|{self.key}|{tool}")
        if draw.fraction("meets") * 100 >= self.percent:
            return None
        # Each of the three is as likely: an error, a time-out, another format.
        kind = draw.choice("kind", (*FAILURES, "format"))
        return draw.choice("format", tuple(FORMATS)) if kind == "format" else kind


def is_changed_by_fault(shown: Any) -> bool:
    """Whether an output that was shown is what a fault has left: no tool gives such a one by itself."""
    if not isinstance(shown, dict) or not shown:
        return False
    if "error" in shown:
        return shown["error"] in FAILURES.values()
    fields = set(shown)
    return fields in ({"status", "data"}, {"response"}) or fields == {
        name.upper() for name in fields
    }
