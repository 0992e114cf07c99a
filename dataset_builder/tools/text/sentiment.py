"""How positive or negative the words of a text sound."""

from functools import lru_cache

from dataset_builder.values.facts import load


def valence_of(words: list[str]) -> float:
    """The sum of the words' valences, from -3 to 3 each.

    A strengthening word (very) among the two before multiplies by 1.5, a negating one by -0.75.
    """
    valences, negators, intensifiers = _sentiment_lexicon()
    total = 0.0
    for position, word in enumerate(words):
        valence = valences.get(word)
        if valence is None:
            continue
        before = words[max(0, position - 2) : position]
        valence *= 1.0 if intensifiers.isdisjoint(before) else 1.5
        total += valence if negators.isdisjoint(before) else -0.75 * valence
    return total


@lru_cache(maxsize=1)
def _sentiment_lexicon() -> tuple[dict[str, float], frozenset[str], frozenset[str]]:
    facts = load("sentiment")
    valences = {w: float(v) for v, listed in facts["valence"].items() for w in listed.split()}
    return valences, frozenset(facts["negators"].split()), frozenset(facts["intensifiers"].split())
