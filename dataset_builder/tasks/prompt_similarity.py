"""When two prompts are too alike to stand in one suite: equal, or with nearly the same word trigrams."""

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


class PromptLog:
    """The prompts so far: none twice, and in a small suite no two nearly alike."""

    def __init__(self, is_small: bool) -> None:
        self._is_small = is_small
        self._seen: set[str] = set()
        self._trigrams: list[frozenset[tuple[str, ...]]] = []

    def __contains__(self, prompt: object) -> bool:
        """Whether a task has exactly this prompt."""
        return prompt in self._seen

    def take(self, prompt: str) -> bool:
        """Whether the prompt is new; if so it counts as taken."""
        if prompt in self._seen:
            return False
        if self._is_small:
            trigrams = word_trigrams(prompt)
            if any(jaccard(trigrams, other) > MOST_ALIKE for other in self._trigrams):
                return False
            self._trigrams.append(trigrams)
        self._seen.add(prompt)
        return True
