"""Which clause comes next: one that takes the result at hand, new in its chain and little used so far."""

import math

from dataset_builder.procedures.drafts import Draft, Result
from dataset_builder.procedures.grammar import Clause, Grammar, Scenario
from dataset_builder.values.draw import Draw

# In so many steps that start from literals nothing flows on: somebody is reminded, a meeting is set up.
LONE_ENDS = 0.06
# A chain as long as it may be ends so often in a message, a file, an appointment.
ENDS = 0.9


class ClauseChoice:
    """Chooses the clauses of one procedure."""

    def __init__(self, grammar: Grammar, scenario: Scenario, depth: int, fan_in: int) -> None:
        """``depth``: calls in the longest chain. ``fan_in``: most results that one call takes."""
        self._grammar = grammar
        self._scenario = scenario
        self._depth = depth
        self._fan_in = fan_in
        self._uses = dict.fromkeys((clause.tool for clause in grammar.clauses), 0)
        """By tool how often it is called so far."""
        self._refusals = dict.fromkeys((clause.key for clause in grammar.clauses), 0)
        """By clause how often it came to nothing: some have few values."""
        self._starting = [clause for clause in grammar.clauses if not clause.result_holes]

    def count(self, draft: Draft) -> None:
        """Note a step that was made."""
        self._uses[draft.clause.tool] += 1

    def refuse(self, clause: Clause) -> None:
        """Note that a clause came to nothing."""
        self._refusals[clause.key] += 1

    def start(self, draw: Draw, *, has_chain: bool) -> Clause | None:
        """A clause that starts from literals; where no chain can grow long enough, the start of one."""
        is_end = draw.fraction("end") < LONE_ENDS and has_chain
        clauses = [clause for clause in self._starting if clause.is_end == is_end]
        if not has_chain:
            left = self._depth - 1
            clauses = [c for c in clauses if self._grammar.carries_on(c, "", left)] or clauses
        return self._least_used(clauses, frozenset(), draw)

    def follow(self, source: Result, draw: Draw, *, leads_on: bool, ends: bool) -> Clause | None:
        """A clause that takes a result; where it ``leads_on`` one that others can follow."""
        depth = source.step.depth + 1
        clauses = [
            clause
            for clause in self._grammar.taking(source.quantity)
            if len(clause.result_holes) <= self._fan_in and clause.tool != source.step.clause.tool
        ]
        if leads_on and depth < self._depth:
            left = self._depth - depth
            clauses = [
                clause
                for clause in clauses
                if clause.needed_results <= 1
                and self._grammar.carries_on(clause, source.quantity, left)
            ]
        elif ends or (depth == self._depth and draw.fraction("end") < ENDS):
            clauses = [clause for clause in clauses if clause.is_end] or clauses
        line = frozenset(step.clause.tool for step in source.step.line())
        return self._least_used(clauses, line, draw)

    def _least_used(self, clauses: list[Clause], line: frozenset[str], draw: Draw) -> Clause | None:
        """The clause of the lowest rank, the first of equals."""
        chosen, lowest = None, math.inf
        for clause in clauses:
            rank = self._rank(clause, line)
            # Drawn only where it can still be the lowest: a draw makes no rank lower.
            if (
                rank < lowest
                and (rank := rank + 1.8 * draw.fraction(f"rank {clause.key}")) < lowest
            ):
                chosen, lowest = clause, rank
        return chosen

    def _rank(self, clause: Clause, line: frozenset[str]) -> float:
        """Low for what is wanted: a tool that is new in a chain (``line``), and little used so far."""
        rank = self._uses[clause.tool] + self._refusals[clause.key] + 3 * (clause.tool in line)
        return rank - (0.7 if clause.subject in self._scenario.subjects else 0.0)
