"""Which results the sentences of a procedure speak of, read from the prompt alone.

All that is known beside the text is what each tool's results are called (`gives` of the clauses): how
the composer chose and bound them is not looked at.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from dataset_builder.procedures import grammar
from evaluator.audit.procedures_text import Sentence, is_quoted

_HOLE = re.compile(r"\{[^{}]*\}")
# What no name and no date ends with: "the date of the feed https://… with the weekday" ends before "with".
_JOINING = frozenset(
    "a an and as at by for from in into its of on or that the their this to which with".split()
)
_INSIDE_WORDS = "-.,:/_@'’"
_RUNS_ON = re.compile(rf"[{_INSIDE_WORDS}]?[^\W_]")
_NAMING = re.compile(r"\(call this step ([^()]+)\)")

Result = tuple[int, str]
"""The place of the sentence that asks for it, and its output field."""


@dataclass(frozen=True)
class Mention:
    """Words that stand for a result, and every result that they could mean."""

    start: int
    end: int
    words: str
    meanings: frozenset[Result]


@cache
def _nouns() -> Mapping[str, Mapping[str, frozenset[str]]]:
    """By tool what its results are called: noun → output fields."""
    nouns: dict[str, dict[str, frozenset[str]]] = {}
    for clause in grammar().clauses:
        own = nouns.setdefault(clause.tool, {})
        for given in clause.gives:
            own[given.noun] = own.get(given.noun, frozenset()) | {given.field}
    return nouns


def _one_of(nouns: Iterable[str]) -> str:
    """A pattern for the nouns, longer ones first."""
    return "|".join(map(re.escape, sorted(set(nouns), key=len, reverse=True)))


@cache
def _noun_pattern() -> str:
    return _one_of(noun for nouns in _nouns().values() for noun in nouns)


@cache
def _pointing() -> Sequence[re.Pattern[str]]:
    """By number, by demonstrative."""
    every = [given for clause in grammar().clauses for given in clause.gives]
    one = _one_of(given.noun for given in every if not given.is_plural)
    many = _one_of(given.noun for given in every if given.is_plural)
    return (
        re.compile(rf"\bthe ({_noun_pattern()}) from step (\d+)\b"),
        re.compile(rf"\b(?:that (?P<one>{one})|those (?P<many>{many}))\b"),
    )


@cache
def _phrases() -> Sequence[tuple[str, str, tuple[str, ...]]]:
    """Tool, output field, and the fixed parts of each phrase of literals, holes between them."""
    return tuple(
        dict.fromkeys(
            (clause.tool, given.field, tuple(_HOLE.split(given.phrase)))
            for clause in grammar().clauses
            for given in clause.gives
            if given.phrase
        )
    )


class Resolver:
    """Reads the sentences of one procedure."""

    def __init__(
        self, sentences: Sequence[Sentence], *, is_shuffled: bool, is_numbered: bool
    ) -> None:
        """``is_shuffled``: results may be mentioned before the sentence that asks for them.
        ``is_numbered``: whether the prompt numbers the sentences, so that "step 3" is one.
        """
        self._sentences = sentences
        self._is_shuffled = is_shuffled
        self._is_numbered = is_numbered
        self._mentions: dict[int, list[Mention]] = {}
        """By place of the sentence: several rules ask for them, and what "that" means hangs on others'."""
        self._named: dict[str, list[int]] = {}
        for sentence in sentences:
            for name in _NAMING.findall(sentence.text):
                self._named.setdefault(name, []).append(sentence.place)
        names = sorted(map(re.escape, self._named), key=len, reverse=True)
        self._by_name = re.compile(rf"\bthe ({_noun_pattern()}) from step ({'|'.join(names)})\b")
        self._by_tool: dict[str, list[Sentence]] = {}
        for sentence in sentences:
            self._by_tool.setdefault(sentence.step.tool, []).append(sentence)

    def mentions(self, sentence: Sentence) -> list[Mention]:
        """All mentions of results in a sentence, in the order of the text; longer words first."""
        if sentence.place not in self._mentions:
            self._mentions[sentence.place] = self._found(sentence)
        return self._mentions[sentence.place]

    def _found(self, sentence: Sentence) -> list[Mention]:
        mentions: list[Mention] = []
        every = [m for m in self._every(sentence) if not is_quoted(sentence.text, m.start)]
        for mention in sorted(every, key=lambda m: m.start - m.end):
            same = [m for m in mentions if (m.start, m.end) == (mention.start, mention.end)]
            if same:
                mentions.remove(same[0])
                meanings = same[0].meanings | mention.meanings
                mentions.append(Mention(mention.start, mention.end, mention.words, meanings))
            elif all(mention.end <= m.start or m.end <= mention.start for m in mentions):
                mentions.append(mention)
        return sorted(mentions, key=lambda mention: mention.start)

    def _every(self, sentence: Sentence) -> Iterator[Mention]:
        by_number, by_demonstrative = _pointing()
        for match in by_number.finditer(sentence.text):
            place = int(match[2]) if self._is_numbered else 0
            yield self._mention(match, self._fields(place, match[1]), sentence)
        if self._named:
            for match in self._by_name.finditer(sentence.text):
                meanings = {
                    r for place in self._named[match[2]] for r in self._fields(place, match[1])
                }
                yield self._mention(match, meanings, sentence)
        for match in by_demonstrative.finditer(sentence.text):
            yield self._mention(match, self._before(sentence, match[1] or match[2]), sentence)
        yield from self._described(sentence)

    def _mention(self, match: re.Match[str], meanings: set[Result], sentence: Sentence) -> Mention:
        return Mention(match.start(), match.end(), match[0], self._within_reach(meanings, sentence))

    def _within_reach(self, meanings: set[Result], sentence: Sentence) -> frozenset[Result]:
        """Without results of the sentence itself and, where order counts, of later ones."""
        return frozenset(
            (place, field)
            for place, field in meanings
            if place < sentence.place or (self._is_shuffled and place > sentence.place)
        )

    def _fields(self, place: int, noun: str) -> set[Result]:
        """The results of a sentence that a noun calls."""
        if not 1 <= place <= len(self._sentences):
            return set()
        tool = self._sentences[place - 1].step.tool
        return {(place, field) for field in _nouns().get(tool, {}).get(noun, ())}

    def _before(self, sentence: Sentence, noun: str) -> set[Result]:
        """What "that" may mean: what the sentence before names and gives, and what it speaks of."""
        if sentence.place == 1:
            return set()
        before = self._sentences[sentence.place - 2]
        spoken_of = {
            result
            for mention in self.mentions(before)
            for result in mention.meanings
            if _stands(noun, mention.words)
        }
        is_named = _stands(noun.casefold(), before.text.casefold())
        return spoken_of | (self._fields(before.place, noun) if is_named else set())

    def _described(self, sentence: Sentence) -> Iterator[Mention]:
        """Phrases such as "the weekday of 3 May 1990": of what another sentence states word for word."""
        for tool, field, parts in _phrases():
            # Where a sentence asks for a call of that tool itself, the words are its own.
            if tool not in self._by_tool or tool == sentence.step.tool:
                continue
            start = sentence.text.find(parts[0])
            while start >= 0:
                yield from self._longest(sentence, tool, field, parts, start)
                start = sentence.text.find(parts[0], start + 1)

    def _longest(
        self, sentence: Sentence, tool: str, field: str, parts: tuple[str, ...], start: int
    ) -> Iterator[Mention]:
        ends: dict[int, set[Result]] = {}
        for other in self._by_tool[tool]:
            if other is not sentence:
                end = _filled_to(sentence.text, start + len(parts[0]), parts[1:], other.text)
                if end is not None:
                    ends.setdefault(end, set()).add((other.place, field))
        if ends:
            end = max(ends)
            meanings = self._within_reach(ends[end], sentence)
            yield Mention(start, end, sentence.text[start:end], meanings)


def _filled_to(text: str, start: int, parts: tuple[str, ...], other: str) -> int | None:
    """Where a phrase ends whose holes hold words of another sentence; None where they do not."""
    if not parts:
        return start if _is_border(text, start) else None
    fixed, *rest = parts
    if not fixed and not rest:
        return _longest_shared(text, start, other)
    end = text.find(fixed, start + 1)
    while end >= 0 and _stands(text[start:end], other):
        if (filled := _filled_to(text, end + len(fixed), tuple(rest), other)) is not None:
            return filled
        end = text.find(fixed, end + 1)
    return None


def _longest_shared(text: str, start: int, other: str) -> int | None:
    """Where the longest run of whole words ends that also stands in another sentence."""
    longest = None
    for end in range(start + 1, len(text) + 1):
        if text[start:end] not in other:
            break
        run = text[start:end]
        if _is_whole(run) and _is_border(text, end) and _stands(run, other):
            longest = end
    return longest


def _is_whole(words: str) -> bool:
    """Whether words may be all of what a hole holds."""
    is_closed = words.count("“") == words.count("”") and words.count("(") == words.count(")")
    return is_closed and words[-1] not in " ,." and words.rpartition(" ")[2] not in _JOINING


def _stands(words: str, text: str) -> bool:
    """Whether words stand in a text, not as a part of longer ones."""
    start = text.find(words)
    while start >= 0:
        if _is_border(text, start) and _is_border(text, start + len(words)):
            return True
        start = text.find(words, start + 1)
    return False


def _is_border(text: str, position: int) -> bool:
    """Whether no word, number, date or address runs on across a position: 1997-12-24 is no 1997-12."""
    last = text[max(position - 1, 0) : position]
    if last.isalnum():
        return _RUNS_ON.match(text, position) is None
    is_inside = last in _INSIDE_WORDS and text[max(position - 2, 0) : position - 1].isalnum()
    return not (is_inside and text[position : position + 1].isalnum())
