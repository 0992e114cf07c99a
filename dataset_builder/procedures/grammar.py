"""The grammar: clauses (one call each, in several wordings), the quantities that flow, and scenarios.

    [[clause]]
    call = "get_weather(city={city.name})"
    wordings = ["look up the current weather in {city.name}", ...]
    slots.city.pool = "facts/cities"
    takes = { "city.name" = "city" }
    [clause.gives]
    temperature_c = ["temperature/celsius", "temperature", "the temperature in {city.name}"]

A *hole* (``{city.name}``) is filled by a literal, which a slot draws, or by an earlier result of the
quantity that ``takes`` names. What a clause gives flows on: the quantity, the noun, and a phrase
that names this result alone where its holes are filled by literals.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from dataset_builder.tasks.call_template import CallTemplate, Mentions
from dataset_builder.tasks.slot import Slot

_BEHIND_HEAD = re.compile(r" (?:in|of|at|from|for|on) ")
SAME = "same "
"""Before a quantity: all results that one call takes so are of one and the same quantity."""


@dataclass(frozen=True)
class Quantities:
    """What kinds of value there are, each below a broader one: money is a number."""

    broader: Mapping[str, str]
    """By quantity the one above it; empty for the broadest."""

    def fits(self, quantity: str, wanted: str) -> bool:
        """Whether a result of a quantity may stand where another is wanted.

        ``money/USD`` is a money in US dollars, and fits where money is wanted, not the other way.
        """
        if quantity == wanted:
            return True
        kind = quantity.partition("/")[0]
        while kind:
            if kind == wanted:
                return True
            kind = self.broader[kind]
        return False


@dataclass(frozen=True, slots=True)
class Given:
    """An output field that may flow on."""

    field: str
    quantity: str
    """May name a hole's value, ``money/{currency}``, another field's, ``money/{.currency}``, or say
    ``same``: what the call took."""
    noun: str
    phrase: str = ""
    """Names the result by the call's literals; empty where only the noun does."""

    @property
    def is_plural(self) -> bool:
        """Whether one says "those" of it: moving averages, not a price in dollars."""
        head = _BEHIND_HEAD.split(self.noun)[0]
        return head.endswith("s") and not head.endswith(("ss", "us", "is"))


@dataclass(frozen=True)
class Clause:
    """One call as people ask for it."""

    subject: str
    """The file it stands in."""
    call: CallTemplate
    wordings: tuple[str, ...]
    slots: Mapping[str, Slot]
    takes: Mapping[str, str]
    """By hole the quantity of the results that may fill it."""
    quoted: frozenset[str]
    """Holes whose literals stand in quotation marks."""
    several: Mapping[str, tuple[int, int]]
    """Holes that take more than one result: fewest and most."""
    gives: tuple[Given, ...]

    @cached_property
    def tool(self) -> str:
        """The tool that is called."""
        return self.call.tool

    @cached_property
    def key(self) -> str:
        """What tells it from all other clauses."""
        return f"{self.subject}|{self.call}|{self.wordings[0]}"

    @cached_property
    def needed_results(self) -> int:
        """How many results it takes at least, where one fills a hole."""
        return sum(self.several.get(hole, (1, 1))[0] for hole in self.result_holes)

    @cached_property
    def is_end(self) -> bool:
        """Whether nothing flows on from it."""
        return not self.gives

    @cached_property
    def result_holes(self) -> tuple[str, ...]:
        """The holes that only results fill, no slot."""
        return tuple(hole for hole in self.takes if hole.partition(".")[0] not in self.slots)

    @cached_property
    def _arguments_of(self) -> dict[str, list[str]]:
        arguments: dict[str, list[str]] = {}
        for name, value in self.call.arguments.items():
            for hole in CallTemplate(self.tool, {name: value}).slot_names():
                arguments.setdefault(hole, []).append(name)
        return arguments

    def arguments_of(self, hole: str) -> list[str]:
        """The arguments that a hole fills, alone or with others."""
        return self._arguments_of[hole]

    @cached_property
    def is_free(self) -> bool:
        """Whether the caller words a text of its own."""
        return any(isinstance(argument, Mentions) for argument in self.call.arguments.values())


@dataclass(frozen=True, slots=True)
class Scenario:
    """What a procedure is about: its opening, and the subjects that its clauses come from first."""

    name: str
    openings: tuple[str, ...]
    subjects: tuple[str, ...]


@dataclass(frozen=True)
class Grammar:
    """Everything that procedures are made of."""

    quantities: Quantities
    clauses: tuple[Clause, ...]
    scenarios: tuple[Scenario, ...]
    names: tuple[str, ...]
    """Proper names for results that no phrase of literals names."""

    @cached_property
    def _chains(self) -> dict[tuple[str, str, int], bool]:
        return {}

    def leads_on(self, quantity: str, tool: str, calls: int) -> bool:
        """Whether a chain of so many calls can follow a result of a tool.

        Counted are clauses that need no second result, since nobody knows whether there is one.
        """
        if calls <= 0:
            return True
        key = (quantity, tool, calls)
        if key not in self._chains:
            self._chains[key] = any(
                clause.tool != tool and self.carries_on(clause, quantity, calls - 1)
                for clause in self.taking(quantity)
                if clause.needed_results <= 1
            )
        return self._chains[key]

    @cached_property
    def _taking(self) -> dict[str, list[Clause]]:
        return {}

    def taking(self, quantity: str) -> list[Clause]:
        """The clauses of which a hole takes a quantity."""
        if quantity not in self._taking:
            self._taking[quantity] = [
                clause
                for clause in self.clauses
                if any(
                    self.quantities.fits(quantity, wanted.removeprefix(SAME))
                    for wanted in clause.takes.values()
                )
            ]
        return self._taking[quantity]

    def carries_on(self, clause: Clause, quantity: str, calls: int) -> bool:
        """Whether so many calls can follow a clause that takes a quantity (empty: literals)."""
        if calls <= 0:
            return True
        given = [quantity if g.quantity == "same" else g.quantity for g in clause.gives]
        return any(self.leads_on(one, clause.tool, calls) for one in given)
