"""The runs of the board as a list to choose from."""

from evaluator.traces.signature import signature_text
from space.base.tiers import BASELINE
from space.board.board import Board
from space.board.entry import Entry


def run_choices(board: Board) -> list[tuple[str, str]]:
    """The runs to choose from, models first: a name that tells them apart, and the id."""
    entries = sorted(board.entries, key=lambda entry: entry.tier == BASELINE)
    return [(_label(entry), entry.id) for entry in entries]


def _label(entry: Entry) -> str:
    """Model, tier and setting of a run."""
    setting = signature_text(entry.result.signature)
    return f"{entry.about['model'] or 'unnamed'} · {entry.tier} · {setting} · {entry.id}"
