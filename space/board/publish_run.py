"""Putting checked traces on the board as self-reported, unless they are a copy of another run."""

from collections.abc import Sequence

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite
from evaluator.comparing.copies import KnownRuns
from evaluator.comparing.results import Result
from space.base.sanitize import MAX_TEXT, check_name, clean
from space.base.score_cache import Cache, Scored, cache_key
from space.base.tiers import SELF_REPORTED
from space.base.visitors import Visitor
from space.board.copies import copied_from, whose
from space.board.entry import Entry
from space.submissions.about import About, known_model
from space.submissions.store import Store, Submission, now
from space.submissions.upload_check import Draft


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
        runs = zip(draft.runs, draft.foreseen, draft.answers, strict=True)
        scored = [Scored(run.scores, count, answers) for run, count, answers in runs]
        cache.put(submission_key(submission, draft.suite), scored)
    return submission, is_new


def _refuse_copies(draft: Draft, board: Sequence[Entry], visitor: Visitor) -> None:
    known = KnownRuns()
    for run, answers in zip(draft.runs, draft.answers, strict=True):
        name = clean(run.scores["model"], MAX_TEXT) or "unnamed model"
        result = Result(name, run.scores, {}, {}, answers)
        if (other := known.copied(result)) is not None:
            raise InputError(f"{name}: these are the answers of {other.name} in the same file")
        known.add(result)
        if (first := copied_from(board, result, visitor.name or "")) is not None:
            message = f"{name}: {whose(first)} (run {first.id}). A run is published once"
            if first.tier == SELF_REPORTED:
                message += "; if it is yours and is to have another name, withdraw it first"
            raise InputError(message)


def _names(draft: Draft) -> list[str]:
    """What the rows call their models; a file whose rows say nothing has none."""
    return [name for run in draft.runs if (name := str(run.scores["model"]))]


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
        "submitted_at": now(),
    }


def submission_key(submission: Submission, suite: Suite) -> str:
    """What the scores of a submission are cached under."""
    about = submission.about
    return cache_key(about["sha256"], suite, about["protocol"], about["catalogue"])
