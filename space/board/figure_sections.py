"""The report's sections with figures, composed once for each state of the runs that they draw."""

import threading
from collections.abc import Sequence

from evaluator.report.build import compose
from evaluator.report.content import Section
from space.board.entry import Entry

MOST_KEPT = 8


class KeptSections:
    """The sections that were asked for last."""

    def __init__(self) -> None:
        """Nothing is composed before somebody looks."""
        self._lock = threading.Lock()
        self._kept: dict[tuple[object, ...], tuple[Section, ...]] = {}

    def of(self, entries: Sequence[Entry]) -> tuple[Section, ...]:
        """The sections with figures of a report of these entries, which has no tables."""
        drawn_from = tuple(map(_content, entries))
        # Whoever asks for the same meanwhile waits for it instead of composing it as well.
        with self._lock:
            if drawn_from not in self._kept:
                while len(self._kept) >= MOST_KEPT:
                    self._kept.pop(next(iter(self._kept)))
                report = compose([entry.result for entry in entries], with_tables=False)
                self._kept[drawn_from] = tuple(each for each in report.sections if each.figures)
            return self._kept[drawn_from]


def _content(entry: Entry) -> tuple[object, ...]:
    """What the drawing of an entry hangs on."""
    result = entry.result
    made_of = result.scores.get("diagnostics", {}).get("traces_sha256")
    return entry.id, made_of, result.signature, str(result.about)
