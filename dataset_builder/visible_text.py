"""Strangers' text as it may be shown: nothing in it turns, hides or drives what stands around it."""

import unicodedata
from itertools import accumulate
from typing import Any

# What has no shape of its own (or none that can be seen), or turns the direction of other text.
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def clean(text: Any, longest: int) -> str:
    """Text in one line, without control, format or bidirectional characters.

    Whitespace is joined, at most two marks stand on one letter, and what exceeds ``longest``
    characters is cut with an ellipsis.
    """
    visible: list[str] = []
    marks = 0
    # Nothing visible comes from beyond this many characters, however many of them are dropped.
    for character in unicodedata.normalize("NFC", str(text)[: 20 * longest]):
        category = unicodedata.category(character)
        if character.isspace():
            visible.append(" ")
            marks = 0
        elif category not in _UNSEEN:
            # What is dropped does not part the marks of one letter.
            marks = marks + 1 if category in ("Mn", "Me") else 0
            if marks <= 2:
                visible.append(character)
    # Marks that what was dropped stood between may have to change places.
    line = unicodedata.normalize("NFC", " ".join("".join(visible).split()))
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def inert(text: str) -> str:
    """Text in its own lines and at its own places, with U+FFFD for what a terminal might obey."""
    return "".join(
        character
        if character == "\n" or unicodedata.category(character) not in _UNSEEN
        else " " * (character == "\t") or "\N{REPLACEMENT CHARACTER}"
        for character in text
    )


def within(line: str, columns: int) -> str:
    """A line cut with an ellipsis to so many columns of a terminal, where some letters take two."""
    widths = [2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line]
    if sum(widths) <= columns:
        return line
    taken = accumulate(widths)
    return line[: sum(end < columns for end in taken)] + "…"
