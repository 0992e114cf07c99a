"""summary.json: what all rows of an input are worth, written last, when every part is there."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite
from evaluator.scale.gathered import Gathered
from evaluator.scale.storage import Place, read_if_there
from evaluator.scale.tally import Group
from evaluator.scale.units import Unit
from evaluator.traces.signature import SCORER_VERSION, suite_label
from evaluator.traces.suite_of import suite_of

SUMMARY = "summary.json"
_FORMAT = 1


def summary_of(gathered: Gathered, suite: Suite) -> dict[str, Any]:
    """The summary of units without a problem (specification: Scores at scale)."""
    known = next(iter(next(iter(gathered.groups.values())).tasks))
    suite = suite_of([known], suite, str(gathered.units[0].file))
    total = sum(group.rows for group in gathered.groups.values())
    return {
        "format": _FORMAT,
        "suite": {
            "label": suite_label(suite),
            "seed": suite.seed,
            "tasks": len(suite.tasks),
            "digest": suite.digest,
        },
        "scorer": SCORER_VERSION,
        "rows": total,
        "models": {model: _model(gathered, model) for model in sorted(gathered.first)},
        "parts": list(_parts(gathered)),
    }


def _model(gathered: Gathered, model: str) -> dict[str, Any]:
    levels = {level: group for (name, level), group in gathered.groups.items() if name == model}
    whole = Group()
    for group in levels.values():
        whole.add(group)
    by_level = {f"L{level}": levels[level].to_json() for level in sorted(levels)}
    return {**whole.to_json(), "levels": by_level}


def _parts(gathered: Gathered) -> Iterator[dict[str, Any]]:
    before, file = 0, None
    for number, unit in enumerate(gathered.units):
        outcome = gathered.outcomes[number]
        before = before if unit.file == file else 0
        if rows := gathered.rows_in(number):
            yield {
                **_piece(unit),
                "first_line": before + 1,
                "rows": rows,
                "part": outcome.part,
                "sha256": outcome.sha256,
            }
        before, file = before + outcome.lines, unit.file


def _piece(unit: Unit) -> dict[str, Any]:
    return {"file": str(unit.file), "of": unit.kind, "start": unit.start, "end": unit.end}


def text_of(summary: dict[str, Any]) -> bytes:
    """The bytes of summary.json."""
    return json.dumps(summary, ensure_ascii=False, indent=1, allow_nan=False).encode() + b"\n"


def check_folder(out: Place, units: Sequence[Unit]) -> None:
    """InputError where a folder holds the scores of other files, which would be replaced."""
    content = read_if_there(out.inside(SUMMARY))
    if content is None:
        return
    try:
        held = json.loads(content)
        files = {part["file"] for part in held["parts"]}
    except (ValueError, TypeError, LookupError):
        raise InputError(
            f"{out}: its {SUMMARY} is not one of these scores; name another folder"
        ) from None
    if others := sorted(files - {str(unit.file) for unit in units}):
        raise InputError(
            f"{out}: holds the scores of {others[0]}, which is no input now; name another folder"
        )
