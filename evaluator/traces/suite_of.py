"""Which suite a run is of: the one at hand, or a ladder of procedures, which is made anew from its seed."""

from collections.abc import Iterable, Mapping
from typing import Any

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Level, Suite

_PROCEDURE = Level.PROCEDURE.task_id(0).rstrip("0")
MIXED = (
    "holds procedures (P_…) and tasks of levels 0 to 3, which are never scored together; give each a "
    "file of its own"
)


def is_procedure_id(task_id: str) -> bool:
    """Whether an id is that of a procedure."""
    return task_id.startswith(_PROCEDURE)


def has_procedures(suite: Suite) -> bool:
    """Whether a suite is one of procedures."""
    return any(task.level is Level.PROCEDURE for task in suite.tasks)


def suite_of(task_ids: Iterable[str], suite: Suite, name: str) -> Suite:
    """The suite that tasks are of: ``suite``, or for procedures that it does not have the published ladder.

    InputError, which names what holds them, for procedures among other tasks.
    """
    kinds = {is_procedure_id(each) for each in task_ids}
    if len(kinds) > 1:
        raise InputError(f"{name}: {MIXED}")
    if kinds != {True} or has_procedures(suite):
        return suite
    return _ladder()


def suite_of_run(about: Mapping[str, Any], suite: Suite, name: str) -> Suite:
    """The suite of a run folder, whose ``run.json`` says of which ladder it is, if of any.

    ``suite`` where it says nothing, or has procedures itself. InputError where there is no such ladder.
    """
    described = about.get("suite") or {}
    ladder = described.get("ladder")
    if ladder is None or has_procedures(suite):
        return suite
    if not isinstance(ladder, dict):
        raise InputError(f"{name}: suite.ladder: expected an object")
    sizes = (described.get("seed"), ladder.get("per_rung"), ladder.get("longest"))
    if not all(type(size) is int for size in sizes):
        raise InputError(f"{name}: suite: expected whole numbers as seed, per_rung and longest")
    return _ladder(*sizes)


def _ladder(*sizes: Any) -> Suite:
    # Composing takes modules that scoring the other tasks can do without.
    from dataset_builder.procedures.rungs import horizon_suite

    return horizon_suite(*sizes)
