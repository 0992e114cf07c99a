"""Runs that only who has their link sees: uploads that were scored, and what a visitor's job answered.

They stand on no board and in no list. A link holds an id of 128 random bits, and nothing else leads here.
"""

import re
import secrets
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dataset_builder.errors import InputError, why
from dataset_builder.tools import catalogue
from evaluator.comparing.results import Result, template_of
from space.base.limits import HOUR_S, MAX_DRAFTS, MAX_OWN_DRAFTS
from space.base.sanitize import MAX_TEXT, clean
from space.base.score_cache import Cache
from space.base.settings import Settings
from space.base.tiers import MADE_HERE, SELF_REPORTED
from space.base.visitors import Visitor
from space.board.entry import Entry
from space.board.live_run import LiveRun
from space.submissions.store import write_once
from space.submissions.upload_check import Draft

_ID = re.compile(r"([0-9a-f]{32})(?:\.([1-9][0-9]?))?")
"""What a link says: a draft or job, and of a draft of several models which one."""
_JOBS_AT_HAND = 32
_FIELDS = ("provider", "organisation", "link", "regime", "open_weights", "date", "submitter")


@dataclass(frozen=True)
class _Kept:
    """A draft, and until when (seconds of the monotonic clock) its links hold."""

    owner: str
    until: float
    file: Path
    entries: tuple[Entry, ...]


class PrivateRuns:
    """The drafts of the last hour, in this process alone, and the run folders of jobs."""

    def __init__(self, settings: Settings, cache: Cache, kept_s: float = HOUR_S) -> None:
        """Nothing is read yet. The drafts' files lie among the uploads, which are swept.

        ``kept_s``: for how many seconds the link of a draft holds.
        """
        self._settings, self._cache, self._kept_s = settings, cache, kept_s
        self._lock, self._reading = threading.Lock(), threading.Lock()
        self._drafts: dict[str, _Kept] = {}
        self._jobs = lru_cache(maxsize=_JOBS_AT_HAND)(self._live)

    def keep(self, draft: Draft, who: Visitor) -> tuple[str, ...]:
        """Keep a draft for an hour; for each of its runs the id by which only its link finds it.

        A visitor has a few drafts, the page not many: the oldest goes first. InputError where the disk
        refuses.
        """
        name = secrets.token_hex(16)
        file = self._settings.uploads / "drafts" / f"{name}.jsonl"
        try:
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_once(file, draft.content)
        except OSError as error:
            raise InputError(f"the upload cannot be kept ({why(error)})") from None
        entries = tuple(_entries(draft, name, file))
        with self._lock:
            self._drop_old()
            own = [each for each, kept in self._drafts.items() if kept.owner == who.key]
            for each in own[: max(0, len(own) - MAX_OWN_DRAFTS + 1)]:
                self._drop(each)
            for each in list(self._drafts)[: max(0, len(self._drafts) - MAX_DRAFTS + 1)]:
                self._drop(each)
            self._drafts[name] = _Kept(who.key, time.monotonic() + self._kept_s, file, entries)
        return tuple(entry.id for entry in entries)

    def draft(self, name: str) -> Entry | None:
        """The run of a draft's link; None where there is none, or none any more."""
        found = _ID.fullmatch(name)
        if found is None:
            return None
        with self._lock:
            self._drop_old()
            kept = self._drafts.get(found[1])
        return next((each for each in kept.entries if each.id == name), None) if kept else None

    def of_job(self, name: str, folder: Path) -> Entry | None:
        """What a job answered so far in its run folder; None before its first answer."""
        with self._reading:
            try:
                result = self._jobs(folder).result()
            except InputError:
                return None
        if result is None:
            return None
        return _entry(name, MADE_HERE, result, folder / "traces.jsonl")

    def _live(self, folder: Path) -> LiveRun:
        suite = self._settings.suite
        return LiveRun(folder, suite, catalogue(), template_of(suite), self._cache)

    def _drop_old(self) -> None:
        now = time.monotonic()
        for name in [name for name, kept in self._drafts.items() if kept.until <= now]:
            self._drop(name)

    def _drop(self, name: str) -> None:
        with suppress(OSError):
            self._drafts.pop(name).file.unlink()


def _entries(draft: Draft, name: str, file: Path) -> list[Entry]:
    """An entry for each model in a draft."""
    runs = zip(draft.runs, draft.foreseen, draft.answers, strict=True)
    entries = []
    for number, (run, foreseen, answers) in enumerate(runs, 1):
        run_id = name if len(draft.runs) == 1 else f"{name}.{number}"
        result = Result(run_id, run.scores, {}, template_of(run.suite), answers)
        entries.append(_entry(run_id, SELF_REPORTED, result, file, foreseen))
    return entries


def _entry(run_id: str, tier: str, result: Result, traces: Path, foreseen: int = 0) -> Entry:
    about: Mapping[str, str] = dict.fromkeys(_FIELDS, "") | {"model": clean(result.model, MAX_TEXT)}
    return Entry(run_id, tier, result, about, traces, foreseen=foreseen)
