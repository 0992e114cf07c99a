"""Runs of procedures: they stand in no ranking and lend their horizon to their models' rows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dataset_builder.procedures.rungs import PER_RUNG, RUNGS
from evaluator.horizon.length_text import by_length, length_text, limit_text
from space.base.tiers import BASELINE, COPY, FLAGGED, SELF_REPORTED, WITHDRAWN
from space.board.entry import Entry

_NOT_COUNTED = (COPY, FLAGGED, WITHDRAWN)
_Key = tuple[bool, str, str, str | None]


def with_horizons(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries in their order, each run over the suite with its model's horizon."""
    by_model = _by_model([entry for entry in entries if entry.result.is_horizon])
    return tuple(
        entry if entry.result.is_horizon else replace(entry, horizon=by_model.get(_key(entry)))
        for entry in entries
    )


def horizon_text(entry: Entry) -> str:
    """H50 with its interval, and the limit where that ended the climb; empty without a horizon."""
    if entry.horizon is None:
        return ""
    return "; ".join(filter(None, [str(length_text(entry.horizon)), limit_text(entry.horizon)]))


def may_be_drawn(entry: Entry, view: str) -> bool:
    """Whether a run of procedures is shown in a view: an upload among uploads, what was made here else.

    Where all tiers are shown, every run is.
    """
    is_alike = (entry.tier == SELF_REPORTED) == (view == SELF_REPORTED)
    is_seen = not view or entry.tier == BASELINE or is_alike
    return is_seen and entry.status not in _NOT_COUNTED and _is_whole(entry)


def length_of(entry: Entry) -> tuple[float, float] | None:
    """What runs are ordered by in their horizon, the longest largest; None without one."""
    return None if entry.horizon is None else by_length(entry.horizon)


def _by_model(horizons: Sequence[Entry]) -> Mapping[_Key, Mapping[str, object]]:
    """The section of each model and protocol; of several runs that with the most answers, then the last."""
    chosen: dict[_Key, Entry] = {}
    for entry in horizons:
        if entry.status in _NOT_COUNTED or not _is_whole(entry):
            continue
        before = chosen.get(_key(entry))
        if before is None or _answers(entry) >= _answers(before):
            chosen[_key(entry)] = entry
    return {key: entry.result.scores["horizon"] for key, entry in chosen.items()}


def _key(entry: Entry) -> _Key:
    """What a run has in common with the horizon that it is shown with.

    An upload borrows nothing from what was made here, nor from what somebody else uploaded.
    """
    is_uploaded = entry.tier == SELF_REPORTED
    submitter = entry.about.get("submitter", "") if is_uploaded else ""
    return is_uploaded, submitter, entry.result.model, entry.result.scores["protocol"]


def _is_whole(entry: Entry) -> bool:
    """Whether an upload has an answer to every procedure up to its longest.

    Whoever gives only those that went well, or calls the others failures of a provider, shows nothing.
    """
    scores = entry.result.scores
    rungs, each = scores["horizon"]["rungs"], PER_RUNG * scores["n_samples"]
    answered = [(rung["calls"], rung["tasks"] >= each) for rung in rungs]
    is_whole = answered == [(calls, True) for calls in RUNGS[: len(rungs)]]
    return is_whole or entry.tier != SELF_REPORTED


def _answers(entry: Entry) -> int:
    return sum(rung["tasks"] for rung in entry.result.scores["horizon"]["rungs"])
