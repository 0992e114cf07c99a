"""What rows say of how they were asked: it follows them out of their folder, and into the signature."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from dataset_builder.errors import InputError
from dataset_builder.tools import catalogue
from evaluator.scoring.score import Scorer
from evaluator.scoring.score_traces import score_traces
from evaluator.traces.protocols import PROMPT_VERSIONS
from evaluator.traces.trace import Trace, TraceProblems
from evaluator.traces.trace_reader import read_trace_text
from tests.samples.small_suite import small_suite

SUITE = small_suite()
ROWS = [
    Trace(task.task_id, model="m", protocol="single-turn", catalogue="full") for task in SUITE.tasks
]


def scores(*asked: Any, protocol: str = "single-turn") -> Any:
    """The score JSON where every row says this of how it was asked, the first one the first of it."""
    said = [asked[0], *[asked[-1]] * (len(ROWS) - 1)]
    rows = [
        replace(row, protocol=protocol, extra={"asked": what})
        for row, what in zip(ROWS, said, strict=True)
    ]
    return score_traces(rows, SUITE, Scorer(catalogue()), "rows")[0].scores


@pytest.mark.parametrize(
    ("asked", "calls", "protocol"),
    [
        ({"calls": "json", "prompt_version": 1}, "json", "single-turn.1"),
        ({"calls": "native"}, "native", "single-turn.1"),
        ({}, "native", "single-turn.1"),
        (None, "native", "single-turn.1"),
    ],
)
def test_the_signature_takes_it_from_the_rows(asked: Any, calls: str, protocol: str) -> None:
    signature = scores(asked)["signature"]
    assert f"|calls:{calls}|" in signature
    assert f"|protocol:{protocol}|" in signature


UNKNOWN = [
    ("json", "asked: expected an object, got text"),
    ({"calls": "x|rank:1"}, "asked.calls: expected native or json"),
    ({"calls": ["json"]}, "asked.calls: expected native or json"),
    ({"wording": "polite"}, "asked.wording: expected minimal or tool_hinted or context_rich"),
    ({"prompt_version": PROMPT_VERSIONS["single-turn"] + 1}, "asked.prompt_version: expected 1 to"),
    ({"prompt_version": 0}, "asked.prompt_version: expected 1 to"),
    ({"prompt_version": -1}, "asked.prompt_version: expected 1 to"),
    ({"prompt_version": True}, "asked.prompt_version: expected 1 to"),
    ({"prompt_version": 1.0}, "asked.prompt_version: expected 1 to"),
    ({"prompt_version": "1"}, "asked.prompt_version: expected 1 to"),
]


@pytest.mark.parametrize(("asked", "said"), UNKNOWN)
def test_nobody_opens_a_ranking_with_a_word_of_his_own(asked: Any, said: str) -> None:
    row = {"task_id": "x", "calls": [], "protocol": "single-turn", "asked": asked}
    with pytest.raises(TraceProblems) as refused:
        read_trace_text(json.dumps(row), None, "t.jsonl")
    assert refused.value.problems[0].startswith(f"t.jsonl:1: {said}")
    with pytest.raises(InputError, match=re.escape(said)):
        scores({}, asked)


def test_a_version_says_nothing_without_its_protocol() -> None:
    row = {"task_id": "x", "calls": [], "asked": {"prompt_version": 1}}
    with pytest.raises(
        TraceProblems, match=r"asked\.prompt_version: expected the protocol beside it"
    ):
        read_trace_text(json.dumps(row))


@pytest.mark.parametrize(("asked", "version"), [({"prompt_version": 1}, 1), ({}, 2)])
def test_a_run_under_earlier_prompts_keeps_its_signature(asked: Any, version: int) -> None:
    assert f"|protocol:multi-turn.{version}|" in scores(asked, protocol="multi-turn")["signature"]


def test_rows_that_were_asked_in_two_ways_are_no_run() -> None:
    with pytest.raises(InputError, match=r"several ways \(calls: json, native\)"):
        scores({"calls": "json"}, {"calls": "native"})


def test_rows_that_say_nothing_go_with_the_others() -> None:
    assert "|calls:json|" in scores({}, {"calls": "json"})["signature"]


def test_another_wording_is_not_ranked() -> None:
    assert scores({"wording": "minimal"})["ranked"]
    hinted = scores({"wording": "tool_hinted"})
    assert hinted["diagnostics"]["not_ranked"] == ["asked in another wording, tool_hinted"]
