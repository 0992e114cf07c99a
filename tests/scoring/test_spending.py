"""What a run spent is shared out over its answers, and over those that solved their task."""

import pytest

from evaluator.scoring.error_classes import INFRASTRUCTURE, MISSING
from evaluator.scoring.score_traces import score
from evaluator.scoring.spending import Spending, spending
from evaluator.traces.trace import Call, Trace
from tests.samples.small_suite import small_suite

SUITE = small_suite()
ROWS = [
    *({"strict": i < 2, "error": None if i < 2 else "E2_no_call"} for i in range(4)),
    {"strict": False, "error": MISSING},
    {"strict": False, "error": INFRASTRUCTURE},
]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({}, Spending()),
        ({"cost_usd": 0.4}, Spending(cost_per_task=0.1, cost_per_solved=0.2)),
        (
            {"output_tokens": 800},
            Spending(output_tokens_per_task=200, output_tokens_per_solved=400),
        ),
        ({"latency_ms": 1500.0}, Spending(seconds_per_solved=3.0)),
        ({"cost_usd": 0.0}, Spending(cost_per_task=0.0, cost_per_solved=0.0)),
    ],
)
def test_means_over_answers_and_over_solved_tasks(
    said: dict[str, float], expected: Spending
) -> None:
    assert spending({"tasks": ROWS, "diagnostics": said}) == expected


def test_where_nothing_is_solved_nothing_is_spent_per_solved_task() -> None:
    rows = [{"strict": False, "error": "E2_no_call"}, {"strict": None, "error": None}]
    spent = spending({"tasks": rows, "diagnostics": {"cost_usd": 1.0, "latency_ms": 1.0}})
    assert spent == Spending(cost_per_task=0.5)


def test_output_tokens_come_from_the_recorded_usage() -> None:
    traces = []
    for number, task in enumerate(SUITE.tasks):
        calls = tuple(Call(step.tool, dict(step.arguments)) for step in task.steps)
        usage = {"completion_tokens": 10 * number, "prompt_tokens": 5} if number else None
        traces.append(Trace(task.task_id, calls, "m", usage=usage, cost_usd=0.5, latency_ms=500))
    scores = score(traces, SUITE)
    count = len(traces)
    assert scores["diagnostics"]["output_tokens"] == sum(10 * n for n in range(count))
    spent = spending(scores)
    assert spent.cost_per_task == spent.cost_per_solved == spent.seconds_per_solved == 0.5
    assert spent.output_tokens_per_solved == 10 * (count - 1) / 2
