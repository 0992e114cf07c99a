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

``{c}`` is a slot (``{city.name}`` a field of its row), ``{1.temperature_c}`` an output field of the
first step. Nothing else can be written, so no argument can need what the prompt does not say.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from dataset_builder.tasks.call_template import PLACEHOLDER, CallTemplate
from dataset_builder.tasks.graph_shape import level_of, pattern_of
from dataset_builder.tasks.slot import Pool, Slot, Value
from dataset_builder.tasks.task import Level
from dataset_builder.tasks.template_error import ErrorPlace, TemplateError
from dataset_builder.tools.tool import Tool

_BRACES = re.compile(r"\{[^{}]*\}?|\}")


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
    def used_paths(self) -> tuple[frozenset[str], ...]:
        """For each step the paths of its output that flow into another."""
        edges = [edge for step in self.steps for edge in step.edges]
        numbers = range(1, len(self.steps) + 1)
        return tuple(frozenset(e.path for e in edges if e.source == f"step_{n}") for n in numbers)

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
        with ErrorPlace(self.name):
            if len(self.prompts) < 3:
                raise TemplateError("prompts: fewer than three phrasings")
            if (self.level is Level.NODE) != bool(self.rich):
                raise TemplateError(
                    "rich: a context-rich wording belongs to level 0, and only there"
                )
            for number, step in enumerate(self.steps, 1):
                with ErrorPlace(f"steps {number}"):
                    self._check_step(step, number, catalogue)
            for number, step in enumerate(self.optional, 1):
                with ErrorPlace(f"optional {number}"):
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
        used = {f"{{{name}}}" for s in (*self.steps, *self.optional) for name in s.slot_names()}
        known = {text for slot in self.slots.items() for text in _written(*slot)}
        known = set(filter(PLACEHOLDER.fullmatch, known))
        wordings = {f"prompts {number}": text for number, text in enumerate(self.prompts, 1)}
        if self.rich:
            wordings["rich"] = self.rich
        stated = set()
        for place, text in wordings.items():
            with ErrorPlace(place):
                placeholders = set(_BRACES.findall(text))
                if unknown := placeholders - known:
                    raise TemplateError(f"{', '.join(sorted(unknown))} does not exist as a slot")
                if unstated := used - placeholders:
                    raise TemplateError(f"{', '.join(sorted(unstated))} is not stated in {text!r}")
                stated |= placeholders
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
    return tuple(PLACEHOLDER.split(text))


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
