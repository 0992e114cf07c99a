"""The tools that are offered with a task: those that it needs, and others that look as if."""

from collections.abc import Mapping
from functools import cache, cached_property

from dataset_builder.tasks.task import Level
from dataset_builder.tasks.tool_overlaps import twins_of
from dataset_builder.tools.tool import Tool
from dataset_builder.values.draw import Draw

# How many tools a task of each level offers, fewest and most (specification: Tasks).
OFFERED = {Level.NODE: (4, 4), Level.CHAIN: (5, 5), Level.PARALLEL: (4, 6), Level.DAG: (6, 8)}


class Distractors:
    """Which tools of a catalogue may be offered beside others."""

    def __init__(self, catalogue: Mapping[str, Tool]) -> None:
        """Tools are named in the catalogue's order."""
        self._catalogue = catalogue
        self._stateful = frozenset(name for name, tool in catalogue.items() if tool.is_stateful)
        self._known: dict[tuple[tuple[str, ...], frozenset[str]], tuple[list[str], list[str]]] = {}

    def offer(
        self, level: Level, needed: tuple[str, ...], others: frozenset[str], draw: Draw
    ) -> list[str]:
        """The needed tools and distractors, at least one a near neighbour, in random order.

        ``others`` would also be right and are not offered as if they were wrong; where a step reads
        the world, nothing that could change it is offered either.
        """
        fewest, most = OFFERED[level]
        total = draw.integer("offered", max(fewest, min(len(needed) + 1, most)), most)
        # The same tools are needed by many tasks.
        key = (needed, others)
        if key not in self._known:
            self._known[key] = self.allowed(needed, others)
        near, allowed = self._known[key]
        missing = total - len(needed)
        chosen = draw.sample("near", near, min(missing, draw.integer("how near", 1, 2)))
        far = allowed.copy()
        for name in chosen:
            far.remove(name)
        chosen += draw.sample("far", far, missing - len(chosen))
        everything = [*needed, *chosen]
        return draw.sample("shuffle", everything, len(everything))

    def allowed(
        self, needed: tuple[str, ...], others: frozenset[str]
    ) -> tuple[list[str], list[str]]:
        """The near neighbours that may be offered, and all tools that may."""
        barred = {*needed, *others}
        if not self._stateful.isdisjoint(needed):
            barred |= self._stateful
        allowed = [name for name in self._catalogue if name not in barred]
        near = [n for tool in needed for n in self._neighbours[tool] if n not in barred]
        return list(dict.fromkeys(near)), allowed

    @cached_property
    def _neighbours(self) -> dict[str, list[str]]:
        """For each tool those of its category and its near-synonyms."""
        categories = {name: tool.category for name, tool in self._catalogue.items()}
        neighbours = {}
        for name, category in categories.items():
            twins = twins_of(name)
            neighbours[name] = [n for n, c in categories.items() if c == category or n in twins]
        return neighbours


@cache
def benchmark_distractors() -> Distractors:
    """Those of the benchmark's own catalogue, which all of its suites share."""
    from dataset_builder.tools import catalogue

    return Distractors(catalogue())
