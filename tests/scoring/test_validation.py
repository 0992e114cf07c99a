"""The record of blind solving: the answers on file still score what docs/validation.md says."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from dataset_builder.procedures.rungs import rung
from dataset_builder.tasks.engine import COUNTS, CompositionEngine
from dataset_builder.tasks.task import Suite
from dataset_builder.tasks.templates import templates
from dataset_builder.tools import catalogue
from evaluator.scoring.score import Scorer, score_task
from evaluator.scoring.score_traces import score_files
from evaluator.traces.trace import Trace
from evaluator.traces.trace_reader import read_traces

FOLDER = Path(__file__).parents[2] / "docs" / "validation"


WORDINGS = 3005
SEEDS = {42: COUNTS, 1001: COUNTS, 2002: COUNTS, WORDINGS: (3000, 2000, 1500, 2000)}


MULTI_TURN = 4107
PROCEDURES = 8231
SEEDS_OF_ALL = SEEDS | {MULTI_TURN: COUNTS}


@cache
def suite_of(seed: int) -> Suite:
    return CompositionEngine(seed, counts=SEEDS_OF_ALL[seed]).generate_suite()


@pytest.mark.parametrize(("seed", "tasks"), [(42, 200), (1001, 60), (2002, 60), (WORDINGS, 926)])
def test_the_readers_answers_pass_the_suite_as_it_is_now(seed: int, tasks: int) -> None:
    answers = [FOLDER / f"seed-{seed}.jsonl"]
    scores = score_files(answers, suite_of(seed), Scorer(catalogue()), allow_partial=True)[0].scores
    assert scores["n_tasks"] == tasks
    assert scores["strict"] == 1


def test_what_readers_typed_from_real_outputs_passes() -> None:
    answers = FOLDER / f"multi-turn-{MULTI_TURN}.jsonl"
    suite = suite_of(MULTI_TURN)
    scores = score_files([answers], suite, Scorer(catalogue()), allow_partial=True)[0].scores
    assert (scores["n_tasks"], scores["protocol"], scores["strict"]) == (69, "multi-turn", 1)
    traces = read_traces([answers])
    assert not any("{{" in json.dumps(call.arguments) for t in traces for call in t.calls)
    composed = [
        t.task_id for t in traces if any(step.match for step in suite.by_id[t.task_id].steps)
    ]
    assert len(composed) >= 30


def test_the_readers_answers_to_procedures_pass() -> None:
    lines = (FOLDER / f"horizon-{PROCEDURES}.jsonl").read_text("utf-8").splitlines()
    answers = [(row.pop("rung"), row) for row in map(json.loads, lines)]
    rungs = {calls: {t.task_id: t for t in rung(calls, PROCEDURES)} for calls, _ in answers}
    passed: dict[tuple[int, str], int] = {}
    for calls, row in answers:
        task = rungs[calls][row["task_id"]]
        assert len(task.steps) == calls
        assert score_task(task, Trace.from_row(row), catalogue()).strict, (calls, task.task_id)
        place = calls, task.metadata["dials"]["form"]
        passed[place] = passed.get(place, 0) + 1
    each = {4: 2, 8: 2, 16: 3, 32: 3, 64: 2}
    assert passed == {(n, form): count for n, count in each.items() for form in ("list", "prose")}


def test_the_wordings_of_all_templates_were_answered() -> None:
    prompts: dict[str, list[str]] = {}
    for seed in SEEDS:
        for trace in read_traces([FOLDER / f"seed-{seed}.jsonl"]):
            task = suite_of(seed).by_id[trace.task_id]
            prompts.setdefault(task.metadata["template"], []).append(task.prompt)
    wordings = [(t.name, wording) for t in templates() for wording in t.prompts]
    missing = [
        (name, wording)
        for name, wording in wordings
        if not any(is_worded(prompt, wording) for prompt in prompts.get(name, ()))
    ]
    # Nothing was missing when they were read. A new template takes tasks from others, so that a few
    # wordings may wait for the next readers.
    assert len(missing) <= 0.05 * len(wordings), missing


def is_worded(prompt: str, wording: str) -> bool:
    """Whether a prompt is a wording with its slots filled in; a slot may open the sentence."""
    fixed = re.split(r"\{[a-z0-9_.]+\}", wording)
    pattern = ".+?".join(map(re.escape, fixed))
    return re.fullmatch(pattern, prompt, re.DOTALL | re.IGNORECASE) is not None
