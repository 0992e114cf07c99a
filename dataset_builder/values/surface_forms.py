"""Surface forms: the ways in which a prompt may state a value, and whether it does.

The generator says values in these forms; the audit accepts no others.
"""

import datetime as dt
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from dataset_builder.values.canonical import MONTHS, NUMBER_WORDS, fold, tidy
from dataset_builder.values.facts import load
from dataset_builder.values.json_values import ArgumentError
from dataset_builder.values.kinds import Kind

_NUMBER = re.compile(
    r"(?<![\w])(?<!\d[.:/-])([-−+]?)(?:[$€£¥])?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?:st|nd|rd|th)?(?![\w]|[.:/-]\d)"
)
_DIGIT = re.compile(r"\d")
_LETTERS = re.compile(r"[a-z]+")
_WORDS = {word: float(number) for number, word in enumerate(NUMBER_WORDS)} | {"dozen": 12.0}
_WORDS_OF = {number: [w for w, n in _WORDS.items() if n == number] for number in _WORDS.values()}

# Kinds that a prompt states in no other form than the value itself.
_OWN_FORM_ONLY = frozenset({"number", "integer", "name", "query", "prose"})

# Spellings of units that are words of their own: they state a unit only behind a number.
_WORDLIKE_UNITS = frozenset({"in", "st", "min", "are", "at", "as", "am", "pm", "pa", "ha", "to"})


def stands(text: str, prompt: str, *, exactly: bool = False) -> bool:
    """Whether a text stands in a prompt as whole tokens; white space and (unless exactly) case fold."""
    if not text.strip():
        return False
    if exactly and text in prompt:
        return True
    needle = _needle(text, exactly)
    hay = tidy(prompt) if exactly else folded_prompt(prompt)
    start = hay.find(needle)
    while start >= 0:
        end = start + len(needle)
        before = start > 0 and hay[start - 1].isalnum() and needle[0].isalnum()
        after = end < len(hay) and hay[end].isalnum() and needle[-1].isalnum()
        if not before and not after:
            return True
        start = hay.find(needle, start + 1)
    return False


@lru_cache(maxsize=1_024)
def _needle(text: str, exactly: bool) -> str:
    return tidy(text) if exactly else fold(text)


@lru_cache(maxsize=16)
def folded_prompt(prompt: str) -> str:
    """A prompt folded; kept apart from what is looked for, since it is searched many times in a row."""
    return fold(prompt)


def numbers_in(prompt: str) -> frozenset[float]:
    """The numbers that a prompt states: digits (with separators, as ordinals) and small words."""
    return _in_digits(prompt) | small_number_words(prompt)


def _states(number: float, prompt: str) -> bool:
    """Whether a number is among `numbers_in` a prompt: most could stand there in digits only."""
    number = float(number)
    if number in _in_digits(prompt):
        return True
    if number not in _WORDS_OF:
        return False
    folded = prompt.casefold()
    # Looked for first, since most prompts hold no word of the number's.
    may_stand = any(word in folded for word in _WORDS_OF[number])
    return may_stand and number in small_number_words(prompt)


@lru_cache(maxsize=16)
def _in_digits(prompt: str) -> frozenset[float]:
    if not _DIGIT.search(prompt):
        return frozenset()
    # No number spans white space, and most words of a prompt hold no digit.
    digital = " ".join([w for w in prompt.split() if not w.isalpha() and _DIGIT.search(w)])
    numbers = set()
    for sign, digits in _NUMBER.findall(digital):
        value = float(digits.replace(",", ""))
        numbers.add(-value if sign in ("-", "−") and sign else value)
    return frozenset(numbers)


@lru_cache(maxsize=16)
def small_number_words(text: str) -> frozenset[float]:
    """The numbers up to twenty that a text tells in words."""
    words = _WORDS.keys() & _LETTERS.findall(text.casefold())
    return frozenset([_WORDS[word] for word in words])


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th …"""
    suffix = (
        "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )
    return f"{number}{suffix}"


@lru_cache(maxsize=4_096)
def date_forms(iso: str) -> tuple[str, ...]:
    """The forms in which a prompt may state a date, the year always among them."""
    day = dt.date.fromisoformat(iso[:10])
    month, short = MONTHS[day.month - 1], MONTHS[day.month - 1][:3]
    return (
        f"{month} {day.day}, {day.year}",
        f"{day.day} {month} {day.year}",
        iso[:10],
        f"{month} {ordinal(day.day)}, {day.year}",
        f"{short} {day.day}, {day.year}",
        f"{day.day} {short} {day.year}",
        f"the {ordinal(day.day)} of {month} {day.year}",
    )


def time_forms(iso: str) -> tuple[str, ...]:
    """The forms in which a prompt may state the time of day of an ISO date-time."""
    hour, minute, second = (int(part) for part in iso[11:19].split(":"))
    if second:
        return (iso[11:19],)
    half, twelve = ("am" if hour < 12 else "pm"), hour % 12 or 12
    forms = [f"{hour:02}:{minute:02}", f"{hour}:{minute:02}"]
    forms += [f"{twelve}:{minute:02} {half}", f"{twelve}:{minute:02}{half}", iso[11:19]]
    if not minute:
        forms += [f"{twelve} {half}", f"{twelve}{half}", f"{twelve} {half[0]}.m."]
        forms += {12: ["noon"], 0: ["midnight"]}.get(hour, [])
    return tuple(forms)


def _forms(kind: Kind, value: Any) -> tuple[str, ...]:
    """The forms of a value of a text kind other than the value itself."""
    if kind.name in ("enum", "boolean"):
        plain = str(value).replace("_", " ") if kind.name == "enum" else ""
        return (plain, *kind.said.get(str(value).lower() if isinstance(value, bool) else value, ()))
    if kind.name == "date":
        return date_forms(value)
    if kind.name == "timezone":
        return (value.rpartition("/")[2].replace("_", " "),)
    if kind.name == "currency":
        facts = load("currencies")[value]
        return (facts["name"], *facts["spellings"])
    if kind.name == "unit":
        spellings = (*load("units")[value]["spellings"], value.replace("_", " "))
        return tuple(s for s in spellings if len(s) > 1 and s not in _WORDLIKE_UNITS)
    if kind.name == "url":
        return (value.partition("://")[2],)
    return ()


def known(kind: Kind, value: Any, prompt: str) -> bool:
    """Whether a prompt tells an output value as it is, or as the kind of argument that takes it.

    A number as a number and a text as plain text have no other form than their own.
    """
    plain_types = (int, float) if kind.name in ("number", "integer") else str
    if kind.name in _OWN_FORM_ONLY and isinstance(value, plain_types):
        return appears(value, prompt)
    return appears(value, prompt) or grounded(kind, value, prompt)


def grounded(kind: Kind, value: Any, prompt: str) -> bool:
    """Whether the prompt states the value: itself, or a surface form of its canonical value."""
    if kind.item is not None and isinstance(value, list):
        return all(grounded(kind.item, item, prompt) for item in value)
    try:
        value = kind.read(value)
    except ArgumentError:
        return False
    if kind.name in ("number", "integer"):
        return _states(value, prompt)
    if kind.name == "object":
        return _all_stand(value, prompt)
    if kind.item is not None:
        return all(grounded(kind.item, item, prompt) for item in value)
    if kind.name == "date" and value[:4].lstrip("0") not in prompt:
        # Every form tells the year.
        return False
    if kind.name == "datetime":
        naive = re.sub(r"(?:Z|[+-]\d{2}:\d{2})$", "", value)
        return any(stands(form, prompt) for form in date_forms(naive)) and any(
            stands(form, prompt) for form in time_forms(naive)
        )
    exactly = kind.name == "verbatim"
    if isinstance(value, str) and stands(value, prompt, exactly=exactly):
        return True
    if kind.name == "currency" and any(
        s in prompt for s in load("currencies")[value]["spellings"] if len(s) == 1
    ):
        return True
    if kind.name == "unit" and _behind_a_number(value, prompt):
        return True
    return any(form and stands(form, prompt) for form in _forms(kind, value))


def _behind_a_number(unit: str, prompt: str) -> bool:
    return any(
        re.search(rf"[0-9] ?{re.escape(spelling)}(?![\w])", prompt)
        for spelling in load("units")[unit]["spellings"]
    )


def leaves(value: Any) -> Iterator[Any]:
    """Keys and scalar values of a JSON value, null and booleans as text."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item)
    elif value is None or isinstance(value, bool):
        yield str(value).lower().replace("none", "null")
    else:
        yield value


def appears(value: Any, prompt: str) -> bool:
    """Whether an output value stands in the prompt already, as a whole token (all its leaves)."""
    if isinstance(value, str):
        return stands(value, prompt)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _states(value, prompt)
    holds_any = next(leaves(value), None) is not None
    return holds_any and _all_stand(value, prompt)


def _all_stand(value: Any, prompt: str) -> bool:
    return all(
        stands(leaf, prompt) if isinstance(leaf, str) else _states(leaf, prompt)
        for leaf in leaves(value)
    )
