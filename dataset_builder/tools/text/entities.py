"""The people, places and organizations that a text names: capitalised spans and known names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from dataset_builder.tools.text.words import sentences
from dataset_builder.values.canonical import fold
from dataset_builder.values.facts import load

LONGEST_NAME = 6
_TOKEN = re.compile(r"[^\W_]+(?:[-'’&][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s?$")


@dataclass(frozen=True)
class _Names:
    """What is known of names: folded names with their kind, and words that tell a kind."""

    known: dict[str, str]
    openers: frozenset[str]
    given_names: frozenset[str]
    organization_words: frozenset[str]
    titles: frozenset[str]
    connectors: frozenset[str]
    ordinary: frozenset[str]


def find_entities(text: str) -> dict[str, str]:
    """Names in order of first appearance, each with its kind: person, place, organization or other.

    A span is a run of capitalised words that are not ordinary ones (The, March); "of" may join what
    follows a word for an organization (Bank of England), "de", "van" and the like any two. From its
    left, the longest part of a span wins that is a known name, ends in a word for an organization,
    or is a given name or a title with what follows. What is left is ``other``, unless it is a
    single word that opens its sentence, or the line is set in title case.
    """
    entities: dict[str, str] = {}
    for sentence in sentences(text):
        tokens = list(_TOKEN.finditer(sentence))
        is_title = _is_title_case([token[0] for token in tokens])
        for span, opens in _spans(sentence, tokens):
            for name, kind in _names_in(span, opens):
                if kind != "other" or not is_title:
                    entities.setdefault(name, kind)
    return entities


def _is_title_case(words: list[str]) -> bool:
    """Whether most words are capitalised and all others short, as in a headline."""
    small = [word for word in words if word[0].islower()]
    return len(words) > 5 and len(small) < 0.4 * len(words) and all(len(w) < 5 for w in small)


def _spans(sentence: str, tokens: list[re.Match[str]]) -> Iterator[tuple[list[str], bool]]:
    """The spans of a sentence, each with whether it opens the sentence.

    Points join only what stands behind a title (Dr.) or an initial (J.).
    """
    names = _names()
    span: list[str] = []
    pending: list[str] = []
    opens, end = True, 0
    # The number of a list item opens no sentence.
    opening = next((token.start() for token in tokens if not token[0].isdigit()), 0)
    for token in tokens:
        word = _POSSESSIVE.sub("", token[0])
        gap = sentence[end : token.start()]
        end = token.start() + len(word)
        abbreviated = bool(span) and (span[-1] in names.titles or len(span[-1]) == 1)
        joined = bool(span) and (not gap.strip() or (gap == ". " and abbreviated))
        capitalised = _is_capitalised(word, names.ordinary)
        if joined and capitalised:
            if gap == ". " and span[-1] not in names.titles:
                span[-1] += "."
            span += [*pending, word]
            pending = []
        elif joined and len(pending) < 2 and _may_join(span, word):
            pending.append(word)
        else:
            if span:
                yield span, opens
            span, pending, opens = [word] if capitalised else [], [], token.start() == opening
    if span:
        yield span, opens


def _is_capitalised(word: str, ordinary: frozenset[str]) -> bool:
    if word[0].islower():
        return False
    parts = all(part[0].isupper() or part[0].isdigit() for part in word.split("-"))
    return parts and not word[0].isdigit() and word not in ordinary


def _may_join(span: list[str], word: str) -> bool:
    names = _names()
    return span[-1] in names.organization_words if word == "of" else word in names.connectors


def _names_in(span: list[str], opens: bool) -> Iterator[tuple[str, str]]:
    """The names in a span, known or not, from its left."""
    unknown: list[str] = []
    start = 0
    while start < len(span):
        length, kind = _longest_name(span[start : start + LONGEST_NAME])
        if not length:
            unknown.append(span[start])
            start += 1
            continue
        yield from _other(unknown, opens and start == len(unknown))
        unknown = []
        titled = length > 1 and span[start] in _names().titles
        yield " ".join(span[start + titled : start + length]), kind
        start += length
    yield from _other(unknown, opens and start == len(unknown))


def _other(words: list[str], opens: bool) -> Iterator[tuple[str, str]]:
    """The words between known names as a name of no known kind, unless one word opens a sentence."""
    connectors = _names().connectors
    while words and words[-1] in connectors:
        words = words[:-1]
    if len(words) > 1 or (words and not opens):
        yield " ".join(words), "other"


def _longest_name(window: list[str]) -> tuple[int, str]:
    """How many words at the head of the window make a name, and its kind; 0 where none do."""
    names = _names()
    if not (
        fold(window[0]) in names.openers
        or window[0] in names.given_names
        or window[0] in names.titles
        or any(word in names.organization_words for word in window)
    ):
        return 0, ""
    for length in range(len(window), 0, -1):
        kind = _kind(window[:length])
        if kind:
            return length, kind
    return 0, ""


def _kind(words: list[str]) -> str:
    names = _names()
    known = names.known.get(fold(" ".join(words)))
    if known or words[-1] in names.connectors:
        return known or ""
    head = words[words.index("of") - 1] if "of" in words[1:] else words[-1]
    if len(words) > 1 and head in names.organization_words:
        return "organization"
    people = [word for word in words if word not in names.connectors]
    titled = people[0] in names.titles
    if (titled and 2 <= len(people) <= 4) or (people[0] in names.given_names and len(people) <= 3):
        return "person"
    return ""


@lru_cache(maxsize=1)
def _names() -> _Names:
    facts = load("gazetteer")
    kinds = {"person": "person", "landmark": "place"}
    known = {fold(name): "organization" for name in facts["organizations"]}
    for name, entity in load("entities").items():
        for spelling in (name, *entity.get("aliases", ())):
            known[fold(spelling)] = kinds.get(entity["type"], "organization")
    known |= {fold(stock["company"]): "organization" for stock in load("stocks").values()}
    countries = [name for names in load("country_names").values() for name in names]
    for name, city in load("cities").items():
        countries += [name, city["country"]]
    known |= {fold(name): "place" for name in (*countries, *facts["places"])}
    words = {subject: frozenset(listed.split()) for subject, listed in facts["words"].items()}
    return _Names(
        known,
        frozenset(name.partition(" ")[0] for name in known),
        words["given_names"],
        words["organization_words"],
        words["titles"],
        words["connectors"],
        words["not_names"] | {word.capitalize() for word in load("stop_words")},
    )
