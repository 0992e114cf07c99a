"""Values and verdicts of a trace as HTML: inert, of bounded length, in words and not in colour alone."""

import json
from typing import Any

from markupsafe import Markup

from dataset_builder.references import Unresolved
from evaluator.arguments import ArgumentVerdict, is_similar
from space.guard import clean
from space.markup import tag

SHORT, LONG = 140, 3_000
"""Characters of a value that are shown at once, and when it is opened."""
GOOD, WARN, BAD, PLAIN = "good", "warn", "bad", "plain"
_SIGNS = {GOOD: "✓ ", WARN: "≈ ", BAD: "✗ ", PLAIN: ""}


def verdict(kind: str, words: str) -> Markup:
    """A judgement: a sign, its words, and a colour that repeats them."""
    return tag("span", f"{_SIGNS[kind]}{words}", class_=f"verdict {kind}")


def value(found: Any) -> Markup:
    """A JSON value as one line of code; a long one opens."""
    text = as_text(found, LONG)
    if len(text) <= SHORT:
        return tag("code", text)
    return tag("details", tag("summary", tag("code", clean(text, SHORT))), tag("code", text))


def as_text(found: Any, longest: int) -> str:
    """A JSON value as one line of text that cannot turn or hide what stands around it."""
    if isinstance(found, Unresolved):
        return clean(found.reference, longest)
    text = json.dumps(found, ensure_ascii=False, default=lambda hole: hole.reference)
    return clean(text, longest)


def argument_verdict(found: ArgumentVerdict) -> Markup:
    """The judgement on an argument."""
    if found.expected is None:
        return verdict(BAD, "not asked for")
    if found.actual is None:
        return verdict(BAD, "missing")
    if isinstance(found.actual, Unresolved):
        return verdict(BAD, "refers to nothing")
    if found.is_exact:
        return verdict(GOOD, "right")
    if is_similar(found.similarity):
        return verdict(WARN, "near, but not exact: counts in the weighted score alone")
    if found.similarity > 0:
        return verdict(WARN, f"partly right, {100 * found.similarity:.0f} % alike")
    return verdict(BAD, "wrong")
