"""Whose answers a run holds, where they are not its own; the command line and the page go by it.

A *copy* holds what providers sent to earlier runs: the same message with the same id and usage, in most of
its rows. That does not happen by chance. Without ids it may: like models write the same right calls as JSON
in the same tokens, so then nearly all messages have to be those of one run; of two run folders all of
them, with the same calls. Rows that are the very same under the same name are a copy as well. *Alike* are
two runs with the same calls on every task. Two models that are right everywhere may well be, so calls alone
prove nothing.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from evaluator.comparing.answer_digests import Answers
from evaluator.comparing.results import Result
from evaluator.traces.model_name import is_reserved

_MOST = 0.5
"""A copy is what has more than this share of its messages, ids included, from other runs."""
_NEARLY_ALL = 0.95
"""Or more than this share of its messages, with or without ids, from one other run."""


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
        answers = result.answers if result.answers.calls else Answers()
        traced = self._senders(answers.traceable, result, _may_repeat)
        if traced.total() > _MOST * len(answers.sent):
            return self._runs[traced.most_common(1)[0][0]]
        for name, count in self._senders(answers.sent, result, _may_coincide).most_common(1):
            if count > _NEARLY_ALL * len(answers.sent):
                return self._runs[name]
        return None

    def _senders(
        self, digests: Iterable[str], result: Result, may: Callable[[Result, Result], bool]
    ) -> Counter[str]:
        """How many of the messages each earlier run was sent first; none of a run that ``may`` have them."""
        names = (self._messages[digest] for digest in digests if digest in self._messages)
        return Counter(name for name in names if not may(result, self._runs[name]))

    def alike(self, result: Result) -> list[Result]:
        """The runs with the same calls on every task."""
        return [self._runs[name] for name in self._calls.get(result.answers.calls, ())]


def _rows(result: Result) -> str:
    """The digest of all that its rows say, but for the model's name; empty where it is not known."""
    return result.scores["diagnostics"].get("rows_sha256") or ""


def _may_repeat(result: Result, earlier: Result) -> bool:
    """Whether two runs may have messages in common, ids included, of which neither is a copy.

    Built-in agents may, and so may run folders of one model, which a sweep runs again. Of a bare trace file
    nobody knows who made it.
    """
    if is_reserved(result.model) and is_reserved(earlier.model):
        return True
    return bool(result.about and earlier.about) and result.model == earlier.model


def _may_coincide(result: Result, earlier: Result) -> bool:
    """Whether they may without ids: so may run folders of like models, unless all of it is the same."""
    if _may_repeat(result, earlier):
        return True
    return bool(result.about and earlier.about) and result.answers != earlier.answers


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
