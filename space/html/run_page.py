"""The page of one run: what it is, what vouches for it, its scorecard, its files."""

from markupsafe import Markup

from dataset_builder.tasks.task import Suite
from evaluator.scoring.metrics import SOLVED
from evaluator.scoring.text_tables import percent
from evaluator.traces.signature import signature_text
from space.base.markup import Child, badge, join, link, notice, tag
from space.base.tiers import (
    BASELINE,
    COPY,
    FLAGGED,
    INCOMPLETE,
    RESTORED,
    SELF_REPORTED,
    TIERS,
    WITHDRAWN,
)
from space.board.board import Board
from space.board.entry import Entry
from space.html.run_pictures import place_words
from space.html.run_sharing import sharing
from space.html.scorecard import foreseen_text, headline, scorecard
from space.html.task_query import explore_link

_FACTS = {
    "organisation": "organisation",
    "provider": "provider",
    "regime": "regime",
    "open_weights": "open weights",
    "submitter": "submitted by",
    "date": "date",
}
_STATUS = {
    WITHDRAWN: "Its submitter withdrew it",
    FLAGGED: "A maintainer flagged it",
    INCOMPLETE: "It is not ranked",
    COPY: "It is a copy and not ranked",
}
_EVENTS = {WITHDRAWN: "withdrawn", FLAGGED: "flagged", RESTORED: "restored"}


def missing(name: str) -> Markup:
    """What an address says that leads to no run."""
    sentence = (
        f"There is no run {name[:40]!r} on this page. It may belong to another suite version."
    )
    return notice(sentence, "problem")


def run_page(board: Board, entry: Entry, suite: Suite, notes: tuple[dict[str, str], ...]) -> Markup:
    """Everything about a run. ``notes``: what happened to its submission, oldest first."""
    parts: list[Child] = [
        tag("h2", entry.about["model"] or "unnamed", " ", badge(entry.tier, "plain")),
        tag("p", TIERS[entry.tier]),
    ]
    if entry.status:
        sentence = f"{_STATUS.get(entry.status, entry.status)}: {entry.status_reason}"
        parts.append(notice(sentence, "info" if entry.status == INCOMPLETE else "problem"))
    if (first := board.find(entry.same_as)) is not None:
        parts.append(_same_as(entry, first))
    if entry.foreseen:
        parts.append(notice(foreseen_text(entry.foreseen)))
    parts += [
        headline(entry.result),
        _fresh(entry),
        tag("dl", *_facts(board, entry), class_="facts"),
        _downloads(entry),
        sharing(board, entry) if entry.status != WITHDRAWN else None,
        scorecard(entry.result, suite, _explored(entry), entry.tier == SELF_REPORTED),
        _history(notes),
    ]
    return join(parts)


def _same_as(entry: Entry, first: Entry) -> Markup:
    """Of which run it is a copy, or whose calls it has."""
    what = "The first run with these answers is " if entry.status == COPY else (
        "On every task it made the very calls of an earlier run, which two models that are right may do: "
    )  # fmt: skip
    name = f"{first.about['model'] or 'unnamed'} ({first.id})"
    return notice(join([what, link(name, f"?run={first.id}", data_run=first.id), "."]))


def _facts(board: Board, entry: Entry) -> list[Markup]:
    """Term and description in turn."""
    scores = entry.result.scores
    facts: list[tuple[str, Child]] = [
        (label, entry.about.get(key)) for key, label in _FACTS.items()
    ]
    if place := place_words(board, entry):
        facts.insert(0, ("rank", f"{place}, by {SOLVED.name} among runs of this signature"))
    if address := entry.about.get("link"):
        facts.append(("link", link(address, address)))
    measured = join(
        [signature_text(entry.result.signature), tag("div", tag("code", scores["signature"]))]
    )
    facts.append(("measured", measured))
    facts.append(("permalink", link(f"?run={entry.id}", f"?run={entry.id}")))
    return [part for term, fact in facts if fact for part in (tag("dt", term), tag("dd", fact))]


def _fresh(entry: Entry) -> Markup | None:
    """Public minus fresh with its interval, for runs that were asked fresh tasks."""
    gap = entry.fresh
    if gap is None:
        return (
            None
            if entry.tier in (BASELINE, SELF_REPORTED)
            else tag("p", "No fresh tasks were asked.")
        )
    difference, low, high = (
        percent(gap[key], signed=True) for key in ("difference", "low", "high")
    )
    return tag(
        "p",
        tag("b", f"{SOLVED.name}, public − fresh: {difference} points"),
        f" (95 % {low} to {high}), over {gap['n_tasks']} fresh tasks of seed {gap['seed']}. ",
        "Clearly above zero would mean that the model does better on tasks that it could have seen.",
    )


def _downloads(entry: Entry) -> Markup:
    if entry.status == WITHDRAWN:
        return tag("p", "Its files cannot be downloaded here any more.")
    files = {"traces (JSON lines)": "traces.jsonl", "scores (JSON)": "scores.json"}
    links = (
        link(f"Download {label}", f"download/{entry.id}/{name}", download="")
        for label, name in files.items()
    )
    run = _explored(entry)
    explore = explore_link("Explore its answers task by task", run) if run else None
    return tag("div", explore, *links, class_="actions")


def _explored(entry: Entry) -> str:
    """By what Explore finds its answers; empty where there is nothing to see."""
    return "" if entry.status == WITHDRAWN or entry.result.apart else entry.id


def _history(notes: tuple[dict[str, str], ...]) -> Markup | None:
    if not notes:
        return None
    items = (tag("li", _event(note)) for note in notes)
    return join([tag("h3", "What happened to it since"), tag("ul", *items)])


def _event(note: dict[str, str]) -> str:
    who = f" by {note['by']}" if note["by"] else ""
    what = _EVENTS.get(note["event"], note["event"])
    return f"{note['at'][:10]}: {what}{who}: {note['reason']}"
