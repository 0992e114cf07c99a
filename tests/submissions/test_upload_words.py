"""What a submitter is told of an upload: problems in groups, what was read, and a file to begin with."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.published.load_suite import load_suite
from evaluator.traces.trace import TraceProblems
from space.html.upload_check_page import draft_page, example, problems
from space.submissions.example_file import ROWS, example_file, example_lines
from space.submissions.problem_groups import MOST_RANGES, grouped, ranges
from space.submissions.upload_check import read_upload
from tests.samples.submitted_files import SUITE, trace_lines
from tests.stand_ins.html_reader import ReadPage


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ([1], "1"),
        ([2, 1], "1–2"),
        ([1, 2, 3, 5, 9, 10], "1–3, 5, 9–10"),
        ([7, 7, 8], "7–8"),
        (range(1, 201), "1–200"),
        (range(1, 100, 2), "1, 3, 5, 7, 9, 11, 13, 15 and 42 more"),
    ],
)
def test_lines_are_told_as_stretches(numbers: list[int], said: str) -> None:
    assert ranges(numbers) == said


@given(st.sets(st.integers(1, 60), min_size=1))
def test_stretches_say_the_lines_they_were_made_of(numbers: set[int]) -> None:
    said, _, more = ranges(numbers).partition(" and ")
    told: set[int] = set()
    for stretch in said.split(", "):
        first, _, last = stretch.partition("–")
        told |= set(range(int(first), int(last or first) + 1))
    assert told <= numbers
    assert len(told) + int(more.partition(" ")[0] or 0) == len(numbers)
    assert len(said.split(", ")) <= MOST_RANGES


def test_equal_problems_are_one_with_their_lines() -> None:
    given = ["f:1: bad", "f:2: bad", "f:3: worse", "f:5: bad", "g:1: bad", "f: empty", "f: empty"]
    assert grouped(given) == ["f, lines 1–2, 5: bad", "f:3: worse", "g:1: bad", "f: empty"]
    assert grouped(["more than 1,000 problems: the rest was not read"]) == [
        "more than 1,000 problems: the rest was not read"
    ]


@given(st.lists(st.text(max_size=8) | st.from_regex(r"f:[0-9]{1,12}: [ab]", fullmatch=True)))
def test_no_problem_is_lost_whatever_it_says(told: list[str]) -> None:
    said = grouped(told)
    assert len(said) == len(set(said)) <= len(told)
    assert bool(said) == bool(told)


def test_200_equal_problems_are_one_line_of_the_page() -> None:
    rows = "".join(f'{{"task_id": "x{number}"}}\n' for number in range(200))
    with pytest.raises(TraceProblems) as caught:
        read_upload(rows, SUITE)
    page = ReadPage(problems(caught.value))
    assert "200 problems of one kind" in page.text
    assert page.text.count("pasted text") == 1
    assert "pasted text, lines 1–200: calls: expected a list of calls, got null" in page.text


def test_what_was_read_is_told_before_publishing() -> None:
    rows = [json.loads(line) for line in trace_lines("m", 4).splitlines()[:6]]
    rows[0]["tool_calls"] = [
        {"function": {**call, "arguments": json.dumps(call["arguments"])}}
        for call in rows[0].pop("calls")
    ]
    rows[1]["calls"][0]["arguments"] = "{broken"
    rows[5] |= {"error": {"kind": "rate_limit", "message": "slow down"}}
    draft = read_upload("".join(f"{json.dumps(row)}\n" for row in rows), SUITE)
    calls = sum(len(task.steps) for task in SUITE.tasks[:4])
    whole, *others = draft.taken.sentences()
    assert whole == (
        f"Read 6 rows with {calls} calls: 6 of 8 tasks, one answer each (Single call 2 of 2, "
        "Chain 2 of 2, Parallel 2 of 2, Graph 0 of 2)."
    )
    assert others == [
        "The calls stand in “calls” of 5 rows and “tool_calls” of 1 row.",
        "1 row without a call.",
        "1 call with arguments that are no JSON object.",
        "1 row of failures at the provider.",
    ]
    page = ReadPage(draft_page(draft, SUITE)).text
    assert all(sentence in page for sentence in draft.taken.sentences())


def test_samples_and_models_are_counted() -> None:
    text = trace_lines("a", 8) + trace_lines("a", 8, sample=1) + trace_lines("b", 8)
    said = read_upload(text, SUITE).taken.sentences()[0]
    assert said.startswith("Read 24 rows with ")
    assert " by 2 models: 8 of 8 tasks, up to 2 answers each" in said


@pytest.mark.parametrize("suite", [SUITE, load_suite()], ids=["small", "published"])
def test_the_example_is_right_in_every_task_it_answers(tmp_path: Path, suite: object) -> None:
    assert isinstance(suite, type(SUITE))
    file = tmp_path / "example.jsonl"
    file.write_text(example_file(suite))
    draft = read_upload(file, suite)
    answered = [json.loads(line)["task_id"] for line in example_lines(suite)]
    assert len(answered) == ROWS
    solved = {row["task_id"] for row in draft.runs[0].scores["tasks"] if row["strict"]}
    assert solved == set(answered)
    assert not draft.secrets
    page = ReadPage(example(suite))
    assert all(line in page.text for line in example_lines(suite))
    assert "download/example.jsonl" in str(example(suite))
