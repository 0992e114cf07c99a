"""Several runs read for a command: one that cannot be read is named, and the others are shown."""

from collections.abc import Sequence
from pathlib import Path

import click

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite
from evaluator.comparing.load_results import load_results
from evaluator.comparing.results import Result


def read_runs(paths: Sequence[Path], suite: Suite) -> tuple[list[Result], int]:
    """The results that can be read, and what the command exits with: 2 where others cannot, else 0.

    What is wrong with those goes to standard error; InputError where all are such.
    """
    problems: list[str] = []
    results = load_results(paths, suite, problems.append)
    if not results:
        raise InputError("\n".join(problems))
    for problem in problems:
        click.echo(f"comptoolbench: {problem}", err=True)
    return results, 2 if problems else 0
