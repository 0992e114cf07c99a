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
        _place(thing, fits, taken)
    partners: list[int | None] = [None] * len(fits)
    for partner, thing in taken.items():
        partners[thing] = partner
    return partners


def _place(thing: int, fits: Sequence[Sequence[int]], taken: dict[int, int]) -> None:
    """Find a thing a partner; those that give theirs up for it on the way take another.

    Without recursion: such a way may be as long as there are things.
    """
    seen: set[int] = set()
    things = [thing]
    partners: list[int] = []
    untried = [iter(fits[thing])]
    while things:
        partner = next((each for each in untried[-1] if each not in seen), None)
        if partner is None:
            things.pop()
            untried.pop()
            del partners[len(things) - 1 :]
            continue
        seen.add(partner)
        partners.append(partner)
        if partner not in taken:
            taken.update(zip(partners, things, strict=True))
            return
        things.append(taken[partner])
        untried.append(iter(fits[things[-1]]))
