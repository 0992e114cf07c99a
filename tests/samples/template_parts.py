"""Parts of templates as Python, for tests that make templates without a file."""

from typing import Any

from dataset_builder.tasks.call_template import Argument, CallTemplate, Mentions, leaf
from dataset_builder.tasks.slot import Pick


def call(tool: str, **arguments: Any) -> CallTemplate:
    """A step; a trailing underscore is dropped (``from_`` is ``from``), a list gives a list argument."""
    return CallTemplate(
        tool, {name.removesuffix("_"): _argument(v) for name, v in arguments.items()}
    )


def _argument(value: Any) -> Argument:
    if isinstance(value, Mentions):
        return value
    if isinstance(value, list) and value:
        return tuple(_argument(item) for item in value)
    return leaf(str(value))


def mentions(*parts: str, unrounded: bool = False) -> Mentions:
    """A text that must carry slots ``{name}`` and references ``{1.path}``."""
    return Mentions(tuple(leaf(part) for part in parts), unrounded)


def pick(*options: Any) -> Pick:
    """One of the options; a pair says (how the prompt words it, the argument)."""
    return Pick(options)
