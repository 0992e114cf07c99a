"""The audit of requests without a call: good ones have no defect, and each rule fires on its fault."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from dataset_builder.tasks.irrelevance import irrelevance_suite
from dataset_builder.tasks.task import Step, Suite
from dataset_builder.tools import catalogue
from evaluator.audit import IRRELEVANCE_RULES, audit, rules_of

GOOD = irrelevance_suite()
FIRST = GOOD.tasks[0]
OTHER = next(name for name in catalogue() if name not in FIRST.offered)


def changed(**changes: Any) -> Suite:
    return replace(GOOD, tasks=(replace(FIRST, **changes), *GOOD.tasks[1:]))


def noted(**metadata: Any) -> Suite:
    return changed(metadata={**FIRST.metadata, **metadata})


FAULTS: Mapping[str, Suite] = {
    "counts": changed(task_id="I_0041"),
    "no_call": changed(steps=(Step("step_1", "get_current_time", {}),)),
    "nearest_named: not offered": noted(nearest_tool=OTHER),
    "nearest_named: not in the catalogue": noted(nearest_tool="get_mood"),
    "nearest_named: does not say": noted(why=""),
    "offers: 5 different": changed(offered=FIRST.offered[1:], schemas=FIRST.schemas[1:]),
    "offers: otherwise": changed(schemas=("{}", *FIRST.schemas[1:])),
    "no_value: '@'": changed(prompt="Greet ada@example.org for me."),
    "no_value: '7'": changed(prompt="Good morning, you 7 dwarfs!"),
    "no_tool_names": changed(prompt="Good morning, get_weather!"),
    "distinct_prompts": changed(prompt=GOOD.tasks[1].prompt),
}


def test_the_published_requests_have_no_defect() -> None:
    assert rules_of(GOOD) == IRRELEVANCE_RULES
    assert [*audit(GOOD, catalogue())] == []


@pytest.mark.parametrize("fault", FAULTS)
def test_each_rule_finds_its_fault(fault: str) -> None:
    rule, _, detail = fault.partition(": ")
    found = [each for each in audit(FAULTS[fault], catalogue()) if each.rule == rule]
    assert any(detail in each.detail for each in found), found
