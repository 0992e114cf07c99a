"""The record of blind solving: the answers on file still score what docs/validation.md says."""

from pathlib import Path

import pytest

from dataset_builder.engine import CompositionEngine
from dataset_builder.tools import catalogue
from evaluator.offline import score_files

FOLDER = Path(__file__).parents[1] / "docs" / "validation"


@pytest.mark.parametrize(("seed", "tasks"), [(42, 200), (1001, 60), (2002, 60)])
def test_the_readers_answers_pass_the_suite_as_it_is_now(seed: int, tasks: int) -> None:
    suite = CompositionEngine(seed).generate_suite()
    runs = score_files([FOLDER / f"seed-{seed}.jsonl"], suite, catalogue(), allow_partial=True)
    scores = runs[0].scores
    assert scores["n_tasks"] == tasks
    assert scores["strict"] >= 0.98
