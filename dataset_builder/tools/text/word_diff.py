"""The difference between two texts, word by word, from a longest common subsequence."""

from dataset_builder.tools.tool import ToolError

MAX_WORDS = 5_000


def word_diff(before: list[str], after: list[str]) -> tuple[int, int, list[str]]:
    """Words removed, words added, and the runs of both in order (``- old words``, ``+ new words``).

    Time grows with the product of the lengths: ToolError beyond 5,000 words each.
    """
    if max(len(before), len(after)) > MAX_WORDS:
        raise ToolError(f"texts of more than {MAX_WORDS:,} words are not compared")
    counts = {"-": 0, "+": 0}
    runs: dict[str, list[str]] = {"-": [], "+": []}
    changes = []
    for mark, word in [*_steps(before, after), ("=", "")]:
        if mark != "=":
            counts[mark] += 1
            runs[mark].append(word)
            continue
        changes += [f"{sign} {' '.join(run)}" for sign, run in runs.items() if run]
        runs = {"-": [], "+": []}
    return counts["-"], counts["+"], changes


def _steps(before: list[str], after: list[str]) -> list[tuple[str, str]]:
    """Each word marked ``=`` (in both), ``-`` or ``+``, in order."""
    rows = _rows(before, after)
    i, j = len(before), len(after)
    backwards = []
    while i or j:
        if i and j and before[i - 1] == after[j - 1]:
            i, j = i - 1, j - 1
            backwards.append(("=", after[j]))
        elif j and rows[i] >> (j - 1) & 1:
            j -= 1
            backwards.append(("+", after[j]))
        else:
            i -= 1
            backwards.append(("-", before[i]))
    return backwards[::-1]


def _rows(before: list[str], after: list[str]) -> list[int]:
    """The rows of the table of common lengths, one bit a column.

    Bit j of row i is 0 where the first j + 1 words of ``after`` have one more word in common with
    the first i of ``before`` than the first j have. A whole row is computed at once with the carry
    of an addition (Hyyrö 2004).
    """
    places: dict[str, int] = {}
    for j, word in enumerate(after):
        places[word] = places.get(word, 0) | 1 << j
    full = (1 << len(after)) - 1
    rows = [full]
    for word in before:
        row = rows[-1]
        matches = row & places.get(word, 0)
        rows.append((row + matches | row - matches) & full)
    return rows
