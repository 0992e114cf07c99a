"""Tables as CSV in which no cell is a formula."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

# Where a spreadsheet would begin to calculate; and the apostrophe itself, so that taking one away again
# gives the text that it was.
_FORMULA = ("'", "=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")


def csv_text(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table as CSV in which no cell is a formula (`inert`); None and NaN are empty cells."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow([inert(name) for name in head])
    writer.writerows(["" if _is_missing(cell) else inert(cell) for cell in row] for row in rows)
    return stream.getvalue()


def inert(cell: Any) -> Any:
    """The cell, a text that begins like a formula with an apostrophe before it.

    So are those that begin with one, so that taking one off gives back every text.
    """
    if isinstance(cell, str) and cell.lstrip(" ").startswith(_FORMULA):
        return f"'{cell}"
    return cell


def _is_missing(cell: Any) -> bool:
    return cell is None or bool(cell != cell)
