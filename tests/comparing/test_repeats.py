from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.comparing.repeats import all_pass, any_pass, pass_rates
from tests.comparing.score_arrays import by, result_of


@given(st.lists(st.booleans(), min_size=1, max_size=8), st.integers(1, 8))
def test_the_estimators_are_means_over_all_choices_of_k_samples(passed: list[bool], k: int) -> None:
    if k > len(passed):
        return
    chosen = list(combinations(passed, k))
    n, c = len(passed), sum(passed)
    assert all_pass(n, c, k) == pytest.approx(float(Fraction(sum(map(all, chosen)), len(chosen))))
    assert any_pass(n, c, k) == pytest.approx(float(Fraction(sum(map(any, chosen)), len(chosen))))


def test_pass_rates() -> None:
    passed = {"a": (1, 1, 0), "b": (0, 0, 0), "c": (1, 1, 1), "d": (1, 0, 0)}
    rows = [
        {"task_id": task, "level": 0, "sample": i, "score": float(one)}
        for task, samples in passed.items()
        for i, one in enumerate(samples)
    ]
    rates = by(pass_rates([result_of("run", rows)]), "estimate", "k")
    values = {key: row["value"] for key, row in rates.items()}
    hat = {("pass^k", 1): 0.5, ("pass^k", 2): 1 / 3, ("pass^k", 3): 0.25}
    at = {("pass@k", 1): 0.5, ("pass@k", 2): 2 / 3, ("pass@k", 3): 0.75}
    assert values == pytest.approx(hat | at)
    assert {row["n"] for row in rates.values()} == {4}
    assert all(row["low"] <= row["value"] <= row["high"] for row in rates.values())


def test_only_as_many_samples_as_every_task_has() -> None:
    rows = [
        {"task_id": task, "level": 0, "sample": i, "score": 1.0}
        for task, n in (("a", 3), ("b", 2))
        for i in range(n)
    ]
    assert sorted(set(pass_rates([result_of("run", rows)])["k"])) == [1, 2]
