"""How long intervals, paired tests and ranks take."""

from pathlib import Path

import numpy as np

from dataset_builder.published.load_suite import load_suite
from evaluator.comparing.leaderboard import ranked
from evaluator.comparing.results import Result
from evaluator.comparing.significance_tests import differences
from evaluator.comparing.statistics import score_intervals
from tests.bench.measure import Measure, Work
from tests.scoring.null_model import null_result


def _runs(count: int) -> list[Result]:
    """Runs of all skills with the same rows."""
    result = null_result(load_suite(), 1)
    return [_altered(result, number) for number in range(count)]


def _altered(result: Result, number: int) -> Result:
    generator = np.random.default_rng(number)
    skill = generator.uniform(0.2, 1)
    rows = [
        {**row, "score": row["score"] * (generator.random() < skill)}
        for row in result.scores["tasks"]
    ]
    scores = {**result.scores, "tasks": rows, "overall": float(np.mean([r["score"] for r in rows]))}
    return Result(f"run-{number}", scores, {}, result.templates)


def _intervals(folder: Path) -> Work:
    runs = _runs(1)
    return lambda: score_intervals(runs)


def _pairs(folder: Path) -> Work:
    runs = _runs(30)
    return lambda: differences(runs)


def _ranks(folder: Path) -> Work:
    runs = _runs(1_000)
    return lambda: ranked(runs)


MEASURES = (
    Measure("bootstrap intervals of a run", _intervals),
    Measure("paired tests of 30 runs (435 pairs)", _pairs),
    Measure("ranks of 1,000 runs", _ranks, rounds=2),
)
