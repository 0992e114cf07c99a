"""The board as it is now: run folders and submissions, read and scored when they change."""

import stat
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite
from dataset_builder.tools import catalogue
from evaluator.comparing.answer_digests import answers_of
from evaluator.comparing.results import Result, template_of
from evaluator.experiments.fresh_tasks import fresh_result
from evaluator.models import is_baseline
from evaluator.traces.check_run_json import read_description
from space.base.background_loop import Loop, log_failure
from space.base.sanitize import MAX_TEXT, clean
from space.base.score_cache import Cache, Scored
from space.base.settings import Settings
from space.base.tiers import BASELINE, INCOMPLETE, MADE_HERE, VERIFIED
from space.board.board import Board
from space.board.copies import marked
from space.board.entry import Entry
from space.board.horizons import with_horizons
from space.board.live_run import LiveRun
from space.board.publish_run import submission_key
from space.board.rank_cache import KeptPlaces
from space.submissions.about import ABOUT_KEYS, known_model
from space.submissions.moderation import status
from space.submissions.store import Store, Submission
from space.submissions.upload_check import declared, parse, score_stranger

_FAULT = "could not be scored, which is a fault of this page"
_POLL_S = 0.01


class LiveBoard:
    """The board of a page, shared by its visitors; made anew when files have changed."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        cache: Cache,
        trouble: Callable[[], str] = lambda: "",
    ) -> None:
        """``trouble``: what visitors should know of the files' health, a sentence or nothing."""
        self._settings, self._store, self._cache = settings, store, cache
        self._trouble = trouble
        self._lock = threading.Lock()
        self._state: Any = None
        self._board = Board(())
        self._rankings = KeptPlaces(cache)
        self._templates = template_of(settings.suite)
        self._submitted: dict[str, Sequence[Scored] | str] = {}
        self._runs: dict[Path, LiveRun] = {}
        self._made: dict[Path, tuple[Any, Entry | str | None]] = {}
        self._climbs: dict[Path, Any] = {}
        """Folders with runs of procedures that are to be read, and what they were like."""
        self._missing: list[Submission] = []
        self._climbed = 0
        self._scorer = Loop("scores of submissions", self._score_next)
        self._climber = Loop("runs of procedures", self._read_climb)

    def current(self) -> Board:
        """The board of the files as they are now.

        What is not in the cache is scored in the background and counted as waiting.
        """
        with self._lock:
            runs = run_state(self._settings.runs)
            files = (runs, self._store.state(), self._trouble())
            if (*files, len(self._submitted), self._climbed) != self._state:
                self._board = self._make(runs, files[-1])
                self._state = (*files, len(self._submitted), self._climbed)
            return self._board

    def complete(self) -> Board:
        """As `current`, but with every run on it."""
        while (board := self.current()).waiting:
            time.sleep(_POLL_S)
        return board

    def _make(self, runs: Mapping[Path, Any], trouble: str) -> Board:
        entries: list[Entry] = []
        problems: list[str] = []
        self._climbs = {}
        for folder, state in runs.items():
            if folder not in self._made or self._made[folder][0] != state:
                if is_climb(folder):
                    self._climbs[folder] = state
                else:
                    self._made[folder] = (state, self._made_here(folder))
            # Of a climb that goes on, what was read last.
            entry = self._made[folder][1] if folder in self._made else None
            if isinstance(entry, str):
                problems.append(entry)
            elif entry is not None:
                entries.append(entry)
        missing = []
        for submission in self._store.all():
            scored = self._known(submission)
            if scored is None:
                missing.append(submission)
            elif isinstance(scored, str):
                problems.append(f"submission {submission.id}: {scored}")
            else:
                entries += _entries(submission, scored, self._templates)
        self._missing = missing
        if missing:
            self._scorer.wake()
        if self._climbs:
            self._climber.wake()
        return Board(
            with_horizons(marked(entries)),
            tuple(problems),
            len(missing) + len(self._climbs.keys() - self._made.keys()),
            trouble,
            self._rankings,
        )

    def _made_here(self, folder: Path) -> Entry | str | None:
        """The entry of a run folder; a sentence where it cannot be read; None for a control run."""
        if folder not in self._runs:
            suite = self._settings.suite
            self._runs[folder] = LiveRun(folder, suite, catalogue(), self._templates, self._cache)
        try:
            return _made_here(self._runs[folder], folder, self._settings)
        except InputError as error:
            message = str(error).splitlines()[0].removeprefix(f"{folder.name}/")
            return f"{folder.name}: {message}"
        except Exception as error:  # One run that finds a fault of ours must not hide all others.
            log_failure(f"run {folder.name}", error)
            return f"{folder.name}: {_FAULT}"

    def _read_climb(self) -> float | None:
        """Read one run of procedures; making its ladder takes seconds, which no visitor waits for."""
        with self._lock:
            waiting = list(self._climbs.items())
        if not waiting:
            return None
        folder, state = waiting[0]
        entry = self._made_here(folder)
        with self._lock:
            self._made[folder] = (state, entry)
            self._climbs.pop(folder, None)
            self._climbed += 1
        return 0.0

    def _known(self, submission: Submission) -> Sequence[Scored] | str | None:
        """What is known of a submission's scores; a sentence where there can be none."""
        if lacking := {*ABOUT_KEYS} - {*submission.about}:
            return f"its description lacks {', '.join(sorted(lacking))}"
        if submission.id not in self._submitted:
            kept = self._cache.get(submission_key(submission, self._settings.suite))
            if kept is not None:
                self._submitted[submission.id] = kept
        return self._submitted.get(submission.id)

    def _score_next(self) -> float | None:
        """Score one submission that the cache lacks."""
        with self._lock:
            waiting = [one for one in self._missing if one.id not in self._submitted]
        if not waiting:
            return None
        submission = waiting[0]
        scored: Sequence[Scored] | str
        try:
            scored = score_submission(submission, self._settings.suite, self._cache)
        except Exception as error:  # As for runs.
            log_failure(f"submission {submission.id}", error)
            scored = _FAULT
        with self._lock:
            self._submitted[submission.id] = scored
        return 0.0


def run_state(runs: Path) -> dict[Path, Any]:
    """The run folders of a folder, and what changes when one of them does."""
    by_folder = {}
    for file in sorted(runs.glob("*/run.json")):
        files = (file, file.with_name("traces.jsonl"), file.with_name("fresh.json"))
        states = [state for each in files if (state := _file_state(each))]
        if len(states) > 1:
            by_folder[file.parent] = tuple(states)
    return by_folder


def is_climb(folder: Path) -> bool:
    """Whether a run folder says that it is of procedures."""
    try:
        suite = read_description(folder).get("suite")
    except InputError:
        return False
    return isinstance(suite, dict) and "ladder" in suite


def _file_state(file: Path) -> tuple[int, int, int] | None:
    """What changes when a file does; None where there is none, or what would block a reader."""
    try:
        stats = file.stat()
    except OSError:
        return None
    is_file = stat.S_ISREG(stats.st_mode)
    return (stats.st_ino, stats.st_mtime_ns, stats.st_size) if is_file else None


def _made_here(run: LiveRun, folder: Path, settings: Settings) -> Entry | None:
    """The entry of a run folder; None for a control run, and before its first row."""
    suite = settings.suite
    result = run.result()
    if result is None or result.is_control:
        return None
    fresh = fresh_result(folder, result, settings.secret)
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
    scored = [Scored(run.scores, count, answers_of(run.traces)) for run, count in runs]
    cache.put(submission_key(submission, suite), scored)
    return scored


def _entries(
    submission: Submission,
    runs: Sequence[Scored],
    templates: Mapping[str, str],
) -> list[Entry]:
    """An entry for each model in a submission."""
    moderated, reason = status(submission)
    entries = []
    for number, run in enumerate(runs, 1):
        name = submission.id if len(runs) == 1 else f"{submission.id}.{number}"
        about = {**submission.about, "date": submission.about["submitted_at"][:10]}
        if len(runs) > 1 or not about["model"]:
            about["model"] = clean(run.scores["model"], MAX_TEXT)
        # Only what is compared task by task needs templates, and procedures are not.
        own_templates = {} if "horizon" in run.scores else templates
        result = Result(name, run.scores, {}, own_templates, run.answers)
        not_ranked = "; ".join(run.scores["diagnostics"]["not_ranked"])
        entries.append(
            Entry(
                name,
                submission.about["tier"],
                result,
                about,
                submission.traces,
                status=moderated or (INCOMPLETE if not_ranked else ""),
                status_reason=reason or not_ranked,
                foreseen=run.foreseen,
            )
        )
    return entries
