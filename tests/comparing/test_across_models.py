from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dataset_builder.published.load_suite import load_suite
from evaluator import paper
from evaluator.comparing.across_models import (
    mean_gaps,
    mean_over_models,
    model_table,
    regime_means,
    weights_of,
    with_gap,
)
from evaluator.comparing.results import Result
from evaluator.scoring.metrics import CALLS, SOLVED
from tests.comparing.score_arrays import by, result_of, rows_of
from tests.scoring.null_model import null_result

# Table 2's last four rows as printed.
AVERAGES = {
    "all": (41.6, 57.6, 72.8, 34.5, 51.2, 7.1),
    "frontier": (44.7, 56.9, 83.8, 35.0, 54.1, 9.7),
    "free_cloud": (40.0, 59.7, 80.5, 39.4, 54.3, 0.6),
    "local": (40.1, 55.8, 50.8, 27.8, 44.3, 12.3),
}
COLUMNS = ["L0", "L1", "L2", "L3", "overall", "delta_l0_l3"]


def published() -> pd.DataFrame:
    return with_gap(paper.table2())


def test_the_papers_gap() -> None:
    table = published()
    assert len(table) == 27
    assert (table["selection_gap"] > 0).sum() == 26
    assert (table["selection_gap"] > 0).tolist() == table["has_gap"].tolist()
    mean = mean_over_models(table["selection_gap"].tolist())
    assert 100 * mean.mean == pytest.approx(13.4, abs=0.05)
    assert (100 * mean.low, 100 * mean.high) == pytest.approx((9.5, 18.0), abs=0.3)


def test_the_papers_regimes() -> None:
    regimes = by(regime_means(published()), "regime")
    models = {regime: (row["models"], row["models_with_gap"]) for regime, row in regimes.items()}
    assert models == {"all": (27, 26), "frontier": (9, 9), "free_cloud": (10, 9), "local": (8, 8)}
    gaps = [100 * regimes[name]["selection_gap"] for name in ("frontier", "free_cloud", "local")]
    assert gaps == pytest.approx([13.9, 19.9, 4.7], abs=0.05)
    for regime, averages in AVERAGES.items():
        shown = [100 * regimes[regime][column] for column in COLUMNS]
        assert shown == pytest.approx(averages, abs=0.1)


def test_the_papers_overall_is_the_mean_over_tasks() -> None:
    table = paper.table2()
    over_tasks = table[["L0", "L1", "L2", "L3"]] @ np.array([48, 64, 40, 48]) / 200
    assert (over_tasks - table["overall"]).abs().max() < 0.0015


def test_the_papers_providers() -> None:
    """Section 5.6: the same weights at three providers, 20.5 points apart, 31.0 at level 2."""
    table = paper.table2()
    hosted = table[table["model"].map(weights_of) == "Llama 3.1 8B"]
    spread = hosted[["overall", "L2"]].max() - hosted[["overall", "L2"]].min()
    assert (100 * spread).tolist() == pytest.approx([20.5, 31.0])


def test_the_papers_other_tables() -> None:
    assert paper.table4()["models_with_gap"].tolist() == [9, 10, 9, 9, 9, 10, 10, 2]
    assert len(paper.table5()) == 27
    assert paper.table6()["accuracy"].tolist() == [0.438, 0.458, 0.604]


def test_the_equal_skill_model_shows_a_gap_in_all_scores_but_step() -> None:
    """Scores of calls alone prove nothing about composition (specification: Step and strict)."""
    suite = load_suite(None)
    found = mean_gaps([null_result(suite, seed) for seed in range(100, 112)])
    gaps = by(found, "metric", "resampled")
    assert gaps["weighted", "both"]["value"] == pytest.approx(0.20, abs=0.05)
    assert gaps["weighted", "both"]["low"] > 0.1
    assert gaps["strict", "both"]["value"] == pytest.approx(-0.35, abs=0.05)
    assert gaps["strict", "both"]["high"] < -0.2
    for resampled in ("models", "tasks", "both"):
        low, high = gaps["step", resampled]["low"], gaps["step", resampled]["high"]
        assert low < 0 < high
        assert high - low < 0.15


def runs_with(gaps: list[float], noise: float) -> list[Result]:
    """Runs whose composed tasks score so much more than their single ones."""
    generator = np.random.default_rng(9)
    difficulty = noise * generator.normal(size=200)
    is_single = np.arange(200) < 48
    return [
        result_of(f"run-{i}", rows_of(0.4 + difficulty + np.where(is_single, 0, gap)))
        for i, gap in enumerate(gaps)
    ]


def test_what_is_resampled_decides_the_interval() -> None:
    def widths(gaps: list[float], noise: float) -> dict[str, float]:
        means = by(mean_gaps(runs_with(gaps, noise)), "metric", "resampled")
        return {
            resampled: row["high"] - row["low"]
            for (metric, resampled), row in means.items()
            if metric == "weighted"
        }

    same_models = widths([0.1] * 8, 0.1)
    assert same_models["models"] == pytest.approx(0, abs=1e-9)
    assert same_models["both"] == pytest.approx(same_models["tasks"], rel=1e-6)
    same_tasks = widths([0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35], 0.0)
    assert same_tasks["tasks"] == pytest.approx(0, abs=1e-9)
    assert same_tasks["both"] == pytest.approx(same_tasks["models"], rel=1e-6)
    mixed = widths([0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35], 0.1)
    together = np.hypot(mixed["models"], mixed["tasks"])
    assert mixed["both"] == pytest.approx(together, rel=0.1)


WEIGHTS = [
    ("groq/llama-3.1-8b-instant", "Llama 3.1 8B"),
    ("cerebras/llama3.1-8b", "Llama 3.1 8B"),
    ("ollama_chat/llama3.1:8b", "Llama 3.1 8B"),
    ("openrouter/some/model-7b", "model-7b"),
    ("baseline:oracle", "baseline:oracle"),
]


@pytest.mark.parametrize(("model", "weights"), WEIGHTS)
def test_weights(model: str, weights: str) -> None:
    assert weights_of(model) == weights


def test_the_table_of_models() -> None:
    scores = rows_of(np.linspace(0, 1, 200))
    runs = [
        result_of("a", scores, model="openai/gpt-4o"),
        result_of("b", scores, model="own/model", about={"provider": "mine"}),
    ]
    table = model_table(runs, SOLVED)
    assert table["regime"].tolist()[0] == "frontier"
    assert table["model"].tolist() == ["GPT-4o", "own/model"]
    assert table["provider"].tolist() == ["OpenAI", "mine"]
    # A model without a regime counts among all.
    means = by(regime_means(table.assign(selection_gap=0.1)), "regime")
    assert {regime: row["models"] for regime, row in means.items()} == {"all": 2, "frontier": 1}


def test_a_run_of_one_level_has_no_gap() -> None:
    run = result_of("a", rows_of(np.ones(48), np.zeros(48, dtype=int)))
    scores = {**run.scores, "selection_gap": dict.fromkeys(("weighted", "step", "strict"))}
    assert np.isnan(mean_gaps([run])["value"]).all()
    means = regime_means(model_table([replace(run, scores=scores)], CALLS))
    assert means["models_with_gap"].tolist() == [0]
