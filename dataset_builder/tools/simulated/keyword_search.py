"""Which fixture a query means: the one that shares most words with it, endings and filler aside."""

import re
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


def best_match(query: str, fixtures: Sequence[str]) -> int | None:
    """The index of the fixture that shares most content words with a query, the first of equals.

    None unless at least half of the query's words stand in it.
    """
    query_words = content_words(query)
    scores = [shared_words(query_words, text) for text in fixtures]
    best = max(scores, default=0)
    return scores.index(best) if best and 2 * best >= len(query_words) else None
