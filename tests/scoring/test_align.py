"""Alignment and order equal what trying everything finds, and stay quick where that is impossible."""

from collections.abc import Iterator, Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.scoring.align import (
    MAX_LOOKS,
    QUANTUM,
    Alignment,
    Worth,
    align,
    assignment,
    value_of,
)
from evaluator.scoring.bipartite_matching import pair_off
from evaluator.scoring.call_order import longest_in_order


def every_alignment(candidates: Sequence[Sequence[int]]) -> Iterator[Alignment]:
    if not candidates:
        yield ()
        return
    for rest in every_alignment(candidates[:-1]):
        yield (*rest, None)
        for call in candidates[-1]:
            if call not in rest:
                yield (*rest, call)


class Table:
    """Pairs with given worths; a dependent step is worth more where its upstream call is its partner."""

    def __init__(
        self,
        weights: list[dict[int, int]],
        sources: list[tuple[int, ...]] | None = None,
        partners: dict[tuple[int, int], int] | None = None,
    ) -> None:
        self.weights = weights
        self.candidates = [sorted(options) for options in weights]
        self.sources = sources or [() for _ in weights]
        self.partners = partners or {}
        self.looks = 0

    def worth(self, step: int, call: int, upstream: Alignment) -> Worth:
        self.looks += 1
        met = sum(
            self.partners.get((call, source)) == found and found is not None
            for source, found in zip(self.sources[step], upstream, strict=True)
        )
        similarity = min(QUANTUM, (self.weights[step][call] + 3 * met) * QUANTUM // 10)
        return int(similarity > 8 * QUANTUM // 10 and call % 3 != 2), similarity, met

    def ceiling(self, step: int, call: int) -> Worth:
        met = len(self.sources[step])
        return 1, min(QUANTUM, (self.weights[step][call] + 3 * met) * QUANTUM // 10), met


@st.composite
def tables(draw: st.DrawFn) -> Table:
    steps, calls = draw(st.integers(1, 4)), draw(st.integers(0, 5))
    weights = []
    for _ in range(steps):
        options = draw(st.sets(st.integers(0, calls - 1))) if calls else set()
        weights.append({call: draw(st.integers(0, 10)) for call in sorted(options)})
    sources = [
        tuple(sorted(draw(st.sets(st.integers(0, step - 1), max_size=2)))) if step else ()
        for step in range(steps)
    ]
    partners = draw(
        st.dictionaries(
            st.tuples(st.integers(0, 5), st.integers(0, 3)), st.integers(0, 5), max_size=12
        )
    )
    return Table(weights, sources, partners)


@given(tables())
def test_alignment_is_the_best_of_all(pairs: Table) -> None:
    best = max(value_of(alignment, pairs) for alignment in every_alignment(pairs.candidates))
    assert value_of(align(pairs), pairs) == best


@given(tables())
def test_assignment_is_the_best_of_all(pairs: Table) -> None:
    def value(found: Alignment) -> tuple[int, int, int]:
        chosen = [(step, call) for step, call in enumerate(found) if call is not None]
        weight = sum(pairs.weights[step][call] for step, call in chosen)
        return len(chosen), weight, -sum(abs(call - step) for step, call in chosen)

    best = max(map(value, every_alignment(pairs.candidates)))
    assert value(assignment(pairs.weights)) == best


def test_lexicographic_order() -> None:
    # Two pairs of little worth go before one perfect pair.
    assert align(Table([{0: 10, 1: 0}, {0: 1}])) == (1, 0)
    # Then right steps (above 8): 9 + 0 beats 8 + 8, and of two alike the one that is not call 2.
    assert align(Table([{0: 9, 1: 8}, {0: 8, 1: 0}])) == (0, 1)
    assert align(Table([{2: 10, 3: 10}])) == (3,)
    # Then the sum: 8 + 0 beats 3 + 4.
    assert align(Table([{0: 8, 1: 4}, {0: 3, 1: 0}])) == (0, 1)
    # Equally good: each as near as possible to its own place.
    assert align(Table([{0: 5, 1: 5, 2: 5}, {0: 5, 1: 5, 2: 5}])) == (0, 1)


def test_upstream_calls_decide_between_equals() -> None:
    # Two sources that took the wrong arguments alike; the steps after them stand in reverse order.
    pairs = Table(
        [{0: 0, 1: 0}, {0: 0, 1: 0}, {2: 6, 3: 6}, {2: 6, 3: 6}],
        [(), (), (0,), (1,)],
        {(2, 1): 1, (3, 0): 0},
    )
    assert align(pairs) == (0, 1, 3, 2)
    assert value_of((0, 1, 3, 2), pairs)[1] == 1


def test_a_thousand_calls_to_one_tool_take_bounded_work() -> None:
    weights = [{call: (7 * call + 13 * step) % 10 for call in range(1_000)} for step in range(8)]
    sources: list[tuple[int, ...]] = [(), (), (0,), (1,), (0, 1), (2, 3), (4,), (5, 6)]
    partners = {
        (call, step): (call * 31 + step) % 1_000 for call in range(1_000) for step in range(8)
    }
    pairs = Table(weights, sources, partners)
    alignment = align(pairs)
    assert len(set(alignment)) == 8
    # each pair by itself, then the search, then the values of a few alignments
    assert pairs.looks <= 8 * 1_000 + MAX_LOOKS + 100
    alone = assignment([dict(options) for options in weights])
    assert value_of(alignment, pairs) >= value_of(alone, pairs)


@given(st.lists(st.lists(st.integers(0, 5), unique=True, max_size=4), max_size=5))
def test_pairing_is_as_large_as_can_be(fits: list[list[int]]) -> None:
    partners = pair_off(fits)
    pairs = [(thing, partner) for thing, partner in enumerate(partners) if partner is not None]
    assert all(partner in fits[thing] for thing, partner in pairs)
    assert len({partner for _, partner in pairs}) == len(pairs)
    largest = max(sum(c is not None for c in found) for found in every_alignment(fits))
    assert len(pairs) == largest


# Order ----------------------------------------------------------------------------------------


def lcs(one: Sequence[str], other: Sequence[str]) -> int:
    row = [0] * (len(other) + 1)
    for a in one:
        diagonal = 0
        for j, b in enumerate(other, 1):
            above = row[j]
            row[j] = diagonal + 1 if a == b else max(above, row[j - 1])
            diagonal = above
    return row[-1]


DIAMOND: list[tuple[int, ...]] = [(), (0,), (0,), (1, 2)]


@pytest.mark.parametrize(
    ("calls", "steps", "depends", "length"),
    [
        ("ab", "ab", [(), (0,)], 2),
        ("ba", "ab", [(), (0,)], 1),
        ("ba", "ab", [(), ()], 2),
        ("bab", "ab", [(), (0,)], 2),
        ("", "ab", [(), (0,)], 0),
        ("xy", "ab", [(), (0,)], 0),
        ("abcd", "abcd", DIAMOND, 4),
        ("acbd", "abcd", DIAMOND, 4),
        ("bacd", "abcd", DIAMOND, 3),
        ("dcba", "abcd", DIAMOND, 2),
        ("acd", "abcd", DIAMOND, 3),
        ("aab", "aab", [(), (), (0, 1)], 3),
        ("aba", "aab", [(), (), (0, 1)], 2),
        ("wwch", "wwch", [(), (), (0,), (1, 2)], 4),
        ("wcwh", "wwch", [(), (), (0,), (1, 2)], 4),
        # the steps need not be listed in an order that works
        ("ab", "ba", [(1,), ()], 2),
    ],
)
def test_longest_in_order(
    calls: str, steps: str, depends: list[tuple[int, ...]], length: int
) -> None:
    assert longest_in_order(calls, steps, depends) == length


@given(
    st.text("abc", max_size=7),
    st.text("abc", min_size=1, max_size=5),
    st.data(),
)
def test_longest_in_order_is_the_best_of_all_orders(
    calls: str, steps: str, data: st.DataObject
) -> None:
    depends = [data.draw(st.sets(st.integers(0, i - 1))) if i else set() for i in range(len(steps))]
    orders = [
        order
        for order in permutations(range(len(steps)))
        if all(order.index(s) < order.index(i) for i, needed in enumerate(depends) for s in needed)
    ]
    best = max(lcs(calls, [steps[i] for i in order]) for order in orders)
    assert longest_in_order(calls, steps, depends) == best
