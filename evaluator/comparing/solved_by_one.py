"""Which tasks only one of several runs solves."""

from collections.abc import Sequence

import numpy as np

from evaluator.comparing.results import Result
from evaluator.comparing.score_array import score_array
from evaluator.scoring.metrics import SOLVED


def solved_by_one(results: Sequence[Result]) -> dict[str, int]:
    """Task id → number of the only result all of whose samples are strict passes.

    Over the tasks that all results have, in their order; InputError where there is none.
    """
    scores = score_array(results)
    passed = scores.of(SOLVED.key).values[:, :, 0] == 1
    return {
        task: int(np.argmax(passes))
        for task, passes in zip(scores.tasks, passed, strict=True)
        if passes.sum() == 1
    }
