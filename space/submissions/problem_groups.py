"""Problems of a trace file that say the same of many lines, as one."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

MOST_RANGES = 8
"""So many stretches of lines are named; of the others only their number."""
_AT_LINE = re.compile(r"(?P<file>.*?):(?P<line>\d{1,9}): (?P<what>.*)", re.DOTALL)


def grouped(problems: Sequence[str]) -> list[str]:
    """One sentence for each different problem, in the order in which they first stand.

    >>> grouped(["f:1: bad", "f:2: bad", "f:3: worse", "f:5: bad", "f: empty"])
    ['f, lines 1–2, 5: bad', 'f:3: worse', 'f: empty']
    """
    lines: dict[tuple[str, str], list[int]] = {}
    for problem in problems:
        found = _AT_LINE.fullmatch(problem)
        key = (found["file"], found["what"]) if found else ("", problem)
        lines.setdefault(key, []).extend([int(found["line"])] if found else ())
    return [_sentence(file, what, numbers) for (file, what), numbers in lines.items()]


def _sentence(file: str, what: str, lines: Sequence[int]) -> str:
    if not lines:
        return what
    if len(lines) == 1:
        return f"{file}:{lines[0]}: {what}"
    return f"{file}, lines {ranges(lines)}: {what}"


def ranges(numbers: Iterable[int]) -> str:
    """Whole numbers as stretches, in rising order: ``1–5, 9``."""
    # In a stretch each number is as far from its place in the list as the first.
    in_order = enumerate(sorted(set(numbers)))
    stretches = [
        [number for _, number in group]
        for _, group in groupby(in_order, key=lambda pair: pair[1] - pair[0])
    ]
    named = [f"{s[0]}–{s[-1]}" if len(s) > 1 else str(s[0]) for s in stretches[:MOST_RANGES]]
    more = sum(map(len, stretches[MOST_RANGES:]))
    return ", ".join(named) + (f" and {more:,} more" if more else "")
