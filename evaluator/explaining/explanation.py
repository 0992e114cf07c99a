"""An answer explained, before it is page or text: the verdict on each part, in a sign and in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from dataset_builder.tasks.task import Task
from dataset_builder.values.references import Unresolved
from evaluator.scoring.arguments import ArgumentVerdict, is_similar
from evaluator.scoring.data_flow import EdgeVerdict
from evaluator.scoring.error_classes import MISSING
from evaluator.scoring.score_terms import Counts, Term
from evaluator.scoring.verdict import (
    ALIGNED,
    FORGIVEN,
    OPTIONAL,
    CallVerdict,
    StepVerdict,
    TaskScore,
)
from evaluator.traces.trace import Trace

GOOD, WARN, BAD, PLAIN = "good", "warn", "bad", "plain"
SIGNS: Mapping[str, str] = {GOOD: "✓", WARN: "≈", BAD: "✗", PLAIN: ""}
NOT_REPLAYED = "Nothing wrong is found, but not every tool of the task is in the catalogue."
NOT_COUNTED = "not counted: a default, or left open"
_ROLES = {
    OPTIONAL: "harmless, counts neither for nor against",
    FORGIVEN: "gave an error and was tried again, not counted",
}


@dataclass(frozen=True)
class Explanation:
    """A task, what a model answered, and the verdict on each of its parts."""

    task: Task
    trace: Trace
    score: TaskScore


class Judgement(NamedTuple):
    """A verdict: ``good``, ``warn``, ``bad`` or ``plain``, and why in a few words."""

    kind: str
    words: str


def judge_argument(verdict: ArgumentVerdict) -> Judgement:
    """The judgement on an argument."""
    if verdict.expected is None:
        return Judgement(BAD, "not asked for")
    if verdict.actual is None:
        return Judgement(BAD, "missing")
    if isinstance(verdict.actual, Unresolved):
        return Judgement(BAD, "refers to nothing")
    if verdict.is_exact:
        return Judgement(GOOD, "right, fed by an earlier call" if verdict.is_fed else "right")
    if is_similar(verdict.similarity):
        return Judgement(WARN, "near, but not exact: counts in the weighted score alone")
    if verdict.similarity > 0:
        return Judgement(WARN, f"partly right, {100 * verdict.similarity:.0f} % alike")
    return Judgement(BAD, "wrong")


def judge_step(judged: StepVerdict) -> Judgement:
    """The judgement on an expected call."""
    if judged.call is None or judged.pair is None:
        return Judgement(BAD, "no call")
    name = f"call {judged.call + 1}"
    if judged.is_right:
        return Judgement(GOOD, f"{name} is right")
    arguments = judged.pair.arguments
    faults = []
    if not all(argument.is_exact for argument in arguments):
        exact = sum(argument.is_exact for argument in arguments)
        faults.append(f"{exact} of {len(arguments)} arguments right")
    if not all(edge.is_exact for edge in judged.edges):
        faults.append("a value does not flow")
    if judged.pair.has_failed:
        faults.append("it gave no usable output")
    return Judgement(WARN, f"{name}: {'; '.join(faults)}")


def judge_edge(edge: EdgeVerdict) -> Judgement:
    """The judgement on a value that should flow."""
    if edge.is_exact:
        return Judgement(GOOD, "flowed")
    if edge.satisfied:
        return Judgement(WARN, f"nearly: {edge.reason}")
    return Judgement(BAD, f"did not: {edge.reason}")


def edge_words(edge: EdgeVerdict) -> str:
    """What should flow where."""
    return f"{edge.argument or 'the call'} takes {edge.path} of {edge.source}"


def solved_word(strict: bool | None) -> str:
    """Whether a task is solved; a dash where its calls cannot be replayed."""
    return "–" if strict is None else "yes" if strict else "no"


def judge_call(judged: CallVerdict) -> Judgement:
    """What a call stands for."""
    if judged.role == FORGIVEN and (judged.fault is not None or judged.error is None):
        return Judgement(PLAIN, "met a fault or was made again after one, not counted")
    if judged.role in _ROLES:
        return Judgement(PLAIN, _ROLES[judged.role])
    if judged.role == ALIGNED:
        return Judgement(PLAIN, (judged.step_id or "").replace("_", " "))
    if not judged.is_offered:
        return Judgement(BAD, "a tool that was not offered")
    return Judgement(BAD, "nothing: nobody asked for it")


def uncounted(arguments: Mapping[str, Any] | None, judged: StepVerdict) -> dict[str, Any]:
    """The arguments of a step's call on which there is no verdict."""
    names = {verdict.name for verdict in judged.pair.arguments} if judged.pair else set()
    return {name: given for name, given in (arguments or {}).items() if name not in names}


def made_of(term: Term, counts: Counts) -> str:
    """What a dimension's value counts."""
    words = {
        "sequence": f"{round(term.value * counts.expected)} of {counts.expected} steps in order",
        "arguments": f"how right the arguments are, over {counts.expected} steps",
        "data flow": f"{counts.satisfied} of {counts.edges} values flowed",
        "completeness": f"{counts.aligned} of {counts.expected} steps have a call",
    }
    return words[term.dimension]


def economy_words(counts: Counts) -> str:
    """Where the economy factor comes from."""
    if not counts.made:
        return "no call"
    return f"min(1, {counts.expected} expected / {counts.made} made)"


def step_sum(counts: Counts) -> str:
    """How the step score is counted."""
    divisor = max(counts.expected, counts.made)
    steps = "step" if counts.right == 1 else "steps"
    return (
        f"{counts.right} {steps} fully right / max({counts.expected} expected, {counts.made} made) = "
        f"{counts.right} / {divisor}"
    )


def worst(rows: Iterable[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """The rows (of the score JSON) that are no strict pass, the worst first.

    Tasks without a row come last: there is nothing to see in them.
    """
    failed = [row for row in rows if not row["strict"]]
    return sorted(
        failed,
        key=lambda row: (
            row["error"] == MISSING,
            row["step"] or 0,
            row["score"],
            row["task_id"],
            row["sample"],
        ),
    )
