"""Which runs on the board hold the answers of another (`evaluator.comparing.copies`), and which upload would.

A copy has no place, wherever it lies. That an upload is alike is told, and decides nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from evaluator.comparing.copies import KnownRuns
from evaluator.comparing.results import Result
from space.base.tiers import BASELINE, COPY, MADE_HERE, SELF_REPORTED, VERIFIED, WITHDRAWN
from space.board.entry import Entry

_MADE_HERE = (BASELINE, VERIFIED, MADE_HERE)
"""What came first where no date of submission says so."""


def marked(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries in their order; one that is a copy of an earlier run says so, and an upload alike.

    What was made here came first, then what was submitted first.
    """
    known = KnownRuns()
    by_name: dict[str, Entry] = {}
    for entry in sorted(entries, key=_came):
        by_name[entry.result.name] = _marked(entry, known, by_name)
        known.add(entry.result)
    return tuple(by_name[entry.result.name] for entry in entries)


def copied_from(entries: Sequence[Entry], result: Result, submitter: str) -> Entry | None:
    """The run that a visitor's is a copy of; who withdrew a run may submit it anew."""
    known = KnownRuns()
    by_name: dict[str, Entry] = {}
    for entry in sorted(entries, key=_came):
        if not _is_withdrawn_by(entry, submitter):
            by_name[entry.result.name] = entry
            known.add(entry.result)
    original = known.copied(result)
    return None if original is None else by_name[original.name]


def whose(first: Entry) -> str:
    """Part of a sentence: whose answers they are, and since when."""
    day = first.about.get("date", "")
    when = f", published on {day}" if day else ""
    return f"these are the answers of {first.about['model'] or 'an unnamed model'}{when}"


def _came(entry: Entry) -> tuple[str, int, str]:
    trust = _MADE_HERE.index(entry.tier) if entry.tier in _MADE_HERE else len(_MADE_HERE)
    return entry.about.get("submitted_at", ""), trust, entry.id


def _is_withdrawn_by(entry: Entry, submitter: str) -> bool:
    return entry.status == WITHDRAWN and entry.about.get("submitter", "") == submitter


def _marked(entry: Entry, known: KnownRuns, by_name: Mapping[str, Entry]) -> Entry:
    original = known.copied(entry.result)
    if original is not None:
        first = by_name[original.name]
        if not _is_withdrawn_by(first, entry.about.get("submitter", "")):
            # What its submitter or a maintainer said of it stands.
            if not entry.status:
                entry = replace(entry, status=COPY, status_reason=whose(first))
            return replace(entry, same_as=first.id)
    if entry.tier == SELF_REPORTED:
        for alike in known.alike(entry.result)[:1]:
            return replace(entry, same_as=by_name[alike.name].id)
    return entry
