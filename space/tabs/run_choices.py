"""The runs of the board as a list to choose from."""

from collections.abc import Iterable

from evaluator.traces.signature import signature_text
from space.base.tiers import BASELINE
from space.board.entry import Entry


def run_choices(entries: Iterable[Entry]) -> list[tuple[str, str]]:
    """The runs to choose from, models first: a name that tells them apart, and the id."""
    models_first = sorted(entries, key=lambda entry: entry.tier == BASELINE)
    return [(_label(entry), entry.id) for entry in models_first]


def _label(entry: Entry) -> str:
    """Model, tier and setting of a run."""
    setting = signature_text(entry.result.signature)
    return f"{entry.about['model'] or 'unnamed'} · {entry.tier} · {setting} · {entry.id}"
