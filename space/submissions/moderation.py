"""What may happen to a submission later: its submitter withdraws it, a maintainer flags and restores."""

from dataset_builder.errors import InputError
from space.base.sanitize import clean
from space.base.tiers import FLAGGED, RESTORED, WITHDRAWN
from space.base.visitors import Visitor
from space.submissions.store import Store, Submission, now

MAX_REASON = 500


def status(submission: Submission) -> tuple[str, str]:
    """``withdrawn``, ``flagged`` or nothing, and the reason for it."""
    if not submission.notes:
        return "", ""
    withdrawn = [note for note in submission.notes if note.get("event") == WITHDRAWN]
    last = withdrawn[-1] if withdrawn else submission.notes[-1]
    event = last.get("event", "")
    return ("", "") if event == RESTORED else (event, last.get("reason", ""))


def may_withdraw(submission: Submission, visitor: Visitor) -> bool:
    """Whether the visitor submitted it, or keeps the page."""
    is_submitter = visitor.name is not None and visitor.name == submission.about["submitter"]
    return is_submitter or visitor.is_maintainer


def withdraw(name: str, visitor: Visitor, reason: str, store: Store) -> Submission:
    """Take a submission off the board, for good; InputError for anybody but its submitter."""
    submission = _submission(name, store)
    if not may_withdraw(submission, visitor):
        raise InputError("only who submitted it can withdraw it")
    if status(submission)[0] == WITHDRAWN:
        raise InputError("it is withdrawn already")
    return store.note(submission.id, _event(WITHDRAWN, visitor, reason))


def flag(name: str, visitor: Visitor, reason: str, store: Store) -> Submission:
    """Mark a submission as doubtful, which takes it out of the ranking; maintainers only."""
    return _by_maintainer(FLAGGED, name, visitor, reason, store)


def restore(name: str, visitor: Visitor, reason: str, store: Store) -> Submission:
    """Take a flag back; maintainers only."""
    return _by_maintainer(RESTORED, name, visitor, reason, store)


def _by_maintainer(
    event: str, name: str, visitor: Visitor, reason: str, store: Store
) -> Submission:
    if not visitor.is_maintainer:
        raise InputError("only a maintainer can do this")
    submission = _submission(name, store)
    current = status(submission)[0]
    if current == WITHDRAWN or (current == FLAGGED) == (event == FLAGGED):
        raise InputError(f"it is {current or 'not flagged'} already")
    return store.note(submission.id, _event(event, visitor, reason))


def _submission(name: str, store: Store) -> Submission:
    submission = store.get(name)
    if submission is None:
        raise InputError("there is no submission of that id")
    return submission


def _event(event: str, visitor: Visitor, reason: str) -> dict[str, str]:
    text = clean(reason, MAX_REASON)
    if not text:
        raise InputError("give a reason: it will be shown")
    return {"event": event, "by": visitor.name or "", "at": now(), "reason": text}
