"""Several runs read for a command: one that cannot be read is named, and the others are shown."""

from collections.abc import Collection, Sequence
from pathlib import Path

import click

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite
from evaluator.comparing.load_results import load_results
from evaluator.comparing.results import Result

_HELD = {"horizon": "procedures", "irrelevance": "requests without a call"}


def read_runs(
    paths: Sequence[Path], suite: Suite, *, apart: Collection[str] = ()
) -> tuple[list[Result], int]:
    """The results that can be read, and what the command exits with: 2 where others cannot, else 0.

    What is wrong with those goes to standard error, and so do runs that stand apart from levels 0 to 3
    unless their kind is wanted (``apart``, see `Result.apart`); InputError where nothing is left.
    """
    problems: list[str] = []
    loaded = load_results(paths, suite, problems.append)
    results = [result for result in loaded if result.apart in (None, *apart)]
    left_out = [
        f"{result.name}: holds {_HELD[result.apart]}, which stand apart from levels 0 to 3 and are left "
        "out here"
        for result in loaded
        if result.apart is not None and result.apart not in apart
    ]
    if not results:
        raise InputError("\n".join([*problems, *left_out]))
    for sentence in left_out:
        click.echo(f"comptoolbench: {sentence}", err=True)
    for problem in problems:
        click.echo(f"comptoolbench: {problem}", err=True)
    return results, 2 if problems else 0
