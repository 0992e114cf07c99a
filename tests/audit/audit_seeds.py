"""The audit over many seeds: `python -m tests.audit.audit_seeds 5000 5050` prints what is wrong with each.

About two seconds a seed; the exit code is 1 where there is a defect.
"""

import sys
from collections.abc import Iterator

from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tools import catalogue
from evaluator.audit import audit
from evaluator.audit.rules import Defect


def defects_of_seed(seed: int) -> Iterator[Defect]:
    """Everything that the audit finds in the 200 tasks of a seed."""
    return audit(CompositionEngine(seed).generate_suite(), catalogue())


def main(first: int, end: int) -> int:
    """Audit the seeds from ``first`` up to, not including, ``end``; how many defects there are."""
    defects = 0
    for seed in range(first, end):
        for defect in defects_of_seed(seed):
            defects += 1
            print(f"seed {seed}: {defect.rule} {defect.task_id}: {defect.detail}", flush=True)
    print(f"{end - first} seeds from {first} on: {defects} defects")
    return defects


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])) > 0)
