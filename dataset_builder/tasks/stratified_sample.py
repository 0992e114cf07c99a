"""A sample of tasks in which every level has its share."""

from collections.abc import Callable, Sequence

from dataset_builder.tasks.task import Level, Task
from dataset_builder.values.draw import Draw

Choose = Callable[[Level, Sequence[Task], int], Sequence[Task]]
"""So many different tasks of a level's."""


def stratified_sample(tasks: Sequence[Task], size: int, choose: Choose) -> list[Task]:
    """At most ``size`` of the tasks, in their order; a level's are those that ``choose`` gives.

    The levels have their shares of the tasks, by largest remainders.
    """
    if size >= len(tasks):
        return list(tasks)
    by_level = {level: [task for task in tasks if task.level is level] for level in Level}
    shares = {level: size * len(group) / len(tasks) for level, group in by_level.items()}
    counts = {level: int(share) for level, share in shares.items()}
    by_remainder = sorted(Level, key=lambda level: (counts[level] - shares[level], level))
    for level in by_remainder[: size - sum(counts.values())]:
        counts[level] += 1
    chosen = {
        task.task_id
        for level, group in by_level.items()
        for task in choose(level, group, counts[level])
    }
    return [task for task in tasks if task.task_id in chosen]


def limited(tasks: Sequence[Task], limit: int | None) -> list[Task]:
    """At most ``limit`` of the tasks, each level in proportion, in their order.

    A larger limit keeps what a smaller one chose, up to the rounding of a level's share.
    """
    if limit is None:
        return list(tasks)
    draw = Draw("stratified")
    return stratified_sample(
        tasks,
        limit,
        lambda level, group, count: sorted(group, key=lambda t: draw.fraction(t.task_id))[:count],
    )
