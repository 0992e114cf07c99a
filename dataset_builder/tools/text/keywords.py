"""The words that say what a text is about, and the sentences that hold most of them."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from dataset_builder.tools.text.words import plain_words
from dataset_builder.values.facts import load


def most_central(sentences: Sequence[str], count: int) -> list[str]:
    """The ``count`` sentences whose different words are, on average, the text's most frequent, in order.

    Stop words do not count; of two equally central sentences the earlier is taken. Headings, which
    end without a mark, come last.
    """
    contents = [content_words(sentence) for sentence in sentences]
    frequency = Counter(word for content in contents for word in content)
    centrality = [
        sum(frequency[word] for word in set(content)) / max(5, len(set(content)))
        for content in contents
    ]
    heading = [sentence.rstrip("\"'”’)]")[-1] not in ".!?…" for sentence in sentences]
    ranked = sorted(range(len(sentences)), key=lambda i: (heading[i], -centrality[i], i))
    return [sentences[i] for i in sorted(ranked[:count])]


def content_words(text: str) -> list[str]:
    """The words that are neither stop words nor numbers nor single letters."""
    stop_words = _stop_words()
    words = [word.removesuffix("'s") for word in plain_words(text)]
    return [w for w in words if w not in stop_words and len(w) > 1 and not w[0].isdigit()]


@lru_cache(maxsize=1)
def _stop_words() -> frozenset[str]:
    return frozenset(load("stop_words"))
