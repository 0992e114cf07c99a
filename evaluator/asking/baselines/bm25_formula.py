"""BM25 over the words of the offered tools: which of them shares the rarest words with a text."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

# The usual constants.
K1, B = 1.2, 0.75
# How often a tool's name counts.
NAME_WEIGHT = 3

_WORD = re.compile(r"[a-z0-9]+")
_STOP = frozenset(
    "a an and are as at be by can do for from give have how i if in into is it its me my need of "
    "on or please so tell that the their them then there these they this to use was we what when "
    "which who will with you your get find let s".split()
)
_SUFFIXES = "ations ation ings ing ions ion ers er ies es ed s e".split()


class Index:
    """BM25 over the words of the offered tools."""

    def __init__(self, functions: Mapping[str, Mapping[str, Any]]) -> None:
        """``functions``: what the schemas say of the tools, by their names; at least one."""
        documents = {name: _document(function) for name, function in functions.items()}
        self._documents = documents
        self._length = sum(map(Counter.total, documents.values())) / len(documents)
        seen = Counter(word for document in documents.values() for word in document)
        count = len(documents)
        self._rarity = {
            word: math.log(1 + (count - n + 0.5) / (n + 0.5)) for word, n in seen.items()
        }

    def best(self, words: Sequence[str]) -> tuple[str, float]:
        """The tool that shares most with the words, the first of equals, and its score."""
        scores = {name: self._score(words, d) for name, d in self._documents.items()}
        name = max(scores, key=lambda n: scores[n])
        return name, scores[name]

    def _score(self, words: Sequence[str], document: Counter[str]) -> float:
        norm = K1 * (1 - B + B * document.total() / self._length)
        return sum(
            self._rarity[word] * document[word] * (K1 + 1) / (document[word] + norm)
            for word in dict.fromkeys(words)
            if word in document
        )


def _document(function: Mapping[str, Any]) -> Counter[str]:
    """The words of a tool, those of its name several times."""
    parameters = function["parameters"]["properties"]
    text = " ".join(
        [function["description"], *(p.get("description", "") for p in parameters.values())]
    )
    words = Counter(words_of(text))
    for word in words_of(function["name"].replace("_", " ")):
        words[word] += NAME_WEIGHT
    return words


def words_of(text: str) -> list[str]:
    """The stems of the words that say something."""
    return [_stem(word) for word in _WORD.findall(text.lower()) if word not in _STOP]


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)]
    return word
