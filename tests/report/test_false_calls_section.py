"""The report of requests without a call: what was answered, and silence on the tasks beside the rate."""

from typing import Any

from evaluator.comparing.results import Result
from evaluator.report.build import compose
from evaluator.report.content import Section
from evaluator.report.false_calls_section import (
    REQUESTS_LIMIT,
    REQUESTS_ONLY,
    false_calls_sections,
)
from evaluator.report.horizon_section import HORIZONS_ONLY
from evaluator.traces.trace import Call
from tests.samples.horizon_runs import agents
from tests.scoring.null_model import null_result
from tests.scoring.test_irrelevance import SUITE, answer, scored

CALL = (Call("get_weather", {"city": "Oslo"}),)
FAILED = {"kind": "connection", "message": ""}


def requests(model: str, calls: int, **more: Any) -> Result:
    """A run that answers the first ten requests, the first ``calls`` of them with a call."""
    traces = [answer(n, model=model, calls=CALL if n < calls else (), **more) for n in range(10)]
    return Result(model, scored(traces), {}, {})


def rows(drawn: Section) -> dict[str, list[str]]:
    (table,) = drawn.tables
    return {row[0]: row[1:] for row in table.cells()}


def test_a_row_for_each_model_and_baselines_last() -> None:
    named = [requests("baseline:silent", 0), requests("vendor/z", 3), requests("vendor/a", 10)]
    (only,) = false_calls_sections(named, [])
    assert rows(only) == {
        "vendor/a": ["10 of 40", "100.0 [72.2, 100.0]", "0.0", "–"],
        "vendor/z": ["10 of 40", "30.0 [10.8, 60.3]", "0.0", "–"],
        "baseline:silent": ["10 of 40", "0.0 [0.0, 27.8]", "0.0", "–"],
    }
    assert only.tables[0].emphasised == {2}


def test_a_run_without_an_answer_has_no_rate() -> None:
    (only,) = false_calls_sections([requests("m", 0, error=FAILED, response=None)], [])
    assert rows(only) == {"m": ["0 of 40", "–", "–", "–"]}


def test_settings_have_a_section_each() -> None:
    other = requests("m", 2, catalogue="full")
    sections = false_calls_sections([requests("m", 1), other], [])
    assert [section.name for section in sections] == ["false-calls", "false-calls-2"]
    assert len({section.signature for section in sections}) == 2


def test_the_report_has_them_with_what_they_cannot_say() -> None:
    report = compose([requests("m", 1)])
    assert ([section.name for section in report.sections], report.measured, report.limits) == (
        ["false-calls"],
        [REQUESTS_ONLY],
        [REQUESTS_LIMIT],
    )
    assert compose([requests("m", 1), agents()[0]]).measured == [HORIZONS_ONLY, REQUESTS_ONLY]
    of_suite = null_result(SUITE, 1)
    both = compose([requests("m", 1), of_suite], with_tables=False)
    assert both.sections[-1].name == "false-calls"
    assert both.limits[-1] == REQUESTS_LIMIT
    assert REQUESTS_ONLY not in both.measured
