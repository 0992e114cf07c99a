"""Literals that a model that sees no output cannot know."""

import pytest

from dataset_builder.published.load_suite import published_suite
from dataset_builder.tasks.task import Task
from dataset_builder.tools import catalogue
from evaluator.scoring.foreseen_values import foreseen
from evaluator.traces.trace import Call, Trace
from tests.samples.small_suite import small_suite

SUITE = small_suite()
TOOLS = catalogue()
CHAIN = next(task for task in SUITE.tasks if task.level == 1)
DEGREES = CHAIN.steps[0].output["temperature_c"]


def trace(value: object, protocol: str | None = "single-turn", task: Task = CHAIN) -> Trace:
    """The chain's two calls, with a value where the temperature flows."""
    weather, convert = task.steps
    calls = (
        Call(weather.tool, dict(weather.arguments)),
        Call(convert.tool, {**convert.arguments, "value": value}),
    )
    return Trace(task.task_id, calls, "m", protocol=protocol)


@pytest.mark.parametrize(
    ("value", "protocol", "count"),
    [
        (DEGREES, "single-turn", 1),
        (float(DEGREES), "single-turn", 1),
        (str(DEGREES), "single-turn", 1),
        (DEGREES, None, 1),
        (DEGREES, "multi-turn", 0),
        ("{{1.temperature_c}}", "single-turn", 0),
        (DEGREES + 1, "single-turn", 0),
        (True, "single-turn", 0),
        (None, "single-turn", 0),
        ([[DEGREES], {"a": DEGREES}], "single-turn", 1),
    ],
)
def test_a_value_counts_once_a_trace_where_it_cannot_have_been_seen(
    value: object, protocol: str | None, count: int
) -> None:
    assert foreseen(SUITE, [trace(value, protocol)], TOOLS) == count


def test_malformed_and_empty_traces_count_nothing() -> None:
    calls = (Call("get_weather", "no JSON"), Call("get_weather", None))
    assert foreseen(SUITE, [Trace(CHAIN.task_id, calls), Trace(CHAIN.task_id)], TOOLS) == 0


def test_what_is_computed_from_the_prompt_is_no_foresight() -> None:
    """Only outputs that are drawn count: anybody can work out the others."""
    suite = published_suite()
    drawn = {
        name
        for name, tool in TOOLS.items()
        if any("Draw" in str(t) for t in tool.injected.values())
    }
    tasks = [t for t in suite.tasks if t.level == 1 and t.steps[0].tool not in drawn]
    assert len(tasks) > 10
    traces = [
        Trace(t.task_id, tuple(Call(s.tool, dict(s.arguments)) for s in t.steps)) for t in tasks
    ]
    assert foreseen(suite, traces, TOOLS) == 0


def test_a_run_with_references_has_none_and_one_with_the_answers_has_many() -> None:
    suite = published_suite()
    literal = [
        Trace(t.task_id, tuple(Call(s.tool, dict(s.arguments)) for s in t.steps), "m")
        for t in suite.tasks
    ]
    referring = [
        Trace(
            t.task_id,
            tuple(
                Call(
                    s.tool,
                    {**s.arguments, **{e.argument.split(".")[0]: "{{1.x}}" for e in s.edges}},
                )
                for s in t.steps
            ),
            "m",
        )
        for t in suite.tasks
    ]
    assert foreseen(suite, literal, TOOLS) > 50
    assert foreseen(suite, referring, TOOLS) <= 2
