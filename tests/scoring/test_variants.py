"""Whatever has the expected outcome is right, or docs/right-answers.md says why not, and the reverse."""

import re
from collections import Counter
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tools import catalogue
from tests.differential.variant_search import (
    OTHER,
    SAME,
    Finding,
    Variant,
    judged,
    suite_findings,
    variants,
)

PAGE = Path(__file__).parents[2] / "docs" / "right-answers.md"
HEADINGS = {SAME: "## The same outcome, and not right", OTHER: "## Another outcome, and right"}
# | `pattern` | findings in seed 42 | in the larger suites | reason |
ROW = re.compile(r"\| `([^`]+)` \| (\d+) \| (\d+) \| (.+) \|")
SEEDS = (42, 5003)


@cache
def listed(verdict: str) -> dict[str, int]:
    """The mechanisms on the page, as patterns, and how many findings each has in seed 42."""
    section = PAGE.read_text("utf-8").partition(HEADINGS[verdict])[2].partition("\n## ")[0]
    return {
        pattern.replace("[", "[[]"): int(count) for pattern, count, _, _ in ROW.findall(section)
    }


def places(finding: Finding) -> list[str]:
    """The patterns on the page that a finding falls under, the first of which counts it."""
    key = f"{finding.variant.way} > {finding.variant.where}"
    return [pattern for pattern in listed(finding.verdict) if fnmatchcase(key, pattern)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_not_mended_is_listed_with_its_reason(seed: int) -> None:
    unlisted = [
        (finding.task_id, *finding.mechanism, finding.variant.arguments)
        for finding in suite_findings(seed)
        if not places(finding)
    ]
    assert not unlisted


@pytest.mark.slow
@pytest.mark.parametrize("verdict", [SAME, OTHER])
def test_the_page_counts_what_the_published_suite_has(verdict: str) -> None:
    findings = [finding for finding in suite_findings(42) if finding.verdict == verdict]
    counted = Counter(places(finding)[0] for finding in findings if places(finding))
    assert {pattern: counted[pattern] for pattern in listed(verdict)} == listed(verdict)


def test_the_search_notices_both_ways_of_being_wrong() -> None:
    task = CompositionEngine(42).generate_suite().by_id["L0_node_0007"]
    tools, query = catalogue(), task.steps[0].arguments["query"]
    verdicts = {
        arguments: judged(task, 0, Variant("", "", "search_products", dict(arguments)), tools)
        for arguments in (
            (("query", query),),
            (("query", f"{query}s"),),
            (("query", "bicycle pump"),),
        )
    }
    assert list(verdicts.values()) == ["", SAME, ""]


def test_variants_cover_order_spelling_omission_and_other_tools() -> None:
    suite = CompositionEngine(42).generate_suite()
    steps = [step for task in suite.tasks for step in task.steps]
    ways = Counter(v.way for step in steps[:150] for v in variants(step, catalogue()))
    for way in (
        "items in another order",
        "two arguments swapped",
        "an optional argument left out",
        "a default written out",
        "a twin",
        "another tool",
        "date: with weekday",
        "currency: name",
        "place: with country",
    ):
        assert ways[way], way
