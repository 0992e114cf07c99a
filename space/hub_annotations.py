"""Annotators' sheets in the results repository, so that a hosted page that starts anew has them again."""

import logging
import threading
from collections.abc import Mapping
from pathlib import Path

from dataset_builder.errors import InputError
from dataset_builder.hub import Repo, commit_files, create, download, read_files
from dataset_builder.task import Suite
from evaluator.files import write_whole
from space.annotations import Annotations, Judgement
from space.settings import Settings

EVERY_S = 60.0
"""Verdicts of so many seconds share a commit: the Hub takes about two of them a minute."""
_log = logging.getLogger(__name__)


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
        self._changed = threading.Event()

    def save(self, annotator: str, task_id: str, judgement: Judgement) -> None:
        """As `Annotations.save`."""
        super().save(annotator, task_id, judgement)
        self._changed.set()

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
            there = [path for path in read_files(self._repo) if path.startswith(f"{prefix}/")]
            self.folder.mkdir(parents=True, exist_ok=True)
            sent = {path: download(self._repo, path).read_bytes() for path in there}
            for path, content in sent.items():
                file = self.folder / Path(path).name
                if not file.exists():
                    write_whole(file, content)
            self._sent = sent
            # What was saved here before a restart may not have been sent.
            self._changed.set()
            threading.Thread(target=self._send_on, name="annotations", daemon=True).start()

    def _send_on(self) -> None:
        """Commit what changed, forever; what the Hub does not take is tried again."""
        assert self._sent is not None
        pause = threading.Event()
        while self._changed.wait():
            self._changed.clear()
            files = {self._path(file): file.read_bytes() for file in self.folder.glob("*.csv")}
            changed = {path: data for path, data in files.items() if self._sent.get(path) != data}
            if changed:
                try:
                    commit_files(self._repo, changed, "Keep verdicts")
                    self._sent |= changed
                except InputError as error:
                    _log.warning("the annotations were not sent: %s", error)
                    self._changed.set()
            pause.wait(self._every_s)

    def _path(self, file: Path) -> str:
        """Where a sheet lies in the repository."""
        return file.relative_to(self.folder.parent.parent).as_posix()
