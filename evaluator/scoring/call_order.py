"""Order: how much of the expected order a model's calls keep, when independent steps may swap."""

from bisect import bisect_left
from collections.abc import Collection, Sequence

from evaluator.scoring.bipartite_matching import pair_off


def longest_in_order(
    calls: Sequence[str], steps: Sequence[str], depends: Sequence[Collection[int]]
) -> int:
    """Length of the longest common subsequence of the calls and a topological order of the steps.

    ``calls`` and ``steps``: names of tools. ``depends``: for each step the positions of the steps that
    come before it. Among all topological orders it takes the one that gives the longest.

    A dynamic programme over sets of steps that are closed under dependence: for each set and each
    length, the earliest call at which a common subsequence of that length can end. A step joins a set
    when all that it depends on is in it, matched to its next call or left out.
    """
    if _is_subsequence(steps, calls) and all(max(d, default=-1) < i for i, d in enumerate(depends)):
        return len(steps)
    places: dict[str, list[int]] = {}
    for place, name in enumerate(calls):
        places.setdefault(name, []).append(place)
    needed = [sum(1 << source for source in set(sources)) for sources in depends]
    # For a set of steps: at index k the number of calls used up by the shortest prefix that holds k.
    ends: dict[int, list[int]] = {0: [0]}
    longest = 0
    for _ in steps:
        grown: dict[int, list[int]] = {}
        for mask, used in ends.items():
            for step, name in enumerate(steps):
                if mask >> step & 1 or needed[step] & ~mask:
                    continue
                extended = _extended(used, places.get(name, ()))
                known = grown.get(mask | 1 << step)
                grown[mask | 1 << step] = extended if known is None else _earliest(known, extended)
        ends = grown
        longest = max([longest, *(len(used) - 1 for used in ends.values())])
    return longest


def most_in_order(places: Sequence[int | None], depends: Sequence[Collection[int]]) -> int:
    """How many steps there are at most of whose calls none stands before one that it depends on.

    ``places``: for each step the place of its call, or None. ``depends``: as above; a step is listed
    after those that it depends on. Of many steps this stands for `longest_in_order`, which is never
    less and takes time that grows with the number of orders.

    That a step depends on another one whose call comes later is a partial order, so by Dilworth's
    theorem the largest set without such a pair is what a maximum matching of these pairs leaves over.
    """
    upstream: list[int] = []
    for step, sources in enumerate(depends):
        earlier = [source for source in sources if source < step]
        upstream.append(sum(1 << source for source in set(earlier)))
        for source in earlier:
            upstream[step] |= upstream[source]
    last_first = sorted(
        ((place, step) for step, place in enumerate(places) if place is not None), reverse=True
    )
    seen = 0
    too_late = []
    for _, step in last_first:
        both = upstream[step] & seen
        too_late.append([source for source in range(step) if both >> source & 1] if both else [])
        seen |= 1 << step
    return len(last_first) - sum(partner is not None for partner in pair_off(too_late))


def _is_subsequence(steps: Sequence[str], calls: Sequence[str]) -> bool:
    rest = iter(calls)
    return all(name in rest for name in steps)


def _extended(used: Sequence[int], places: Sequence[int]) -> list[int]:
    """The ends after one more step that stands at ``places``, or is left out."""
    extended = list(used)
    for length, end in enumerate(used):
        at = bisect_left(places, end)
        if at == len(places):
            break
        if length + 1 == len(extended):
            extended.append(places[at] + 1)
        elif places[at] + 1 < extended[length + 1]:
            extended[length + 1] = places[at] + 1
    return extended


def _earliest(one: Sequence[int], other: Sequence[int]) -> list[int]:
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    return [min(end, shorter[k]) if k < len(shorter) else end for k, end in enumerate(longer)]
