"""What the scorer says about one trace: the numbers, and why, down to each argument and edge."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from dataset_builder.values.references import Unresolved
from evaluator.scoring.align import QUANTUM, Worth
from evaluator.scoring.arguments import ArgumentVerdict, call_similarity
from evaluator.scoring.data_flow import EdgeVerdict

MAX_SHOWN = 500
ROW = (
    "task_id",
    "sample",
    "level",
    "score",
    "step",
    "strict",
    "sequence",
    "arguments",
    "completeness",
    "data_flow",
    "economy",
    "error",
)
"""The entry of a task in the score JSON (specification: Score JSON)."""

ALIGNED, OPTIONAL, FORGIVEN, EXTRA = "aligned", "optional", "forgiven", "extra"


class CallVerdict(NamedTuple):
    """What became of one call.

    ``role``: ``aligned`` with a step, ``optional`` (harmless), ``forgiven`` (erred or met a fault, and
    tried again, under multi-turn) or ``extra``. Optional and forgiven ones do not count as calls made;
    a forgiven one may be aligned as well. ``arguments`` are resolved, None where they are no JSON object.
    """

    name: str
    is_malformed: bool
    arguments: Mapping[str, Any] | None
    output: Mapping[str, Any] | None
    error: str | None
    role: str
    step_id: str | None
    is_offered: bool
    is_counted: bool
    fault: str | None = None
    """The kind of seeded fault that the call met (specification: Variations)."""


class Pair(NamedTuple):
    """One call taken as one step: its similarity, each argument's, and the step's incoming edges."""

    tool: str
    similarity: float
    arguments: tuple[ArgumentVerdict, ...]
    edges: tuple[EdgeVerdict, ...]
    has_failed: bool
    worth: Worth
    """What the alignment maximises."""

    @property
    def is_right(self) -> bool:
        """What the step score counts: an exact call along whose edges the values flowed exactly."""
        return self.worth[0] == 1

    @property
    def hope(self) -> tuple[int, int]:
        """Rightness and similarity if all that edges feed were right: the mean rounded the same."""
        hoped = [
            v._replace(similarity=1.0, is_exact=True) if v.is_fed else v for v in self.arguments
        ]
        similarity = call_similarity(hoped) if hoped else self.similarity
        return int(is_exact_call(hoped, self.has_failed)), round(similarity * QUANTUM)


def pair_of(
    tool: str,
    similarity: float,
    arguments: tuple[ArgumentVerdict, ...],
    edges: tuple[EdgeVerdict, ...],
    *,
    has_failed: bool,
) -> Pair:
    """What a call is worth as a step."""
    is_right = is_exact_call(arguments, has_failed) and all(edge.is_exact for edge in edges)
    worth = (int(is_right), round(similarity * QUANTUM), sum(edge.satisfied for edge in edges))
    return Pair(tool, similarity, arguments, edges, has_failed, worth)


def is_exact_call(arguments: Iterable[ArgumentVerdict], has_failed: bool) -> bool:
    """Whether a call ran without an error and every argument is exact."""
    return not has_failed and all(verdict.is_exact for verdict in arguments)


class StepVerdict(NamedTuple):
    """One expected step: the 0-based number of the call aligned with it, and what that is worth."""

    step_id: str
    tool: str
    call: int | None
    pair: Pair | None
    edges: tuple[EdgeVerdict, ...]

    @property
    def similarity(self) -> float:
        """Call similarity; 0 without a call."""
        return 0.0 if self.pair is None else self.pair.similarity

    @property
    def is_right(self) -> bool:
        """Whether the step score counts it."""
        return self.pair is not None and self.pair.is_right


class TaskScore(NamedTuple):
    """The score of one trace (specification: Scoring); fractions in [0, 1].

    ``score`` is the weighted one. ``step`` and ``strict`` are None where calls cannot be replayed: the
    expected tools are not in the catalogue. ``data_flow`` is None for a task without edges, ``error``
    for a strict pass. ``counted`` is m, the calls that count; ``fault`` the kind of error in the trace.
    """

    task_id: str
    sample: int
    level: int
    score: float
    step: float | None
    strict: bool | None
    sequence: float
    arguments: float
    completeness: float
    data_flow: float | None
    economy: float
    error: str | None
    counted: int
    fault: str | None
    steps: tuple[StepVerdict, ...]
    calls: tuple[CallVerdict, ...]

    def to_row(self) -> dict[str, Any]:
        """The task's entry in the score JSON."""
        return {name: getattr(self, name) for name in ROW}


def light(score: TaskScore) -> TaskScore:
    """The score without what grows with the answer: calls' arguments and outputs, long values."""
    calls = tuple(call._replace(arguments=None, output=None) for call in score.calls)
    return score._replace(calls=calls, steps=tuple(map(_light_step, score.steps)))


def _light_step(step: StepVerdict) -> StepVerdict:
    if step.pair is None:
        return step
    cut = [_cut(verdict.actual) for verdict in step.pair.arguments]
    if all(one is v.actual for one, v in zip(cut, step.pair.arguments, strict=True)):
        return step
    arguments = tuple(
        v._replace(actual=one) for v, one in zip(step.pair.arguments, cut, strict=True)
    )
    return step._replace(pair=step.pair._replace(arguments=arguments))


def _cut(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | Unresolved):
        return value
    if isinstance(value, str):
        return value if len(value) <= MAX_SHOWN else f"{value[:MAX_SHOWN]}..."
    text = json.dumps(value, ensure_ascii=False, default=lambda hole: hole.reference)
    return value if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."
