"""Submissions in a dataset repository of the Hub: a mirror on disk, and one loop that writes.

A submission becomes visible, here as there, when the commit that holds it is done. Until then it
lies in ``pending/``, which is tried again and again. Many submissions at once share a commit.
"""

import json
import queue
import re
from collections import deque
from collections.abc import Mapping
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from dataset_builder.errors import InputError, why
from dataset_builder.published.hub import Repo, commit_files, create, download, read_files
from space.base.background_loop import Loop, survives
from space.base.settings import Settings
from space.submissions.store import (
    Store,
    Submission,
    content_id,
    note_bytes,
    note_path,
    submission_files,
    write_once,
)

MAX_BATCH = 50
WAIT_S = 120.0
"""How long a visitor is kept waiting for a commit."""
_OURS = re.compile(
    r"(traces/[0-9a-f]{16}\.jsonl|about/[0-9a-f]{16}\.json|notes/[0-9a-f]{16}\.\d+\.json)"
)
_DOWNLOADS = 8
_NOT_YET = (
    "the results repository does not take submissions at the moment; yours is kept here and will be "
    "sent, and appears on the board when it is there"
)
_NOT_NOTED = "the results repository does not answer: look again in a while before you repeat it"


class NotYetPublished(InputError):
    """The Hub did not take a submission; it is kept and tried again."""


@dataclass
class _Change:
    """Something to commit: a new submission (``content``) or a note about one (``name``)."""

    about: Mapping[str, str]
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

    def __init__(self, folder: Path, repo: Repo, wait_s: float = WAIT_S) -> None:
        """``folder``: the mirror. The repository is made where there is none."""
        super().__init__(folder)
        self._repo, self._wait_s = repo, wait_s
        self._changes: queue.Queue[_Change] = queue.Queue()
        # What an earlier page left, and what failed.
        self._left = deque(self.pending())
        self._is_mirrored = False
        self._writer = Loop("results repository", self._round)
        self._writer.wake()

    def add(self, content: bytes, about: Mapping[str, str]) -> tuple[Submission, bool]:
        """As `Store.add`; NotYetPublished where the Hub does not take it in time."""
        if self.get(content_id(content)) is not None:
            return super().add(content, about)
        for path, data in submission_files(content, about).items():
            self._keep(f"pending/{Path(path).name}", data)
        change = _Change(about, content)
        self._changes.put(change)
        self._writer.wake()
        try:
            return change.done.result(self._wait_s)
        except Late:
            raise NotYetPublished(_NOT_YET) from None

    def note(self, name: str, event: Mapping[str, str]) -> Submission:
        """As `Store.note`; InputError where the Hub does not take it."""
        change = _Change(event, name=self._known(name).id)
        self._changes.put(change)
        self._writer.wake()
        try:
            return change.done.result(self._wait_s)[0]
        except Late:
            # What was called off is not done behind the visitor's back.
            change.done.cancel()
            raise InputError(_NOT_NOTED) from None

    def trouble(self) -> str:
        """As `Store.trouble`: whether the Hub takes what is kept here."""
        if not self._writer.is_failing:
            return ""
        if not self._is_mirrored:
            return (
                "The results repository does not answer at the moment: runs submitted earlier may be "
                "missing here, and new ones are kept until they can be sent."
            )
        return (
            "The results repository did not take what was sent last. New submissions are kept here "
            f"and will be sent; {len(self.pending())} wait for it."
        )

    def pending(self) -> list[str]:
        """The ids of what is kept and not yet published."""
        return sorted(file.stem for file in (self.folder / "pending").glob("*.json"))

    # The writer ---------------------------------------------------------------------------

    def _round(self) -> float | None:
        """Commit what came, and then what an earlier try or an earlier page left."""
        # One by one after a failure: what cannot be committed holds up no more than itself.
        changes = self._next(1 if self._writer.is_failing else MAX_BATCH)
        try:
            later = self._commit(changes)
        except BaseException:
            for change in changes:
                self._put_off(change)
            raise
        for change in later:
            self._changes.put(change)
        return None if self._changes.empty() and not self._left else 0.0

    def _next(self, most: int) -> list[_Change]:
        changes: list[_Change] = []
        while len(changes) < most and not self._changes.empty():
            changes.append(self._changes.get())
        for _ in range(min(most - len(changes), len(self._left))):
            name = self._left.popleft()
            survives(f"pending submission {name}", lambda n=name: changes.append(self._kept(n)))  # type: ignore[misc]
        return changes

    def _put_off(self, change: _Change) -> None:
        """Tell who waits that it failed; a submission is tried again, a note is not."""
        error = InputError(_NOT_NOTED) if change.content is None else NotYetPublished(_NOT_YET)
        _answer(change, error)
        if change.content is not None and (name := content_id(change.content)) not in self._left:
            self._left.append(name)

    def _commit(self, changes: list[_Change]) -> list[_Change]:
        """Commit a batch and mirror it; the changes that have to wait for the next one."""
        later: list[_Change] = []
        batch: dict[str, tuple[_Change, dict[str, bytes]]] = {}
        self._mirror()
        for change in changes:
            name = change.name or content_id(change.content or b"")
            known = self.get(name)
            if change.content is not None and known is not None:
                self._finish(change, name, is_new=False)
            elif name in batch:
                later.append(change)
            elif change.content is not None:
                batch[name] = change, submission_files(change.content, change.about)
            # From here on a note cannot be called off any more.
            elif change.done.set_running_or_notify_cancel():
                batch[name] = change, {note_path(self._known(name)): note_bytes(change.about)}
        if batch:
            files = {
                path: data for _, new_files in batch.values() for path, data in new_files.items()
            }
            commit_files(self._repo, files, f"Add {len(files)} files")
        for name, (change, new_files) in batch.items():
            for path, data in new_files.items():
                self._keep(path, data)
            self._finish(change, name, is_new=True)
        return later

    def _finish(self, change: _Change, name: str, is_new: bool) -> None:
        for suffix in (".json", ".jsonl") if change.content is not None else ():
            (self.folder / "pending" / f"{name}{suffix}").unlink(missing_ok=True)
        _answer(change, (self._known(name), is_new))

    def _mirror(self) -> None:
        """Once: make the repository where there is none, and download what is not here yet."""
        if self._is_mirrored:
            return
        create(self._repo)
        remote = read_files(self._repo)
        if "README.md" not in remote or remote["README.md"].size < 200:
            readme = resources.files("space.submissions").joinpath("results.md").read_bytes()
            commit_files(self._repo, {"README.md": readme}, "Describe the results")
        missing = [p for p in remote if _OURS.fullmatch(p) and not (self.folder / p).exists()]
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

    def _kept(self, name: str) -> _Change:
        """What is pending, as a change that nobody waits for."""
        file = self.folder / "pending" / f"{name}.jsonl"
        description = json.loads(file.with_suffix(".json").read_text("utf-8"))
        about = {k: v for k, v in description.items() if k not in ("id", "sha256", "bytes")}
        return _Change(about, file.read_bytes())


def _answer(change: _Change, result: tuple[Submission, bool] | InputError) -> None:
    """Tell who waits for a change, where somebody still does."""
    with suppress(InvalidStateError):
        if isinstance(result, InputError):
            change.done.set_exception(result)
        else:
            change.done.set_result(result)
