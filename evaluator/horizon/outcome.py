"""What became of one procedure, as far as the horizon asks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dataset_builder.tasks.task import Task
from evaluator.scoring.verdict import TaskScore

Dial = str | int | float


@dataclass(frozen=True, slots=True)
class Outcome:
    """One procedure that a model was asked.

    ``right``: for each of its N calls, in order of execution, whether it was right. ``calls_right``:
    the step score, a fraction, which extra calls lower. ``is_limited``: the model's context or output
    ended before the answer did, which is no wrong call. ``dials``: how the procedure was made.
    """

    right: tuple[bool, ...]
    is_solved: bool
    calls_right: float
    is_limited: bool = False
    dials: Mapping[str, Dial] = field(default_factory=dict)

    @property
    def calls(self) -> int:
        """N, the number of its calls."""
        return len(self.right)

    @property
    def right_before_error(self) -> int:
        """The number of right calls before the first wrong one; N where none is wrong."""
        return self.right.index(False) if False in self.right else self.calls


def outcome_of(task: Task, score: TaskScore, *, is_limited: bool = False) -> Outcome:
    """The outcome of a scored procedure; of dials in groups the names are joined: ``reach_mean``."""
    return Outcome(
        right=tuple(step.is_right for step in score.steps),
        is_solved=score.strict is True,
        calls_right=score.step or 0.0,
        is_limited=is_limited,
        dials=dict(_plain(task.metadata.get("dials", {}))),
    )


def _plain(dials: Mapping[str, Any]) -> Iterator[tuple[str, Dial]]:
    for name, value in dials.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}_{part}", each) for part, each in _plain(value))
        elif isinstance(value, Dial):
            yield name, value
