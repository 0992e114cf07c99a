"""Speed of the statistics, for `python -m tests.bench`: nothing here passes or fails."""

import time
from collections.abc import Callable

import numpy as np
import pandas  # noqa: F401  (its import is not what is measured)

from dataset_builder.published.load_suite import load_suite
from evaluator.comparing.leaderboard import ranked
from evaluator.comparing.results import Result
from evaluator.comparing.significance_tests import differences
from evaluator.comparing.statistics import score_intervals
from tests.scoring.null_model import null_result


def measure() -> dict[str, float]:
    """Seconds of processor time: intervals of one run (cold and warm), 435 pairs, a board of 1,000 runs."""
    result = null_result(load_suite(None), 1)
    runs = [_altered(result, number) for number in range(1_000)]
    return {
        "intervals of a run, cold": _seconds(lambda: score_intervals([result])),
        "intervals of a run, warm": _seconds(lambda: score_intervals([result])),
        "435 pairs of 30 runs": _seconds(lambda: differences(runs[:30])),
        "rank of 1,000 runs": _seconds(lambda: ranked(runs)),
    }


def _altered(result: Result, number: int) -> Result:
    """A run of another skill with the same rows."""
    generator = np.random.default_rng(number)
    skill = generator.uniform(0.2, 1)
    rows = [
        {**row, "score": row["score"] * (generator.random() < skill)}
        for row in result.scores["tasks"]
    ]
    scores = {**result.scores, "tasks": rows, "overall": float(np.mean([r["score"] for r in rows]))}
    return Result(f"run-{number}", scores, {}, result.templates)


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    """Measure and print."""
    for name, seconds in measure().items():
        print(f"{name:27} {seconds:8.3f} s")


if __name__ == "__main__":
    main()
