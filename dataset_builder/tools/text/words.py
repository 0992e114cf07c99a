"""Words and sentences of a text, found in one way by every text tool."""

import re
import unicodedata

from dataset_builder.tools.tool import ToolError

MAX_CHARACTERS = 30_000

# A hyphen or an apostrophe joins letters (well-known, don't), a point or a comma joins digits.
WORD = re.compile(r"[^\W_]+(?:(?:[-'’]|(?<=\d)[.,](?=\d))[^\W_]+)*")
# The look-behind lets a run of points be tried once, not from each of its points.
_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]]*+(?=\s|$)|\n+")
_ALWAYS_GO_ON = frozenset("dr mr mrs ms prof st e.g i.e vs no".split())
_OFTEN_END = frozenset("inc ltd co corp jr a.m p.m u.s u.k etc".split())


def words(text: str) -> list[str]:
    """The words as they stand, numbers such as 1,250.50 among them.

    ToolError beyond 30,000 characters.
    """
    check_length(text)
    return WORD.findall(text)


def check_length(text: str) -> None:
    """Refuse a text that would take too long to read: ToolError beyond 30,000 characters."""
    if len(text) > MAX_CHARACTERS:
        raise ToolError(f"texts of more than {MAX_CHARACTERS:,} characters are not read")


def plain(word: str) -> str:
    """A word as lexicons spell it: lower case, straight apostrophes, NFC."""
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFC", word).casefold().replace("’", "'")


def plain_words(text: str) -> list[str]:
    """The words as `plain` gives them; ToolError beyond 30,000 characters."""
    # Most texts are ASCII, where it is all the same whether a text or its words are lowered.
    return words(text.lower()) if text.isascii() else list(map(plain, words(text)))


def sentences(text: str) -> list[str]:
    """The sentences, trimmed; one ends at ``.``, ``!``, ``?``, ``…`` before a space, or with its line.

    A point behind a title (Dr.), an initial, a list number or, before a small letter, an
    abbreviation such as Inc. ends none. What holds neither letter nor digit is no sentence.
    ToolError beyond 30,000 characters.
    """
    check_length(text)
    pieces, start = [], 0
    for end in _END.finditer(text):
        if not end.group().startswith("\n") and _goes_on(text, start, end.end()):
            continue
        pieces.append(text[start : end.end()].strip())
        start = end.end()
    pieces.append(text[start:].strip())
    return [sentence for sentence in pieces if WORD.search(sentence)]


def _goes_on(text: str, start: int, end: int) -> bool:
    """Whether the point before ``end`` belongs to an abbreviation."""
    tail = text[max(start, end - 12) : end]
    if not tail.endswith(".") or tail.endswith(".."):
        return False
    last = tail[:-1].rpartition(" ")[2].lstrip("([\"'“‘")
    if last.isdigit() and not text[start : end - 1].strip(" \t" + last):
        return True
    if len(last) == 1 and last.isalpha() and last.isupper() and last != "I":
        return True
    if last.lower() in _ALWAYS_GO_ON:
        return True
    return last.lower() in _OFTEN_END and text[end : end + 2].strip().islower()
