"""Which run folders were asked procedures, and the procedures of a seed."""

import json
from functools import lru_cache
from pathlib import Path

from dataset_builder.procedures.rungs import horizon_suite
from dataset_builder.read_files import open_plain
from dataset_builder.tasks.task import Level, Suite
from evaluator.traces.check_run_json import read_description

_FIRST_ROW = 4_000_000
"""So many bytes of a file are looked at for its first row."""
_PREFIX = Level.PROCEDURE.task_id(0).rstrip("0")


@lru_cache(maxsize=4)
def procedures(seed: int) -> Suite:
    """The procedures of a seed, made anew, which takes some seconds."""
    return horizon_suite(seed)


def ladder_seed(folder: Path, suite: Suite) -> int | None:
    """The seed of the procedures that a run folder was asked; None where it is a run of the suite.

    It is a run over procedures where run.json names another suite and the first task is one. InputError
    where the folder cannot be read.
    """
    asked = read_description(folder).get("suite") or {}
    seed = asked.get("seed")
    is_other = asked.get("digest") not in (None, suite.digest)
    is_ladder = is_other and type(seed) is int and _first_task(folder).startswith(_PREFIX)
    return seed if is_ladder else None


def _first_task(folder: Path) -> str:
    try:
        with open_plain(folder / "traces.jsonl") as file:
            return str(json.loads(file.readline(_FIRST_ROW))["task_id"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""
