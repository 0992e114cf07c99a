"""The figure of docs/horizon.md: simulated agents on the ladder.

`python -m tests.horizon.figure docs/horizon.svg` draws it anew.
"""

import sys
from pathlib import Path

from evaluator.report.build import render
from evaluator.report.horizon_section import horizon_sections
from tests.horizon.coverage import doubling, independent_errors
from tests.samples.horizon_runs import horizon_result

AGENTS = {
    "never wrong": independent_errors(1.0),
    "wrong in 1 of 100 calls": independent_errors(0.99),
    "wrong in 3 of 100 calls": independent_errors(0.97),
    "wrong in 1 of 10 calls": independent_errors(0.9),
    "worse as it goes": doubling(0.003),
}
"""The last one is wrong in 3 of 1,000 calls at first, and twice as often every 32 calls."""


def svg() -> str:
    """The figure as it stands in the documentation."""
    (section,) = horizon_sections([horizon_result(name, r) for name, r in AGENTS.items()])
    return render(section.figures[0])[0]


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(svg(), encoding="utf-8", newline="\n")
