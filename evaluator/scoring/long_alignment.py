"""Alignment of tasks of many steps (specification: Alignment): near-optimal, in polynomial time.

What a pair is worth depends on the calls that stand for the steps upstream of it. So a first plan is
the optimal assignment where each pair is worth what may be hoped for it. Then the steps are settled
layer by layer from upstream: true worths take the place of the layer's hopes, and what is not settled
yet is planned anew. A hope downstream that does not come true may have held a call that a step
upstream of it needed, so the whole is planned again by those true worths, and settled again, for as
long as that makes it better. So a wrong or missing call costs its own step, and does not take the
calls of other steps.
"""

from collections.abc import Mapping, Sequence

from evaluator.scoring.align import QUANTUM, Alignment, Pairs, Worth, value_of

# Of the calls that some steps compete for the first are looked at: two for each step, and these.
SPARE_CALLS = 100
# Two or three rounds find all that they ever find; the bound is for the time of the worst case.
_MOST_ROUNDS = 8
_MOST_EDGES, _MOST_CALLS = 1_000, 100_000
_NOWHERE = -1


def align_at_length(pairs: Pairs) -> Alignment:
    """An alignment that is good by the order of `evaluator.scoring.align`."""
    plan = _Plan(pairs)
    best = plan.settled()
    bound = value_of(best, pairs)
    for _ in range(_MOST_ROUNDS):
        alignment = plan.settled()
        value = value_of(alignment, pairs)
        if value <= bound:
            break
        best, bound = alignment, value
    return best


class _Plan:
    """The calls planned for the steps, and what each pair is taken to be worth: at first all it may."""

    def __init__(self, pairs: Pairs) -> None:
        steps = range(len(pairs.candidates))
        groups = competing(pairs.candidates)
        depths = _depths(pairs.sources)
        self._calls: list[int | None] = [None for _ in steps]
        self._pairs = pairs
        self._groups = groups
        # Steps of one group and depth, each with all of the group from that depth on.
        self._layers = [
            (
                [step for step in group if depths[step] == depth],
                [step for step in group if depths[step] >= depth],
            )
            for depth in range(max(depths, default=-1) + 1)
            for group in groups
            if any(depths[step] == depth for step in group)
        ]
        self._weights: list[dict[int, int]] = [{} for _ in steps]
        for group in groups:
            calls = sorted({call for step in group for call in pairs.candidates[step]})
            looked_at = set(calls[: 2 * len(group) + SPARE_CALLS])
            for step in group:
                hopes = {
                    c: pairs.ceiling(step, c) for c in pairs.candidates[step] if c in looked_at
                }
                self._weights[step] = self._weighted(step, hopes)
        self._upstream: list[Alignment | None] = [None for _ in steps]

    def settled(self) -> Alignment:
        """Planned anew, and again from each layer on where a weight was not true; then all are."""
        for group in self._groups:
            self._assign(group)
        for layer, onwards in self._layers:
            corrected = [step for step in layer if self._is_corrected(step)]
            if corrected:
                self._assign(onwards)
        return tuple(self._calls)

    def _is_corrected(self, step: int) -> bool:
        """Whether its calls, as the steps upstream are planned now, are worth other than was taken."""
        upstream = tuple(self._calls[source] for source in self._pairs.sources[step])
        if upstream == self._upstream[step]:
            return False
        self._upstream[step] = upstream
        taken = self._weights[step]
        worths = {call: self._pairs.worth(step, call, upstream) for call in taken}
        self._weights[step] = self._weighted(step, worths)
        return self._weights[step] != taken

    def _weighted(self, step: int, worths: Mapping[int, Worth]) -> dict[int, int]:
        steps = len(self._calls)
        return {call: _weight(worth, abs(call - step), steps) for call, worth in worths.items()}

    def _assign(self, steps: Sequence[int]) -> None:
        """Plan the calls of these steps anew; the others keep theirs."""
        planned = set(steps)
        kept = {call for step, call in enumerate(self._calls) if step not in planned}
        free = [{c: w for c, w in self._weights[step].items() if c not in kept} for step in steps]
        for step, call in zip(steps, best_assignment(free), strict=True):
            self._calls[step] = call


def _weight(worth: Worth, displacement: int, steps: int) -> int:
    """A pair in one number, so that of two sums the greater is the better by the order of `align`."""
    right, similarity, edges = worth
    weight = steps + 1 + right
    weight = weight * steps * (QUANTUM + 1) + similarity
    weight = weight * steps * _MOST_EDGES + edges
    return weight * steps * _MOST_CALLS - displacement


def _depths(sources: Sequence[Sequence[int]]) -> list[int]:
    """For each step the length of the longest way to it; a step comes after its sources."""
    depths: list[int] = []
    for step, upstream in enumerate(sources):
        depths.append(1 + max((depths[source] for source in upstream if source < step), default=-1))
    return depths


def competing(candidates: Sequence[Sequence[int]]) -> list[list[int]]:
    """The steps in groups: together are those that compete for calls, if only through others."""
    groups: dict[int, list[int]] = {}
    group_of: dict[int, int] = {}
    for step, calls in enumerate(candidates):
        members = [step]
        for number in dict.fromkeys(group_of[call] for call in calls if call in group_of):
            members += groups.pop(number)
        groups[step] = sorted(members)
        for member in members:
            group_of |= dict.fromkeys(candidates[member], step)
    return list(groups.values())


def best_assignment(weights: Sequence[Mapping[int, int]]) -> list[int | None]:
    """For each row the column that it gets, or None, in the one-to-one choice of the greatest sum.

    ``weights[row][column]``: positive; columns are numbers from 0. By shortest augmenting paths (the
    Hungarian method) in whole numbers, so that equal sums are equal on every machine.
    """
    # A column of its own, worth nothing, lets each row go without.
    costs = [
        {**{column: -weight for column, weight in options.items()}, _NOWHERE - 1 - row: 0}
        for row, options in enumerate(weights)
    ]
    owner: dict[int, int] = {}
    row_price = [0] * len(costs)
    column_price = dict.fromkeys((column for row in costs for column in row), 0) | {_NOWHERE: 0}
    for row in range(len(costs)):
        owner[_NOWHERE], here = row, _NOWHERE
        visited: dict[int, None] = {}
        slack: dict[int, int] = {}
        way: dict[int, int] = {}
        while here in owner:
            visited[here] = None
            visitor = owner[here]
            for column, cost in costs[visitor].items():
                if column not in visited:
                    reduced = cost - row_price[visitor] - column_price[column]
                    if column not in slack or reduced < slack[column]:
                        slack[column], way[column] = reduced, here
            here = min(slack, key=slack.__getitem__)
            if least := slack.pop(here):
                for column in visited:
                    row_price[owner[column]] += least
                    column_price[column] -= least
                slack = {column: left - least for column, left in slack.items()}
        while here != _NOWHERE:
            owner[here] = owner[way[here]]
            here = way[here]
    taken = {row: column for column, row in owner.items() if column >= 0}
    return [taken.get(row) for row in range(len(costs))]
