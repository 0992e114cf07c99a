"""The score of one trace: literal tables, each number worked by hand (specification: Scoring)."""

from typing import Any

import pytest

from evaluator.scoring.score import score_task
from evaluator.traces.trace import Call
from tests.samples.toy_tools import TOOLS, call, make_task, step, trace
from tests.samples.worked_tasks import (
    BERLIN,
    BOTH,
    CHAIN,
    DAG,
    DAG_STEPS,
    FED,
    LITERAL,
    MAIL,
    NOWHERE,
    PARIS,
    ROME,
    SINGLE,
    SUM,
    TASKS,
    TIME,
    scored,
)

# task, calls, weighted, step, strict, (sequence, arguments, completeness, data flow, economy), class
ROWS: list[tuple[str, list[Call], float, float, bool, tuple[Any, ...], str | None]] = [
    # Level 0 is binary.
    ("SINGLE", [BERLIN], 1, 1, True, (1, 1, 1, None, 1), None),
    ("SINGLE", [call("weather", city=" Berlin ")], 1, 1, True, (1, 1, 1, None, 1), None),
    ("SINGLE", [PARIS], 0, 0, False, (1, 0, 1, None, 1), "E4_wrong_arguments"),
    ("SINGLE", [BERLIN, TIME], 0, 1 / 2, False, (1, 1, 1, None, 1 / 2), "E7_unnecessary_tool"),
    ("SINGLE", [BERLIN, BERLIN], 0, 1 / 2, False, (1, 1, 1, None, 1 / 2), "E7_unnecessary_tool"),
    ("SINGLE", [TIME], 0, 0, False, (0, 0, 0, None, 1), "E1_wrong_tool"),
    ("SINGLE", [], 0, 0, False, (0, 0, 0, None, 1), "E2_no_call"),
    # Level 1: 0.40 sequence + 0.35 arguments + 0.25 completeness.
    ("CHAIN", [BERLIN, FED], 1, 1, True, (1, 1, 1, 1, 1), None),
    ("CHAIN", [BERLIN, LITERAL], 1, 1, True, (1, 1, 1, 1, 1), None),
    (
        "CHAIN",
        [BERLIN, call("convert", value="{{1.temperature_c}}", to="kelvin")],
        0.40 + 0.35 * 0.75 + 0.25,
        1 / 2,
        False,
        (1, 0.75, 1, 1, 1),
        "E4_wrong_arguments",
    ),
    # An upstream mistake is paid for once: the value that flows on is the model's own.
    (
        "CHAIN",
        [PARIS, FED],
        0.40 + 0.35 * 0.5 + 0.25,
        1 / 2,
        False,
        (1, 0.5, 1, 1, 1),
        "E4_wrong_arguments",
    ),
    # The expected value as a literal is a right argument, yet it did not flow.
    (
        "CHAIN",
        [PARIS, LITERAL],
        0.40 + 0.35 * 0.5 + 0.25,
        0,
        False,
        (1, 0.5, 1, 0, 1),
        "E9_data_flow_error",
    ),
    # A reference to a call that erred, and one to nothing, satisfy no edge.
    (
        "CHAIN",
        [NOWHERE, FED],
        0.40 + 0.35 * 0.25 + 0.25,
        0,
        False,
        (1, 0.25, 1, 0, 1),
        "E9_data_flow_error",
    ),
    (
        "CHAIN",
        [BERLIN, call("convert", value="{{7.temperature_c}}", to="fahrenheit")],
        0.40 + 0.35 * 0.75 + 0.25,
        1 / 2,
        False,
        (1, 0.75, 1, 0, 1),
        "E9_data_flow_error",
    ),
    ("CHAIN", [BERLIN], 1 / 2, 1 / 2, False, (1 / 2, 1 / 2, 1 / 2, 0, 1), "E8_partial_completion"),
    ("CHAIN", [LITERAL], 1 / 2, 0, False, (1 / 2, 1 / 2, 1 / 2, 0, 1), "E8_partial_completion"),
    ("CHAIN", [BERLIN, TIME], 1 / 2, 1 / 2, False, (1 / 2, 1 / 2, 1 / 2, 0, 1), "E1_wrong_tool"),
    (
        "CHAIN",
        [LITERAL, BERLIN],
        0.40 * 0.5 + 0.35 + 0.25,
        1,
        False,
        (1 / 2, 1, 1, 1, 1),
        "E3_wrong_order",
    ),
    ("CHAIN", [BERLIN, FED, TIME], 2 / 3, 2 / 3, False, (1, 1, 1, 1, 2 / 3), "E7_unnecessary_tool"),
    ("CHAIN", [], 0, 0, False, (0, 0, 0, 0, 1), "E2_no_call"),
    # Level 2: 0.35 + 0.35 + 0.15 data flow + 0.15; independent calls in any order.
    ("JOIN", [BERLIN, PARIS, BOTH], 1, 1, True, (1, 1, 1, 1, 1), None),
    ("JOIN", [PARIS, BERLIN, BOTH], 1, 1, True, (1, 1, 1, 1, 1), None),
    ("JOIN", [BERLIN, PARIS, call("hottest", values=[25, 36])], 1, 1, True, (1, 1, 1, 1, 1), None),
    (
        "JOIN",
        [BERLIN, PARIS, call("hottest", values=["{{1.temperature_c}}"])],
        0.35 + 0.35 * (2.5 / 3) + 0.15 * 0.5 + 0.15,
        2 / 3,
        False,
        (1, 2.5 / 3, 1, 1 / 2, 1),
        "E9_data_flow_error",
    ),
    # 36 once cannot stand for two cities; both edges want their own item.
    (
        "JOIN",
        [BERLIN, BERLIN, call("hottest", values=["{{1.temperature_c}}"])],
        0.35 + 0.35 * (1.5 / 3) + 0.15 * 0.5 + 0.15,
        1 / 3,
        False,
        (1, 1.5 / 3, 1, 1 / 2, 1),
        "E9_data_flow_error",
    ),
    (
        "JOIN",
        [BERLIN, ROME, BOTH],
        0.35 + 0.35 * (2 / 3) + 0.15 + 0.15,
        2 / 3,
        False,
        (1, 2 / 3, 1, 1, 1),
        "E4_wrong_arguments",
    ),
    (
        "JOIN",
        [BERLIN, PARIS],
        0.35 * (2 / 3) + 0.35 * (2 / 3) + 0.15 * (2 / 3),
        2 / 3,
        False,
        (2 / 3, 2 / 3, 2 / 3, 0, 1),
        "E8_partial_completion",
    ),
    # Without edges the weights 0.35, 0.35 and 0.15 are scaled to sum to 1.
    ("FAN", [PARIS, BERLIN], 1, 1, True, (1, 1, 1, None, 1), None),
    (
        "FAN",
        [PARIS, ROME],
        (0.35 + 0.35 * 0.5 + 0.15) / 0.85,
        1 / 2,
        False,
        (1, 1 / 2, 1, None, 1),
        "E4_wrong_arguments",
    ),
    ("FAN", [PARIS], 1 / 2, 1 / 2, False, (1 / 2, 1 / 2, 1 / 2, None, 1), "E8_partial_completion"),
    (
        "FAN",
        [PARIS, BERLIN, ROME],
        2 / 3,
        2 / 3,
        False,
        (1, 1, 1, None, 2 / 3),
        "E7_unnecessary_tool",
    ),
    # Level 3: 0.30 + 0.30 + 0.25 + 0.15.
    ("DAG", [BERLIN, FED, SUM, MAIL], 1, 1, True, (1, 1, 1, 1, 1), None),
    # Everything downstream of a wrong city still flows: four right calls but one.
    (
        "DAG",
        [PARIS, FED, SUM, MAIL],
        0.30 + 0.30 * 0.75 + 0.25 + 0.15,
        3 / 4,
        False,
        (1, 3 / 4, 1, 1, 1),
        "E4_wrong_arguments",
    ),
    # The mail leaves out the sum: 1 of 2 values carried, so (1 + 0.5) / 2 of its arguments.
    (
        "DAG",
        [BERLIN, FED, SUM, call("send", to="a@b.org", body="{{2.result}}")],
        0.30 + 0.30 * (3.75 / 4) + 0.25 * 0.8 + 0.15,
        3 / 4,
        False,
        (1, 3.75 / 4, 1, 4 / 5, 1),
        "E9_data_flow_error",
    ),
    # Six numbers from nowhere, three of them free: 2 / (2 + 3) of the body.
    (
        "DAG",
        [
            BERLIN,
            FED,
            SUM,
            call("send", to="a@b.org", body="{{2.result}} {{3.sum}} 901 1802 2703 3604 4505 5406"),
        ],
        0.30 + 0.30 * ((3 + 0.7) / 4) + 0.25 + 0.15,
        3 / 4,
        False,
        (1, (3 + 0.7) / 4, 1, 1, 1),
        "E4_wrong_arguments",
    ),
    # A text that is far too long carries nothing.
    (
        "DAG",
        [BERLIN, FED, SUM, call("send", to="a@b.org", body="{{2.result}} {{3.sum}}" + " x" * 600)],
        0.30 + 0.30 * (3.5 / 4) + 0.25 * 0.6 + 0.15,
        3 / 4,
        False,
        (1, 3.5 / 4, 1, 3 / 5, 1),
        "E9_data_flow_error",
    ),
    (
        "DAG",
        [BERLIN, FED, SUM, MAIL, TIME, TIME],
        4 / 6,
        4 / 6,
        False,
        (1, 1, 1, 1, 4 / 6),
        "E7_unnecessary_tool",
    ),
]


@pytest.mark.parametrize(
    ("name", "calls", "weighted", "steps", "strict", "dimensions", "error"),
    ROWS,
    ids=range(len(ROWS)),
)
def test_score(
    name: str,
    calls: list[Call],
    weighted: float,
    steps: float,
    strict: bool,
    dimensions: tuple[float | None, ...],
    error: str | None,
) -> None:
    score = scored(TASKS[name], *calls)
    terms = (score.sequence, score.arguments, score.completeness, score.data_flow, score.economy)
    assert terms == pytest.approx(dimensions)
    assert (score.score, score.step) == pytest.approx((weighted, steps))
    assert (score.strict, score.error) == (strict, error)


def test_spam_and_silence() -> None:
    for task in TASKS.values():
        assert scored(task).score == 0
        spam = scored(task, *(Call(name, {}) for name in TOOLS))
        assert spam.step == 0
        assert spam.score <= len(task.steps) / len(TOOLS)
    # weather and convert come in order: (0.40 + 0.25) · 2 / 13
    assert scored(CHAIN, *(Call(name, {}) for name in TOOLS)).score == pytest.approx(0.65 * 2 / 13)


# What counts as a call ------------------------------------------------------------------------

OPTIONAL = make_task(
    0,
    step("weather", city="Berlin"),
    optional=[
        {"tool": "now", "arguments": {}},
        {"tool": "weather", "arguments": {"city": "Paris"}},
    ],
)


@pytest.mark.parametrize(
    ("calls", "weighted", "steps", "counted"),
    [
        ([BERLIN], 1, 1, 1),
        ([TIME, BERLIN], 1, 1, 1),
        ([TIME, PARIS, BERLIN], 1, 1, 1),
        ([PARIS, BERLIN], 1, 1, 1),
        ([TIME, TIME, BERLIN], 0, 1 / 2, 2),
        ([PARIS, PARIS, BERLIN], 0, 1 / 2, 2),
        ([ROME, BERLIN], 0, 1 / 2, 2),
        ([call("now", zone="UTC"), BERLIN], 0, 1 / 2, 2),
        ([PARIS], 0, 0, 1),
        ([TIME], 0, 0, 0),
    ],
)
def test_optional_calls(calls: list[Call], weighted: float, steps: float, counted: int) -> None:
    score = scored(OPTIONAL, *calls)
    assert (score.score, score.step, score.counted) == (weighted, steps, counted)


@pytest.mark.parametrize(
    ("calls", "protocol", "weighted", "steps"),
    [
        ([NOWHERE, BERLIN], "multi-turn", 1, 1),
        ([NOWHERE, NOWHERE, BERLIN], "multi-turn", 1, 1),
        ([Call("weather", "{oops"), BERLIN], "multi-turn", 1, 1),
        # two at most
        ([NOWHERE, NOWHERE, NOWHERE, BERLIN], "multi-turn", 0, 1 / 2),
        # only a call that erred, only when the same tool is tried again, only in multi-turn
        ([PARIS, BERLIN], "multi-turn", 0, 1 / 2),
        ([BERLIN, NOWHERE], "multi-turn", 0, 1 / 2),
        ([call("recall", name="x"), BERLIN], "multi-turn", 0, 1 / 2),
        ([NOWHERE, BERLIN], "single-turn", 0, 1 / 2),
        ([NOWHERE, BERLIN], None, 0, 1 / 2),
    ],
)
def test_forgiveness(
    calls: list[Call], protocol: str | None, weighted: float, steps: float
) -> None:
    score = scored(SINGLE, *calls, protocol=protocol)
    assert (score.score, score.step) == (weighted, steps)


def test_a_call_that_erred_and_was_tried_again_in_a_world_with_state() -> None:
    task = make_task(1, step("keep", name="a", text="b"), step("recall", name="a", after=[1]))
    calls = [call("recall", name="a"), call("keep", name="a", text="b"), call("recall", name="a")]
    assert scored(task, *calls, protocol="multi-turn").strict
    assert scored(task, *calls).step == 2 / 3


def test_calls_that_are_not_executed_count() -> None:
    unknown = Call("weather_now", {"city": "Berlin"})
    assert scored(SINGLE, BERLIN, unknown).step == 1 / 2
    malformed = scored(SINGLE, Call("weather", '{"city": "Berlin"'))
    assert (malformed.score, malformed.step, malformed.completeness) == (0, 0, 1)
    # no arguments are expected, none can be read: that is no match
    assert scored(make_task(0, step("now")), Call("now", "oops")).score == 0
    assert scored(make_task(0, step("now")), Call("now", {})).score == 1


def test_catalogue_of_the_trace_says_what_was_offered() -> None:
    task = make_task(0, step("weather", city="Berlin"), offered=["weather", "now"])
    calls = [BERLIN, call("forecast", place="Berlin")]
    assert scored(task, *calls, catalogue="task").error == "E6_hallucinated_tool"
    assert scored(task, *calls, catalogue="full").error == "E7_unnecessary_tool"
    assert scored(task, *calls).error == "E7_unnecessary_tool"
    assert scored(task, *calls, offered=["weather"]).error == "E6_hallucinated_tool"


# Outcomes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("calls", "fields", "error"),
    [
        # each fits all that come after it as well
        ([Call("weather", "{"), Call("nothing", {})], {}, "E10_format_error"),
        ([], {"error": {"kind": "malformed_call"}}, "E10_format_error"),
        ([], {}, "E2_no_call"),
        ([], {"error": {"kind": "timeout"}}, "E2_no_call"),
        ([Call("nothing", {}), TIME], {}, "E6_hallucinated_tool"),
        ([LITERAL, TIME], {}, "E1_wrong_tool"),
        ([BERLIN, PARIS], {}, "E1_wrong_tool"),
        ([call("convert", value=1, to="kelvin")], {}, "E8_partial_completion"),
        ([call("convert", value=1, to="kelvin"), BERLIN, TIME], {}, "E3_wrong_order"),
        ([PARIS, call("convert", value=1, to="kelvin"), TIME], {}, "E9_data_flow_error"),
        ([PARIS, FED, TIME], {}, "E4_wrong_arguments"),
        ([BERLIN, FED, TIME], {}, "E7_unnecessary_tool"),
        ([BERLIN, FED], {}, None),
        ([BERLIN, FED], {"error": {"kind": "timeout"}}, None),
    ],
)
def test_error_class(calls: list[Call], fields: dict[str, Any], error: str | None) -> None:
    assert scored(CHAIN, *calls, **fields).error == error


@pytest.mark.parametrize("kind", ["rate_limit", "connection", "provider_error", "of another name"])
def test_infrastructure_failure_is_an_outcome_of_its_own(kind: str) -> None:
    score = scored(CHAIN, BERLIN, FED, error={"kind": kind})
    assert (score.score, score.step, score.strict) == (0, 0, False)
    assert score.error == "infrastructure"


def test_a_trace_of_another_task_is_refused() -> None:
    with pytest.raises(ValueError, match="L0_node_0001 cannot be scored as L1_chain_0001"):
        score_task(CHAIN, trace(SINGLE, BERLIN), TOOLS)


def test_steps_of_tools_that_are_not_in_the_catalogue_compare_as_data() -> None:
    tools = {name: tool for name, tool in TOOLS.items() if name != "weather"}
    score = score_task(SINGLE, trace(SINGLE, call("weather", city="BERLIN")), tools)
    assert (score.score, score.step, score.strict, score.error) == (1, None, None, None)
    wrong = score_task(SINGLE, trace(SINGLE, call("weather", city="Rome")), tools)
    assert (wrong.score, wrong.step, wrong.error) == (0, None, "E4_wrong_arguments")


def test_numbers_that_earlier_outputs_gave_are_not_made_up() -> None:
    numbers = "901 1802 2703 3604 4505 5406"
    mail = call("send", to="a@b.org", body=f"{{{{2.result}}}} {{{{3.sum}}}} {numbers}")
    kept = [call("keep", name="n", text=numbers), call("recall", name="n")]
    # Six strange numbers, three free: 2 of 5. Once an output shows them: 2 of 2.
    alone = scored(DAG, BERLIN, FED, SUM, mail)
    before = scored(DAG, BERLIN, FED, SUM, *kept, mail)
    after = scored(DAG, BERLIN, FED, SUM, mail, *kept)
    assert alone.arguments == after.arguments == pytest.approx((3 + (1 + 2 / 5) / 2) / 4)
    assert before.arguments == 1
    in_prompt = make_task(3, *DAG_STEPS, prompt=f"Mail a@b.org. Ignore {numbers}.")
    assert scored(in_prompt, BERLIN, FED, SUM, mail).strict
