"""Distinct mutated answers as a lab's rollouts: python -m tests.bench.rollouts --rows 1000000 --out FILE"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.task import Suite
from dataset_builder.tools import catalogue
from evaluator.traces.protocols import MAX_SAMPLES
from tests.differential.mutations import mutants


def rollouts(suite: Suite, rows: int, seed: int) -> Iterator[dict[str, Any]]:
    """So many rows over a suite, as many samples of a task as come; more models where they run out."""
    answers: Counter[str] = Counter()
    for number, (task, mutant) in enumerate(mutants(suite, catalogue(), rows, seed)):
        model, sample = divmod(answers[task.task_id], MAX_SAMPLES)
        answers[task.task_id] += 1
        usage = {"completion_tokens": 40 + number % 400}
        named = {"model": f"lab/model-{model}", "sample": sample, "usage": usage}
        yield mutant.trace.to_row() | named


def main() -> None:
    """Write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    with options.out.open("w", encoding="utf-8") as file:
        for row in rollouts(load_suite(), options.rows, options.seed):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
