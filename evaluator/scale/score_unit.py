"""What a worker does: make the part of one unit, or find that it is there."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from dataset_builder.tasks.task import Suite
from dataset_builder.tools import catalogue
from evaluator.scale.part import PartRow, key_of, name_of, part_of, part_row, rows_in, rows_of_part
from evaluator.scale.storage import Place, read_if_there, write_place
from evaluator.scale.tally import Tally, tally_of
from evaluator.scale.unit_rows import digest_of, lines_in, rows_of
from evaluator.scale.units import Unit
from evaluator.scoring.score import Scorer
from evaluator.traces.row_reader import RowReader
from evaluator.traces.trace_reader import MAX_PROBLEMS


@dataclass(slots=True)
class Outcome:
    """What became of a unit."""

    part: str = ""
    """The file of its part; nothing where it holds no row, or a problem."""
    sha256: str = ""
    is_new: bool = False
    lines: int = 0
    """How many lines it has, the blank ones as well."""
    tally: Tally = field(default_factory=Tally)
    problems: list[tuple[int, str]] = field(default_factory=list)
    """Line and what is wrong there, the first so many."""


@dataclass(frozen=True, slots=True)
class ScoreUnit:
    """Scores a unit's rows on a suite, into a part in the folder ``out``; picklable."""

    suite: Suite
    out: Place

    def __call__(self, unit: Unit) -> Outcome:
        """The outcome; InputError for what cannot be read or written."""
        key = key_of(digest_of(unit), self.suite)
        place = self.out.inside(name_of(key))
        outcome = Outcome(lines=lines_in(unit))
        content = read_if_there(place)
        if content is not None and _take(outcome, content, key):
            return outcome
        content = part_of(self._scored(unit, outcome), key)
        if not outcome.problems and rows_in(content):
            write_place(place, content)
            outcome.is_new = _take(outcome, content, key)
        return outcome

    def _scored(self, unit: Unit, outcome: Outcome) -> Iterator[PartRow]:
        """The rows of the part, up to the first problem; all of these go into the outcome."""
        reader, scorer = RowReader(self.suite), Scorer(catalogue())
        for line, (trace, problems) in rows_of(unit, reader):
            room = MAX_PROBLEMS + 1 - len(outcome.problems)
            outcome.problems += [(line, problem) for problem in problems[:room]]
            if trace is not None and not outcome.problems:
                task = reader.suite_of(trace.task_id, self.suite).by_id[trace.task_id]
                yield part_row(line, trace, scorer.score(task, trace))


def _take(outcome: Outcome, content: bytes, key: str) -> bool:
    """Whether a part is whole and of this key; then the outcome tells of it."""
    try:
        outcome.tally = tally_of(rows_of_part(content, key))
    except ValueError:
        return False
    outcome.part, outcome.sha256 = name_of(key), hashlib.sha256(content).hexdigest()
    return True
