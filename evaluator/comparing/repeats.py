"""Several samples a task: how often all of k succeed (pass^k), or at least one (pass@k)."""

from collections.abc import Sequence
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from evaluator.comparing.results import Result
from evaluator.comparing.score_array import score_array
from evaluator.comparing.statistics import QUANTITIES, quantity_intervals

if TYPE_CHECKING:
    import pandas as pd


def pass_rates(results: Sequence[Result]) -> "pd.DataFrame":
    """pass^k and pass@k of strict passes for each k that every task of a run has samples for.

    Columns: run, model, k, estimate ("pass^k" or "pass@k"), n (tasks), value, low, high (95 %,
    clustered). The estimators are unbiased: of n samples with c passes, k are drawn without replacement.
    """
    import pandas as pd

    rows = []
    for result in results:
        passes: dict[str, list[bool]] = {}
        for row in result.scores["tasks"]:
            passes.setdefault(row["task_id"], []).append(bool(row["strict"]))
        scores = score_array([result])
        counts = [(len(passes[task]), sum(passes[task])) for task in scores.tasks]
        for k in range(1, min(n for n, _ in counts) + 1):
            values = np.array([[all_pass(n, c, k), any_pass(n, c, k)] for n, c in counts])
            ends = quantity_intervals(scores.with_values(values))
            overall = [end[QUANTITIES.index("overall")] for end in ends]
            for i, name in enumerate(("pass^k", "pass@k")):
                interval = (float(end[i]) for end in overall)
                rows.append((result.name, result.model, k, name, len(counts), *interval))
    columns = ["run", "model", "k", "estimate", "n", "value", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def all_pass(n: int, passes: int, k: int) -> float:
    """The chance that k of a task's n samples, drawn without replacement, all pass."""
    return comb(passes, k) / comb(n, k)


def any_pass(n: int, passes: int, k: int) -> float:
    """The chance that at least one of k of a task's n samples passes."""
    return 1 - comb(n - passes, k) / comb(n, k)
