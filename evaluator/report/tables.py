"""A table of the report: one frame, written as CSV for programs, Markdown and LaTeX for people."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from evaluator.csv_text import inert
from evaluator.scoring.text_tables import minus, percent

if TYPE_CHECKING:
    import pandas as pd

DASH = "–"
_NARROW = 6
"""So many columns of a table fit a paper's column."""


@dataclass(frozen=True)
class Column:
    """How a column of a frame is shown.

    ``kind``: text, label (a short text on one line), percent (a fraction shown in per cent), share
    (the same in whole per cent, of few tasks), points (per cent, signed), count, decimal (two places),
    number (three significant digits) or p. With ``interval`` the columns ``<field>_low`` and
    ``<field>_high`` follow in brackets.
    """

    field: str
    title: str
    kind: str = "text"
    interval: bool = False

    @property
    def is_text(self) -> bool:
        """Whether it is aligned to the left."""
        return self.kind in ("text", "label")


@dataclass(frozen=True)
class Table:
    """A frame with its columns; ``name`` is the stem of its files, ``note`` a line below it."""

    name: str
    title: str
    frame: "pd.DataFrame"
    columns: Sequence[Column]
    note: str = ""
    emphasised: frozenset[int] = field(default_factory=frozenset)
    """Positions of the rows that are set apart: reference rows and averages."""

    def cells(self) -> list[list[str]]:
        """The rows as text."""
        records = self.frame.to_dict("records")
        return [[shown(record, column) for column in self.columns] for record in records]

    def to_csv(self) -> str:
        """The values themselves, fractions unrounded; text that a spreadsheet would run is quoted."""
        fields: list[str] = []
        for column in self.columns:
            extra = [f"{column.field}_low", f"{column.field}_high"] if column.interval else []
            fields += [column.field, *extra]
        frame = self.frame[fields].map(inert)
        return frame.to_csv(index=False, float_format="%.6g", lineterminator="\n")

    def to_markdown(self) -> str:
        """A table for GitHub's Markdown, its title above and its note below."""
        head = [markdown_text(column.title) for column in self.columns]
        rule = [":--" if column.is_text else "--:" for column in self.columns]
        body = [[markdown_text(cell) for cell in row] for row in self.cells()]
        lines = ["| " + " | ".join(row) + " |" for row in (head, rule, *body)]
        note = f"\n{markdown_text(self.note)}\n" if self.note else ""
        return f"**{markdown_text(self.title)}**\n\n" + "\n".join(lines) + f"\n{note}"

    def to_latex(self) -> str:
        """A table for LaTeX with the package booktabs; a wide one over both columns of a page."""
        spec = "".join("l" if column.is_text else "r" for column in self.columns)
        rows = [[column.title for column in self.columns], *self.cells()]
        head, *body = [" & ".join(map(latex_text, row)) + r" \\" for row in rows]
        caption = latex_text(" ".join(filter(None, [f"{self.title}.", self.note])))
        kind = "table*" if len(self.columns) > _NARROW else "table"
        return "\n".join(
            [
                rf"\begin{{{kind}}}",
                r"\centering\footnotesize\setlength{\tabcolsep}{3pt}",
                rf"\caption{{{caption}}}",
                rf"\begin{{tabular}}{{{spec}}}",
                r"\toprule",
                head,
                r"\midrule",
                *body,
                r"\bottomrule",
                r"\end{tabular}",
                rf"\end{{{kind}}}",
                "",
            ]
        )


def shown(record: dict[Any, Any], column: Column) -> str:
    """A value as the column shows it; a dash for none."""
    text = _formatted(record[column.field], column.kind)
    if not column.interval or text == DASH:
        return text
    bounds = [_formatted(record[f"{column.field}_{end}"], column.kind) for end in ("low", "high")]
    return text if DASH in bounds else f"{text} [{', '.join(bounds)}]"


def _formatted(value: Any, kind: str) -> str:
    if value is None or value == "" or (isinstance(value, float) and math.isnan(value)):
        return DASH
    match kind:
        case "percent":
            return percent(value)
        case "share":
            return f"{100 * value:.0f}"
        case "points":
            return percent(value, signed=True)
        case "count":
            return f"{value:,.0f}"
        case "decimal":
            return minus(f"{value:.2f}")
        case "number":
            return minus(f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}")
        case "p":
            return "<0.001" if value < 0.001 else f"{value:.3f}"
        case _:
            return str(value)


_MARKDOWN = str.maketrans({char: f"\\{char}" for char in r"\`*_{}[]()<>#|!~$"} | {"&": "&amp;"})


def markdown_text(text: str) -> str:
    """Plain text for Markdown: nothing in it is markup, HTML or a cell's end."""
    return " ".join(text.split()).translate(_MARKDOWN)


_LATEX = str.maketrans(
    {char: f"\\{char}" for char in "&%$#_{}"}
    | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "[": "{[}",
        "]": "{]}",
        "−": "$-$",
        "–": "--",
        "…": r"\dots{}",
        "Δ": r"$\Delta$",
        "ρ": r"$\rho$",
    }
)


def latex_text(text: str) -> str:
    """Plain text for LaTeX: no character of it is a command."""
    return " ".join(text.split()).translate(_LATEX)
