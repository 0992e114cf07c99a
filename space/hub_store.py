"""Submissions in a dataset repository of the Hub: a mirror on disk, and one thread that writes.

A submission becomes visible, here as there, when the commit that holds it is done. Until then it
lies in ``pending/``, which is tried again and again. Many submissions at once share a commit.
"""

import json
import logging
import queue
import re
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from dataset_builder.errors import InputError, why
from dataset_builder.hub import Repo, commit_files, create, download, read_files
from space.settings import Settings
from space.store import (
    Store,
    Submission,
    content_id,
    note_bytes,
    note_path,
    submission_files,
    write_once,
)

MAX_BATCH = 50
RETRY_S = 60.0
WAIT_S = 120.0
"""How long a visitor is kept waiting for a commit."""
_OURS = re.compile(
    r"(traces/[0-9a-f]{16}\.jsonl|about/[0-9a-f]{16}\.json|notes/[0-9a-f]{16}\.\d+\.json)"
)
_DOWNLOADS = 8
_log = logging.getLogger(__name__)


class NotYetPublished(InputError):
    """The Hub did not take a submission; it is kept and tried again."""


@dataclass
class _Job:
    """Something to commit: a new submission (``content``) or a note about one (``name``)."""

    said: Mapping[str, str]
    content: bytes | None = None
    name: str = ""
    done: "Future[tuple[Submission, bool]]" = field(default_factory=Future)


def open_store(settings: Settings) -> Store:
    """The store that the settings name: the results repository, or else the folder."""
    if settings.results_repo is None:
        return Store(settings.submissions)
    return HubStore(settings.submissions, Repo(settings.results_repo, token=settings.token))


class HubStore(Store):
    """A store whose truth is a dataset repository with one writer, this one."""

    def __init__(
        self, folder: Path, repo: Repo, retry_s: float = RETRY_S, wait_s: float = WAIT_S
    ) -> None:
        """``folder``: the mirror. The repository is made where there is none."""
        super().__init__(folder)
        self._repo, self._retry_s, self._wait_s = repo, retry_s, wait_s
        self._jobs: queue.Queue[_Job] = queue.Queue()
        self._is_mirrored = False
        threading.Thread(target=self._write_on, name="results repository", daemon=True).start()

    def add(self, content: bytes, about: Mapping[str, str]) -> tuple[Submission, bool]:
        """As `Store.add`; NotYetPublished where the Hub does not take it in time."""
        if self.get(content_id(content)) is not None:
            return super().add(content, about)
        for path, data in submission_files(content, about).items():
            self._keep(f"pending/{Path(path).name}", data)
        job = _Job(about, content)
        self._jobs.put(job)
        try:
            return job.done.result(self._wait_s)
        except (InputError, Late):
            raise NotYetPublished(
                "the results repository does not answer: the submission is kept and tried again, and "
                "will appear on the board when it is there"
            ) from None

    def note(self, name: str, event: Mapping[str, str]) -> Submission:
        """As `Store.note`; InputError where the Hub does not take it."""
        job = _Job(event, name=self._known(name).id)
        self._jobs.put(job)
        try:
            return job.done.result(self._wait_s)[0]
        except (InputError, Late):
            raise InputError("the results repository does not answer: try again later") from None

    def pending(self) -> list[str]:
        """The ids of what is kept and not yet published."""
        return sorted(file.stem for file in (self.folder / "pending").glob("*.json"))

    # The writer ---------------------------------------------------------------------------

    def _write_on(self) -> None:
        """Commit what comes, forever; what failed, or was left by a kill, is tried now and then."""
        failed = self.pending()
        jobs: list[_Job] = []
        while True:
            jobs += self._kept(failed)
            try:
                jobs, failed = self._commit(jobs), []
            except InputError as error:
                _log.warning("the results repository was not written: %s", error)
                for job in jobs:
                    if not job.done.done():
                        job.done.set_exception(error)
                # Tried again with the next that comes, or in a while.
                failed = [content_id(job.content) for job in jobs if job.content is not None]
                jobs = []
            jobs = jobs or self._next()
            while len(jobs) < MAX_BATCH and not self._jobs.empty():
                jobs.append(self._jobs.get())

    def _next(self) -> list[_Job]:
        try:
            return [self._jobs.get(timeout=self._retry_s)]
        except queue.Empty:
            return []

    def _commit(self, jobs: list[_Job]) -> list[_Job]:
        """Commit a batch and mirror it; the jobs that have to wait for the next one."""
        later: list[_Job] = []
        batch: dict[str, tuple[_Job, dict[str, bytes]]] = {}
        self._mirror()
        for job in jobs:
            name = job.name or content_id(job.content or b"")
            found = self.get(name)
            if job.content is not None and found is not None:
                self._finish(job, name, is_new=False)
            elif name in batch:
                later.append(job)
            elif job.content is not None:
                batch[name] = job, submission_files(job.content, job.said)
            elif found is not None:
                batch[name] = job, {note_path(found): note_bytes(job.said)}
        if batch:
            files = {path: data for _, own in batch.values() for path, data in own.items()}
            commit_files(self._repo, files, f"Add {len(files)} files")
        for name, (job, own) in batch.items():
            for path, data in own.items():
                self._keep(path, data)
            self._finish(job, name, is_new=True)
        return later

    def _finish(self, job: _Job, name: str, is_new: bool) -> None:
        for suffix in (".json", ".jsonl") if job.content is not None else ():
            (self.folder / "pending" / f"{name}{suffix}").unlink(missing_ok=True)
        job.done.set_result((self._known(name), is_new))

    def _mirror(self) -> None:
        """Once: make the repository where there is none, and download what is not here yet."""
        if self._is_mirrored:
            return
        create(self._repo)
        there = read_files(self._repo)
        if "README.md" not in there or there["README.md"].size < 200:
            readme = resources.files("space").joinpath("documents/results.md").read_bytes()
            commit_files(self._repo, {"README.md": readme}, "Describe the results")
        missing = [p for p in there if _OURS.fullmatch(p) and not (self.folder / p).exists()]
        # A description makes visible what has to be there before it.
        for kind in ("traces/", "about/", "notes/"):
            with ThreadPoolExecutor(_DOWNLOADS) as pool:
                list(pool.map(self._fetch, [path for path in missing if path.startswith(kind)]))
        self._is_mirrored = True

    def _fetch(self, path: str) -> None:
        self._keep(path, download(self._repo, path).read_bytes())

    def _keep(self, path: str, data: bytes) -> None:
        try:
            write_once(self.folder / path, data)
        except OSError as error:
            raise InputError(f"{path}: cannot be kept ({why(error)})") from None

    def _kept(self, names: Iterable[str]) -> list[_Job]:
        """Some of what is pending, as jobs that nobody waits for."""
        jobs = []
        for name in names:
            file = self.folder / "pending" / f"{name}.jsonl"
            said = json.loads(file.with_suffix(".json").read_text("utf-8"))
            about = {k: v for k, v in said.items() if k not in ("id", "sha256", "bytes")}
            jobs.append(_Job(about, file.read_bytes()))
        return jobs
