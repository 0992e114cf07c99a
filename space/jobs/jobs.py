"""Runs that visitors ordered: a queue, a few slots, a process each. Their progress is on disk.

One loop starts and ends the processes; everything that a page shows is read from the job's folder,
so a job outlives the visitor's tab, and what it answered outlives the page.
"""

import atexit
import os
import secrets
import shutil
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path

from dataset_builder.errors import InputError, why
from dataset_builder.tools import catalogue
from evaluator.experiments.fresh_tasks import fresh_seed, fresh_suite
from space.base.background_loop import Loop, survives
from space.base.limits import MAX_RUN_S, MAX_WAITING
from space.base.settings import Settings
from space.base.visitors import Visitor
from space.jobs.job import JobFolder, Order, Record, find_folder, new_folder, start_process
from space.jobs.job_progress import Progress, ProgressReader, finished_lines
from space.jobs.job_slots import Running, Waiting, startable
from space.jobs.job_status import STOPPED, Look, state_of
from space.jobs.providers import LOCAL, Access
from space.submissions.store import write_once

CANCELLED = "it was cancelled"
RESTARTED = "the page was restarted meanwhile"
OVERDUE = "it took longer than a run may take here"
_NOT_STARTED = "it could not be started, which is a fault of this page"
GRACE_S = 1.5
"""How long a process has to end by itself; then it is killed."""
KEPT_DAYS = 14
"""How long a job is kept after its last answer."""
_POLL_S = 0.1
_CLEAN_EVERY_S = 3600.0


class Jobs:
    """The jobs of a page."""

    def __init__(self, settings: Settings, environment: Mapping[str, str] = os.environ) -> None:
        """Nothing is started before the first job; what an earlier page left running is taken over."""
        self._settings = settings
        self._environment = environment
        self._lock = threading.RLock()
        self._waiting: OrderedDict[str, Waiting] = OrderedDict()
        self._running: dict[str, Running] = {}
        self._is_closed = False
        self._loop = Loop("jobs", self._round)
        self._cleaned_at = 0.0
        self._reader = lru_cache(maxsize=256)(self._new_reader)
        self._take_over()
        atexit.register(self.close)

    # What visitors do ---------------------------------------------------------------------

    def start(self, order: Order, access: Access, visitor: Visitor) -> str:
        """Put a run into the queue; its id. InputError where the visitor has one, or it is full."""
        order = order.checked()
        self._check_room(visitor)
        folder = new_folder(self._settings.jobs)
        fresh_id = None
        if self._settings.secret is not None and order.limit is None:
            fresh_id = secrets.token_hex(16)
        folder.write(Record(order, fresh_id))
        if fresh_id is not None:
            tasks = fresh_suite(fresh_seed(self._settings.secret or b"", fresh_id))
            write_once(folder.fresh_tasks, "".join(tasks.lines()).encode())
        try:
            self._enqueue(folder, access, visitor)
        except InputError:
            shutil.rmtree(folder.path, ignore_errors=True)
            raise
        return folder.id

    def resume(self, name: str, access: Access, visitor: Visitor) -> None:
        """Go on with a stopped job; its answers stay. InputError as `start`, and where it is not stopped."""
        if self.look(name).state != STOPPED:
            raise InputError("it is not stopped")
        self._check_room(visitor)
        folder = self._folder(name)
        folder.change(reason="")
        self._enqueue(folder, access, visitor)

    def cancel(self, name: str) -> None:
        """Take a job out of the queue, or end its process; what it answered stays."""
        folder = self._folder(name)
        with self._lock:
            if self._waiting.pop(name, None) is not None:
                folder.change(reason=CANCELLED)
            elif (running := self._running.get(name)) is not None:
                self._end(running, CANCELLED)
        self._loop.wake()

    def look(self, name: str) -> Look:
        """A job now; InputError where there is none of that id."""
        folder = self._folder(name)
        with self._lock:
            running = self._running.get(name)
            place = list(self._waiting).index(name) + 1 if name in self._waiting else 0
            record = folder.record()
        progress, fresh = self._progress(folder, record)
        state = state_of(progress, fresh, running is not None, place)
        is_ending = running is not None and running.kill_at is not None
        is_stuck = self._loop.is_failing
        return Look(name, record, state, progress, fresh, place, is_ending, is_stuck)

    def folder(self, name: str) -> JobFolder:
        """The folder of a job; InputError where there is none."""
        folder = self._folder(name)
        folder.record()
        return folder

    def finished_traces(self, name: str) -> bytes:
        """The whole rows of a job's traces so far; InputError where there is none of that id."""
        return finished_lines(self.folder(name).run / "traces.jsonl")

    def close(self) -> None:
        """End all processes: nobody is there any more who could cancel them."""
        with self._lock:
            self._is_closed = True
            self._waiting.clear()
        self._loop.end(2 * GRACE_S)

    # The queue ----------------------------------------------------------------------------

    def _check_room(self, visitor: Visitor) -> None:
        with self._lock:
            owners = {job.owner for job in self._waiting.values()}
            owners |= {job.owner for job in self._running.values()}
            if visitor.key in owners and not visitor.is_maintainer:
                raise InputError("you have a run here already: wait for its end, or cancel it")
            if len(self._waiting) >= MAX_WAITING:
                raise InputError("too many runs are waiting: try again later")

    def _enqueue(self, folder: JobFolder, access: Access, visitor: Visitor) -> None:
        is_local = folder.record().order.source == LOCAL
        with self._lock:
            # Two requests of one visitor may have come at once.
            self._check_room(visitor)
            if folder.id in self._waiting or folder.id in self._running:
                raise InputError("it is not stopped")
            self._waiting[folder.id] = Waiting(access, visitor.key, is_local)
        self._loop.wake()

    def _round(self) -> float | None:
        """Reap, end and start processes; one that fails keeps nobody from the others."""
        with self._lock:
            for name, running in list(self._running.items()):
                survives(f"job {name[:6]}", partial(self._check, name, running))
            for name in self._next():
                waiting = self._waiting.pop(name)
                begun = survives(f"job {name[:6]}", partial(self._start, name, waiting))
                if not begun and name not in self._running:
                    _note(self._folder(name), reason=_NOT_STARTED)
        if self._is_closed:
            return _POLL_S if self._running else None
        survives("old jobs", self._clean)
        return _POLL_S if self._running else _CLEAN_EVERY_S

    def _check(self, name: str, running: Running) -> None:
        now = time.monotonic()
        if running.has_ended():
            del self._running[name]
            with suppress(InputError):
                # Another page over the same folder may have ended it, and knows why.
                noted = running.folder.record().reason
                running.folder.change(reason=running.reason or noted or running.folder.last_words())
        elif self._is_closed:
            self._end(running, RESTARTED)
        elif now - running.since > MAX_RUN_S:
            self._end(running, OVERDUE)
        if name in self._running and running.kill_at is not None and now > running.kill_at:
            running.signal(signal.SIGKILL)

    def _next(self) -> list[str]:
        if self._is_closed:
            return []
        waiting = [(name, job.is_local) for name, job in self._waiting.items()]
        return startable(
            waiting, [job.is_local for job in self._running.values()], self._settings.slots
        )

    def _start(self, name: str, waiting: Waiting) -> None:
        folder = self._folder(name)
        suite = self._settings.suite
        file = self._settings.jobs / f"suite-{suite.digest[:16]}.jsonl"
        try:
            if not file.exists():
                write_once(file, "".join(suite.lines()).encode())
            process = start_process(folder, file, waiting.access, self._environment)
        except OSError as error:
            _note(folder, reason=f"it could not be started ({why(error)})")
            return
        # From here on it is ours to end, whatever happens next.
        self._running[name] = Running(folder, waiting.owner, waiting.is_local, process.pid, process)
        _note(folder, pid=process.pid)
        if hasattr(os, "setpriority"):
            # The page goes first: a run can wait. One that has ended already needs no place.
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, process.pid, 10)

    def _end(self, running: Running, reason: str) -> None:
        if running.kill_at is None:
            running.kill_at = time.monotonic() + GRACE_S
            running.reason = reason
            running.signal(signal.SIGTERM)

    # The folders --------------------------------------------------------------------------

    def _folder(self, name: str) -> JobFolder:
        return find_folder(self._settings.jobs, name)

    def _new_reader(self, folder: Path, fresh_id: str | None) -> ProgressReader:
        if fresh_id is None:
            suite = self._settings.suite
        else:
            suite = fresh_suite(fresh_seed(self._settings.secret or b"", fresh_id))
        return ProgressReader(folder, suite, catalogue())

    def _progress(self, folder: JobFolder, record: Record) -> tuple[Progress, Progress | None]:
        progress = self._reader(folder.run, None).read()
        if record.fresh_id is None or self._settings.secret is None:
            return progress, None
        if not (folder.run / "fresh").exists():
            return progress, Progress(0)
        return progress, self._reader(folder.run / "fresh", record.fresh_id).read()

    def _take_over(self) -> None:
        """Find the processes that an earlier page left; what it left waiting has lost its key."""
        survives("old jobs", self._clean)
        for folder in self._folders():
            survives(f"job {folder.id[:6]}", partial(self._take_over_one, folder))
        if self._running:
            self._loop.wake()

    def _take_over_one(self, folder: JobFolder) -> None:
        record = folder.record()
        if record.pid is not None and folder.is_running():
            is_local = record.order.source == LOCAL
            self._running[folder.id] = Running(folder, "", is_local, record.pid, None)
        elif not record.reason:
            _note(folder, reason=RESTARTED)

    def _folders(self) -> list[JobFolder]:
        folders = []
        for file in sorted(self._settings.jobs.glob("*/job.json")):
            folder = JobFolder(file.parent)
            try:
                folder.record()
            except InputError:
                continue
            folders.append(folder)
        return folders

    def _clean(self) -> None:
        """Delete the jobs that nobody came back for."""
        now = time.time()
        if now - self._cleaned_at < _CLEAN_EVERY_S:
            return
        self._cleaned_at = now
        for folder in self._folders():
            survives(f"job {folder.id[:6]}", partial(self._clean_one, folder, now))

    def _clean_one(self, folder: JobFolder, now: float) -> None:
        files = [folder.path / "job.json", folder.run / "traces.jsonl"]
        last = max(file.stat().st_mtime for file in files if file.exists())
        if folder.id not in self._running and now - last > KEPT_DAYS * 86_400:
            shutil.rmtree(folder.path, ignore_errors=True)


def _note(folder: JobFolder, **values: object) -> None:
    """Write down what became of a job; where the disk refuses, the queue goes on all the same."""
    with suppress(InputError):
        folder.change(**values)
