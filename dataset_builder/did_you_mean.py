"""What somebody may have meant by a name that is not there."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

_MOST = 3
_LONGEST = 100
_ALIKE, _APART = 0.7, 0.1
"""How alike two names have to be, and how much less than the likeliest another may be."""
_FEWEST = 3
"""Letters from which on the beginning of a name is enough."""


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """At most three of the known names, the likeliest first; none where nothing is near.

    Case is nothing, and the last part of a name stands for it: weather for get_weather, 0049 for
    L1_chain_0049, oracle for baseline:oracle.
    """
    forms: dict[str, list[str]] = {}
    for each in known:
        for form in {each.casefold(), re.split("[/:_]", each)[-1].casefold()}:
            forms.setdefault(form, []).append(each)
    typed = name.casefold()[:_LONGEST]
    if typed in forms:
        return forms[typed][:_MOST]
    continued = [form for form in forms if len(typed) >= _FEWEST and form.startswith(typed)]
    alike = get_close_matches(typed, forms, _MOST, _ALIKE)
    alike = [form for form in alike if _ratio(typed, form) >= _ratio(typed, alike[0]) - _APART]
    names = dict.fromkeys(each for form in (*alike, *continued) for each in forms[form])
    return list(names)[:_MOST]


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other).ratio()


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """``; did you mean a or b?`` to end a sentence with, or nothing."""
    names = nearest(name, known)
    return f"; did you mean {' or '.join(names)}?" if names else ""
