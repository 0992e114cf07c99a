"""The board as it is now: run folders and submissions, read and scored when they change."""

import logging
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from dataset_builder.errors import InputError
from dataset_builder.task import Suite
from evaluator.fresh import fresh_result
from evaluator.models import is_baseline
from evaluator.results import Result, load_result, template_of
from space.board import BASELINE, INCOMPLETE, MADE_HERE, VERIFIED, Board, Entry
from space.cache import Cache, Scored
from space.draft import declared, parse, score_stranger
from space.guard import MAX_TEXT, clean
from space.settings import Settings
from space.store import Store, Submission
from space.submission import ABOUT_KEYS, known_model, status, submission_key

_log = logging.getLogger(__name__)


class LiveBoard:
    """The board of a page, shared by its visitors; made anew when files have changed."""

    def __init__(self, settings: Settings, store: Store, cache: Cache) -> None:
        self._settings, self._store, self._cache = settings, store, cache
        self._lock = threading.Lock()
        self._state: Any = None
        self._board = Board(())
        self._templates = template_of(settings.suite)
        self._submitted: dict[str, Sequence[Scored] | str] = {}
        self._made: dict[Path, tuple[Any, Entry | str | None]] = {}
        self._scorer: threading.Thread | None = None

    def current(self) -> Board:
        """The board of the files as they are now.

        What is not in the cache is scored in the background and counted as waiting.
        """
        with self._lock:
            runs = run_state(self._settings.runs)
            state = (runs, self._store.state(), len(self._submitted))
            if state != self._state:
                self._board = self._make(runs)
                self._state = (runs, state[1], len(self._submitted))
            return self._board

    def complete(self) -> Board:
        """As `current`, but with every submission scored."""
        while (board := self.current()).waiting and (scorer := self._scorer) is not None:
            scorer.join()
        return board

    def _make(self, runs: Mapping[Path, Any]) -> Board:
        entries: list[Entry] = []
        problems: list[str] = []
        for folder, state in runs.items():
            if folder not in self._made or self._made[folder][0] != state:
                self._made[folder] = (state, _made_here(folder, self._settings))
            made = self._made[folder][1]
            if isinstance(made, str):
                problems.append(made)
            elif made is not None:
                entries.append(made)
        missing = []
        for submission in self._store.all():
            if lacking := {*ABOUT_KEYS} - {*submission.about}:
                said = ", ".join(sorted(lacking))
                problems.append(f"submission {submission.id}: its description lacks {said}")
                continue
            scored = self._submitted.get(submission.id)
            if scored is None:
                scored = self._cache.get(submission_key(submission, self._settings.suite))
                if scored is None:
                    missing.append(submission)
                    continue
                self._submitted[submission.id] = scored
            if isinstance(scored, str):
                problems.append(f"submission {submission.id}: {scored}")
            else:
                entries += _entries(submission, scored, self._templates)
        if missing and self._scorer is None:
            self._scorer = threading.Thread(target=self._score, args=(missing,), daemon=True)
            self._scorer.start()
        return Board(
            tuple(entries), tuple(problems), len(missing), self._cache, self._board._places
        )

    def _score(self, missing: Iterable[Submission]) -> None:
        """Score what the cache lacks, one after the other."""
        for submission in missing:
            scored: Sequence[Scored] | str
            try:
                scored = score_submission(submission, self._settings.suite, self._cache)
            except Exception:  # One submission that finds a fault of ours must not hide all others.
                _log.exception("submission %s", submission.id)
                scored = "could not be scored, which is a fault of this page"
            with self._lock:
                self._submitted[submission.id] = scored
        with self._lock:
            # What came meanwhile is for the next one.
            self._scorer = self._state = None


def run_state(runs: Path) -> dict[Path, Any]:
    """The run folders of a folder, and what changes when one of them does."""
    found = {}
    for file in sorted(runs.glob("*/run.json")):
        files = (file, file.with_name("traces.jsonl"), file.with_name("fresh.json"))
        stats = [each.stat() for each in files if each.exists()]
        if len(stats) > 1:
            found[file.parent] = tuple((stat.st_mtime_ns, stat.st_size) for stat in stats)
    return found


def _made_here(folder: Path, settings: Settings) -> Entry | str | None:
    """The entry of a run folder; a sentence where it cannot be read; None for a control run."""
    suite = settings.suite
    try:
        result = load_result(folder, suite)
        fresh = fresh_result(folder, result, settings.secret)
    except InputError as error:
        return f"{folder.name}: {str(error).splitlines()[0]}"
    if result.is_control:
        return None
    model = result.model
    regime, provider = known_model(model)
    about = {
        "model": clean(model, MAX_TEXT),
        "provider": provider or clean(result.about.get("provider") or "", MAX_TEXT),
        "regime": regime or ("local" if model.startswith("local:") else ""),
        "open_weights": "yes" if model.startswith("local:") else "",
        "organisation": "",
        "link": "",
        "date": _ended(result.about),
    }
    reason = "; ".join(result.scores["diagnostics"]["not_ranked"])
    if result.about.get("limit") is not None:
        reason = f"{result.scores['n_tasks']} of {len(suite.tasks)} tasks"
    tier = BASELINE if is_baseline(model) else VERIFIED if fresh and not reason else MADE_HERE
    return Entry(
        folder.name,
        tier,
        result,
        about,
        folder / "traces.jsonl",
        status=INCOMPLETE if reason else "",
        status_reason=reason,
        fresh=fresh,
    )


def _ended(about: Mapping[str, Any]) -> str:
    """The day on which a run ended, as far as run.json says."""
    sessions = about.get("sessions")
    last = sessions[-1] if isinstance(sessions, list) and sessions else None
    if not isinstance(last, dict):
        return ""
    return clean(last.get("ended_at") or last.get("started_at") or "", MAX_TEXT)[:10]


def score_submission(submission: Submission, suite: Suite, cache: Cache) -> Sequence[Scored] | str:
    """The runs of a submission, scored and cached; a sentence where they cannot be."""
    about = submission.about
    try:
        traces = parse(submission.traces.read_bytes(), suite, submission.id)
        traces = declared(traces, about["protocol"], about["catalogue"])
        runs = score_stranger(traces, suite, submission.id)
    except (InputError, OSError) as error:
        return str(error).splitlines()[0]
    scored = [Scored(run.scores, count) for run, count in runs]
    cache.put(submission_key(submission, suite), scored)
    return scored


def _entries(
    submission: Submission, runs: Sequence[Scored], templates: Mapping[str, str]
) -> list[Entry]:
    """An entry for each model in a submission."""
    said, reason = status(submission)
    entries = []
    for number, run in enumerate(runs, 1):
        name = submission.id if len(runs) == 1 else f"{submission.id}.{number}"
        about = {**submission.about, "date": submission.about["submitted_at"][:10]}
        if len(runs) > 1 or not about["model"]:
            about["model"] = clean(run.scores["model"], MAX_TEXT)
        result = Result(name, run.scores, {}, templates)
        not_ranked = "; ".join(run.scores["diagnostics"]["not_ranked"])
        entries.append(
            Entry(
                name,
                submission.about["tier"],
                result,
                about,
                submission.traces,
                status=said or (INCOMPLETE if not_ranked else ""),
                status_reason=reason or not_ranked,
                foreseen=run.foreseen,
            )
        )
    return entries
