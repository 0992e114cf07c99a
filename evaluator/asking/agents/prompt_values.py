"""The values that a prompt states, by how they look: quoted texts, numbers, dates, addresses, names."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

QUOTED = re.compile(r'"([^"]+)"|“([^”]+)”|(?<!\w)\'([^\']+)\'(?!\w)|`([^`]+)`')
_MONTHS = (
    "(?:January|February|March|April|May|June|July|August|September|October|November|December"
    "|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)"
)
_CLOCK = r"(?: at \d{1,2}(?::\d\d)?(?: ?[ap]m)?)?"
NUMBER_WORDS = "one two three four five six seven eight nine ten eleven twelve".split()
# Kind of value → how it looks. The first that matches a stretch of text has it.
_KINDS: Mapping[str, re.Pattern[str]] = {
    "json": re.compile(r"\[\{[^\[\]]*\}\]|\{[^{}]*\}"),
    "email": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    "url": re.compile(
        r"https?://[^\s,)\"']+[^\s,)\"'.?!]|\b(?:[\w-]+\.)+(?:com|org|net|io|example)\b"
    ),
    "ip": re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b"),
    "date": re.compile(
        rf"\d{{4}}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?"
        rf"|{_MONTHS} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}{_CLOCK}"
        rf"|\d{{1,2}} {_MONTHS} \d{{4}}{_CLOCK}"
    ),
    "timezone": re.compile(r"\b(?:Europe|America|Asia|Africa|Australia|Pacific)/\w+|\bUTC\b"),
    "path": re.compile(r"(?<![\w.])/?[\w-]+(?:/[\w.-]+)*\.(?:txt|csv|json|md|log|wav|mp3|png)\b"),
    "expression": re.compile(r"[\d(][\d.,()]*(?: ?[-+*/^] ?(?:sqrt)?[\d(][\d.,()]*)+"),
    "number": re.compile(
        r"(?<![\w.])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\w)|(?<![\w.])-?\d+(?:\.\d+)?(?!\w)"
        rf"|\b(?:{'|'.join(NUMBER_WORDS)})\b"
    ),
    "code": re.compile(r"\b[A-Z]{2,5}\b"),
    "name": re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w'-]+(?: [A-Z][\w'-]+)*"),
}


@dataclass
class StatedValue:
    """One value that the prompt states, and whether a call has taken it."""

    kind: str
    text: str
    at: int
    taken: bool = False


def values_in(prompt: str) -> list[StatedValue]:
    """The values that a prompt states, in order: quoted texts, then what looks like some kind."""
    values: list[StatedValue] = []
    rest = prompt
    for match in QUOTED.finditer(prompt):
        text = next(group for group in match.groups() if group)
        values.append(StatedValue("quoted", text, match.start()))
        rest = rest[: match.start()] + " " * len(match[0]) + rest[match.end() :]
    for kind, pattern in _KINDS.items():
        for match in pattern.finditer(rest):
            values.append(StatedValue(kind, match[0], match.start()))
            rest = rest[: match.start()] + " " * len(match[0]) + rest[match.end() :]
    return sorted(values, key=lambda value: value.at)
