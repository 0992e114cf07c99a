"""Which suite a run is of: the one at hand, a ladder of procedures, or the requests that no tool serves.

The last two are made anew: the ladder from its seed, the requests from their list.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from dataset_builder.errors import InputError
from dataset_builder.published.load_suite import horizon_of, published_horizon
from dataset_builder.tasks.irrelevance import IRRELEVANCE, irrelevance_suite
from dataset_builder.tasks.task import Level, Suite

_LEVELS = {Level.PROCEDURE: "procedures (P_…)", Level.IRRELEVANT: "requests without a call (I_…)"}
"""The levels that are suites of their own, and what they hold."""


def level_apart(task_id: str) -> Level | None:
    """The level of an id whose tasks are a suite of their own; None for one of levels 0 to 3."""
    begins = ((level, level.task_id(0).rstrip("0")) for level in _LEVELS)
    return next((level for level, prefix in begins if task_id.startswith(prefix)), None)


def suite_apart(suite: Suite) -> Level | None:
    """The level of a suite that stands apart; None for one of levels 0 to 3."""
    return next((task.level for task in suite.tasks if task.level in _LEVELS), None)


def mixed(levels: Collection[Level | None]) -> str:
    """What is wrong with traces of several suites."""
    held = [text for level, text in _LEVELS.items() if level in levels]
    held += ["tasks of levels 0 to 3"] if None in levels else []
    return (
        f"holds {' and '.join(held)}, which are never scored together; give each a file of its own"
    )


def suite_of(task_ids: Iterable[str], suite: Suite, name: str) -> Suite:
    """The suite that tasks are of: ``suite``, or the published one of tasks that stand apart from it.

    InputError, which names what holds them, for tasks of several suites.
    """
    levels = {level_apart(each) for each in task_ids}
    if len(levels) > 1:
        raise InputError(f"{name}: {mixed(levels)}")
    level = next(iter(levels), None)
    if level is None or level is suite_apart(suite):
        return suite
    return published_horizon() if level is Level.PROCEDURE else irrelevance_suite()


def suite_of_run(about: Mapping[str, Any], suite: Suite, name: str) -> Suite:
    """The suite of a run folder, whose ``run.json`` says of which ladder or config it is, if of any.

    ``suite`` where it says nothing, or is of that kind itself. InputError where there is no such ladder.
    """
    described = about.get("suite") or {}
    if described.get("config") == IRRELEVANCE:
        return suite if suite_apart(suite) is Level.IRRELEVANT else irrelevance_suite()
    ladder = described.get("ladder")
    if ladder is None or suite_apart(suite) is Level.PROCEDURE:
        return suite
    if not isinstance(ladder, dict):
        raise InputError(f"{name}: suite.ladder: expected an object")
    sizes: dict[str, Any] = {name: ladder.get(name) for name in ("per_rung", "longest")}
    sizes["seed"] = described.get("seed")
    if not all(type(size) is int for size in sizes.values()):
        raise InputError(f"{name}: suite: expected whole numbers as seed, per_rung and longest")
    return horizon_of(**sizes)
