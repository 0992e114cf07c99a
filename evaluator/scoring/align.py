"""Alignment: which call stands for which expected step (specification: Alignment).

One-to-one, and optimal: most pairs, then most right steps, then the greatest sum of argument
similarity, then the most satisfied edges, so that the order of equally good calls never decides what they
are worth; then the least displacement (sum of distances between the place of a call among the calls
and of its step among the steps); then the first found in a fixed order.

Since a value that an edge feeds is right when it equals what the model's own upstream call gave, the
worth of a pair depends on the pairs upstream of it. So the search goes through the steps from
upstream to downstream and cuts off whatever cannot beat the best alignment found so far.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

QUANTUM = 360_360 * 10_000
"""Similarities are compared in whole parts of this size. A similarity is a mean over few arguments, and
every number up to 15 divides it, so that equal sums stay equal: 1 + 1/3 is 2/3 + 2/3."""

Worth = tuple[int, int, int]
"""1 for a right step (0 otherwise), its call's similarity in parts of `QUANTUM`, satisfied edges."""
Alignment = tuple[int | None, ...]
"""For each step the call that stands for it."""

# So many pairs a search may look at. Only a trace with dozens of calls to one tool that several
# steps need can reach it; it then keeps the best alignment found, which is never below the best one
# that looks at each pair by itself.
MAX_LOOKS = 2_000

_Value = tuple[int, int, int, int, int]


class Pairs(Protocol):
    """What the alignment needs to know (`evaluator.scoring.call_worth.Scene`)."""

    candidates: list[list[int]]
    """For each step the calls that may stand for it, ascending."""
    sources: list[tuple[int, ...]]
    """For each step the steps whose calls its worth depends on."""

    def worth(self, step: int, call: int, upstream: Alignment) -> Worth:
        """What a call is worth as a step; ``upstream``: the call of each of its sources."""
        ...

    def ceiling(self, step: int, call: int) -> Worth:
        """At least its worth, whatever is upstream."""
        ...


def align(pairs: Pairs) -> Alignment:
    """The optimal alignment."""
    first = _in_order(pairs.candidates)
    is_forced = sum(map(len, pairs.candidates)) == sum(call is not None for call in first)
    if is_forced or _is_flawless(first, pairs):
        return first
    return _Search(pairs).best


def _in_order(candidates: Sequence[Sequence[int]]) -> Alignment:
    """Each step with the first of its calls that no step before it has taken."""
    taken: dict[int, None] = {}
    chosen = []
    for options in candidates:
        call = next((call for call in options if call not in taken), None)
        if call is not None:
            taken[call] = None
        chosen.append(call)
    return tuple(chosen)


def _is_flawless(alignment: Alignment, pairs: Pairs) -> bool:
    """Whether nothing could be better: every step entirely right, and its call in the same place."""
    if any(call != step for step, call in enumerate(alignment)):
        return False
    # Every call has the number of its step, so the calls upstream have those of the sources.
    worths = (pairs.worth(step, step, sources) for step, sources in enumerate(pairs.sources))
    return all(worth[:2] == (1, QUANTUM) for worth in worths)


def value_of(alignment: Alignment, pairs: Pairs) -> _Value:
    """What alignments are compared by: pairs, right steps, similarity, edges, displacement (negative)."""
    aligned = [(step, call) for step, call in enumerate(alignment) if call is not None]
    worths = [
        pairs.worth(step, call, tuple(alignment[source] for source in pairs.sources[step]))
        for step, call in aligned
    ]
    right, similarity, edges = (
        (sum(parts) for parts in zip(*worths, strict=True)) if worths else (0, 0, 0)
    )
    return len(aligned), right, similarity, edges, -sum(abs(call - step) for step, call in aligned)


class _Search:
    """Depth-first through the steps, upstream first, with the best alignment so far as the bound."""

    def __init__(self, pairs: Pairs) -> None:
        self._pairs = pairs
        self._order = _upstream_first(pairs.sources)
        self._options = [self._ranked(step) for step in range(len(pairs.candidates))]
        self._rest = self._hopes()
        self._chosen: list[int | None] = [None] * len(pairs.candidates)
        self._looks = 0
        alone = assignment([self._alone(step) for step in range(len(pairs.candidates))])
        first = dict.fromkeys((alone, _in_order(pairs.candidates)))
        values = {alignment: value_of(alignment, pairs) for alignment in first}
        self.best = max(values, key=values.__getitem__)
        self._bound = values[self.best]
        self._visit(0, (0, 0, 0, 0, 0))

    def _alone(self, step: int) -> dict[int, int]:
        """What each candidate is worth with nothing upstream, as one number."""
        nothing = (None,) * len(self._pairs.sources[step])
        worths = {c: self._pairs.worth(step, c, nothing) for c in self._pairs.candidates[step]}
        most = QUANTUM * (len(self._pairs.candidates) + 1)
        return {call: worth[0] * most + worth[1] for call, worth in worths.items()}

    def _ranked(self, step: int) -> list[tuple[int, Worth]]:
        options = [(call, self._pairs.ceiling(step, call)) for call in self._pairs.candidates[step]]
        return sorted(
            options, key=lambda option: (*(-part for part in option[1]), abs(option[0] - step))
        )

    def _hopes(self) -> list[_Value]:
        """For each place in the order: at least what the steps from there on can add."""
        rest: list[_Value] = [(0, 0, 0, 0, 0)]
        for step in reversed(self._order):
            options = self._options[step]
            if options:
                hopes = [max(hope[part] for _, hope in options) for part in range(3)]
                nearest = min(abs(call - step) for call, _ in options)
                rest.append(_sum(rest[-1], (1, hopes[0], hopes[1], hopes[2], -nearest)))
            else:
                rest.append(rest[-1])
        return rest[::-1]

    def _visit(self, place: int, value: _Value) -> None:
        if place == len(self._order):
            if value > self._bound:
                self._bound, self.best = value, tuple(self._chosen)
            return
        step = self._order[place]
        used = set(self._chosen)
        upstream = tuple(self._chosen[source] for source in self._pairs.sources[step])
        for call, ceiling in self._options[step]:
            if self._looks >= MAX_LOOKS:
                return
            self._looks += 1
            if call in used or not self._can_win(place, value, call, ceiling):
                continue
            worth = self._pairs.worth(step, call, upstream)
            if self._can_win(place, value, call, worth):
                self._chosen[step] = call
                self._visit(place + 1, _sum(value, (1, *worth, -abs(call - step))))
                self._chosen[step] = None
        if _sum(value, self._rest[place + 1]) > self._bound:
            self._visit(place + 1, value)

    def _can_win(self, place: int, value: _Value, call: int, worth: Worth) -> bool:
        step = self._order[place]
        so_far = _sum(value, (1, *worth, -abs(call - step)))
        return _sum(so_far, self._rest[place + 1]) > self._bound


def _sum(one: _Value, other: _Value) -> _Value:
    return (
        one[0] + other[0],
        one[1] + other[1],
        one[2] + other[2],
        one[3] + other[3],
        one[4] + other[4],
    )


def _upstream_first(sources: Sequence[Sequence[int]]) -> list[int]:
    """The steps in an order in which each comes after its sources, as far as that is possible."""
    order: list[int] = []
    waiting = list(range(len(sources)))
    while waiting:
        ready = [step for step in waiting if all(source in order for source in sources[step])]
        order += ready or waiting
        waiting = [step for step in waiting if step not in order]
    return order


# Each pair by itself --------------------------------------------------------------------------


@dataclass
class _Best:
    """The best partial assignment that uses a given set of steps."""

    value: tuple[int, int, int] = (0, 0, 0)
    calls: dict[int, int] = field(default_factory=dict)


def assignment(weights: Sequence[Mapping[int, int]]) -> Alignment:
    """The optimal alignment where each pair has a weight of its own: ``weights[step][call]``.

    Most pairs, then the greatest sum of weights, then the least displacement. A dynamic programme
    over the calls and the sets of steps, for each group of steps that share calls.
    """
    chosen: list[int | None] = [None] * len(weights)
    for group in _groups(weights):
        for step, call in _assign(group, weights).items():
            chosen[step] = call
    return tuple(chosen)


def _groups(weights: Sequence[Mapping[int, int]]) -> list[list[int]]:
    """Steps joined wherever they share a call."""
    groups: list[tuple[set[int], list[int]]] = []
    for step, options in enumerate(weights):
        calls, members = set(options), [step]
        apart = []
        for group in groups:
            if group[0].isdisjoint(options):
                apart.append(group)
            else:
                calls |= group[0]
                members = group[1] + members
        groups = [*apart, (calls, members)]
    return [members for _, members in groups]


def _assign(group: Sequence[int], weights: Sequence[Mapping[int, int]]) -> dict[int, int]:
    # Of the calls that a step prefers, one for each step of the group is enough: the others can
    # occupy all but one of them.
    options: dict[int, list[int]] = {}
    for place, step in enumerate(group):
        ranked = sorted(weights[step], key=lambda c: (-weights[step][c], abs(c - step), c))
        for call in ranked[: len(group)]:
            options.setdefault(call, []).append(place)
    best = {0: _Best()}
    for call in sorted(options):
        for mask, state in list(best.items()):
            for place in options[call]:
                if not mask >> place & 1:
                    _improve(best, mask | 1 << place, state, group[place], call, weights)
    return max(best.values(), key=lambda state: state.value).calls


def _improve(
    best: dict[int, _Best],
    mask: int,
    state: _Best,
    step: int,
    call: int,
    weights: Sequence[Mapping[int, int]],
) -> None:
    pairs, weight, displacement = state.value
    value = (pairs + 1, weight + weights[step][call], displacement - abs(call - step))
    if mask not in best or value > best[mask].value:
        best[mask] = _Best(value, {**state.calls, step: call})
