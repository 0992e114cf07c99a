"""Engines: how units are shared out. Each gives the number of a unit and its result, as they are done."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from dataset_builder.workers import shared_out
from evaluator.scale.ray_engine import in_ray

Engine = Callable[[Callable[[Any], Any], Sequence[Any], int | None], Iterator[tuple[int, Any]]]
"""Task, units and how many workers (None: the engine's own choice) to numbers and results."""


def in_processes(
    task: Callable[[Any], Any], units: Sequence[Any], workers: int | None
) -> Iterator[tuple[int, Any]]:
    """Processes of this machine; one where nothing is said."""
    return shared_out(task, units, 1 if workers is None else workers)


ENGINES: Mapping[str, Engine] = {"processes": in_processes, "ray": in_ray}
