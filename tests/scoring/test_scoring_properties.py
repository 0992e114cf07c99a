"""What must hold for every trace, and what the formulas say about models of known skill."""

import random
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.task import Alternative, Task
from dataset_builder.tools import catalogue
from dataset_builder.values.references import references
from evaluator.scoring.aggregate import summarise
from evaluator.scoring.attempts import score_attempts
from evaluator.scoring.score import Scorer, score_task
from evaluator.scoring.verdict import TaskScore
from evaluator.traces.trace import Call, Trace
from tests.samples.toy_tools import TOOLS, call, make_task, mentions, step, suite, trace

PUBLISHED = CompositionEngine(42).generate_suite()
CITIES = ("Berlin", "Paris", "Rome", "Oslo")
TASKS: list[Task] = [
    make_task(0, step("weather", city="Berlin")),
    make_task(
        1,
        step("weather", city="Berlin"),
        step(
            "convert",
            value="{{1.temperature_c}}",
            to="fahrenheit",
            alternatives=[Alternative("to_fahrenheit", {"degrees": 36}, {"result": "fahrenheit"})],
        ),
    ),
    make_task(
        2,
        step("weather", city="Berlin"),
        step("weather", city="Paris"),
        step("hottest", values=["{{1.temperature_c}}", "{{2.temperature_c}}"]),
    ),
    make_task(2, step("weather", city="Berlin"), step("weather", city="Paris"), number=2),
    make_task(
        3,
        step("weather", city="Berlin"),
        step("weather", city="Paris"),
        step("convert", value="{{1.temperature_c}}", to="fahrenheit"),
        step("convert", value="{{2.temperature_c}}", to="kelvin"),
        step("add", a="{{3.result}}", b="{{4.result}}"),
    ),
    make_task(
        3,
        step("weather", city="Berlin"),
        step("convert", value="{{1.temperature_c}}", to="fahrenheit"),
        step("add", a="{{1.temperature_c}}", b="{{2.result}}"),
        step("send", to="a@b.org", body=mentions("{{2.result}}", "{{3.sum}}")),
        number=2,
    ),
]
# No task expects any of these.
UNASKED = [call("now"), call("count", text="36 25 96.8"), Call("nothing", {}), Call("now", "oops")]


def score(task: Task, calls: Sequence[Call], protocol: str | None = None) -> TaskScore:
    return score_task(task, trace(task, *calls, protocol=protocol), TOOLS)


def value_references(paths: str) -> st.SearchStrategy[str]:
    return st.builds("{{{{{}.{}}}}}".format, st.integers(1, 5), st.sampled_from(paths.split()))


NUMBERS = st.sampled_from([36, 25, 31, 96.8, 309.15, 1, "36"])
FED = value_references("temperature_c result sum fahrenheit maximum") | NUMBERS
ANY_CALL = st.one_of(
    st.builds(lambda c: call("weather", city=c), st.sampled_from([*CITIES, "Nowhere", 5])),
    st.builds(
        lambda v, t: call("convert", value=v, to=t), FED, st.sampled_from(["fahrenheit", "kelvin"])
    ),
    st.builds(lambda d: call("to_fahrenheit", degrees=d), FED),
    st.builds(lambda v: call("hottest", values=v), st.lists(FED, max_size=3)),
    st.builds(lambda a, b: call("add", a=a, b=b), FED, FED),
    st.builds(
        lambda parts: call("send", to="a@b.org", body=" and ".join(map(str, parts))),
        st.lists(FED, max_size=3),
    ),
    st.sampled_from(
        [*UNASKED, Call("weather", "{"), call("weather"), call("forecast", place="Rome")]
    ),
)
TRACES = st.lists(ANY_CALL, max_size=7)


@given(st.sampled_from(TASKS), TRACES, st.sampled_from(["single-turn", "multi-turn"]))
def test_bounds(task: Task, calls: list[Call], protocol: str) -> None:
    scored = score(task, calls, protocol)
    assert scored.step is not None
    fractions = [scored.score, scored.step, scored.sequence, scored.arguments, scored.completeness]
    fractions += [scored.economy, 1 if scored.data_flow is None else scored.data_flow]
    assert all(0 <= fraction <= 1 for fraction in fractions)
    assert scored.strict is (scored.error is None)
    assert scored.strict is (scored.step == 1 and scored.sequence == 1)
    assert (scored.data_flow is None) is (not any(s.edges for s in task.steps))
    # What is exact is right in the tolerant reading too.
    assert not scored.strict or scored.score == 1
    if not calls:
        assert scored.score == scored.step == 0


@given(st.sampled_from(TASKS[:5]), TRACES, st.sampled_from(UNASKED))
def test_a_call_that_nobody_asked_for_never_pays(task: Task, calls: list[Call], more: Call) -> None:
    before, after = score(task, calls), score(task, [*calls, more])
    assert after.score <= before.score
    assert (after.step or 0) <= (before.step or 0)


@given(TRACES, st.sampled_from(UNASKED))
def test_a_call_before_a_mail_can_only_make_its_numbers_known(
    calls: list[Call], more: Call
) -> None:
    task = TASKS[5]
    before, after = score(task, calls), score(task, [*calls, more])
    assert after.score <= before.score
    assert (after.step or 0) <= (before.step or 0)


def renumbered(value: Any, places: Sequence[int]) -> Any:
    """An argument whose references follow calls to their new places."""
    if isinstance(value, list):
        return [renumbered(item, places) for item in value]
    if not isinstance(value, str):
        return value
    return re.sub(
        r"\{\{(\d+)",
        lambda m: f"{{{{{places[int(m[1]) - 1] + 1 if int(m[1]) <= len(places) else m[1]}",
        value,
    )


def reordered(calls: Sequence[Call], order: Sequence[int]) -> list[Call]:
    """The calls in another order; ``order``: the old places in their new order."""
    places = [order.index(old) for old in range(len(calls))]
    return [
        Call(calls[old].name, {k: renumbered(v, places) for k, v in calls[old].arguments.items()})
        for old in order
    ]


def needed(arguments: dict[str, Any], number: int) -> set[int]:
    """The places of earlier calls that a call refers to."""
    texts = [str(value) for value in arguments.values()]
    return {n - 1 for text in texts for _, n, _ in references(text) if n <= number}


def one_call_a_step(task: Task, draw: Callable[[st.SearchStrategy[Any]], Any]) -> list[Call]:
    """A call for each step, with arguments that may be right, wrong or taken from another call."""
    calls = []
    for number, expected in enumerate(task.steps):
        names = [e.argument for e in expected.edges]
        arguments: dict[str, Any] = {}
        for name, right in expected.arguments.items():
            if name in names:
                earlier = [
                    f"{{{{{i + 1}.{path}}}}}"
                    for i in range(number)
                    for path in ("temperature_c", "result")
                ]
                arguments[name] = draw(st.sampled_from([right, 31, *earlier]))
            elif isinstance(right, list):
                arguments[name] = [
                    draw(st.sampled_from([item, 31, "{{1.temperature_c}}", "{{2.temperature_c}}"]))
                    for item in right
                ]
            else:
                wrong = {"city": "Oslo", "to": "kelvin"}.get(name, "x")
                arguments[name] = draw(st.sampled_from([right, wrong]))
        calls.append(Call(expected.tool, arguments))
    return calls


@given(st.sampled_from(TASKS), st.data())
@settings(max_examples=200)
def test_the_order_of_independent_calls_changes_nothing(task: Task, data: st.DataObject) -> None:
    calls = one_call_a_step(task, data.draw)
    position = {expected.step_id: i for i, expected in enumerate(task.steps)}
    after = [
        {position[source] for source in expected.depends_on} | needed(calls[i].arguments, i)
        for i, expected in enumerate(task.steps)
    ]
    order: list[int] = []
    while len(order) < len(calls):
        ready = [i for i in range(len(calls)) if i not in order and after[i] <= set(order)]
        order.append(data.draw(st.sampled_from(ready)))
    one, other = score(task, calls), score(task, reordered(calls, order))
    ignored = {"task_id"}
    assert {k: v for k, v in one.to_row().items() if k not in ignored} == {
        k: v for k, v in other.to_row().items() if k not in ignored
    }


@given(st.sampled_from(TASKS), st.data())
def test_the_score_does_not_depend_on_how_arguments_are_written(
    task: Task, data: st.DataObject
) -> None:
    calls = one_call_a_step(task, data.draw)
    reversed_ = [Call(c.name, dict(reversed(c.arguments.items()))) for c in calls]
    explicit = [Call(c.name, {**c.arguments, "unheard_of": None}) for c in calls]
    assert score(task, calls).to_row() == score(task, reversed_).to_row()
    assert score(task, calls).to_row() == score(task, explicit).to_row()


# A model of known skill -----------------------------------------------------------------------


def null_task(level: int, number: int) -> Task:
    """Every call has two arguments; the later ones take one of them from a call before."""
    first = step("add", a=12 + number, b=400 + number)
    second = step("add", a=81 + number, b=907 + number)
    shapes: dict[int, list[dict[str, Any]]] = {
        0: [first],
        1: [first, step("add", a="{{1.sum}}", b=55_000)],
        2: [first, second, step("add", a="{{1.sum}}", b="{{2.sum}}")],
        3: [
            first,
            step("add", a="{{1.sum}}", b=55_000),
            step("add", a="{{1.sum}}", b=771_000),
            step("add", a="{{2.sum}}", b="{{3.sum}}"),
            step("add", a="{{4.sum}}", b=9_100_000),
        ],
    }
    return make_task(level, *shapes[level], number=number)


def answer(task: Task, skill: float, luck: random.Random) -> Trace:
    """Each call right with the same probability at every level; a failure is one wrong argument."""
    position = {expected.step_id: i + 1 for i, expected in enumerate(task.steps)}
    calls = []
    for expected in task.steps:
        arguments = dict(expected.arguments)
        for edge in expected.edges:
            arguments[edge.argument] = f"{{{{{position[edge.source]}.{edge.path}}}}}"
        if luck.random() >= skill:
            arguments[luck.choice("ab")] = -1e9 * luck.random()
        calls.append(Call(expected.tool, arguments))
    return trace(task, *calls, protocol="single-turn", catalogue="full")


def test_equal_skill_shows_no_gap_in_step_scores() -> None:
    luck = random.Random(7)
    counts = {0: 600, 1: 250, 2: 250, 3: 250}
    tasks = [null_task(level, number) for level, n in counts.items() for number in range(n)]
    of_skill, traces = suite(*tasks), [answer(task, 0.7, luck) for task in tasks]
    run = summarise(of_skill, traces, score_attempts(of_skill, traces, Scorer(TOOLS)), {}, "native")
    gaps = run["selection_gap"]
    # By calculation 23, -36 and 0 points; the standard errors are about 2.
    assert gaps["weighted"] == pytest.approx(0.23, abs=0.05)
    assert gaps["strict"] == pytest.approx(-0.36, abs=0.05)
    assert gaps["step"] == pytest.approx(0, abs=0.05)
    for level in run["levels"].values():
        assert level["step"] == pytest.approx(0.7, abs=0.04)


def test_equal_sums_of_similarities_are_ties() -> None:
    """1 + 1/3 and 2/3 + 2/3 in thirds: the call in its own place keeps its step."""
    task = PUBLISHED.by_id["L2_parallel_0149"]
    first, second = (dict(step.arguments) for step in task.steps[:2])
    mixed = {"annual_rate": second["annual_rate"], "years": first["years"]}
    change = {"old_value": "{{1.final_amount}}", "new_value": "{{2.final_amount}}"}
    calls = (
        Call("compound_interest", mixed),
        Call("compound_interest", second),
        Call("percentage_change", change),
    )
    score = score_task(task, Trace(task.task_id, calls, catalogue="full"), catalogue())
    assert [step.call for step in score.steps] == [0, 1, 2]
    assert score.step == pytest.approx(1 / 3)


def test_a_failed_call_that_stands_for_a_step_is_no_attempt() -> None:
    """Of two guesses one counts: spoiling the right one's subject must not make the other free."""
    task = PUBLISHED.by_id["L0_node_0047"]
    right = Call(task.steps[0].tool, dict(task.steps[0].arguments))
    spoiled = Call(right.name, {**right.arguments, "subject": "{{99.x}}"})
    wrong = Call(right.name, {**right.arguments, "body": "something else"})
    for calls, score in (((right,), 1), ((right, wrong), 0), ((spoiled, wrong), 0)):
        trace = Trace(task.task_id, calls, protocol="multi-turn", catalogue="full")
        assert score_task(task, trace, catalogue()).score == score
    retried = Trace(task.task_id, (spoiled, right), protocol="multi-turn", catalogue="full")
    assert score_task(task, retried, catalogue()).strict
