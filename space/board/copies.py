"""Whose answers a run holds, where they are not its own.

A *copy* holds what a provider sent to another run: the same message with the same usage, in most of its
rows. That does not happen by chance, so a copy has no place. *Alike* are two runs with the same calls on
every task. Two models that are right everywhere may well be, so that is told, and decides nothing.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from evaluator.comparing.answer_digests import Answers
from space.base.tiers import COPY, SELF_REPORTED, WITHDRAWN
from space.board.entry import Entry

_MOST = 0.5
"""A copy is what has more than this share of its messages from another run."""
Owner = TypeVar("Owner")


class Known(Generic[Owner]):
    """Runs in the order in which they came, by their answers. The first that has one keeps it."""

    def __init__(self) -> None:
        self._owners: list[Owner] = []
        self._calls: dict[str, int] = {}
        self._sent: dict[str, int] = {}

    def add(self, answers: Answers, owner: Owner) -> None:
        """One more run."""
        place = len(self._owners)
        self._owners.append(owner)
        if answers.calls:
            self._calls.setdefault(answers.calls, place)
        for digest in answers.sent:
            self._sent.setdefault(digest, place)

    def copied(self, answers: Answers) -> Owner | None:
        """The run that most of these messages were sent to."""
        places = Counter(self._sent[digest] for digest in answers.sent if digest in self._sent)
        for place, count in places.most_common(1):
            if count > _MOST * len(answers.sent):
                return self._owners[place]
        return None

    def alike(self, answers: Answers) -> Owner | None:
        """The first run with the same calls."""
        place = self._calls.get(answers.calls)
        return None if place is None else self._owners[place]


def marked(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries in their order; an upload that is a copy of an earlier run, or alike, says of which.

    What was made here came first, then what was submitted first.
    """
    known: Known[Entry] = Known()
    found: dict[str, Entry] = {}
    for entry in sorted(entries, key=_came):
        found[entry.id] = _marked(entry, known) if entry.tier == SELF_REPORTED else entry
        known.add(entry.answers, entry)
    return tuple(found[entry.id] for entry in entries)


def copied_from(entries: Sequence[Entry], answers: Answers, submitter: str) -> Entry | None:
    """The run that a visitor's answers are a copy of; who withdrew a run may submit it anew."""
    known: Known[Entry] = Known()
    for entry in sorted(entries, key=_came):
        if not _is_withdrawn_by(entry, submitter):
            known.add(entry.answers, entry)
    return known.copied(answers)


def whose(first: Entry) -> str:
    """Part of a sentence: whose answers they are, and since when."""
    day = first.about.get("date", "")
    when = f", published on {day}" if day else ""
    return f"these are the answers of {first.about['model'] or 'an unnamed model'}{when}"


def _came(entry: Entry) -> tuple[str, str]:
    return entry.about.get("submitted_at", ""), entry.id


def _is_withdrawn_by(entry: Entry, submitter: str) -> bool:
    return entry.status == WITHDRAWN and entry.about.get("submitter", "") == submitter


def _marked(entry: Entry, known: Known[Entry]) -> Entry:
    first = known.copied(entry.answers)
    if first is not None and not _is_withdrawn_by(first, entry.about.get("submitter", "")):
        # What its submitter or a maintainer said of it stands.
        if not entry.status:
            entry = replace(entry, status=COPY, status_reason=whose(first))
        return replace(entry, same_as=first.id)
    alike = known.alike(entry.answers)
    return entry if alike is None else replace(entry, same_as=alike.id)
