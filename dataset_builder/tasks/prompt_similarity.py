"""When two prompts are too alike to stand in one suite: equal, or with nearly the same word trigrams."""

from collections import Counter

# Up to this many tasks no two prompts may be more alike than MOST_ALIKE; beyond, none may be equal.
SMALL_SUITE = 200
MOST_ALIKE = 0.9

Trigram = tuple[str, ...]


def word_trigrams(text: str) -> frozenset[Trigram]:
    """The runs of three words of a text (the whole text where it is shorter)."""
    words = text.casefold().split()
    return frozenset(zip(words, words[1:], words[2:], strict=False)) or frozenset([tuple(words)])


class AlikePrompts:
    """Finds the prompts that are more alike than MOST_ALIKE, among those that share trigrams."""

    def __init__(self) -> None:
        self._sizes: list[int] = []
        self._places: dict[Trigram, list[int]] = {}
        """By trigram the prompts that have it."""

    def like(self, trigrams: frozenset[Trigram]) -> dict[int, float]:
        """The 0-based places of such prompts in the order of adding, with their Jaccard similarity."""
        shared = Counter(place for one in trigrams for place in self._places.get(one, ()))
        found = {
            place: count / (len(trigrams) + self._sizes[place] - count)
            for place, count in shared.items()
        }
        return {place: alike for place, alike in sorted(found.items()) if alike > MOST_ALIKE}

    def add(self, trigrams: frozenset[Trigram]) -> None:
        """One more prompt."""
        for one in trigrams:
            self._places.setdefault(one, []).append(len(self._sizes))
        self._sizes.append(len(trigrams))


class PromptLog:
    """The prompts so far: none twice, and in a small suite no two nearly alike."""

    def __init__(self, is_small: bool) -> None:
        self._alike = AlikePrompts() if is_small else None
        self._seen: set[str] = set()

    def __contains__(self, prompt: object) -> bool:
        """Whether a task has exactly this prompt."""
        return prompt in self._seen

    def take(self, prompt: str) -> bool:
        """Whether the prompt is new; if so it counts as taken."""
        if prompt in self._seen:
            return False
        if self._alike is not None:
            trigrams = word_trigrams(prompt)
            if self._alike.like(trigrams):
                return False
            self._alike.add(trigrams)
        self._seen.add(prompt)
        return True
