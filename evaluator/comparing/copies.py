"""Whose answers a run holds, where they are not its own; the command line and the page go by it.

A *copy* holds what providers sent to earlier runs: the same message with the same usage, in most of its
rows; between two run folders in all of them, with the same calls. That does not happen by chance. Rows that
are the very same under the same name are a copy as well. *Alike* are two runs with the same calls on every
task. Two models that are right everywhere may well be, so calls alone prove nothing.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from evaluator.comparing.results import Result
from evaluator.traces.model_name import is_reserved

_MOST = 0.5
"""A copy is what has more than this share of its messages from other runs."""


class KnownRuns:
    """Runs in the order in which they came, by their answers. The first that has one keeps it."""

    def __init__(self) -> None:
        self._runs: dict[str, Result] = {}
        """By name. What follows gives the names of runs by what they hold."""
        self._rows: dict[tuple[str, str], str] = {}
        self._messages: dict[str, str] = {}
        self._calls: dict[str, list[str]] = {}

    def add(self, result: Result) -> None:
        """One more run."""
        self._runs[result.name] = result
        if rows := _rows(result):
            self._rows.setdefault((result.model, rows), result.name)
        if result.answers.calls:  # Silence is nobody's.
            self._calls.setdefault(result.answers.calls, []).append(result.name)
            for digest in result.answers.sent:
                self._messages.setdefault(digest, result.name)

    def copied(self, result: Result) -> Result | None:
        """The run that this one is a copy of; where it draws on several, the one that it has most of."""
        if name := self._rows.get((result.model, _rows(result))):
            return self._runs[name]
        messages = result.answers.sent if result.answers.calls else ()
        names = (self._messages[digest] for digest in messages if digest in self._messages)
        counts = Counter(name for name in names if not _may_coincide(result, self._runs[name]))
        if counts.total() > _MOST * len(messages):
            return self._runs[counts.most_common(1)[0][0]]
        return None

    def alike(self, result: Result) -> list[Result]:
        """The runs with the same calls on every task."""
        return [self._runs[name] for name in self._calls.get(result.answers.calls, ())]


def _rows(result: Result) -> str:
    """The digest of all that its rows say, but for the model's name; empty where it is not known."""
    return result.scores["diagnostics"].get("rows_sha256") or ""


def _may_coincide(result: Result, earlier: Result) -> bool:
    """Whether two runs may have messages in common of which neither is a copy.

    Built-in agents may, and so may run folders: those of one model, which a sweep runs again, and those
    of like models, unless all that they hold is the same. Of a bare trace file nobody knows who made it.
    """
    if is_reserved(result.model) and is_reserved(earlier.model):
        return True
    if not (result.about and earlier.about):
        return False
    return result.model == earlier.model or result.answers != earlier.answers


def mark_copies(results: Iterable[Result]) -> list[Result]:
    """The results, those not ranked that hold an earlier one's answers; the reason is among theirs.

    Of files that somebody gathered, those count as well that are alike under different names while
    nothing that the providers sent (responses, usage) tells the two apart.
    """
    known = KnownRuns()
    marked = []
    for result in results:
        original = known.copied(result) or _indistinct(result, known.alike(result))
        if result.scores["ranked"] and original is not None:
            marked.append(_not_ranked(result, f"a copy of {original.name}"))
        else:
            known.add(result)
            marked.append(result)
    return marked


def _indistinct(result: Result, alike: Iterable[Result]) -> Result | None:
    """The first of the runs with the same calls that only its name tells apart from this one."""
    return next((other for other in alike if _is_indistinct(result, other)), None)


def _is_indistinct(result: Result, other: Result) -> bool:
    """Built-in agents may well coincide, and a repetition under one name is none of another model."""
    if result.model == other.model or (is_reserved(result.model) and is_reserved(other.model)):
        return False
    digests = {each.scores["diagnostics"].get("responses_sha256") for each in (result, other)}
    return len(digests - {None}) < 2


def _not_ranked(result: Result, reason: str) -> Result:
    diagnostics = result.scores["diagnostics"]
    diagnostics = {**diagnostics, "not_ranked": [*diagnostics["not_ranked"], reason]}
    return replace(result, scores={**result.scores, "ranked": False, "diagnostics": diagnostics})
