"""A procedure in the making: the steps made so far, and their results that may flow on."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dataset_builder.procedures.grammar import SAME, Clause, Given
from dataset_builder.tasks.call_template import Argument, Mentions, SlotArgument
from dataset_builder.tasks.slot import Value
from dataset_builder.tasks.task import Edge
from dataset_builder.tasks.template import pieces
from dataset_builder.values.references import Unresolved, dig, render

# A longer text is a burden to whoever does the work by hand.
MOST_CHARACTERS = 600
# Nobody counts, pays or measures beyond.
LARGEST = 1e12
_BRACES = re.compile(r"\{([^{}]+)\}")
_NOTHING = frozenset({"", "none", "null", "unknown", "n/a", "neither"})


@dataclass(eq=False, slots=True)
class Result:
    """A value that one step gives and others may take."""

    step: "Draft"
    given: Given
    quantity: str
    value: Any
    phrase: str
    """Its name in the prompt where literals name it, else empty."""


@dataclass(eq=False, slots=True)
class Draft:
    """One step of the procedure in the making."""

    number: int
    """Its place in the order of execution, from 1."""
    clause: Clause
    wording: str
    values: Mapping[str, Value]
    flows: Mapping[str, tuple[Result, ...]]
    """By hole the results that fill it."""
    depth: int
    """Calls in the longest chain that ends here."""
    arguments: dict[str, Any] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    match: dict[str, dict[str, Any]] = field(default_factory=dict)
    output: Mapping[str, Any] = field(default_factory=dict)
    results: list[Result] = field(default_factory=list)

    @property
    def step_id(self) -> str:
        """As the task's steps are called."""
        return f"step_{self.number}"

    @property
    def sources(self) -> list[Result]:
        """All results that it takes."""
        return [result for results in self.flows.values() for result in results]

    def line(self) -> set["Draft"]:
        """The steps that it descends from, itself included."""
        steps, pending = {self}, [self]
        while pending:
            sources = {result.step for result in pending.pop().sources} - steps
            steps |= sources
            pending += sources
        return steps

    def fill(self) -> None:
        """Compute arguments, edges and match rules from the literals and the results taken."""
        for name, argument in self.clause.call.arguments.items():
            self.arguments[name] = self._filled(argument, name)

    def _filled(self, argument: Argument, where: str) -> Any:
        if isinstance(argument, SlotArgument):
            return self._hole(argument.name, where)
        if isinstance(argument, Mentions):
            values = [value for part in argument.parts for value in self._parts(part, where)]
            rule = {"rule": "mentions", "values": values}
            self.match[where] = rule | {"unrounded": True} if argument.is_unrounded else rule
            return "\n".join(map(render, values))
        if isinstance(argument, tuple):
            return [self._filled(item, f"{where}.{i}") for i, item in enumerate(argument)]
        raise TypeError(f"{where}: a clause refers to no step")

    def _hole(self, hole: str, where: str) -> Any:
        if hole not in self.flows:
            return self.values[hole].value
        results = self.flows[hole]
        if hole in self.clause.several:
            return [self._take(result, f"{where}.{i}") for i, result in enumerate(results)]
        return self._take(results[0], where)

    def _parts(self, part: Argument, where: str) -> Iterator[Any]:
        """The values of one part of a text that mentions them."""
        if isinstance(part, SlotArgument) and part.name in self.flows:
            for result in self.flows[part.name]:
                yield self._take(result, where)
        else:
            yield self._filled(part, where)

    def _take(self, result: Result, where: str) -> Any:
        self.edges.append(Edge(where, result.step.step_id, result.given.field))
        return result.value

    def find_results(self) -> None:
        """Fill ``results``: the given fields whose values are fit to flow on."""
        for given in self.clause.gives:
            value = dig(self.output, given.field)
            if is_meaningful(value):
                self.results.append(
                    Result(self, given, self._quantity(given), value, self._phrase(given))
                )

    def _quantity(self, given: Given) -> str:
        if given.quantity == "same":
            taken = [self._taken(h) for h, q in self.clause.takes.items() if q.startswith(SAME)]
            return taken[0]
        return _BRACES.sub(lambda match: str(self._named(match[1])), given.quantity)

    def _named(self, name: str) -> Any:
        """The value of a hole, or of an output field ``.field``."""
        if name.startswith("."):
            return self.output[name[1:]]
        return self.flows[name][0].value if name in self.flows else self.values[name].value

    def _taken(self, hole: str) -> str:
        if hole in self.flows:
            return self.flows[hole][0].quantity
        return self.clause.takes[hole].removeprefix(SAME)

    def _phrase(self, given: Given) -> str:
        """The phrase with its literals; empty where a result fills one of its holes."""
        parts = list(pieces(given.phrase))
        if any(hole in self.flows for hole in parts[1::2]):
            return ""
        parts[1::2] = [self.literal(hole) for hole in parts[1::2]]
        return "".join(parts)

    def literal(self, hole: str) -> str:
        """How the prompt says a literal."""
        text = self.values[hole].said
        return f"“{text}”" if hole in self.clause.quoted else text

    @property
    def stated(self) -> str:
        """What its sentence states: the wording with its literals, the results left out."""
        parts = list(pieces(self.wording))
        parts[1::2] = ["" if h in self.flows else self.literal(h) for h in parts[1::2]]
        return "".join(parts)


def is_meaningful(value: Any) -> bool:
    """Whether a value is fit to flow on: neither nothing, nor a yes or no, nor absurd."""
    if isinstance(value, bool | Unresolved) or value is None or value == 0:
        return False
    if isinstance(value, int | float):
        return math.isfinite(value) and abs(value) < LARGEST
    if isinstance(value, str):
        return value.strip().casefold() not in _NOTHING and len(value) <= MOST_CHARACTERS
    # Of a list of one value many tools give the same.
    items = value if isinstance(value, list) else list(value.values())
    return len({render(item) for item in items}) >= 2 and len(render(value)) <= MOST_CHARACTERS
