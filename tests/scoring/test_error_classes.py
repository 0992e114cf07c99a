"""The reasons that a person reads beside a score."""

import json
from typing import Any

import pytest

from evaluator.scoring.error_classes import ERROR_CLASSES, reasons
from evaluator.scoring.score import score_task
from evaluator.traces.trace import Call
from tests.samples.toy_tools import TOOLS, call, make_task, step, trace

CHAIN = make_task(
    1, step("weather", city="Berlin"), step("convert", value="{{1.temperature_c}}", to="fahrenheit")
)
BERLIN, FED = call("weather", city="Berlin"), call("convert", value="{{1.temperature_c}}", to="°F")


def said(*calls: Call, **fields: Any) -> list[str]:
    return reasons(score_task(CHAIN, trace(CHAIN, *calls, **fields), TOOLS))


@pytest.mark.parametrize(
    ("calls", "fields", "sentences"),
    [
        ([BERLIN, FED], {}, []),
        (
            [],
            {},
            ["There is no call.", "step_1 (weather) has no call.", "step_2 (convert) has no call."],
        ),
        (
            [],
            {"error": {"kind": "rate_limit"}},
            ["The request failed (rate_limit); the model is not to blame."],
        ),
        (
            [BERLIN, FED, call("now"), Call("f", {}), Call("now", "oops")],
            {"error": {"kind": "timeout"}},
            [
                "The answer broke off (timeout).",
                "Call 3 (now): nobody asked for it.",
                'Call 4: "f" was not offered.',
                "Call 5 (now): the arguments are no JSON object.",
            ],
        ),
        (
            [call("weather", town="Berlin"), call("convert", value=30, to="{{9.unit}}")],
            {},
            [
                'step_1 (weather): city is missing; expected "Berlin".',
                "step_1 (weather): town is not asked for.",
                "step_2 (convert): value is 30; expected 36.",
                'step_2 (convert): to refers to nothing: {{9.unit}}; expected "fahrenheit".',
                "step_2: value does not take temperature_c of step_1 "
                "(the call for step_1 gave an error).",
            ],
        ),
        (
            # A wrong number that passes in the tolerant reading, and a call that fails for no argument's
            # sake.
            [BERLIN, call("convert", value="36.2", to="fahrenheit")],
            {},
            [
                'step_2 (convert): value is "36.2"; expected 36 (near, but not exact).',
                "step_2: value does not take temperature_c of step_1 (the value is only near it).",
            ],
        ),
        (
            [call("convert", value=36, to="fahrenheit"), BERLIN],
            {},
            ["The calls do not stand in an order in which each follows what it depends on."],
        ),
    ],
)
def test_reasons(calls: list[Call], fields: dict[str, Any], sentences: list[str]) -> None:
    assert said(*calls, **fields) == sentences


def test_long_values_are_cut() -> None:
    (sentence,) = said(call("weather", city="B" * 5000), FED)[:1]
    assert len(sentence) < 200
    assert len(said(BERLIN, FED, Call("n" * 5000, {}))[0]) < 200


def test_verdicts_explain_every_call() -> None:
    calls = [call("weather", city="Nowhere"), BERLIN, FED, call("now")]
    score = score_task(CHAIN, trace(CHAIN, *calls, protocol="multi-turn"), TOOLS)
    roles = [(c.role, c.step_id, c.is_counted) for c in score.calls]
    assert roles == [
        ("forgiven", None, False),
        ("aligned", "step_1", True),
        ("aligned", "step_2", True),
        ("extra", None, True),
    ]
    assert score.calls[0].error == "no such city as Nowhere"
    step_2 = score.steps[1]
    assert step_2.call == 2
    assert step_2.pair is not None
    assert [(v.name, v.similarity) for v in step_2.pair.arguments] == [("value", 0), ("to", 1)]
    assert json.dumps(score.to_row())


def test_classes_are_tried_in_the_order_of_the_contract() -> None:
    assert {name.partition("_")[0] for name in ERROR_CLASSES} == {
        f"E{n}" for n in (1, 2, 3, 4, 6, 7, 8, 9, 10)
    }
