"""Values and verdicts of a trace as HTML: inert, of bounded length, in words and not in colour alone."""

import json
from typing import Any

from markupsafe import Markup

from dataset_builder.values.references import Unresolved
from evaluator.explaining.explanation import SIGNS, Judgement
from space.base.markup import tag
from space.base.sanitize import clean

SHORT, LONG = 140, 3_000
"""Characters of a value that are shown at once, and when it is opened."""


def verdict(kind: str, words: str) -> Markup:
    """A judgement: a sign, its words, and a colour that repeats them."""
    return tag("span", f"{SIGNS[kind]} {words}".lstrip(), class_=f"verdict {kind}")


def judgement(judged: Judgement) -> Markup:
    """A judgement of the evaluator's."""
    return verdict(judged.kind, clean(judged.words, 300))


def value(shown: Any) -> Markup:
    """A JSON value as one line of code; a long one opens."""
    text = as_text(shown, LONG)
    if len(text) <= SHORT:
        return tag("code", text)
    return tag("details", tag("summary", tag("code", clean(text, SHORT))), tag("code", text))


def as_text(json_value: Any, longest: int) -> str:
    """A JSON value as one line of text that cannot turn or hide what stands around it."""
    if isinstance(json_value, Unresolved):
        return clean(json_value.reference, longest)
    text = json.dumps(json_value, ensure_ascii=False, default=lambda hole: hole.reference)
    return clean(text, longest)
