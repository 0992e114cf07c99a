"""What was computed once: scores of runs, places in rankings. All of it can be made again.

An entry is found by the digest of what it was computed from, the code that computes it included. Its
first line is the SHA-256 of the rest: what is damaged, or was written by hand, is no entry.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from dataset_builder.tasks.task import Suite
from evaluator.comparing.score_cache import code_digest
from evaluator.scoring.verdict import ROW
from evaluator.traces.protocols import PROMPT_VERSIONS
from evaluator.traces.signature import SCORER_VERSION
from evaluator.whole_files import write_whole
from space.base.answer_digests import Answers

FORMAT = 3


@dataclass(frozen=True)
class Scored:
    """What the board needs to know of one run in a file."""

    scores: Mapping[str, Any]
    """The score JSON (specification: Score JSON)."""
    foreseen: int
    """How many literals a single-turn model cannot have seen (`evaluator.scoring.foreseen_values`)."""
    answers: Answers = field(default_factory=Answers)
    """What it is known by."""


def cache_key(digest: str, suite: Suite, protocol: str, catalogue: str) -> str:
    """What an entry is found by: everything that its scores hang on.

    ``digest``: SHA-256 of the file. ``protocol`` and ``catalogue``: declared for rows that are silent.
    """
    return key_of([digest, suite.digest, SCORER_VERSION, PROMPT_VERSIONS, protocol, catalogue])


def key_of(depends: Sequence[Any]) -> str:
    """The key of what hangs on these JSON values and on the code."""
    made_of = json.dumps([FORMAT, code_digest(), *depends], sort_keys=True)
    return hashlib.sha256(made_of.encode()).hexdigest()


class Cache:
    """A folder with an entry for each scored file and each ranking."""

    def __init__(self, folder: Path) -> None:
        """The folder is made when the first entry comes."""
        self._folder = folder

    def get(self, key: str) -> tuple[Scored, ...] | None:
        """The runs of a file; None where there is no entry, or one that cannot be read."""
        try:
            return tuple(_unpacked(run) for run in self.read(key))
        except (ValueError, KeyError, TypeError, AttributeError):
            return None

    def put(self, key: str, runs: Sequence[Scored]) -> None:
        """Keep the runs of a file."""
        self.write(key, [_packed(run) for run in runs])

    def read(self, key: str) -> Any:
        """The JSON value of an entry; None where there is none, or one that is damaged."""
        try:
            digest, _, text = self._file(key).read_bytes().partition(b"\n")
            return json.loads(text) if digest == _seal(text) else None
        except (OSError, ValueError):
            return None

    def write(self, key: str, value: Any) -> None:
        """Keep a JSON value; a disk that refuses costs no more than time."""
        text = json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_whole(self._file(key), _seal(text) + b"\n" + text)
        except OSError:
            return

    def _file(self, key: str) -> Path:
        return self._folder / f"{key[:32]}.json"


def _seal(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest().encode()


def _packed(run: Scored) -> dict[str, Any]:
    """The tasks as columns, which take a third of the room."""
    tasks = run.scores["tasks"]
    columns = {name: [row[name] for row in tasks] for name in ROW}
    scores = {**run.scores, "tasks": columns}
    return {"scores": scores, "foreseen": run.foreseen, "answers": asdict(run.answers)}


def _unpacked(run: Mapping[str, Any]) -> Scored:
    columns = run["scores"]["tasks"]
    rows = zip(*(columns[name] for name in ROW), strict=True)
    tasks = [dict(zip(ROW, row, strict=True)) for row in rows]
    answers = Answers(str(run["answers"]["calls"]), tuple(map(str, run["answers"]["sent"])))
    return Scored({**run["scores"], "tasks": tasks}, int(run["foreseen"]), answers)
