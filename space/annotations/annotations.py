"""What annotators found (paper, Appendix I): a sheet for each, in the form that `annotate kappa` reads.

    annotations/<suite>/<annotator>.csv     a line a task; suite = first 16 digits of its digest

A sheet is written whole under another name and then put in its place after every verdict, so that a
kill at any moment loses nothing that was saved.
"""

import csv
import io
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from dataset_builder.errors import InputError, why
from dataset_builder.tasks.task import Suite
from dataset_builder.write_files import write_whole
from evaluator.audit.annotation import CRITERIA
from evaluator.csv_text import csv_text
from space.base.sanitize import clean

MAX_NOTE = 500
_HEAD = ("task_id", *CRITERIA, "note")
_YES, _NO = "yes", "no"


@dataclass(frozen=True)
class Judgement:
    """An annotator's verdict on a task."""

    verdicts: Mapping[str, bool]
    """For each of the criteria, whether the task meets it."""
    note: str = ""


class Annotations:
    """The sheets of one suite."""

    def __init__(self, folder: Path, suite: Suite) -> None:
        """``folder``: where the annotations of all suites lie; made with the first verdict."""
        self.folder = folder / suite.digest[:16]
        self._lock = threading.Lock()

    def save(self, annotator: str, task_id: str, judgement: Judgement) -> None:
        """Keep a verdict in place of an earlier one of the same annotator.

        When it returns, it is on disk. InputError where that cannot be, or where a criterion is not
        judged.
        """
        missing = [name for name in CRITERIA if judgement.verdicts.get(name) is None]
        if missing:
            raise InputError("judge all four criteria, then save")
        note = clean(judgement.note, MAX_NOTE)
        with self._lock:
            sheet = self.sheet(annotator) | {task_id: Judgement(dict(judgement.verdicts), note)}
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                write_whole(self._file(annotator), _to_csv(sheet).encode())
            except OSError as error:
                raise InputError(f"the verdict cannot be kept ({why(error)})") from None

    def sheet(self, annotator: str) -> dict[str, Judgement]:
        """The verdicts of an annotator by task; none where nothing was saved yet.

        InputError for a sheet that cannot be read.
        """
        try:
            text = self._file(annotator).read_text("utf-8")
            return {
                row["task_id"]: Judgement(
                    {name: row[name] == _YES for name in CRITERIA}, row["note"].removeprefix("'")
                )
                for row in csv.DictReader(io.StringIO(text))
            }
        except FileNotFoundError:
            return {}
        except (OSError, UnicodeDecodeError, csv.Error, KeyError, AttributeError):
            message = f"the sheet of {clean(annotator, 40)} is damaged or no sheet of annotations"
            raise InputError(message) from None

    def verdicts(self) -> dict[str, dict[str, Mapping[str, bool]]]:
        """Annotator → task → criterion → verdict, of all sheets that can be read."""
        names = sorted(unquote(file.stem) for file in self.folder.glob("*.csv"))
        by_annotator: dict[str, dict[str, Mapping[str, bool]]] = {}
        for name in names:
            # One damaged sheet must not hide all others.
            with suppress(InputError):
                by_annotator[name] = {
                    task: judgement.verdicts for task, judgement in self.sheet(name).items()
                }
        return by_annotator

    def trouble(self) -> str:
        """What an annotator should know of a verdict that is kept, a sentence; nothing if all is well."""
        return ""

    def _file(self, annotator: str) -> Path:
        # A login has no slash; what has one all the same must not leave the folder.
        return self.folder / f"{quote(annotator, safe='')}.csv"


def _to_csv(sheet: Mapping[str, Judgement]) -> str:
    rows = (
        [
            task_id,
            *(_YES if judgement.verdicts[name] else _NO for name in CRITERIA),
            judgement.note,
        ]
        for task_id, judgement in sorted(sheet.items())
    )
    return csv_text(_HEAD, rows)
