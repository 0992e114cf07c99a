"""When two prompts count as nearly alike: the Jaccard similarity of their word trigrams."""

from typing import Any

# Up to this many tasks no two prompts may be more alike than MOST_ALIKE; beyond, none may be equal.
SMALL_SUITE = 200
MOST_ALIKE = 0.9


def word_trigrams(text: str) -> frozenset[tuple[str, ...]]:
    """The runs of three words of a text (the whole text where it is shorter)."""
    words = text.casefold().split()
    return frozenset(tuple(words[i : i + 3]) for i in range(max(1, len(words) - 2)))


def jaccard(one: frozenset[Any], other: frozenset[Any]) -> float:
    """Shared members over all members, in [0, 1]."""
    return len(one & other) / len(one | other)
