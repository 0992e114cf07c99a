"""Where the steps of a graph stand when it is drawn from top to bottom, and which way lines take."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dataset_builder.tasks.task import Task

Line = tuple[int, int]
"""Positions of two steps of which the second needs the first."""


@dataclass(frozen=True)
class Stop:
    """A place in a layer: a step, or where a line passes on its way to a deeper layer."""

    layer: int
    source: int
    """Position of the step; of a passing line, of the step that it comes from."""
    target: int
    """As ``source`` for a step; of a passing line, of the step that it leads to."""

    @property
    def is_step(self) -> bool:
        """Whether a step stands there."""
        return self.source == self.target


@dataclass(frozen=True)
class Layers:
    """A graph in layers: a step stands below all that it needs."""

    stops: tuple[tuple[Stop, ...], ...]
    """Layer by layer, from left to right."""
    routes: Mapping[Line, tuple[Stop, ...]]
    """The stops of each line, a layer each."""


def layers(task: Task) -> Layers:
    """The layers of a task's graph, ordered so that few lines cross."""
    lines = lines_of(task)
    depth = depths(len(task.steps), lines)
    routes = {}
    for source, target in lines:
        between = range(depth[source] + 1, depth[target])
        routes[source, target] = (
            Stop(depth[source], source, source),
            *(Stop(layer, source, target) for layer in between),
            Stop(depth[target], target, target),
        )
    stops = {Stop(layer, position, position) for position, layer in enumerate(depth)}
    stops.update(stop for route in routes.values() for stop in route)
    above = _above(routes.values())
    ordered: list[tuple[Stop, ...]] = []
    centre: dict[Stop, float] = {}
    for layer in range(max(depth) + 1):
        ordered_stops = sorted(
            (stop for stop in stops if stop.layer == layer),
            key=lambda stop: (_mean([centre[s] for s in above.get(stop, ())]), stop.target),
        )
        centre |= {stop: i - (len(ordered_stops) - 1) / 2 for i, stop in enumerate(ordered_stops)}
        ordered.append(tuple(ordered_stops))
    return Layers(tuple(ordered), routes)


def lines_of(task: Task) -> list[Line]:
    """Each pair of a step and one that comes before it, once."""
    position = {step.step_id: i for i, step in enumerate(task.steps)}
    return [
        (position[source], target)
        for target, step in enumerate(task.steps)
        for source in dict.fromkeys((*step.depends_on, *(edge.source for edge in step.edges)))
        # A row of another suite may name a step that comes later, or is not there.
        if position.get(source, target) < target
    ]


def depths(steps: int, lines: Sequence[Line]) -> list[int]:
    """How many steps stand above each on its longest way; lines come by their targets."""
    depth = [0] * steps
    for source, target in lines:
        depth[target] = max(depth[target], depth[source] + 1)
    return depth


def _above(routes: Iterable[tuple[Stop, ...]]) -> dict[Stop, list[Stop]]:
    """What each stop is led to from, in the layer above."""
    sources: dict[Stop, list[Stop]] = {}
    for route in routes:
        for before, stop in pairwise(route):
            sources.setdefault(stop, []).append(before)
    return sources


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
