"""Templates: tasks as data, whose arguments can only be slots that the prompt states, or references.

    [[template]]
    name = "weather_in_fahrenheit"
    prompts = ["How warm is it in {city.name} right now? Convert the {c} figure to {f}.", ...]
    steps = [
      "get_weather(city={city.name})",
      "unit_convert(value={1.temperature_c}, from={c}, to={f})",
    ]
    [template.slots]
    city.pool = "facts/cities"
    c.pick = { Celsius = "celsius" }
    f.pick = { Fahrenheit = "fahrenheit" }

This is a template as a file writes it; tests build it of ``Template``, `call` and `mentions`.
``{c}`` is a slot (``{city.name}`` a field of its row), ``{1.temperature_c}`` an output field of the
first step. Nothing else can be written, so no argument can need what the prompt does not say.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from dataset_builder.errors import InputError
from dataset_builder.tasks.slot import Pool, Slot, Value
from dataset_builder.tasks.task import Edge, Level
from dataset_builder.tools.tool import Tool

_PLACEHOLDER = re.compile(r"\{([a-z_][a-z0-9_]*(?:\.[a-z0-9_]+)?)\}")
_BRACES = re.compile(r"\{[^{}]*\}?|\}")
_REFERENCE = re.compile(r"\{([0-9]+)\.([^{}]+)\}")


class TemplateError(InputError):
    """A template cannot exist as written; the message names it and its field and says why."""


class Place:
    """``with Place("prompts 2"):`` a TemplateError inside says that it happened there."""

    __slots__ = ("_place",)

    def __init__(self, place: str) -> None:
        self._place = place

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, TemplateError):
            raise TemplateError(f"{self._place}: {error}") from None


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


Argument = SlotArgument | ReferenceArgument | Mentions | Sequence["Argument"]


def mentions(*parts: str, unrounded: bool = False) -> Mentions:
    """A text that must carry slots ``{name}`` and references ``{1.path}``.

    ``unrounded``: where every phrasing of the prompt asks for numbers that are not rounded.
    """
    return Mentions(tuple(leaf(part) for part in parts), unrounded)


def leaf(text: Any) -> SlotArgument | ReferenceArgument:
    """A slot ``{name}`` or a reference ``{1.path}``; TemplateError for anything else."""
    if isinstance(text, str):
        if match := _PLACEHOLDER.fullmatch(text):
            return SlotArgument(match[1])
        if match := _REFERENCE.fullmatch(text):
            return ReferenceArgument(int(match[1]), match[2])
    raise TemplateError(f"{text!r} is neither a slot nor a reference")


def _argument(value: Any) -> Argument:
    if isinstance(value, Mentions):
        return value
    if isinstance(value, list) and value:
        return tuple(_argument(item) for item in value)
    return leaf(value)


@dataclass(frozen=True)
class CallTemplate:
    """One step: a tool and its arguments."""

    tool: str
    arguments: Mapping[str, Argument]

    def references(self) -> Iterator[tuple[str, ReferenceArgument]]:
        """All references with the dotted argument that each fills, in the order of the arguments."""
        for name, argument in self.arguments.items():
            yield from _references(argument, name)

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """The values that flow into the step."""
        return tuple(
            Edge(where, f"step_{reference.step}", reference.path)
            for where, reference in self.references()
        )


def _references(argument: Argument, where: str) -> Iterator[tuple[str, ReferenceArgument]]:
    if isinstance(argument, ReferenceArgument):
        yield where, argument
    elif isinstance(argument, Mentions):
        for part in argument.parts:
            yield from _references(part, where)
    elif isinstance(argument, tuple):
        for position, item in enumerate(argument):
            yield from _references(item, f"{where}.{position}")


def call(tool: str, **arguments: Any) -> CallTemplate:
    """A step; a trailing underscore is dropped (``from_`` is ``from``), a list gives a list argument."""
    return CallTemplate(
        tool, {name.removesuffix("_"): _argument(v) for name, v in arguments.items()}
    )


@dataclass(frozen=True)
class Template:
    """A family of tasks that differ in slot values and phrasing."""

    name: str
    prompts: tuple[str, ...]
    slots: Mapping[str, Slot]
    steps: tuple[CallTemplate, ...]
    rich: str = ""
    """Level 0 only: the context-rich wording of the control experiment (paper, Appendix H)."""
    optional: tuple[CallTemplate, ...] = field(default=())
    """Harmless calls that a careful agent might add; they count neither for nor against."""

    @cached_property
    def dependencies(self) -> tuple[tuple[int, ...], ...]:
        """For each step the (1-based) steps that its references name."""
        return tuple(
            tuple(sorted({reference.step for _, reference in step.references()}))
            for step in self.steps
        )

    @cached_property
    def level(self) -> Level:
        """What the shape of the graph makes it; TemplateError for a shape of no level."""
        level = level_of(self.dependencies)
        if level is None:
            raise TemplateError(f"{self.name}: steps: the graph {self.dependencies} is of no level")
        return level

    @cached_property
    def pattern(self) -> str:
        """A short name of the graph's shape."""
        return pattern_of(self.dependencies)

    @cached_property
    def dag(self) -> dict[str, Any]:
        """The graph as task rows tell it: the steps' ids, and for each dependency both ends."""
        depends_on = self.depends_on
        ids = [f"step_{number}" for number in range(1, len(self.steps) + 1)]
        return {
            "nodes": ids,
            "edges": [
                [source, step_id]
                for step_id, sources in zip(ids, depends_on, strict=True)
                for source in sources
            ],
        }

    @cached_property
    def depends_on(self) -> tuple[tuple[str, ...], ...]:
        """For each step the ids of the steps that it depends on."""
        return tuple(tuple(f"step_{source}" for source in sources) for sources in self.dependencies)

    @cached_property
    def tools(self) -> tuple[str, ...]:
        """The tools that it expects, each once."""
        return tuple(dict.fromkeys(step.tool for step in self.steps))

    def say(self, text: str, values: Mapping[str, Value]) -> str:
        """A phrasing with the slots filled in."""
        parts = list(pieces(text))
        parts[1::2] = [values[name].said for name in parts[1::2]]
        return "".join(parts)

    def check(self, catalogue: Mapping[str, Tool]) -> None:
        """Raise TemplateError unless every argument is known, required ones are there, and every
        phrasing states every slot that an argument takes, and no other thing in braces."""
        _ = self.level
        with Place(self.name):
            if len(self.prompts) < 3:
                raise TemplateError("prompts: fewer than three phrasings")
            if (self.level is Level.NODE) != bool(self.rich):
                raise TemplateError(
                    "rich: a context-rich wording belongs to level 0, and only there"
                )
            for number, step in enumerate(self.steps, 1):
                with Place(f"steps {number}"):
                    self._check_step(step, number, catalogue)
            for number, step in enumerate(self.optional, 1):
                with Place(f"optional {number}"):
                    self._check_step(step, len(self.steps) + 1, catalogue)
            self._check_wordings()

    def _check_step(self, step: CallTemplate, number: int, catalogue: Mapping[str, Tool]) -> None:
        """``number``: only steps before it may be referred to."""
        check_call(step, catalogue)
        for where, reference in step.references():
            if not 1 <= reference.step < number:
                raise TemplateError(
                    f"{where} refers to step {reference.step}, which is no earlier one"
                )
            source = catalogue[self.steps[reference.step - 1].tool]
            if reference.path.split(".")[0] not in source.returns:
                raise TemplateError(f"{where}: {source.name} returns no {reference.path}")

    def _check_wordings(self) -> None:
        used = {f"{{{name}}}" for s in (*self.steps, *self.optional) for name in slot_names(s)}
        known = {text for slot in self.slots.items() for text in _written(*slot)}
        known = set(filter(_PLACEHOLDER.fullmatch, known))
        wordings = {f"prompts {number}": text for number, text in enumerate(self.prompts, 1)}
        if self.rich:
            wordings["rich"] = self.rich
        stated = set()
        for place, text in wordings.items():
            with Place(place):
                found = set(_BRACES.findall(text))
                if unknown := found - known:
                    raise TemplateError(f"{', '.join(sorted(unknown))} does not exist as a slot")
                if unsaid := used - found:
                    raise TemplateError(f"{', '.join(sorted(unsaid))} is not stated in {text!r}")
                stated |= found
        for name, slot in self.slots.items():
            if stated.isdisjoint(_written(name, slot)):
                raise TemplateError(f"slots.{name}: no phrasing states it")


def _written(name: str, slot: Slot) -> set[str]:
    """The ways to state a slot in a phrasing: ``{name}``, or ``{name.field}`` of a pool's rows."""
    if isinstance(slot, Pool) and slot.fields:
        return {f"{{{name}.{field_name}}}" for field_name in slot.fields}
    return {f"{{{name}}}"}


@cache
def pieces(text: str) -> tuple[str, ...]:
    """A phrasing cut at its slots: every second piece is a slot's name."""
    return tuple(_PLACEHOLDER.split(text))


def slot_names(step: CallTemplate) -> Iterator[str]:
    """The slots that a step's arguments take."""
    pending: list[Any] = list(step.arguments.values())
    while pending:
        item = pending.pop()
        if isinstance(item, SlotArgument):
            yield item.name
        elif isinstance(item, Mentions):
            pending.extend(item.parts)
        elif isinstance(item, tuple):
            pending.extend(item)


def check_call(step: CallTemplate, catalogue: Mapping[str, Tool]) -> None:
    """TemplateError where there is no such tool, or its arguments are not the ones that it needs."""
    if step.tool not in catalogue:
        raise TemplateError(f"there is no tool {step.tool}")
    parameters = catalogue[step.tool].parameters
    unknown = set(step.arguments) - set(parameters)
    missing = {p.name for p in parameters.values() if p.required} - set(step.arguments)
    if unknown or missing:
        raise TemplateError(
            f"{step.tool} has unknown arguments {sorted(unknown)}, lacks {sorted(missing)}"
        )


def level_of(dependencies: Sequence[Sequence[int]]) -> Level | None:
    """The level of a graph (specification: Tasks); None where its shape is of no level.

    ``dependencies``: for each step the 1-based numbers of the steps that it depends on.
    """
    count = len(dependencies)
    if not all(1 <= source <= count for needed in dependencies for source in needed):
        return None
    roots = [i for i, needed in enumerate(dependencies, 1) if not needed]
    if count == 1:
        return Level.NODE
    if count == 2 and len(roots) == 1:
        return Level.CHAIN
    if len(roots) in (2, 3):
        if count == len(roots):
            return Level.PARALLEL
        if count == len(roots) + 1 and list(dependencies[-1]) == roots:
            return Level.PARALLEL
    merges = any(len(needed) >= 2 for needed in dependencies)
    feeds = [sum(i in needed for needed in dependencies) for i in range(1, count + 1)]
    fans_out = len(roots) >= 2 or any(fed >= 2 for fed in feeds)
    if 4 <= count <= 6 and merges and fans_out and _connected(dependencies):
        return Level.DAG
    return None


def _connected(dependencies: Sequence[Sequence[int]]) -> bool:
    seen, pending = {1}, [1]
    while pending:
        node = pending.pop()
        linked = set(dependencies[node - 1]) | {
            i for i, needed in enumerate(dependencies, 1) if node in needed
        }
        pending.extend(linked - seen)
        seen |= linked
    return len(seen) == len(dependencies)


def pattern_of(dependencies: Sequence[Sequence[int]]) -> str:
    """The field's name of a graph's shape, or its dependencies in short (``1,1-2,3``)."""
    level = level_of(dependencies)
    if level is Level.NODE:
        return "single"
    if level is Level.CHAIN:
        return "chain"
    roots = sum(not needed for needed in dependencies)
    if level is Level.PARALLEL:
        return f"fan_out_{roots}" if roots == len(dependencies) else f"fork_join_{roots}"
    key = ";".join(",".join(map(str, needed)) for needed in dependencies)
    return _PATTERNS.get(key, f"dag:{key}")


_PATTERNS = {
    ";1;1;2,3": "diamond",
    ";1;1;2,3;4": "diamond_with_tail",
    ";1;1;2,3;4;5": "diamond_with_long_tail",
    ";1;;3;2,4": "two_chains_merge",
    ";;1;2;3,4": "two_chains_merge",
    ";1;;3;2,4;5": "two_chains_merge_with_tail",
    ";;1;2;3,4;5": "two_chains_merge_with_tail",
    ";;1,2;3": "join_with_tail",
    ";;1,2;3;4": "join_with_long_tail",
    ";;;1,2,3;4": "triple_join_with_tail",
    ";;;1,2,3;4;5": "triple_join_with_long_tail",
    ";;1,2;3;3": "join_then_fan_out",
    ";1;1;1;2,3,4": "triple_fan_out_join",
    ";1;1;1;2,3,4;5": "triple_fan_out_join_with_tail",
    ";1;2;2;3,4": "chain_then_diamond",
    ";1;2;2;3,4;5": "chain_then_diamond_with_tail",
    ";1;1;2,3;4;4": "double_fan_out",
    ";1;1;2;3,4": "uneven_diamond",
    ";1;1;2;3;4,5": "long_diamond",
    ";1;1;1,2,3": "diamond_with_shortcut",
    ";1;;2,3": "chain_meets_root",
    ";;1;2,3": "chain_meets_root",
    ";;2;1,3": "chain_meets_root",
    ";;1,2;1,2": "double_join",
}
