"""Both scorers on mutated answers: `python -m tests.differential --traces 100000 --seed 4107`.

Prints every disagreement, and exits with 1 where there is one.
"""

import argparse
import sys

from tests.differential.agreement import disagreements


def main() -> int:
    """Compare as many traces as told, from the suites of that seed and those after it."""
    parser = argparse.ArgumentParser(prog="tests.differential", description=__doc__.split(":")[0])
    parser.add_argument("--traces", type=int, default=100_000, help="how many (100000)")
    parser.add_argument("--seed", type=int, default=42, help="seed of the first suite (42)")
    told = parser.parse_args()
    found = 0
    for disagreement in disagreements(told.seed, told.traces):
        print(disagreement, flush=True)
        found += 1
    print(f"{told.traces:,} traces from seed {told.seed}: {found:,} disagreements")
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
