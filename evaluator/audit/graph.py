"""Rules about the graph: its shape is its level's, and every dependency carries a real value."""

from collections.abc import Iterator
from itertools import permutations
from typing import Any

from dataset_builder.tasks.graph_shape import level_of
from dataset_builder.tasks.task import Task
from dataset_builder.tools.replay import Episode
from dataset_builder.tools.world import World
from dataset_builder.values.references import Unresolved, dig
from dataset_builder.values.surface_forms import appears
from evaluator.audit.rules import Context, level_name, positions_of


def topology(context: Context, task: Task) -> Iterator[str]:
    """The shape is the level's, dependencies are the edges', and no hidden state orders the steps."""
    positions = positions_of(task)
    if len(positions) != len(task.steps):
        yield "two steps share an id"
        return
    dependencies = []
    for number, step in enumerate(task.steps):
        unknown = [s for s in step.depends_on if positions.get(s, number) >= number]
        if unknown:
            yield f"{step.step_id}: depends on {', '.join(unknown)}, which is no earlier step"
            return
        dependencies.append(tuple(sorted(positions[s] + 1 for s in step.depends_on)))
        if not context.is_legacy and {e.source for e in step.edges} != set(step.depends_on):
            yield f"{step.step_id}: its dependencies are not those of its edges"
    level = level_of(dependencies)
    if level is not task.level:
        shape = "no level" if level is None else level_name(level)
        yield f"the graph {dependencies} is of {shape}, the task says {level_name(task.level)}"
        return
    if not context.is_legacy:
        yield from _orders(context, task, dependencies)


def _orders(context: Context, task: Task, dependencies: list[tuple[int, ...]]) -> Iterator[str]:
    stateful = {name for name, tool in context.tools.items() if World in tool.injected.values()}
    if sum(step.tool in stateful for step in task.steps) < 2:
        return
    for order in permutations(range(len(task.steps))):
        place = {number: position for position, number in enumerate(order)}
        if any(place[s - 1] > place[n] for n, needed in enumerate(dependencies) for s in needed):
            continue
        episode = Episode(context.tools)
        for number in order:
            step = task.steps[number]
            if episode.execute(step.tool, dict(step.arguments)).output != step.output:
                yield f"{step.step_id} gives another output in the order {[n + 1 for n in order]}"
                return


def edges_real(context: Context, task: Task) -> Iterator[str]:
    """Each flowing value is unknown before its call: not in the prompt, no boolean, unlike all others."""
    positions = positions_of(task)
    for number, step in enumerate(task.steps):
        for edge in step.edges:
            source = positions.get(edge.source)
            if source is None or source >= number:
                continue
            value = dig(task.steps[source].output, edge.path)
            where = f"{step.step_id}: {edge.argument} ← {edge.source}.{edge.path}"
            if isinstance(value, Unresolved):
                yield f"{where} is no field of what {task.steps[source].tool} gives"
            elif isinstance(value, bool):
                yield f"{where} is a boolean"
            elif appears(value, task.prompt):
                yield f"{where} stands in the prompt"
            elif _elsewhere(task, number, source, edge.path, value):
                yield f"{where} equals another output"


def _elsewhere(task: Task, number: int, source: int, path: str, value: Any) -> bool:
    return any(
        other == value and type(other) is type(value)
        for position in range(number)
        for name, other in task.steps[position].output.items()
        if (position, name) != (source, path.split(".")[0])
    )
