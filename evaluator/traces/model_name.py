"""What a model may be called: one definition for those who ask it, who read traces and who publish."""

import re
import unicodedata
from typing import Any

MAX_NAME = 200
RESERVED = ("baseline", "local")
"""What the names of built-in agents begin with, before a colon."""

# Characters that count as printable and leave nothing to be seen.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_COLONS = re.compile("[:\u02d0\u0589\u05c3\u2236\u2982\ua789\ufe13\ufe55\uff1a]")
# Letters and digits that readers take for one another.
_ALIKE = str.maketrans("i1|0", "lllo")


def name_problem(name: Any) -> str:
    """What is wrong with a model's name, or nothing.

    A name has one spelling, so that no two look the same: NFKC, printable, without unseen
    characters, single spaces between words only.
    """
    if not isinstance(name, str):
        return "expected text"
    if not 0 < len(name) <= MAX_NAME or not name.isprintable():
        return f"expected 1 to {MAX_NAME} printable characters"
    if _UNSEEN.search(name):
        return "expected no characters that cannot be seen"
    if name != " ".join(name.split()):
        return "expected no space at either end, and single ones between words"
    if name != (plain := unicodedata.normalize("NFKC", name)):
        return f"expected plain characters (NFKC), as in {plain[:60]!r}"
    if is_reserved(name) and not name.startswith(tuple(f"{word}:" for word in RESERVED)):
        return "expected no name that looks like a built-in agent's"
    return ""


def is_reserved(name: str) -> bool:
    """Whether readers would take a name, however it is spelled, for that of a built-in agent."""
    seen = _UNSEEN.sub("", unicodedata.normalize("NFKC", name)).casefold()
    seen = "".join(c for c in seen if c.isprintable() and not c.isspace())
    head, *rest = _COLONS.split(seen, maxsplit=1)
    return bool(rest) and any(_looks_like(head.translate(_ALIKE), word) for word in RESERVED)


def _looks_like(head: str, word: str) -> bool:
    """Whether a word is this one, a letter of another alphabet standing for any of its own."""
    alike = word.translate(_ALIKE)
    return len(head) == len(alike) and all(
        ours == theirs or not theirs.isascii() for ours, theirs in zip(alike, head, strict=True)
    )
