"""Tables as CSV in which no cell is a formula."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

# Where a spreadsheet would begin to calculate; and the apostrophe itself, so that taking one away again
# gives the text that it was.
_FORMULA = ("'", "=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")


def csv_text(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table as CSV in which no cell is a formula: texts that begin like one get an apostrophe.

    So do those that begin with one, so that taking one off gives back every text.
    """
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow([_cell(name) for name in head])
    writer.writerows([_cell(value) for value in row] for row in rows)
    return stream.getvalue()


def _cell(value: Any) -> Any:
    if value is None or value != value:
        return ""
    if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA):
        return f"'{value}"
    return value
