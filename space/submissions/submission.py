"""What a visitor may do with traces: publish and withdraw them; a maintainer flags and restores."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite
from evaluator.models import known_models
from space.base.kept_scores import Cache, Scored, cache_key
from space.base.sanitize import MAX_TEXT, check_name, clean, clean_link
from space.base.visitors import Visitor
from space.board.board import SELF_REPORTED, WITHDRAWN, Entry
from space.board.copies import Known, copied_from, whose
from space.submissions.store import Store, Submission
from space.submissions.upload_check import Draft

FLAGGED, RESTORED = "flagged", "restored"
MAX_REASON = 500
REGIMES = ("frontier", "free_cloud", "local")
OPEN_WEIGHTS = ("yes", "no")


@dataclass(frozen=True)
class About:
    """What a submitter says of the traces; `checked` makes it fit to be shown."""

    model: str = ""
    """Shown in place of the model's name in the rows, where all rows are of one model."""
    organisation: str = ""
    link: str = ""
    provider: str = ""
    regime: str = ""
    open_weights: str = ""

    def checked(self) -> "About":
        """The same, cleaned; InputError with everything that cannot be taken."""
        problems = []
        link = self.link
        try:
            link = clean_link(link)
        except InputError as error:
            problems.append(str(error))
        if self.regime and self.regime not in REGIMES:
            problems.append(f"regime: expected one of {', '.join(REGIMES)}")
        if self.open_weights and self.open_weights not in OPEN_WEIGHTS:
            problems.append(f"open weights: expected {' or '.join(OPEN_WEIGHTS)}")
        model = clean(self.model, MAX_TEXT)
        try:
            if model:
                check_name(model)
        except InputError as error:
            problems.append(str(error))
        if problems:
            raise InputError("; ".join(problems))
        return replace(
            self,
            model=model,
            organisation=clean(self.organisation, MAX_TEXT),
            provider=clean(self.provider, MAX_TEXT),
            link=link,
        )


# Publishing -----------------------------------------------------------------------------------


def publish(
    draft: Draft,
    about: About,
    visitor: Visitor,
    store: Store,
    cache: Cache,
    *,
    needs_login: bool,
    accepts_secrets: bool = False,
    board: Sequence[Entry] = (),
) -> tuple[Submission, bool]:
    """Publish a draft as self-reported; the submission, and whether it is new.

    When it returns, the submission is where the board is read from. InputError where the visitor is
    not logged in, where something shaped like a key was found and not accepted, for `About`, and where
    a run is a copy of another in the file or on the ``board``.
    """
    if needs_login and visitor.name is None:
        raise InputError("log in with Hugging Face to publish; scoring needs no login")
    if draft.secrets and not accepts_secrets:
        raise InputError(
            f"{draft.secrets[0]} looks like a key, and would become public: take it out of the file, "
            "or say that it is none"
        )
    about = about.checked()
    # Only now: a name of which nothing can be seen is none, and the rows' own is shown.
    for name in [] if len(draft.runs) == 1 and about.model else _names(draft):
        check_name(name)
    if store.get(draft.id) is None:
        _refuse_copies(draft, board, visitor)
    description = _about(draft, about, visitor)
    submission, is_new = store.add(draft.content, description)
    if is_new:
        found = zip(draft.runs, draft.foreseen, draft.answers, strict=True)
        scored = [Scored(run.scores, count, answers) for run, count, answers in found]
        cache.put(submission_key(submission, draft.suite), scored)
    return submission, is_new


def _refuse_copies(draft: Draft, board: Sequence[Entry], visitor: Visitor) -> None:
    known: Known[str] = Known()
    for run, answers in zip(draft.runs, draft.answers, strict=True):
        name = clean(run.scores["model"], MAX_TEXT) or "unnamed model"
        if (other := known.copied(answers)) is not None:
            raise InputError(f"{name}: these are the answers of {other} in the same file")
        known.add(answers, name)
        if (first := copied_from(board, answers, visitor.name or "")) is not None:
            said = f"{name}: {whose(first)} (run {first.id}). A run is published once"
            if first.tier == SELF_REPORTED:
                said += "; if it is yours and is to have another name, withdraw it first"
            raise InputError(said)


def _names(draft: Draft) -> list[str]:
    """What the rows call their models; a file whose rows say nothing has none."""
    return [name for run in draft.runs if (name := str(run.scores["model"]))]


ABOUT_KEYS = (
    "model",
    "models",
    "organisation",
    "link",
    "provider",
    "regime",
    "open_weights",
    "protocol",
    "catalogue",
    "suite",
    "tier",
    "submitter",
    "submitted_at",
    "sha256",
)
"""What every description says; the columns of the results repository."""


def _about(draft: Draft, about: About, visitor: Visitor) -> dict[str, str]:
    """The description: the same keys for every submission, all of them texts."""
    names = [clean(run.scores["model"], MAX_TEXT) for run in draft.runs]
    regime, provider = known_model(names[0]) if len(names) == 1 else ("", "")
    return {
        "model": about.model if len(names) == 1 and about.model else ", ".join(names[:10]),
        "models": str(len(names)),
        "organisation": about.organisation,
        "link": about.link,
        "provider": about.provider or provider,
        "regime": about.regime or regime,
        "open_weights": about.open_weights,
        "protocol": draft.protocol,
        "catalogue": draft.catalogue,
        "suite": str(draft.runs[0].scores["suite"]),
        "tier": SELF_REPORTED,
        "submitter": visitor.name or "",
        "submitted_at": _now(),
    }


@lru_cache(maxsize=1)
def _known_models() -> Mapping[str, tuple[str, str]]:
    return {model.id: (model.regime, model.provider.name) for model in known_models()}


def known_model(name: str) -> tuple[str, str]:
    """Regime and provider of a model that the paper names, by its id; nothing of any other."""
    return _known_models().get(name, ("", ""))


def submission_key(submission: Submission, suite: Suite) -> str:
    """What the scores of a submission are cached under."""
    about = submission.about
    return cache_key(about["sha256"], suite, about["protocol"], about["catalogue"])


# Afterwards -----------------------------------------------------------------------------------


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
    submission = _found(name, store)
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
    submission = _found(name, store)
    now = status(submission)[0]
    if now == WITHDRAWN or (now == FLAGGED) == (event == FLAGGED):
        raise InputError(f"it is {now or 'not flagged'} already")
    return store.note(submission.id, _event(event, visitor, reason))


def _found(name: str, store: Store) -> Submission:
    submission = store.get(name)
    if submission is None:
        raise InputError("there is no submission of that id")
    return submission


def _event(event: str, visitor: Visitor, reason: str) -> dict[str, str]:
    said = clean(reason, MAX_REASON)
    if not said:
        raise InputError("give a reason: it will be shown")
    return {"event": event, "by": visitor.name or "", "at": _now(), "reason": said}


def _now() -> str:
    # Who came first keeps the place: seconds would tie.
    return dt.datetime.now(dt.UTC).isoformat(timespec="microseconds")
