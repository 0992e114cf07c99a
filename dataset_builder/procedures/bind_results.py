"""Which results flow into a call: the one at hand, and others that suit its holes."""

from collections.abc import Iterator, Sequence

from dataset_builder.procedures.drafts import Draft, Result
from dataset_builder.procedures.grammar import SAME, Clause, Grammar
from dataset_builder.procedures.ledger import Ledger
from dataset_builder.values.draw import Draw

# Steps looked at for a further result.
LOOKED_AT = 40
# A hole that a literal may fill takes a result so often.
RESULTS_FOR_LITERALS = 0.4


def by_reach(steps: Sequence[Draft], reach: str, draw: Draw) -> list[Draft]:
    """Steps in the order in which their results are wanted for a reach (near, mixed, far); some of many."""
    if reach == "near":
        return draw.sample("reach", steps[-2:], 2) + list(steps[-LOOKED_AT:-2][::-1])
    if reach == "far":
        old = steps[: max(3, len(steps) // 2)]
        return draw.sample("reach", old, min(len(old), LOOKED_AT))
    return draw.sample("reach", steps[-LOOKED_AT:], LOOKED_AT)


class Binder:
    """Fills the holes of one clause with results."""

    def __init__(
        self,
        grammar: Grammar,
        ledger: Ledger,
        clause: Clause,
        draw: Draw,
    ) -> None:
        """Nothing bound yet."""
        self._grammar = grammar
        self._ledger = ledger
        self._clause = clause
        self._draw = draw
        self._flows: dict[str, list[Result]] = {}
        self._steps: list[Draft] = []
        self._same = ""
        """The quantity of what is taken so far by holes that take all of the same."""

    def bind(
        self,
        source: Result,
        waiting: Sequence[Draft],
        others: Sequence[Draft],
        most: int,
        *,
        is_widest: bool,
    ) -> dict[str, tuple[Result, ...]] | None:
        """By hole its results, the source among them; None where a hole stays empty.

        ``waiting``: steps none of whose results is used yet, in the order in which they are wanted;
        ``others``: all that may be used. ``most``: results that one call takes. ``is_widest``: it
        is to take as many as it can.
        """
        hole = self._draw.choice("hole", self._holes_for(source))
        self._add(hole, source)
        for hole in self._draw.sample("holes", list(self._clause.takes), len(self._clause.takes)):
            fewest, wanted = self._bounds(hole)
            wanted = min(wanted, most - len(self._steps) + self._count(hole))
            if wanted > fewest >= 1 and not is_widest:
                wanted = self._draw.integer(f"most {hole}", fewest, wanted)
            self._take(hole, waiting, wanted)
            self._take(hole, others, wanted if is_widest else fewest)
            if self._count(hole) < fewest:
                return None
        return {hole: tuple(sorted(self._flows[hole], key=_is_worded)) for hole in self._flows}

    def _holes_for(self, source: Result) -> list[str]:
        """The holes that may take the source; those that a literal may fill only where there is no other."""
        fitting = [hole for hole in self._clause.takes if self._fits(source, hole)]
        return [hole for hole in fitting if hole in self._clause.result_holes] or fitting

    def _bounds(self, hole: str) -> tuple[int, int]:
        """Fewest and most results that a hole takes."""
        if hole in self._clause.result_holes:
            return self._clause.several.get(hole, (1, 1))
        return 0, int(self._draw.fraction(f"fill {hole}") < RESULTS_FOR_LITERALS)

    def _take(self, hole: str, steps: Sequence[Draft], wanted: int) -> None:
        """Fill a hole from these steps until it holds as many as wanted."""
        if self._count(hole) >= wanted:
            return
        for result in self._suitable(hole, steps):
            self._add(hole, result)
            if self._count(hole) >= wanted:
                return

    def _suitable(self, hole: str, steps: Sequence[Draft]) -> Iterator[Result]:
        """At most one result of each step that suits a hole beside what is bound already."""
        subjects = {step.clause.subject for step in self._steps}
        # A message about one subject reads better than one about many.
        alike = sorted(steps, key=lambda step: step.clause.subject not in subjects)
        is_same = self._clause.takes[hole].startswith(SAME)
        for step in alike[:LOOKED_AT]:
            if step in self._steps or step.clause.tool == self._clause.tool:
                continue
            if is_same and self._is_kin(step):
                continue
            for result in step.results:
                agrees = not is_same or self._same in ("", result.quantity)
                if agrees and self._fits(result, hole) and self._ledger.can_flow(result):
                    yield result
                    break

    def _fits(self, result: Result, hole: str) -> bool:
        wanted = self._clause.takes[hole].removeprefix(SAME)
        return self._grammar.quantities.fits(result.quantity, wanted)

    def _is_kin(self, step: Draft) -> bool:
        """Whether a step made one that is bound, or was made of it: nobody compares a value with itself."""
        line = step.line()
        return any(step in bound.line() or bound in line for bound in self._steps)

    def _add(self, hole: str, result: Result) -> None:
        self._flows.setdefault(hole, []).append(result)
        self._steps.append(result.step)
        if self._clause.takes[hole].startswith(SAME):
            self._same = result.quantity

    def _count(self, hole: str) -> int:
        return len(self._flows.get(hole, ()))


def _is_worded(result: Result) -> bool:
    """Whether a value begins with a word: such come after figures, lest "negative, 23.4" be read as one."""
    return isinstance(result.value, str) and not result.value[:1].isdigit()
