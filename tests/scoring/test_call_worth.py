"""What a call is worth as a step: what flows from earlier mistakes, and other right ways to call."""

import pytest

from dataset_builder.tasks.task import Alternative
from evaluator.traces.trace import Call
from tests.samples.toy_tools import call, make_task, step
from tests.samples.worked_tasks import BERLIN, FAHRENHEIT, FED, FORECAST, PARIS, ROME, scored

TWO_CHAINS = make_task(
    3,
    step("weather", city="Berlin"),
    step("weather", city="Paris"),
    step("convert", value="{{1.temperature_c}}", to="fahrenheit"),
    step("convert", value="{{2.temperature_c}}", to="kelvin"),
    step("add", a="{{3.result}}", b="{{4.result}}"),
)


@pytest.mark.parametrize(
    "calls",
    [
        [
            call("weather", city="Oslo"),
            call("weather", city="Rome"),
            call("convert", value="{{1.temperature_c}}", to="fahrenheit"),
            call("convert", value="{{2.temperature_c}}", to="kelvin"),
            call("add", a="{{3.result}}", b="{{4.result}}"),
        ],
        # the same with the chains swapped: which city is wrong for which is decided by what follows
        [
            call("weather", city="Rome"),
            call("weather", city="Oslo"),
            call("convert", value="{{2.temperature_c}}", to="fahrenheit"),
            call("convert", value="{{1.temperature_c}}", to="kelvin"),
            call("add", a="{{3.result}}", b="{{4.result}}"),
        ],
        [
            call("weather", city="Rome"),
            call("convert", value="{{1.temperature_c}}", to="kelvin"),
            call("weather", city="Oslo"),
            call("convert", value="{{3.temperature_c}}", to="fahrenheit"),
            call("add", a="{{4.result}}", b="{{2.result}}"),
        ],
    ],
)
def test_two_upstream_mistakes_cost_two_steps_in_any_order(calls: list[Call]) -> None:
    score = scored(TWO_CHAINS, *calls)
    assert score.step == 3 / 5
    assert score.data_flow == 1
    assert score.score == pytest.approx(0.30 + 0.30 * 3 / 5 + 0.25 + 0.15)


def test_ordered_list_takes_its_values_in_order() -> None:
    task = make_task(
        2,
        step("weather", city="Berlin"),
        step("weather", city="Paris"),
        step("trend", values=["{{1.temperature_c}}", "{{2.temperature_c}}"]),
    )
    right = call("trend", values=["{{1.temperature_c}}", "{{2.temperature_c}}"])
    swapped = call("trend", values=["{{2.temperature_c}}", "{{1.temperature_c}}"])
    assert scored(task, BERLIN, PARIS, right).strict
    assert scored(task, PARIS, BERLIN, swapped).strict
    wrong = scored(task, BERLIN, PARIS, swapped)
    assert wrong.data_flow == 0
    assert wrong.step == 2 / 3
    # as JSON text, and with one item of the model's own wrong upstream call
    assert scored(task, BERLIN, PARIS, call("trend", values="[36, 25]")).strict
    assert scored(task, BERLIN, ROME, right).step == 2 / 3


def test_nested_argument() -> None:
    task = make_task(
        1,
        step("weather", city="Berlin"),
        step("plan", day="2026-03-05", details={"t": "{{1.temperature_c}}"}),
    )
    fed = call("plan", day="5 March 2026", details={"t": "{{1.temperature_c}}"})
    assert scored(task, BERLIN, fed).strict
    assert scored(task, PARIS, fed).step == 1 / 2
    wrong = scored(task, BERLIN, call("plan", day="2026-03-05", details={"u": 36}))
    assert wrong.arguments == pytest.approx((1 + 0.5) / 2)
    assert wrong.steps[1].edges[0].reason == "details.t is another value"


def test_fed_value_that_equals_a_default_may_be_left_out() -> None:
    task = make_task(
        1,
        step("count", text="ab"),
        step("convert", value=1, to="kelvin", digits="{{1.characters}}"),
    )
    assert scored(task, call("count", text="ab"), call("convert", value=1, to="kelvin")).strict
    wrong = scored(task, call("count", text="abc"), call("convert", value=1, to="kelvin"))
    assert wrong.data_flow == 0


EITHER = make_task(
    1,
    step("weather", city="Berlin", alternatives=[FORECAST]),
    step("convert", value="{{1.temperature_c}}", to="fahrenheit", alternatives=[FAHRENHEIT]),
)
FORECAST_BERLIN = call("forecast", place="Berlin")


@pytest.mark.parametrize(
    ("calls", "steps", "data_flow", "arguments"),
    [
        ([BERLIN, FED], 1, 1, 1),
        ([FORECAST_BERLIN, call("convert", value="{{1.celsius}}", to="fahrenheit")], 1, 1, 1),
        ([BERLIN, call("to_fahrenheit", degrees="{{1.temperature_c}}")], 1, 1, 1),
        ([FORECAST_BERLIN, call("to_fahrenheit", degrees="{{1.celsius}}")], 1, 1, 1),
        ([BERLIN, call("to_fahrenheit", degrees=36)], 1, 1, 1),
        (
            [FORECAST_BERLIN, call("convert", value="{{1.temperature_c}}", to="fahrenheit")],
            0.5,
            0,
            0.75,
        ),
        # an alternative's own wrong value flows on
        (
            [
                call("forecast", place="Oslo"),
                call("convert", value="{{1.celsius}}", to="fahrenheit"),
            ],
            0.5,
            1,
            0.5,
        ),
        # an upstream mistake is not paid for twice under another name either
        ([PARIS, call("to_fahrenheit", degrees="{{1.temperature_c}}")], 0.5, 1, 0.5),
        ([PARIS, call("to_fahrenheit", degrees=36)], 0, 0, 0.5),
    ],
)
def test_alternatives(calls: list[Call], steps: float, data_flow: float, arguments: float) -> None:
    score = scored(EITHER, *calls)
    assert (score.step, score.data_flow) == (steps, data_flow)
    assert score.arguments == pytest.approx(arguments)
    assert score.sequence == 1


def test_alternative_through_an_argument_of_the_same_name() -> None:
    fed_too = {"value": "{{step_1.temperature_c}}", "to": "fahrenheit", "digits": 5}
    other = Alternative("convert", fed_too, {})
    task = make_task(
        1,
        step("weather", city="Berlin"),
        step("convert", value="{{1.temperature_c}}", to="fahrenheit", alternatives=[other]),
    )
    fed = call("convert", value="{{1.temperature_c}}", to="fahrenheit", digits=5)
    assert scored(task, BERLIN, fed).strict
    assert scored(task, PARIS, fed).step == 1 / 2
    assert scored(task, PARIS, fed).data_flow == 1


def test_alternative_that_refers_to_nothing_needs_the_expected_value_upstream() -> None:
    twice = Alternative("add", {"a": 36, "b": 36}, {"result": "sum"})
    task = make_task(
        1,
        step("weather", city="Berlin"),
        step("to_fahrenheit", degrees="{{1.temperature_c}}", alternatives=[twice]),
    )
    both = call("add", a="{{1.temperature_c}}", b="{{1.temperature_c}}")
    assert scored(task, BERLIN, both).strict
    assert scored(task, PARIS, both).step == 0
    assert scored(task, BERLIN, call("add", a=36, b=1)).data_flow == 0


def test_alternative_that_is_not_offered_is_a_hallucination() -> None:
    calls = [FORECAST_BERLIN, call("convert", value="{{1.celsius}}", to="fahrenheit")]
    score = scored(EITHER, *calls, offered=("weather", "convert"))
    assert score.error == "E6_hallucinated_tool"
    assert score.completeness == 1 / 2
