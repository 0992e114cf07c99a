"""Right answers that are not the expected ones word for word, end to end on tasks of the published suite."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.task import Suite, Task
from dataset_builder.tools import catalogue
from dataset_builder.tools.replay import replay
from evaluator.asking.baselines.oracle_and_dump import arguments_with_references
from evaluator.scoring.score import score_task
from evaluator.scoring.verdict import TaskScore
from evaluator.traces.protocols import MULTI_TURN, SINGLE_TURN
from evaluator.traces.trace import Call, Trace

Made = tuple[str, Mapping[str, Any]]


@cache
def suite(seed: int = 42) -> Suite:
    return CompositionEngine(seed).generate_suite()


def task(task_id: str) -> Task:
    return suite().by_id[task_id]


def scored(of: Task, calls: list[Made], protocol: str = SINGLE_TURN) -> TaskScore:
    given = tuple(Call(*call) for call in calls)
    trace = Trace(of.task_id, given, protocol=protocol, catalogue="full")
    return score_task(of, trace, catalogue())


def passes(of: Task, calls: list[Made], protocol: str = SINGLE_TURN) -> bool:
    return bool(scored(of, calls, protocol).strict)


def weighted(of: Task, calls: list[Made]) -> float:
    return scored(of, calls).score


def expected(of: Task) -> list[Made]:
    """The expected calls with references."""
    return [(step.tool, arguments_with_references(step, of)) for step in of.steps]


def typed(of: Task) -> list[Made]:
    """The expected calls with values."""
    return [(step.tool, step.arguments) for step in of.steps]


def with_argument(calls: list[Made], number: int, **arguments: Any) -> list[Made]:
    """The calls with other arguments in one of them (1-based); None takes one away."""
    name, given = calls[number - 1]
    given = {n: v for n, v in {**given, **arguments}.items() if v is not None}
    return [*calls[: number - 1], (name, given), *calls[number:]]


# A percentage change, written out -------------------------------------------------------------


SHARE = "L1_chain_0055"
FORMULAS = [
    "({{1.price}} - {{1.previous_close}}) / {{1.previous_close}} * 100",
    "(({{1.price}}-{{1.previous_close}})/{{1.previous_close}})*100",
    "100 * ({{1.price}} - {{1.previous_close}}) / {{1.previous_close}}",
    "({{1.price}} / {{1.previous_close}} - 1) × 100",
]
NO_FORMULAS = [
    "({{1.price}} - {{1.previous_close}}) / {{1.price}} * 100",
    "({{1.previous_close}} - {{1.price}}) / {{1.previous_close}} * 100",
    "({{1.price}} - {{1.previous_close}}) / {{1.previous_close}}",
    "1.16226219077",
]


@pytest.mark.parametrize("formula", FORMULAS)
def test_the_formula_of_a_percentage_change_is_right(formula: str) -> None:
    of = task(SHARE)
    calls = expected(of)[:1]
    assert passes(of, [*calls, ("calculator", {"expression": formula})])
    written = formula.replace("{{1.price}}", "155.8").replace("{{1.previous_close}}", "154.01")
    assert passes(of, [*calls, ("calculator", {"expression": written})], MULTI_TURN)


@pytest.mark.parametrize("formula", NO_FORMULAS)
def test_another_formula_is_not(formula: str) -> None:
    of = task(SHARE)
    assert not passes(of, [*expected(of)[:1], ("calculator", {"expression": formula})])


def message_of_change() -> tuple[Task, int, int]:
    """A task whose percentage change goes into a message, and the numbers of the two calls."""
    for of in suite().tasks:
        for number, step in enumerate(of.steps, 1):
            for edge in step.edges:
                source = int(edge.source.removeprefix("step_"))
                is_change = of.steps[source - 1].tool == "percentage_change"
                if is_change and step.match.get(edge.argument):
                    return of, source, number
    raise AssertionError("no message carries a percentage change")


def test_what_the_formula_gives_flows_on() -> None:
    of, source, number = message_of_change()
    calls = expected(of)
    old, new = (calls[source - 1][1][name] for name in ("old_value", "new_value"))
    calls[source - 1] = ("calculator", {"expression": f"({new} - {old}) / {old} * 100"})
    (name, text) = next(
        (name, text)
        for name, text in calls[number - 1][1].items()
        if f"{{{{{source}.percent_change}}}}" in str(text)
    )
    mended = text.replace(f"{{{{{source}.percent_change}}}}", f"{{{{{source}.result}}}}")
    assert passes(of, with_argument(calls, number, **{name: mended}))
    values = [dict(call.arguments or {}) for call in replay(calls[: number - 1], catalogue())]
    tools = [tool for tool, _ in calls]
    typed_calls = [
        *zip(tools, values, strict=False),
        (tools[number - 1], of.steps[number - 1].arguments),
    ]
    assert passes(of, [*typed_calls, *typed(of)[number:]], MULTI_TURN)
    false = mended.replace(f"{{{{{source}.result}}}}", "12.3")
    assert not passes(of, with_argument(calls, number, **{name: false}))


# A table read without naming the column -------------------------------------------------------


def test_the_numbers_of_a_column_may_be_read_from_the_records() -> None:
    of = task("L1_chain_0051")
    table = with_argument(expected(of), 1, column=None)[0]
    items = ["{{1.records.0.price}}", "{{1.records.1.price}}"]
    assert passes(of, [table, ("min_max", {"numbers": items})])
    assert passes(of, [table, ("min_max", {"numbers": items[::-1]})])
    assert passes(of, [table, ("min_max", {"numbers": [159, 1289]})], MULTI_TURN)
    assert not passes(of, [table, ("min_max", {"numbers": items[:1]})])
    assert not passes(of, [table, ("min_max", {"numbers": ["{{1.records.0.stock}}", items[1]]})])
    assert not passes(of, [table, ("min_max", {"numbers": [159, 1288]})], MULTI_TURN)
    # Other rows that happen to give the extremes are another question.
    everything = ("database_query", {"table": "products"})
    assert not passes(of, [everything, ("min_max", {"numbers": [159, 1289]})], MULTI_TURN)


# What may change places -----------------------------------------------------------------------


def test_two_texts_may_change_places_where_the_comparison_is_symmetric() -> None:
    of = task("L0_node_0030")
    given = of.steps[0].arguments
    swapped = {"text_a": given["text_b"], "text_b": given["text_a"]}
    assert passes(of, [("text_similarity", swapped)])
    assert not passes(of, [("text_similarity", {**swapped, "text_b": given["text_b"]})])
    assert not passes(of, [("compare_texts", swapped)])


def test_records_may_come_in_another_order_where_it_makes_no_difference() -> None:
    of = task("L0_node_0033")
    right = of.steps[0].arguments["right"]
    calls = typed(of)
    assert passes(of, with_argument(calls, 1, right=right[::-1]))
    assert weighted(of, with_argument(calls, 1, right=right[::-1])) == 1
    assert not passes(of, with_argument(calls, 1, right=[*right[1:], right[1]]))
    assert not passes(of, with_argument(calls, 1, right=right[1:]))
    # The joined records come in the order of the left ones.
    assert not passes(of, with_argument(calls, 1, left=of.steps[0].arguments["left"][::-1]))


# Other spellings ------------------------------------------------------------------------------

RIGHT = [
    ("L0_node_0017", {"date": "20270414"}),
    ("L0_node_0017", {"date": "Wednesday, 14 April 2027"}),
    ("L0_node_0017", {"date": "2027-04-14 00:00:00+00:00"}),
    ("L0_node_0017", {"date": "the 14th of April 2027."}),
    ("L0_node_0017", {"date": "2027-04-14 (Wed)"}),
    ("L0_node_0017", {"unit": "business days"}),
    ("L0_node_0017", {"unit": "Business-Days"}),
    ("L0_node_0035", {"from": "Swedish krona"}),
    ("L0_node_0035", {"to": "mexican pesos"}),
    ("L0_node_0037", {"city": "Kyōto"}),
    ("L0_node_0037", {"city": "Kyoto (Japan)"}),
    ("L0_node_0001", {"domain": "www.saltmarsh.example."}),
    ("L0_node_0001", {"domain": "“WWW.saltmarsh.example”"}),
    ("L0_node_0007", {"query": '"sofa"'}),
    ("L0_node_0007", {"query": "Sofa?"}),
]
WRONG = [
    ("L0_node_0017", {"date": "20270415"}),
    ("L0_node_0017", {"date": "Thursday, 14 April 2027"}),
    ("L0_node_0017", {"date": "2027-04-14 00:30:00+00:00"}),
    ("L0_node_0017", {"date": "2027-04-14 (Thu)"}),
    ("L0_node_0017", {"date": "04/14/2027"}),
    ("L0_node_0017", {"unit": "days"}),
    ("L0_node_0017", {"unit": "working days"}),
    ("L0_node_0035", {"from": "Norwegian krone"}),
    ("L0_node_0035", {"from": "krona"}),
    ("L0_node_0035", {"to": "pesos"}),
    ("L0_node_0037", {"city": "Kyoto (Korea)"}),
    ("L0_node_0037", {"city": "Kyo"}),
    ("L0_node_0001", {"domain": "saltmarsh.example."}),
    ("L0_node_0001", {"domain": "www.saltmarsh.example.."}),
    ("L0_node_0007", {"query": "sofas"}),
    ("L0_node_0007", {"query": "the sofa"}),
]


@pytest.mark.parametrize(("task_id", "arguments"), RIGHT, ids=str)
def test_a_value_written_otherwise_is_right(task_id: str, arguments: dict[str, Any]) -> None:
    assert passes(task(task_id), with_argument(typed(task(task_id)), 1, **arguments))


@pytest.mark.parametrize(("task_id", "arguments"), WRONG, ids=str)
def test_a_value_near_it_is_not(task_id: str, arguments: dict[str, Any]) -> None:
    assert not passes(task(task_id), with_argument(typed(task(task_id)), 1, **arguments))


# In messages ----------------------------------------------------------------------------------


def test_a_fall_told_in_words_needs_no_sign() -> None:
    of = suite(5007).by_id["L3_dag_0193"]
    number = len(of.steps)
    assert of.steps[4].output == {"percent_change": -49.6037832311}
    assert of.steps[-1].match["text"]["values"] == [-49.6037832311]
    right = ("It fell by 49.6 percent.", "a change of -49.60%", "down 49.604 per cent")
    wrong = ("a change of +49.6 %", "fell by 49.7 percent", "fell by 4.96 percent", "fell")
    told = (*right, *wrong)
    assert [t for t in told if passes(of, with_argument(expected(of), number, text=t))] == [*right]


def test_days_before_need_no_sign() -> None:
    of, number, argument, days = next(
        (of, number, edge.argument, source.output["days"])
        for seed in (42, 5003, 5007)
        for of in suite(seed).tasks
        for number, step in enumerate(of.steps, 1)
        for edge in step.edges
        for source in of.steps
        if source.step_id == edge.source and source.tool == "calculate_date_diff"
        if edge.path == "days" and edge.argument in step.match and source.output["days"] < 0
    )
    text = of.steps[number - 1].arguments[argument]
    for told, is_right in [("{} days before", True), ("-{} days", True), ("+{} days", False)]:
        written = text.replace(str(days), told.format(-days))
        calls = with_argument(typed(of), number, **{argument: written})
        assert passes(of, calls, MULTI_TURN) is is_right, written
