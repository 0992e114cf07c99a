"""Which fixture a query means: the one that shares most words with it, endings and filler aside."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from dataset_builder.values.canonical import fold

MAX_WORDS = 50
_WORD = re.compile(r"[^\W_]+")
_FILLER = frozenset(
    "a about an and any are best buy by can cheap company do does find for from get good guide have "
    "help how i in information instruction is it like look me my need new of on our policy process "
    "question rule should some tell that the their there this to top under up us want we what "
    "when where which who with you your".split()
)


def content_words(text: str) -> list[str]:
    """The first words of a text that say what it is about, without a plural's ending."""
    words = (match.group() for match in _WORD.finditer(fold(text)))
    telling = (_singular(word) for word in words if word not in _FILLER)
    return list(islice((word for word in telling if word not in _FILLER), MAX_WORDS))


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@lru_cache(maxsize=512)
def _vocabulary(fixture: str) -> frozenset[str]:
    return frozenset(content_words(fixture))


def shared_words(query: Sequence[str], fixture: str) -> int:
    """How many of the query's content words stand in a fixture."""
    return sum(map(_vocabulary(fixture).__contains__, query))


@lru_cache(maxsize=8)
def _by_word(fixtures: tuple[str, ...]) -> dict[str, list[int]]:
    """By content word the indices of the fixtures that it stands in."""
    places: dict[str, list[int]] = {}
    for place, fixture in enumerate(fixtures):
        for word in _vocabulary(fixture):
            places.setdefault(word, []).append(place)
    return places


def best_match(query: str, fixtures: tuple[str, ...]) -> int | None:
    """The index of the fixture that shares most content words with a query, the first of equals.

    None unless at least half of the query's words stand in it.
    """
    query_words, by_word = content_words(query), _by_word(fixtures)
    scores = Counter(place for word in query_words for place in by_word.get(word, ()))
    best = max(scores.values(), default=0)
    if not best or 2 * best < len(query_words):
        return None
    return min(place for place, score in scores.items() if score == best)
