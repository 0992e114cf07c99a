"""What a report consists of: sections of findings, tables and figures, and what was left out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from evaluator.report.tables import Table


@dataclass(frozen=True)
class Figure:
    """A chart; ``name`` is the stem of its files, ``alt`` says what it shows to who cannot see it."""

    name: str
    title: str
    chart: Any
    alt: str
    note: str = ""


@dataclass(frozen=True)
class Section:
    """A part of the page. ``left_out``: one line for each table or figure that has no data."""

    name: str
    title: str
    intro: Sequence[str] = ()
    findings: Sequence[str] = ()
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    left_out: Sequence[str] = field(default_factory=tuple)
    signature: str = ""
