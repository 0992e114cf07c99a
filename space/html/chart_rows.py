"""A row of the board as its charts show it: what it is called, and where it leads."""

from typing import NamedTuple

from markupsafe import Markup

from evaluator.comparing.places import Place
from space.base.markup import link
from space.base.sanitize import clean
from space.board.entry import Entry

_LONGEST_NAME = 40


class Row(NamedTuple):
    """A row of the board."""

    entry: Entry
    place: Place


def name_of(entry: Entry) -> str:
    """The model's name, short enough for a chart."""
    return clean(entry.about["model"], _LONGEST_NAME) or "unnamed"


def run_link(entry: Entry) -> Markup:
    """Its name, which leads to its page."""
    return link(name_of(entry), f"?run={entry.id}", data_run=entry.id)
