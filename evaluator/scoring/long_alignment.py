"""Alignment of tasks of many steps (specification: Alignment): near-optimal, in polynomial time.

What a pair is worth depends on the calls that stand for the steps upstream of it. So a first plan is
the optimal assignment where each pair is worth what may be hoped for it. Then the steps are settled
layer by layer from upstream: where a planned pair turns out to be worth less, true worths take the
place of the layer's hopes, and what is not settled yet is planned anew. So a wrong or missing call
costs its own step, and does not take the calls of those after it.
"""

from collections.abc import Mapping, Sequence

from evaluator.scoring.align import QUANTUM, Alignment, Pairs, Worth

# Of the calls that some steps compete for the first are looked at: two for each step, and these.
SPARE_CALLS = 100
_MOST_EDGES, _MOST_CALLS = 1_000, 100_000
_NOWHERE = -1


def align_at_length(pairs: Pairs) -> Alignment:
    """An alignment that is good by the order of `evaluator.scoring.align`."""
    steps = len(pairs.candidates)
    plan: list[int | None] = [None] * steps
    weights: list[dict[int, int]] = [{} for _ in range(steps)]
    depths = _depths(pairs.sources)
    groups = competing(pairs.candidates)

    def weight(step: int, call: int) -> int:
        upstream = tuple(plan[source] for source in pairs.sources[step])
        return _weight(pairs.worth(step, call, upstream), abs(call - step), steps)

    for group in groups:
        calls = sorted({call for step in group for call in pairs.candidates[step]})
        looked_at = set(calls[: 2 * len(group) + SPARE_CALLS])
        for step in group:
            hopes = {c: pairs.ceiling(step, c) for c in pairs.candidates[step] if c in looked_at}
            weights[step] = {c: _weight(hope, abs(c - step), steps) for c, hope in hopes.items()}
        _assign(group, weights, plan)
    for depth in range(max(depths, default=-1) + 1):
        for group in groups:
            layer = [step for step in group if depths[step] == depth]
            planned = [(step, call) for step in layer if (call := plan[step]) is not None]
            # No hope is below the truth, so a plan that comes true is the best one still.
            if any(weight(step, call) < weights[step][call] for step, call in planned):
                for step in layer:
                    weights[step] = {call: weight(step, call) for call in weights[step]}
                _assign([step for step in group if depths[step] >= depth], weights, plan)
    return tuple(plan)


def _assign(
    steps: Sequence[int], weights: Sequence[Mapping[int, int]], plan: list[int | None]
) -> None:
    """Plan the calls of these steps anew; the others keep theirs."""
    kept = {call for step, call in enumerate(plan) if step not in steps}
    free = [{c: w for c, w in weights[step].items() if c not in kept} for step in steps]
    for step, call in zip(steps, best_assignment(free), strict=True):
        plan[step] = call


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
