"""Our scores as Inspect AI's: a scorer over the messages of a sample, its metrics, and pass^k."""

from math import isnan, nan
from typing import Any

from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    ScoreReducer,
    Target,
    Value,
    mean,
    mean_score,
    metric,
    score_reducer,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

from evaluator.asking.request_reply import compact
from evaluator.integrations.inspect_ai_sample import answers, by_plain_name, registered
from evaluator.integrations.inspect_ai_solver import opened
from evaluator.scoring.verdict import TaskScore

PASS_K = "pass_k"


# Tasks of a template are alike, so they are clusters. Inspect's type of a metric is one of two.
_MEAN: Any = mean()
_ERROR: Any = stderr(cluster="template")


# Tables of Inspect's have little room for a metric's name.
@metric
@by_plain_name
def at() -> Metric:
    """Mean and standard error at each level, such as ``at_L0`` and ``at_L0_se``.

    Of procedures at each number of calls: ``at_8_calls``.
    """

    def by_group(scores: list[SampleScore]) -> Value:
        groups: dict[str, list[SampleScore]] = {}
        for score in scores:
            groups.setdefault((score.sample_metadata or {})["group"], []).append(score)
        values: dict[str, Any] = {}
        for name in sorted(groups, key=lambda name: (len(name), name)):  # 4_calls before 16_calls
            values[name] = _MEAN(groups[name])
            values[f"{name}_se"] = _ERROR(groups[name])
        return values

    return by_group


@scorer(metrics={name: [_MEAN, _ERROR, at()] for name in ("solved", "step", "weighted", PASS_K)})
@registered
def right_calls() -> Scorer:
    """Solved, calls right and the paper's weighted score, by the project's own replay of the messages."""

    async def score(state: TaskState, target: Target) -> Score:
        environment, _ = opened(state)
        made = [call for answer in answers(environment, state.messages) for call in answer.calls]
        result = environment.score()
        return Score(
            value=_values(result),
            answer="\n".join(f"{name} {compact(arguments)}" for name, arguments in made),
            explanation=result.error or "solved",
            metadata=result.to_row(),
        )

    return score


def _values(result: TaskScore) -> dict[str, float]:
    """The value of a sample; of calls that cannot be replayed only the weighted score is known."""
    solved = nan if result.strict is None else float(result.strict)
    step = nan if result.step is None else result.step
    return {"solved": solved, "step": step, "weighted": result.score, PASS_K: solved}


@score_reducer
@registered
def every_epoch() -> ScoreReducer:
    """The mean over the epochs; of pass^k whether each of them is solved."""
    means = mean_score()

    def reduce(scores: list[Score]) -> Score:
        reduced = means(scores)
        value: Any = reduced.value
        if isinstance(value, dict):
            share = value[PASS_K]
            value = {**value, PASS_K: share if isnan(share) else float(share == 1)}
        return reduced.model_copy(update={"value": value})

    return reduce
