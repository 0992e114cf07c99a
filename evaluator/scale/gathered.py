"""What the parts of all units say together, and the problems that no unit sees by itself."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dataset_builder.errors import InputError
from evaluator.scale.part import key_in, rows_of_part
from evaluator.scale.score_unit import Outcome
from evaluator.scale.storage import Place, read_if_there
from evaluator.scale.tally import KEY_BYTES, Group, Tally
from evaluator.scale.units import Unit
from evaluator.traces.asked_form import asked_form
from evaluator.traces.suite_of import level_apart, mixed
from evaluator.traces.trace import Trace
from evaluator.traces.trace_reader import MAX_PROBLEMS

MAX_MODELS = 10_000
At = tuple[int, int]
"""Number of a unit, and the line in it."""


@dataclass
class Gathered:
    """The outcomes of units, of which no more is kept than counts and 16 bytes a row."""

    units: Sequence[Unit]
    out: Place
    outcomes: dict[int, Outcome] = field(default_factory=dict)
    """By number of the unit; their tallies and problems are added up in what follows."""
    groups: dict[tuple[str, int], Group] = field(default_factory=dict)
    first: dict[str, At] = field(default_factory=dict)
    """Where each model's first row stands."""
    _keys: dict[int, bytes] = field(default_factory=dict)
    _problems: list[tuple[int, int, str]] = field(default_factory=list)

    def add(self, number: int, outcome: Outcome) -> None:
        """Count a unit's outcome; the order in which they come does not matter."""
        found = ((number, line, text) for line, text in outcome.problems)
        self._problems = sorted([*self._problems, *found])[: MAX_PROBLEMS + 1]
        tally = outcome.tally
        self._keys[number] = tally.keys
        for model, line in tally.first.items():
            self.first[model] = min((number, line), self.first.get(model, (number, line)))
        if len(self.first) <= MAX_MODELS:
            for key, group in tally.groups.items():
                self.groups.setdefault(key, Group()).add(group)
        outcome.problems, outcome.tally = [], Tally()
        self.outcomes[number] = outcome

    def rows_in(self, number: int) -> int:
        """How many rows a unit has."""
        return len(self._keys[number]) // KEY_BYTES

    def problems(self) -> list[str]:
        """Everything that is wrong, as ``file:line: what``; the first thousand."""
        found = [f"{self.where((unit, line))}: {text}" for unit, line, text in self._problems]
        if not found:
            found += self._apart()
            found += self._twice(MAX_PROBLEMS + 1 - len(found))
        if len(found) > MAX_PROBLEMS:
            found[MAX_PROBLEMS:] = [f"more than {MAX_PROBLEMS:,} problems: the rest is not listed"]
        return found

    def where(self, at: At) -> str:
        """A place in the input: ``file:line``."""
        number, line = at
        return f"{self.units[number].file}:{self.lines_before(number) + line}"

    def lines_before(self, number: int) -> int:
        """How many lines of its file stand before a unit."""
        file, lines = self.units[number].file, 0
        while number and self.units[number - 1].file == file:
            number -= 1
            lines += self.outcomes[number].lines
        return lines

    def _apart(self) -> Iterator[str]:
        """What is wrong with files and models as wholes."""
        rows: Counter[Place] = Counter()
        for number, unit in enumerate(self.units):
            rows[unit.file] += self.rows_in(number)
        for file in rows:
            if not rows[file]:
                yield f"{file}: expected one trace a line, got an empty file"
        if len(self.first) > MAX_MODELS:
            yield f"expected at most {MAX_MODELS:,} models, got {len(self.first):,}"
            return
        levels = {level_apart(next(iter(group.tasks))) for group in self.groups.values()}
        if len(levels) > 1:
            yield f"{self.units[0].file}: {mixed(levels)}"
        yield from self._misspelt()
        for model in sorted(self.first):
            yield from self._contradictions(model)

    def _misspelt(self) -> Iterator[str]:
        known: dict[str, str] = {}
        for model in sorted(self.first, key=self.first.__getitem__):
            before = known.setdefault(model.casefold(), model)
            if model != before:
                where = self.where(self.first[model])
                yield f"{where}: model: {model!r} was {before!r} before; expected one spelling"

    def _contradictions(self, model: str) -> Iterator[str]:
        """What a model's rows say in several ways of how they were asked."""
        groups = [group for (name, _), group in self.groups.items() if name == model]
        said = {asked for group in groups for asked in group.asked}
        rows = [
            Trace("", protocol=protocol, extra={"asked": json.loads(asked)} if asked else {})
            for protocol, asked in said
        ]
        try:
            asked_form(rows, f"model {model!r}")
        except InputError as error:
            yield str(error)

    def _twice(self, most: int) -> list[str]:
        """Up to so many rows whose model, task and sample stand before."""
        pairs = _pairs([self._keys[number] for number in range(len(self.units))], most)
        rows = sorted({row for pair in pairs for row in pair})
        known = dict(zip(rows, self._shown(rows), strict=True))
        return [f"{known[b][0]}: {known[b][1]} stands at {known[a][0]} already" for a, b in pairs]

    def _shown(self, rows: Sequence[int]) -> Iterator[tuple[str, str]]:
        """Where rows stand, and whose answers they are; ``rows`` are numbered over all units."""
        begin, pending = 0, list(rows)
        for number in range(len(self.units)):
            end = begin + self.rows_in(number)
            own = {row - begin for row in pending if begin <= row < end}
            if own:
                yield from self._shown_in(number, own)
            begin = end

    def _shown_in(self, number: int, own: set[int]) -> Iterator[tuple[str, str]]:
        part = self.outcomes[number].part
        content = read_if_there(self.out.inside(part)) or b""
        row = 0
        for columns in rows_of_part(content, key_in(part) or ""):
            names = ("line", "model", "task_id", "sample")
            for line, model, task_id, sample in zip(*(columns[n] for n in names), strict=True):
                if row in own:
                    answer = f"model {model!r}, task {task_id}, sample {sample}"
                    yield self.where((number, line)), answer
                row += 1


def _pairs(keys: Sequence[bytes], most: int) -> list[tuple[int, int]]:
    """The numbers of rows of equal keys, the earlier one first, in order of the later one."""
    import numpy as np

    high, low = np.frombuffer(b"".join(keys), dtype="<u8").reshape(-1, 2).T
    order = np.lexsort((low, high))
    before, after = order[:-1], order[1:]
    same = (high[before] == high[after]) & (low[before] == low[after])
    pairs = sorted(zip(after[same].tolist(), before[same].tolist(), strict=True))
    return [(a, b) for b, a in pairs[:most]]
