"""What the page computed once: scores of runs, places in rankings. All of it can be made again."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from dataset_builder.tasks.task import Suite
from dataset_builder.value_cache import ValueCache
from evaluator.comparing.answer_digests import Answers, read_answers
from evaluator.comparing.score_cache import key_of
from evaluator.scoring.verdict import ROW
from evaluator.traces.protocols import PROMPT_VERSIONS
from evaluator.traces.signature import SCORER_VERSION

# Changes where entries are packed otherwise: what was kept before is passed over.
FORMAT = 5


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
    """What a submission is found by: everything that its scores hang on.

    ``digest``: SHA-256 of the file. ``protocol`` and ``catalogue``: declared for rows that are silent.
    """
    versions = [SCORER_VERSION, PROMPT_VERSIONS]
    return key_of(["submission", FORMAT, digest, suite.digest, versions, protocol, catalogue])


def run_key(digest: str, suite: Suite, asked: Mapping[str, Any], is_part: bool) -> str:
    """What a run folder is found by. ``asked``: how, as run.json says; ``is_part``: not all tasks."""
    return key_of(["run", FORMAT, digest, suite.digest, asked, is_part])


class Cache(ValueCache):
    """A folder with an entry for each scored file and each ranking."""

    def get(self, key: str) -> tuple[Scored, ...] | None:
        """The runs of a file; None where there is no entry, or one that cannot be read."""
        try:
            return tuple(_unpacked(run) for run in self.read(key))
        except (ValueError, KeyError, TypeError, AttributeError):
            return None

    def put(self, key: str, runs: Sequence[Scored]) -> None:
        """Keep the runs of a file."""
        self.write(key, [_packed(run) for run in runs])


def _packed(run: Scored) -> dict[str, Any]:
    """The tasks as columns, which take a third of the room."""
    tasks = run.scores["tasks"]
    columns = {name: [row[name] for row in tasks] for name in ROW}
    scores = {**run.scores, "tasks": columns}
    return {"scores": scores, "foreseen": run.foreseen, "answers": asdict(run.answers)}


def _unpacked(run: Mapping[str, Any]) -> Scored:
    columns = run["scores"]["tasks"]
    # Half as long as to zip each row with its names; a board has hundreds of thousands of them.
    empty: dict[str, Any] = dict.fromkeys(ROW)
    tasks = [empty.copy() for _ in columns["task_id"]]
    for name in ROW:
        for row, value in zip(tasks, columns[name], strict=True):
            row[name] = value
    answers = read_answers(run["answers"])
    return Scored({**run["scores"], "tasks": tasks}, int(run["foreseen"]), answers)
