import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr

from dataset_builder.errors import InputError
from dataset_builder.published.load_suite import load_suite
from evaluator.comparing.ablation import (
    ablation,
    ablation_text,
    ablations,
    rescored,
    spearman,
    with_configurations,
)
from evaluator.scoring.weights import ABLATION, DEFAULT, Configuration
from tests.comparing.score_arrays import by, result_of
from tests.scoring.null_model import null_result

ROOT = Path(__file__).parents[2]
SUITE = load_suite(None)
RUNS = [null_result(SUITE, seed, skill=0.2 + 0.1 * seed) for seed in range(8)]

LEVEL_3 = {"level": 3, "sequence": 1.0, "arguments": 0.5, "data_flow": 0.0, "completeness": 1.0}
CHAIN = {"level": 1, "sequence": 0.5, "arguments": 0.25, "data_flow": 1.0, "completeness": 1.0}
NO_EDGES = {"level": 2, "sequence": 1.0, "arguments": 0.0, "data_flow": None, "completeness": 1.0}
# Rows of tasks and their scores in the order of the configurations, by hand.
RESCORED = [
    (LEVEL_3, 1.0, [0.6, 0.625, 0.75, 0.575, 0.775, 0.375, 1, 0]),
    (LEVEL_3, 0.8, [0.48, 0.5, 0.6, 0.46, 0.62, 0.3, 0, 0]),
    (CHAIN, 1.0, [0.5375, 1.75 / 3, 0.55, 0.45, 0.75, 0.6875, 1, 0]),
    (NO_EDGES, 1.0, [0.5 / 0.85, 2 / 3, 0.65 / 0.85, 0.3 / 0.85, 0.7 / 0.85, 0.3 / 0.45, 1, 0]),
    ({"level": 0, "score": 1.0}, 1.0, [1] * 8),
]


@pytest.mark.parametrize(("row", "economy", "scores"), RESCORED)
def test_rescored(row: dict[str, Any], economy: float, scores: list[float]) -> None:
    found = [
        rescored({**row, "economy": economy}, configuration) for configuration in ABLATION.values()
    ]
    assert found == pytest.approx(scores)


def test_a_score_at_the_threshold_reaches_it() -> None:
    row = {"level": 1, "sequence": 1, "arguments": 0.4, "data_flow": 1, "completeness": 0.64}
    at = Configuration(DEFAULT, 0.70)
    assert rescored({**row, "economy": 1.0}, at) == 1
    assert rescored({**row, "economy": 0.999}, at) == 0


def test_the_default_is_what_was_scored() -> None:
    scores = with_configurations(RUNS[:2])
    for run, result in enumerate(RUNS[:2]):
        scored = [row["score"] for row in result.scores["tasks"]]
        assert np.allclose(scores.values[:, run, 0], scored)


def test_the_ablation_of_eight_runs() -> None:
    rows = by(ablation(RUNS), "configuration")
    assert list(rows) == list(ABLATION)
    default = rows["default"]
    assert default["rho"] == pytest.approx(1)
    assert {row["models"] for row in rows.values()} == {8}
    overall = with_configurations(RUNS).values.mean(axis=0)
    solved = [result.scores["strict"] for result in RUNS]
    for i, row in enumerate(rows.values()):
        theirs = spearmanr(overall[:, 0], overall[:, i])
        assert (row["rho"], row["p"]) == pytest.approx((theirs.statistic, theirs.pvalue))
        theirs = spearmanr(solved, overall[:, i])
        assert row["rho_solved"] == pytest.approx(theirs.statistic)
    gaps = [result.scores["selection_gap"]["weighted"] for result in RUNS]
    assert default["gap"] == pytest.approx(np.mean(gaps))
    assert default["models_with_gap"] == sum(gap > 0 for gap in gaps)
    assert default["low"] > 0


def test_a_gap_that_a_threshold_makes_is_gone_at_another() -> None:
    """Calls of which half are right: partial credit passes one threshold and not the other."""
    dimensions = {"sequence": 1.0, "arguments": 0.5, "data_flow": 0.0, "completeness": 1.0}
    rows = [
        {"task_id": f"t{i}", "level": i % 4, "score": float(i % 4 > 0 or i < 20), **dimensions}
        for i in range(80)
    ]
    rows = [{**row, "economy": 1.0} for row in rows]
    table = by(ablation([result_of("a", rows), result_of("b", rows)]), "configuration")
    assert table["default"]["low"] > 0
    assert table["binary-0.50"]["gap"] == pytest.approx(1 - 5 / 20)
    # Of the levels above 0 only the chain still reaches 0.70.
    assert table["binary-0.70"]["gap"] == pytest.approx(1 / 3 - 5 / 20)
    assert table["binary-0.70"]["low"] < 0


def test_a_correlation_that_is_undefined_is_none() -> None:
    assert np.isnan(spearman(np.array([1.0, 2.0]), np.array([1.0, 2.0]))).all()
    assert np.isnan(spearman(np.array([1.0, 2.0, 3.0]), np.ones(3))).all()
    tables = ablations(RUNS[:1])
    assert tables[0]["configurations"][0]["rho"] is None
    assert json.loads(json.dumps(tables, allow_nan=False)) == tables


@pytest.mark.parametrize("models", [3, 4, 9, 40])
@pytest.mark.parametrize("digits", [1, 12])
def test_correlations_are_those_of_scipy_to_the_bit(models: int, digits: int) -> None:
    generator = np.random.default_rng(models)
    one = generator.random(models).round(digits)
    others = [one, -one, generator.random(models).round(digits), one + generator.random(models)]
    for other in others:
        theirs = spearmanr(one, other.round(12))
        assert spearman(one, other) == (theirs.statistic, theirs.pvalue)


def test_signatures_stand_apart_and_control_runs_are_left_out() -> None:
    hinted = replace(RUNS[0], about={"wording": "tool_hinted"})
    other = {**RUNS[2].scores, "signature": "another"}
    tables = ablations([RUNS[1], hinted, replace(RUNS[2], scores=other)])
    assert [len(group["runs"]) for group in tables] == [1, 1]
    text = ablation_text(tables)
    assert text.count("configuration") == 2
    assert "binary-0.70" in text
    # The weighted gap is the paper's number, and gets no verdict.
    assert "persists" not in text
    assert "Only a gap in calls right is evidence" in text
    with pytest.raises(InputError, match="control runs only"):
        ablations([hinted])


def test_without_scipy_one_sentence_says_what_to_install() -> None:
    code = (
        "import sys\n"
        "sys.modules['scipy'] = None\n"
        "from evaluator.comparing.ablation import ablations\n"
        "from tests.comparing.score_arrays import result_of\n"
        "rows = [[dict(level=0, task_id='t', score=score)] for score in (0.0, 0.5, 1.0)]\n"
        "ablations([result_of(name, row) for name, row in zip('abc', rows)])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (
        "InputError: the ablation needs SciPy: pip install 'comptoolbench[report]'" in done.stderr
    )
