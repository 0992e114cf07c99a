"""One-to-one pairing of things that fit: as many pairs as possible."""

from collections.abc import Sequence


def pair_off(fits: Sequence[Sequence[int]]) -> list[int | None]:
    """For each thing the partner it gets, or None; ``fits[i]``: the partners that thing i could take.

    A maximum matching, found by augmenting paths; earlier things get earlier partners.
    """
    # No thing ever needs more candidates than there are things.
    fits = [options[: len(fits)] for options in fits]
    taken: dict[int, int] = {}
    for thing in range(len(fits)):
        _place(thing, fits, taken, set())
    partners: list[int | None] = [None] * len(fits)
    for partner, thing in taken.items():
        partners[thing] = partner
    return partners


def _place(
    thing: int, fits: Sequence[Sequence[int]], taken: dict[int, int], seen: set[int]
) -> bool:
    for partner in fits[thing]:
        if partner not in seen:
            seen.add(partner)
            if partner not in taken or _place(taken[partner], fits, taken, seen):
                taken[partner] = thing
                return True
    return False
