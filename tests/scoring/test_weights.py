"""The sets of weights: each sums to one, and combines as worked by hand."""

import pytest

from evaluator.scoring.weights import ABLATION, DEFAULT, combine


def test_weights_sum_to_one() -> None:
    for level, weights in DEFAULT.items():
        assert sum(weights) == pytest.approx(1), level
    for name, configuration in ABLATION.items():
        assert set(configuration.weights) == {1, 2, 3}, name
        assert configuration.weights[1].data_flow == 0, name


@pytest.mark.parametrize(
    ("configuration", "level", "score"),
    [
        # sequence 0.8, arguments 0.6, data flow 0.4, completeness 0.2, economy 0.5
        ("default", 1, (0.40 * 0.8 + 0.35 * 0.6 + 0.25 * 0.2) / 2),
        ("default", 2, (0.35 * 0.8 + 0.35 * 0.6 + 0.15 * 0.4 + 0.15 * 0.2) / 2),
        ("default", 3, (0.30 * 0.8 + 0.30 * 0.6 + 0.25 * 0.4 + 0.15 * 0.2) / 2),
        ("uniform", 1, (0.8 + 0.6 + 0.2) / 6),
        ("uniform", 2, (0.8 + 0.6 + 0.4 + 0.2) / 8),
        ("sequence-heavy", 1, (0.60 * 0.8 + 0.20 * 0.6 + 0.20 * 0.2) / 2),
        ("sequence-heavy", 3, (0.50 * 0.8 + 0.20 * 0.6 + 0.15 * 0.4 + 0.15 * 0.2) / 2),
        ("args-heavy", 1, (0.20 * 0.8 + 0.60 * 0.6 + 0.20 * 0.2) / 2),
        ("args-heavy", 2, (0.15 * 0.8 + 0.55 * 0.6 + 0.15 * 0.4 + 0.15 * 0.2) / 2),
        ("completeness-heavy", 1, (0.20 * 0.8 + 0.20 * 0.6 + 0.60 * 0.2) / 2),
        ("completeness-heavy", 3, (0.15 * 0.8 + 0.15 * 0.6 + 0.15 * 0.4 + 0.55 * 0.2) / 2),
        ("data-flow-heavy", 1, (0.25 * 0.8 + 0.25 * 0.6 + 0.50 * 0.2) / 2),
        ("data-flow-heavy", 2, (0.15 * 0.8 + 0.15 * 0.6 + 0.55 * 0.4 + 0.15 * 0.2) / 2),
    ],
)
def test_weight_sets(configuration: str, level: int, score: float) -> None:
    weights = ABLATION[configuration].weights[level]
    assert combine(weights, 0.8, 0.6, 0.4, 0.2, 0.5) == pytest.approx(score)


def test_perfect_dimensions_give_exactly_one() -> None:
    for configuration in ABLATION.values():
        for weights in configuration.weights.values():
            assert combine(weights, 1, 1, 1, 1, 1) == 1
            assert combine(weights, 1, 1, None, 1, 1) == 1
