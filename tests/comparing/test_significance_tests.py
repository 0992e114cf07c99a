from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dataset_builder.errors import InputError
from evaluator.comparing.mcnemar import mcnemar
from evaluator.comparing.ranking import rank_ranges
from evaluator.comparing.score_array import Floats, Indices, score_array
from evaluator.comparing.significance_tests import (
    beyond_chance,
    differences,
    holm,
    is_significant,
    sign_tests,
    strict_tests,
)
from tests.comparing.score_arrays import LEVELS, array_of, by, result_of, rows_of, suite_clusters

SUITES = 60

# Items that one gets right and the other does not, and the two-sided exact p.
DISCORDANT = [
    (0, 0, 1.0),
    (1, 0, 1.0),
    (5, 0, 0.0625),
    (0, 6, 0.03125),
    (8, 2, 0.109375),
    (3, 3, 1.0),
]


@pytest.mark.parametrize(("gained", "lost", "p"), DISCORDANT)
def test_mcnemar(gained: int, lost: int, p: float) -> None:
    one = {n: n >= gained for n in range(gained + lost + 4)}
    other = {n: n < gained or n >= gained + lost for n in range(gained + lost + 4)}
    assert mcnemar(one, other) == pytest.approx(p)


@given(st.integers(0, 1_100), st.integers(0, 300))
def test_mcnemar_agrees_with_scipy(gained: int, lost: int) -> None:
    one = {n: n >= gained for n in range(gained + lost)}
    other = {n: n < gained for n in range(gained + lost)}
    theirs = stats.binomtest(gained, gained + lost).pvalue if gained + lost else 1.0
    assert mcnemar(one, other) == pytest.approx(theirs, abs=1e-12)


# Raw p values and what Holm makes of them, by hand.
HOLM = [
    ([], []),
    ([0.04], [0.04]),
    ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
    ([0.5, 0.9, 0.001], [1.0, 1.0, 0.003]),
    ([0.01, 0.01, 0.05], [0.03, 0.03, 0.05]),
]


@pytest.mark.parametrize(("raw", "adjusted"), HOLM)
def test_holm(raw: list[float], adjusted: list[float]) -> None:
    assert holm(raw) == pytest.approx(adjusted)


@given(st.lists(st.floats(0, 1), max_size=30))
def test_holm_is_the_closed_test_of_bonferroni(raw: list[float]) -> None:
    """Adjusted p = the greatest, over those no larger, of p times how many are at least as large."""
    order = np.argsort(raw, kind="stable")
    running = np.maximum.accumulate([(len(raw) - i) * raw[j] for i, j in enumerate(order)])
    expected = np.empty(len(raw))
    expected[order] = np.minimum(1, running)
    assert holm(raw) == pytest.approx(expected.tolist())


def test_differences_of_three_runs() -> None:
    generator = np.random.default_rng(3)
    base = generator.random(200)
    runs = [
        result_of("same", rows_of(base)),
        result_of("twin", rows_of(base)),
        result_of("worse", rows_of(np.clip(base - 0.1, 0, 1))),
    ]
    rows = by(differences(runs), "a", "b", "metric", "quantity")
    assert len(rows) == 3 * 3 * 7
    nothing = rows["same", "twin", "weighted", "overall"]
    assert nothing["difference"] == pytest.approx(0)
    assert (nothing["differing"], nothing["significant"]) == (0, False)
    unknown = [nothing[name] for name in ("low", "high", "detectable")]
    assert np.isnan(unknown).all(), "where nothing differs nothing is known of the spread"
    better = rows["same", "worse", "weighted", "overall"]
    assert better["difference"] == pytest.approx((base - np.clip(base - 0.1, 0, 1)).mean())
    assert 0 < better["low"] < better["difference"] < better["high"]
    assert better["significant"]
    level = rows["same", "worse", "weighted", "L2"]
    loss = (base - np.clip(base - 0.1, 0, 1))[LEVELS == 2]
    assert (level["n"], level["difference"]) == (40, pytest.approx(loss.mean()))
    assert level["detectable"] == pytest.approx(2.8016 * loss.std(ddof=1) / np.sqrt(40), rel=0.3)


def test_a_paired_interval_is_shorter_than_two_independent_ones() -> None:
    generator = np.random.default_rng(4)
    difficulty = generator.random(200)
    noisy = [np.clip(difficulty + generator.normal(0, 0.05, 200), 0, 1) for _ in range(2)]
    runs = [result_of(f"run-{i}", rows_of(scores)) for i, scores in enumerate(noisy)]
    row = by(differences(runs, ["overall"]), "metric")["weighted"]
    unpaired = 1.96 * np.sqrt(sum(scores.var() / 200 for scores in noisy))
    assert (row["high"] - row["low"]) / 2 < unpaired / 3


def test_few_differing_templates_claim_nothing() -> None:
    """Five tasks won and none lost: the resamples are sure, but an exact test would not be."""
    base = np.zeros(200)
    for won, claimed in ((5, False), (6, True)):
        better = base.copy()
        better[:won] = 1
        runs = [result_of("a", rows_of(better)), result_of("b", rows_of(base))]
        row = by(differences(runs, ["overall"]), "metric")["weighted"]
        assert row["low"] > 0
        assert row["differing"] == won
        assert row["significant"] is claimed
    assert not is_significant(-0.1, 0.1, 100)
    assert is_significant(-0.2, -0.1, 100)


# Differences of templates, and p of their sum by counting the signs.
SIGNS = [
    ([], 1.0),
    ([1.0], 1.0),
    ([1.0] * 5, 2 / 2**5),
    ([1.0] * 6, 2 / 2**6),
    ([1.0] * 7 + [-1.0], 2 * 9 / 2**8),
    ([2.0, 1.0, 1.0], 2 / 2**3),
    ([1 / 3, 2 / 3, -1.0], 1.0),
    ([1 / 3, 2 / 3, 1.0, 0.0], 2 / 2**3),
]


@pytest.mark.parametrize(("sums", "p"), SIGNS)
def test_signs(sums: list[float], p: float) -> None:
    assert sign_tests(np.array(sums)[:, None]) == pytest.approx(p)


@given(st.lists(st.integers(-4, 4), max_size=9))
def test_signs_are_counted(thirds: list[int]) -> None:
    found = [sum(s * t for s, t in zip(way, thirds, strict=True)) for way in signs(len(thirds))]
    expected = np.mean([abs(total) >= abs(sum(thirds)) for total in found])
    sums = np.array(thirds) / 3
    assert sign_tests(sums[:, None]) == pytest.approx(expected)
    assert beyond_chance(sums[:, None]).tolist() == [expected <= 0.05]


def signs(number: int) -> list[tuple[int, ...]]:
    return list(product((-1, 1), repeat=number))


@given(st.integers(0, 60), st.integers(0, 60))
def test_of_single_tasks_the_signs_are_those_of_mcnemar(gained: int, lost: int) -> None:
    one = {n: n >= gained for n in range(gained + lost)}
    other = {n: n < gained for n in range(gained + lost)}
    sums = np.array([1.0] * gained + [-1.0] * lost)
    assert sign_tests(sums[:, None]) == pytest.approx(mcnemar(one, other))


def test_of_solved_tasks_an_interval_alone_claims_nothing() -> None:
    """Seven tasks to one: the interval is clear of 0, and chance does it in 7 of 100 comparisons."""
    one, other = np.zeros(200), np.zeros(200)
    one[:7], other[7] = 1, 1
    runs = [result_of("a", rows_of(one)), result_of("b", rows_of(other))]
    rows = by(differences(runs, ["overall"]), "metric")
    assert rows["strict"]["low"] > 0
    assert rows["strict"]["differing"] == 8
    assert {metric: bool(row["significant"]) for metric, row in rows.items()} == {
        "strict": False,
        "step": True,
        "weighted": True,
    }
    assert rank_ranges(score_array(runs), "strict").first.tolist() == [1, 1]


def test_gaps_are_claimed_in_calls_right_alone() -> None:
    better = np.where(LEVELS == 0, 1.0, 0.2)
    runs = [result_of("a", rows_of(better)), result_of("b", rows_of(np.full(200, 0.2)))]
    rows = by(differences(runs, ["selection_gap", "delta_l0_l3"]), "metric", "quantity")
    claims = {(metric, row["significant"]) for (metric, _), row in rows.items()}
    assert claims == {("strict", None), ("step", True), ("weighted", None)}


def equally_good(
    chances: Floats, shared: float, samples: int, clusters: Indices, generator: np.random.Generator
) -> Floats:
    """Shares of solved samples: tasks × 24 runs of one skill, which copy one another now and then."""
    size = (len(clusters), 24, samples)
    chance = chances[clusters][:, None, None]
    common = generator.random((len(clusters), 1, samples)) < chance
    solved = generator.random(size) < chance
    return np.where(generator.random(size) < shared, common, solved).mean(axis=2)


SAME = [(0.5, 0.0), (0.5, 0.9), (0.9, 0.0), (0.9, 0.5), ("uneven", 0.0), ("all or nothing", 0.0)]
"""Skill at each template, and how often a run answers as the others do."""


@pytest.mark.slow
@pytest.mark.parametrize("tasks_a_template", ["as in seed 42", "four"])
@pytest.mark.parametrize("samples", [1, 3])
@pytest.mark.parametrize(("skill", "shared"), SAME)
def test_of_equally_good_runs_one_in_twenty_is_called_better(
    tasks_a_template: str, samples: int, shared: float, skill: float | str
) -> None:
    clusters = suite_clusters() if tasks_a_template == "as in seed 42" else np.arange(200) // 4
    generator = np.random.default_rng(11)
    templates = int(clusters.max()) + 1
    rates = []
    for _ in range(SUITES):
        if isinstance(skill, str):
            shape = {"uneven": 0.5, "all or nothing": 0.1}[skill]
            chances = generator.beta(shape, shape, templates)
        else:
            chances = np.full(templates, skill)
        values = equally_good(chances, shared, samples, clusters, generator)
        scores = array_of(np.repeat(values[:, :, None], 3, axis=2), clusters=clusters)
        rates.append((rank_ranges(scores, "strict").first - 1).sum() / (24 * 23 / 2))
    rate, error = np.mean(rates), np.std(rates) / np.sqrt(SUITES)
    assert rate <= 0.05 + 2 * error, (rate, error)


def test_strict_tests() -> None:
    one = [1.0] * 10 + [0.0] * 10
    other = [1.0] * 2 + [0.0] * 8 + [1.0] + [0.0] * 9
    levels = np.zeros(20, dtype=int)
    runs = [result_of("a", rows_of(one, levels)), result_of("b", rows_of(other, levels))]
    rows = by(strict_tests([*runs, result_of("c", rows_of(one, levels))]), "a", "b")
    row, p = rows["a", "b"], stats.binomtest(1, 9).pvalue
    assert (row["n"], row["only_a"], row["only_b"]) == (20, 8, 1)
    assert (row["p"], row["p_holm"]) == pytest.approx((p, 3 * p))
    assert rows["a", "c"]["p_holm"] == 1


def test_a_task_is_passed_where_all_its_samples_are() -> None:
    twice = [
        {"task_id": "t", "level": 0, "sample": sample, "score": score}
        for sample, score in ((0, 1.0), (1, 0.0))
    ]
    once = [{"task_id": "t", "level": 0, "score": 1.0}]
    row = by(strict_tests([result_of("a", once), result_of("b", twice)]), "a")["a"]
    assert (row["only_a"], row["only_b"]) == (1, 0)


def test_runs_without_a_common_task_are_refused() -> None:
    runs = [result_of(name, [{"task_id": name, "level": 0, "score": 1.0}]) for name in "ab"]
    with pytest.raises(InputError, match="no task in common"):
        differences(runs)


def test_every_pair_stands_once() -> None:
    runs = [result_of(name, rows_of([1.0, 0.0], np.array([0, 0]))) for name in "dacb"]
    rows = strict_tests(runs)
    assert list(zip(rows["a"], rows["b"], strict=True)) == list(combinations("dacb", 2))


def test_no_interval_reaches_beyond_what_can_be() -> None:
    """With two templates a level, resamples are spread far."""
    right = np.arange(200) % 2 == 0
    templates = [{"template": f"template {number % 2}"} for number in range(200)]
    one, other = (
        [row | template for row, template in zip(rows_of(scores), templates, strict=True)]
        for scores in (right.astype(float), 1.0 - right)
    )
    rows = differences([result_of("one", one), result_of("other", other)])
    single = rows["quantity"].isin(["L0", "L1", "L2", "L3", "overall"])
    assert (rows[single]["low"].min(), rows[single]["high"].max()) == (-1, 1)
    assert (rows[~single]["low"].min(), rows[~single]["high"].max()) == (-2, 2)
