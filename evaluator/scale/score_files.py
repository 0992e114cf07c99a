"""Scores of any number of rows: the input cut into units, a part for each, and a summary."""

from collections.abc import Callable, Sequence
from typing import Any

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite
from dataset_builder.workers import check_workers
from evaluator.scale.engines import ENGINES
from evaluator.scale.gathered import Gathered
from evaluator.scale.part import key_in
from evaluator.scale.score_unit import Outcome, ScoreUnit
from evaluator.scale.storage import (
    Place,
    make_folder,
    names_in,
    place_of,
    remove,
    write_place,
)
from evaluator.scale.summary import SUMMARY, check_folder, summary_of, text_of
from evaluator.scale.units import UNIT_BYTES, Unit, units_of
from evaluator.traces.trace import TraceProblems

Watch = Callable[[Sequence[Unit], int, Outcome], None]
"""Is told of the units, the number of one that is done, and its outcome."""


def score_files(
    inputs: Sequence[str],
    out: str,
    suite: Suite,
    engine: str = "processes",
    workers: int | None = None,
    watch: Watch = lambda units, number, outcome: None,
    unit_bytes: int = UNIT_BYTES,
) -> dict[str, Any]:
    """Score files, folders and addresses into the folder ``out``; the summary that is written there.

    Rows are scored as they stand, without those that are missing. Units whose part is there already are
    passed over. Raises TraceProblems with what is wrong with the rows (then there is no summary, and the
    parts of sound units stay), and InputError for everything else that cannot be used.
    """
    if engine not in ENGINES:
        raise InputError(f"no engine is called {engine!r} (expected {' or '.join(ENGINES)})")
    # Before anything is made or removed.
    check_workers(workers)
    folder = place_of(out)
    if folder.address.startswith("memory://") and (
        engine != "processes" or workers not in (None, 1)
    ):
        raise InputError(
            f"{folder}: is seen by one process alone; leave out --workers and --engine"
        )
    units = units_of(inputs, folder, unit_bytes)
    check_folder(folder, units)
    make_folder(folder)
    # Where a summary stands the folder is whole.
    if SUMMARY in names_in(folder):
        remove(folder.inside(SUMMARY))
    gathered = Gathered(units, folder)
    for number, outcome in ENGINES[engine](ScoreUnit(suite, folder), units, workers):
        watch(units, number, outcome)
        gathered.add(number, outcome)
    if problems := gathered.problems():
        raise TraceProblems(problems)
    summary = summary_of(gathered, suite)
    _remove_others(folder, {part["part"] for part in summary["parts"]})
    write_place(folder.inside(SUMMARY), text_of(summary))
    return summary


def _remove_others(folder: Place, parts: set[str]) -> None:
    """Remove the parts of what these files were before, so that all parts together are the scores.

    And what a process that was killed while it wrote has left half-written.
    """
    for name in names_in(folder):
        is_half_written = name.startswith(".new-") and name.endswith(".tmp")
        if is_half_written or (key_in(name) and name not in parts):
            remove(folder.inside(name))
