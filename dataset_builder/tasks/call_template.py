"""One step as a template writes it: a tool, and arguments that are slots or references."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from dataset_builder.tasks.task import Edge
from dataset_builder.tasks.template_error import TemplateError

PLACEHOLDER = re.compile(r"\{([a-z_][a-z0-9_]*(?:\.[a-z0-9_]+)?)\}")
_REFERENCE = re.compile(r"\{([0-9]+)\.([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class SlotArgument:
    """An argument that a slot fills."""

    name: str


@dataclass(frozen=True, slots=True)
class ReferenceArgument:
    """An argument that an output field of an earlier step (1-based) fills."""

    step: int
    path: str


@dataclass(frozen=True, slots=True)
class Mentions:
    """A text argument that must carry these values, in whatever words.

    ``is_unrounded``: the prompt asks for the numbers with all their digits.
    """

    parts: tuple[SlotArgument | ReferenceArgument, ...]
    is_unrounded: bool = False


Argument = SlotArgument | ReferenceArgument | Mentions | tuple["Argument", ...]


def leaf(text: str) -> SlotArgument | ReferenceArgument:
    """A slot ``{name}`` or a reference ``{1.path}``; TemplateError for anything else."""
    if match := PLACEHOLDER.fullmatch(text):
        return SlotArgument(match[1])
    if match := _REFERENCE.fullmatch(text):
        return ReferenceArgument(int(match[1]), match[2])
    raise TemplateError(f"{text!r} is neither a slot nor a reference")


@dataclass(frozen=True)
class CallTemplate:
    """One step: a tool and its arguments."""

    tool: str
    arguments: Mapping[str, Argument]

    def references(self) -> Iterator[tuple[str, ReferenceArgument]]:
        """All references with the dotted argument that each fills, in the order of the arguments."""
        for where, value in self._leaves():
            if isinstance(value, ReferenceArgument):
                yield where, value

    def slot_names(self) -> Iterator[str]:
        """The slots that fill arguments, as ``city.name``; one may stand more than once."""
        for _, value in self._leaves():
            if isinstance(value, SlotArgument):
                yield value.name

    def _leaves(self) -> Iterator[tuple[str, SlotArgument | ReferenceArgument]]:
        for name, argument in self.arguments.items():
            yield from _leaves(argument, name)

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """The values that flow into the step."""
        return tuple(
            Edge(where, f"step_{reference.step}", reference.path)
            for where, reference in self.references()
        )


def _leaves(
    argument: Argument, where: str
) -> Iterator[tuple[str, SlotArgument | ReferenceArgument]]:
    """The slots and references in an argument, each with the dotted argument that it fills."""
    if isinstance(argument, Mentions):
        for part in argument.parts:
            yield where, part
    elif isinstance(argument, tuple):
        for position, item in enumerate(argument):
            yield from _leaves(item, f"{where}.{position}")
    else:
        yield where, argument
