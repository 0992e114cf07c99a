import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import bootstrap

from dataset_builder.published.load_suite import load_suite
from evaluator.comparing.results import task_frame
from evaluator.comparing.score_array import score_array
from evaluator.comparing.statistics import (
    QUANTITIES,
    clustered_interval,
    contrasts,
    detectable,
    estimates,
    quantity_intervals,
    replicates,
    score_intervals,
    standard_errors,
)
from evaluator.intervals import small_sample_factor, wilson
from evaluator.scoring.metrics import METRICS, SCORES
from tests.comparing.score_arrays import LEVELS, array_of, by, suite_clusters
from tests.scoring.null_model import null_result

# Successes, tasks, and Wilson's bounds as roots of its quadratic equation.
WILSON = [
    (0, 48, 0.0, 0.07410),
    (21, 48, 0.30701, 0.57725),
    (48, 48, 0.92590, 1.0),
    (100, 200, 0.43136, 0.56864),
    (2.5, 10, 0.08095, 0.55782),
]


@pytest.mark.parametrize(("successes", "n", "low", "high"), WILSON)
def test_wilson(successes: float, n: int, low: float, high: float) -> None:
    interval = wilson(successes, n)
    assert interval.mean == successes / n
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=2e-5)


@given(st.integers(0, 300), st.integers(1, 300))
def test_wilson_agrees_with_scipy(successes: int, n: int) -> None:
    if successes > n:
        return
    theirs = stats.binomtest(successes, n).proportion_ci(0.95, method="wilson")
    assert wilson(successes, n)[1:] == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_the_bootstrap_agrees_with_scipy() -> None:
    values = np.random.default_rng(5).beta(2, 1, 150)
    theirs = bootstrap((values,), np.mean, method="percentile", random_state=1).confidence_interval
    ours = clustered_interval(values.tolist(), [str(i) for i in range(150)])
    assert ours.mean == pytest.approx(values.mean())
    assert ours[1:] == pytest.approx((theirs.low, theirs.high), abs=0.001)


def test_clusters_are_drawn_whole() -> None:
    """Four copies of each value in one cluster say no more than one of them."""
    values = np.random.default_rng(6).random(40)
    alone = clustered_interval(values.tolist(), [str(i) for i in range(40)])
    copied = clustered_interval(
        np.repeat(values, 4).tolist(), [str(i) for i in np.repeat(np.arange(40), 4)]
    )
    assert copied == pytest.approx(alone, abs=1e-9)
    as_if_independent = clustered_interval(
        np.repeat(values, 4).tolist(), [str(i) for i in range(160)]
    )
    assert as_if_independent.high - as_if_independent.low < 0.6 * (alone.high - alone.low)


def test_an_interval_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one value"):
        clustered_interval([], [])


def test_resampling_is_seeded() -> None:
    scores = array_of(np.random.default_rng(1).random((200, 2, 3)))
    first, again = (quantity_intervals(scores) for _ in range(2))
    assert all(np.array_equal(one, other) for one, other in zip(first, again, strict=True))


def test_quantities_are_those_of_the_score_json() -> None:
    result = null_result(load_suite(None), seed=3)
    rows = by(score_intervals([result]), "metric", "quantity")
    assert len(rows) == len(METRICS) * len(QUANTITIES)
    for metric in METRICS:
        for level in ("L0", "L1", "L2", "L3"):
            expected = result.scores["levels"][level]
            assert rows[metric, level]["value"] == pytest.approx(expected[SCORES[metric].field])
            assert rows[metric, level]["n"] == expected["n"]
        total = result.scores[SCORES[metric].total]
        assert rows[metric, "overall"]["value"] == pytest.approx(total)
        for quantity in ("selection_gap", "delta_l0_l3"):
            expected = result.scores[quantity][metric]
            assert rows[metric, quantity]["value"] == pytest.approx(expected)
    shares = ("L0", "L1", "L2", "L3", "overall")
    assert all(row["low"] <= row["value"] <= row["high"] for row in rows.values())
    for (_, quantity), row in rows.items():
        assert quantity not in shares or (row["low"] >= 0 and row["high"] <= 1)
    by_wilson = {key for key, row in rows.items() if row["method"] == "wilson"}
    assert by_wilson == {("weighted", "L0"), *(("strict", name) for name in shares)}


def test_the_frame_of_tasks_is_what_the_means_are_made_of() -> None:
    result = null_result(load_suite(None), seed=3)
    frame = task_frame([result])
    fields = [metric.field for metric in SCORES.values()]
    means = frame.groupby("task_id", sort=False)[fields].mean()
    assert np.allclose(means.to_numpy(float), score_array([result]).values[:, 0])


@given(st.integers(0, 2**32))
def test_resamples_lie_around_the_estimate_with_the_clustered_error(seed: int) -> None:
    scores = array_of(np.random.default_rng(seed).random((200, 1)))
    coefficients = contrasts(LEVELS)
    resamples = replicates(scores, coefficients, resamples=4_000)
    assert np.allclose(resamples.mean(axis=2), estimates(scores, coefficients), atol=0.01)
    ratio = resamples.std(axis=2) / standard_errors(scores, coefficients)
    assert np.all((ratio > 0.95) & (ratio < 1.12))


def test_an_empty_level_and_a_single_template_give_no_interval() -> None:
    levels = np.array([0, 0, 1, 1])
    scores = array_of(np.array([[1.0], [0.0], [0.5], [0.5]]), levels, np.array([0, 1, 2, 2]))
    value, low, high = (found[:, 0] for found in quantity_intervals(scores))
    known = dict(zip(QUANTITIES, value, strict=True))
    assert (known["L0"], known["L1"], known["overall"]) == (0.5, 0.5, 0.5)
    assert np.isnan([known["L2"], known["selection_gap"], known["delta_l0_l3"]]).all()
    has_interval = {name for name, end in zip(QUANTITIES, low, strict=True) if not np.isnan(end)}
    assert has_interval == {"L0"}
    assert np.array_equal(np.isnan(low), np.isnan(high))


@pytest.mark.parametrize("clusters", [5, 10, 31, 48, 200])
def test_the_small_sample_factor(clusters: int) -> None:
    exact = np.sqrt(clusters / (clusters - 1)) * stats.t.ppf(0.975, clusters - 1) / 1.959964
    assert small_sample_factor(clusters) == pytest.approx(exact, rel=0.01)
    assert np.isnan(small_sample_factor(1))


def test_the_detectable_difference_is_found_four_times_in_five() -> None:
    generator = np.random.default_rng(11)
    differences = generator.normal(detectable(1.0), 1.0, 100_000)
    assert (differences > 1.959964).mean() == pytest.approx(0.8, abs=0.005)


# Coverage: the share of suites in which the interval holds what a suite of endless templates would give.
SKILL = np.array([[0.45, 0.45, 0.45], [0.6, 0.5, 0.4], [0.7, 0.6, 0.4], [0.5, 0.45, 0.3]])


def coverage(suites: int, clusters: np.ndarray, resamples: int = 2_000) -> np.ndarray:
    """Quantities × metrics: how often the interval holds the truth, over simulated suites.

    Each template has a difficulty of its own; level-0 scores and strict passes are yes or no, a step
    score is a share of the level's calls, a weighted score anything in between.
    """
    generator = np.random.default_rng(2026)
    level_of = np.zeros(clusters.max() + 1, dtype=int)
    level_of[clusters] = LEVELS
    skill = SKILL[level_of][:, None]
    truth = contrasts(LEVELS) @ SKILL
    hits = np.zeros(truth.shape)
    for _ in range(suites // 100):
        size = (len(level_of), 100, 3)
        weighted, step, strict = np.moveaxis(generator.beta(2 * skill, 2 - 2 * skill, size), 2, 0)
        graded = generator.beta(4 * weighted[clusters] + 1e-9, 4 - 4 * weighted[clusters] + 1e-9)
        binary = generator.random(graded.shape) < weighted[clusters]
        calls = np.array([1, 2, 3, 5])[LEVELS][:, None]
        values = [
            np.where(LEVELS[:, None] == 0, binary, graded),
            generator.binomial(calls, step[clusters]) / calls,
            generator.random(graded.shape) < strict[clusters],
        ]
        scores = array_of(np.stack(values, axis=2).astype(float), clusters=clusters)
        _, low, high = quantity_intervals(scores, resamples)
        hits += ((low <= truth[:, None]) & (truth[:, None] <= high)).sum(axis=1)
    return hits / suites


@pytest.mark.slow
@pytest.mark.parametrize("tasks_a_template", ["as in seed 42", "four"])
def test_intervals_hold_the_truth_as_often_as_they_say(tasks_a_template: str) -> None:
    clusters = suite_clusters() if tasks_a_template == "as in seed 42" else np.arange(200) // 4
    share = coverage(4_000, clusters)
    lowest = 0.93 if tasks_a_template == "as in seed 42" else 0.92
    assert share.min() >= lowest, share.round(3)
    assert share.max() <= 0.97, share.round(3)
