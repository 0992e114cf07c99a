"""Annotators' sheets in the results repository, so that a hosted page that starts anew has them again."""

import threading
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from dataset_builder.published.hub import Repo, commit_files, create, download, read_files
from dataset_builder.tasks.task import Suite
from dataset_builder.write_files import write_whole
from space.annotations.annotations import Annotations, Judgement
from space.base.background_loop import Loop, survives
from space.base.settings import Settings

EVERY_S = 60.0
"""Verdicts of so many seconds share a commit: the Hub takes about two of them a minute."""


def open_annotations(settings: Settings) -> Annotations:
    """The sheets where the settings keep results: in the repository, or else in the folder."""
    folder = settings.submissions / "annotations"
    if settings.results_repo is None:
        return Annotations(folder, settings.suite)
    repo = Repo(settings.results_repo, token=settings.token)
    return HubAnnotations(folder, settings.suite, repo)


class HubAnnotations(Annotations):
    """Sheets on disk, a copy of which goes to a dataset repository with one writer, this one.

    A verdict is on disk when `save` returns, and in the repository within a minute or so.
    """

    def __init__(self, folder: Path, suite: Suite, repo: Repo, every_s: float = EVERY_S) -> None:
        """Nothing is asked of the Hub before somebody looks."""
        super().__init__(folder, suite)
        self._repo, self._every_s = repo, every_s
        self._mirrored = threading.Lock()
        self._sent: dict[str, bytes] | None = None
        self._sent_at = float("-inf")
        self._sender = Loop("annotations", self._send)

    def save(self, annotator: str, task_id: str, judgement: Judgement) -> None:
        """As `Annotations.save`."""
        super().save(annotator, task_id, judgement)
        self._sender.wake()

    def trouble(self) -> str:
        """As `Annotations.trouble`: whether the Hub takes what is kept here."""
        if not self._sender.is_failing:
            return ""
        return "The results repository does not take it at the moment: it will be sent."

    def sheet(self, annotator: str) -> dict[str, Judgement]:
        """As `Annotations.sheet`; InputError where the Hub does not answer and nothing is here yet."""
        self._mirror()
        return super().sheet(annotator)

    def verdicts(self) -> dict[str, dict[str, Mapping[str, bool]]]:
        """As `Annotations.verdicts`; InputError as for `sheet`."""
        self._mirror()
        return super().verdicts()

    def _mirror(self) -> None:
        """Once: fetch the sheets that are not here, then begin to send those that change."""
        with self._mirrored:
            if self._sent is not None:
                return
            prefix = self._path(self.folder)
            create(self._repo)
            paths = [path for path in read_files(self._repo) if path.startswith(f"{prefix}/")]
            self.folder.mkdir(parents=True, exist_ok=True)
            sent = {path: download(self._repo, path).read_bytes() for path in paths}
            for path, content in sent.items():
                file = self.folder / Path(path).name
                if not file.exists():
                    write_whole(file, content)
            self._sent = sent
            # What was saved here before a restart may not have been sent.
            self._sender.wake()

    def _send(self) -> float | None:
        """Commit what changed, not too often."""
        if (wait_s := self._sent_at + self._every_s - time.monotonic()) > 0:
            return wait_s
        sent = self._sent or {}
        changed: dict[str, bytes] = {}
        files = sorted(self.folder.glob("*.csv"))
        read = [survives(f"sheet {n}", partial(self._add_changed, changed, file))
                for n, file in enumerate(files)]  # fmt: skip
        if changed:
            commit_files(self._repo, changed, "Keep verdicts")
            self._sent = sent | changed
            self._sent_at = time.monotonic()
        return None if all(read) else self._every_s

    def _add_changed(self, changed: dict[str, bytes], file: Path) -> None:
        path, content = self._path(file), file.read_bytes()
        if (self._sent or {}).get(path) != content:
            changed[path] = content

    def _path(self, file: Path) -> str:
        """Where a sheet lies in the repository."""
        return file.relative_to(self.folder.parent.parent).as_posix()
