"""A job: a run that a visitor ordered, in a folder of its own. No file in it holds a key.

    jobs/<id>/job.json         what was ordered, and what became of it
              fresh.jsonl      the fresh tasks, where the run can become verified
              output.txt       what the process said
              run/             the run folder, as `comptoolbench run` writes it

The id has 128 random bits and stands in the link alone: who has the link has the job.
"""

import errno
import json
import os
import re
import secrets
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from dataset_builder.errors import InputError, why
from dataset_builder.tools import catalogue as benchmark_tools
from dataset_builder.write_files import write_whole
from evaluator.traces.protocols import CALLS, PROTOCOLS, canonical_catalogue
from space.base.limits import MAX_SAMPLES
from space.jobs.providers import Access

FORMAT = 1
_ROOT = Path(__file__).resolve().parents[2]
_ID = re.compile(r"[0-9a-f]{32}")
# What a process needs to run at all; whatever else stands in the page's environment stays there.
_PASSED_ON = (
    "PATH",
    "LANG",
    "LC_ALL",
    "TZ",
    "TMPDIR",
    "LD_LIBRARY_PATH",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "OLLAMA_API_BASE",
)


@dataclass(frozen=True)
class Order:
    """What a visitor asks for, as the options of `comptoolbench run`; None where they are left out."""

    source: str
    """One of `space.jobs.providers.SOURCES`."""
    model: str
    protocol: str
    catalogue: str
    calls: str | None = None
    samples: int = 1
    limit: int | None = None
    max_cost: float | None = None
    """US dollars."""
    api_base: str | None = None

    def checked(self) -> "Order":
        """The same; InputError for what `run` does not know or the page does not offer."""
        if self.protocol not in PROTOCOLS:
            raise InputError(f"protocol: expected {' or '.join(PROTOCOLS)}")
        try:
            canonical_catalogue(self.catalogue, len(benchmark_tools()))
        except ValueError as error:
            raise InputError(f"catalogue: {error}") from None
        if self.calls not in (None, *CALLS):
            raise InputError(f"calls: expected {' or '.join(CALLS)}")
        if not 1 <= self.samples <= MAX_SAMPLES:
            raise InputError(f"answers a task: expected 1 to {MAX_SAMPLES}")
        if self.limit is not None and self.limit < 1:
            raise InputError("tasks: expected at least 1")
        if self.max_cost is not None and not 0 < self.max_cost < 1e6:
            raise InputError("the ceiling of the cost: expected US dollars above 0")
        return self

    def options(self, access: Access) -> list[str]:
        """The command line of the run; a key is no part of it."""
        values = {
            "protocol": self.protocol,
            "catalogue": self.catalogue,
            "calls": self.calls,
            "samples": self.samples,
            "limit": self.limit,
            "max-cost": self.max_cost,
            "api-base": access.api_base,
        }
        options = [f"--{name}={value}" for name, value in values.items() if value is not None]
        return [*options, *(["--api-key-stdin"] if access.key else []), "--", access.model]


@dataclass(frozen=True)
class Record:
    """What ``job.json`` says."""

    order: Order
    fresh_id: str | None = None
    """What the seed of its fresh tasks is made of; None where none are asked."""
    pid: int | None = None
    """Of the process that runs it, or ran it last."""
    reason: str = ""
    """Why it is not running any more; empty for one that was never stopped."""
    published: str = ""
    """Name of the run that it became."""


@dataclass(frozen=True)
class JobFolder:
    """A job's folder and the files in it."""

    path: Path

    @property
    def id(self) -> str:
        """What the link says."""
        return self.path.name

    @property
    def run(self) -> Path:
        """The run folder."""
        return self.path / "run"

    @property
    def fresh_tasks(self) -> Path:
        """The file of the fresh tasks."""
        return self.path / "fresh.jsonl"

    def record(self) -> Record:
        """What is known of the job; InputError where there is none."""
        try:
            fields: dict[str, Any] = json.loads((self.path / "job.json").read_text("utf-8"))
            fields.pop("format")
            return Record(**{**fields, "order": Order(**fields["order"])})
        except (OSError, ValueError, KeyError, TypeError):
            raise InputError(
                "there is no such job here: the link is wrong, or the job was deleted"
            ) from None

    def write(self, record: Record) -> None:
        """Replace what is known; InputError where the disk refuses."""
        text = json.dumps({"format": FORMAT, **asdict(record)}, indent=1)
        try:
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_whole(self.path / "job.json", f"{text}\n".encode())
        except OSError as error:
            raise InputError(f"the job cannot be kept ({why(error)})") from None

    def change(self, **values: Any) -> None:
        """Replace some of what is known."""
        self.write(replace(self.record(), **values))

    def last_words(self) -> str:
        """The sentence with which the process ended, where it said one."""
        try:
            lines = self.output.read_text("utf-8", "replace").splitlines()
        except OSError:
            return ""
        sentences = [line for line in lines if line.startswith("comptoolbench: ")]
        return sentences[-1].removeprefix("comptoolbench: ") if sentences else ""

    @property
    def output(self) -> Path:
        """What the process said; it holds a lock on the file for as long as it lives."""
        return self.path / "output.txt"

    def is_running(self) -> bool:
        """Whether its process lives, one that an earlier page started perhaps."""
        try:
            with self.output.open("rb") as file:
                return not _lock(file.fileno())
        except OSError:
            return False


def _lock(descriptor: int, patience: float = 0) -> bool:
    """Lock an open file until all who inherit it have closed it; whether nobody else had.

    ``patience``: seconds in which the others may still let go of it.
    """
    try:
        import fcntl
    except ImportError:  # Windows has no such lock.
        return True
    ends = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() >= ends:
                return False
            time.sleep(0.01)
        else:
            return True


def new_folder(jobs: Path) -> JobFolder:
    """The folder of a job that is to come; it is not made yet."""
    return JobFolder(jobs / secrets.token_hex(16))


def find_folder(jobs: Path, name: str) -> JobFolder:
    """The folder of a link; InputError for what is no id. It need not be there."""
    if not _ID.fullmatch(name):
        raise InputError("there is no such job here: the link is wrong")
    return JobFolder(jobs / name)


def start_process(
    folder: JobFolder,
    suite: Path,
    access: Access,
    environment: Mapping[str, str],
) -> subprocess.Popen[bytes]:
    """Start the run in a session of its own, with the key on its standard input alone.

    OSError where it cannot be started, or runs already.
    """
    record = folder.record()
    # A relative path: the list of processes must not tell the link.
    command = [sys.executable, "-P", "-m", "comptoolbench", "run", "--out=run"]
    command += [f"--suite={os.path.relpath(suite, folder.path)}"]
    if record.fresh_id is not None:
        command += [f"--fresh-suite={folder.fresh_tasks.name}"]
    with folder.output.open("ab") as output:
        # Another page that looks whether it runs holds the file for a moment.
        if not _lock(output.fileno(), patience=1):
            raise BlockingIOError(errno.EBUSY, "it runs already")
        output.truncate(0)
        with _pipe_of(access.key or "") as key:
            return subprocess.Popen(
                [*command, *record.order.options(access)],
                cwd=folder.path,
                env=child_environment(environment),
                stdin=key,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )


def _pipe_of(key: str) -> BinaryIO:
    """A pipe that a key can be read from; it is short enough to wait in there for its reader."""
    reading, writing = os.pipe()
    with open(writing, "wb") as pipe:
        pipe.write(f"{key}\n".encode())
    return open(reading, "rb")


def child_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """What a process that asks models may know of the page's environment."""
    known = {name: environment[name] for name in _PASSED_ON if name in environment}
    # A proxy's address may hold a password.
    return {name: value for name, value in known.items() if "@" not in value} | {
        "PYTHONPATH": str(_ROOT),
        # Otherwise LiteLLM looks for a file of keys.
        "LITELLM_MODE": "PRODUCTION",
    }
