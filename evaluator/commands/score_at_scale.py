"""The streaming form of `comptoolbench score`: parts and a summary in a folder, progress on the way."""

import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

import click

from dataset_builder.tasks.task import Suite
from dataset_builder.visible_text import clean
from evaluator.asking.pace import duration
from evaluator.scale.score_files import score_files
from evaluator.scale.score_unit import Outcome
from evaluator.scale.summary import SUMMARY
from evaluator.scale.units import Unit
from evaluator.scoring.metrics import SCORES
from evaluator.scoring.text_tables import columns, percent

_PLAIN_EVERY_S = 15.0
_MOST_SHOWN = 20


def score_at_scale(
    inputs: Sequence[str], out: str, suite: Suite, engine: str, workers: int | None
) -> Mapping[str, Any]:
    """Score into a folder and tell how it goes; the summary."""
    progress = _Progress()
    try:
        summary = score_files(inputs, out, suite, engine, workers, progress)
    except KeyboardInterrupt:
        progress.end()
        done = f" after {progress.done} of {progress.total} units" if progress.total else ""
        click.echo(f"stopped{done}; the same command goes on from there", err=True)
        raise
    finally:
        progress.end()
    click.echo(
        f"{progress.done - progress.reused} of {progress.total} units scored now, "
        f"{progress.reused} were there",
        err=True,
    )
    return summary


class _Progress:
    """A line on standard error: rewritten in a terminal, a new one now and then elsewhere."""

    def __init__(self) -> None:
        self.done = self.total = self.reused = 0
        self._rows = self._size = self._read = 0
        self._began = self._told = time.monotonic()
        self._is_open = False

    def __call__(self, units: Sequence[Unit], number: int, outcome: Outcome) -> None:
        """A unit is done."""
        self.total = len(units)
        self._size = self._size or sum(unit.size for unit in units)
        self.done += 1
        if outcome.part and not outcome.is_new:
            self.reused += 1
            self._size -= units[number].size
        else:
            self._read += units[number].size
            self._rows += outcome.tally.rows
        self._tell()

    def _tell(self) -> None:
        now = time.monotonic()
        took = max(now - self._began, 1e-3)
        left = took * (self._size - self._read) / self._read if self._read else 0
        line = (
            f"{self.done}/{self.total} units, {self._rows:,} rows, {self._rows / took:,.0f} rows/s"
        )
        line += f", {duration(left)} left" if self._read else ""
        if sys.stderr.isatty():
            click.echo(f"\r{line}\033[K", err=True, nl=False)
            self._is_open = True
        elif now - self._told >= _PLAIN_EVERY_S:
            click.echo(line, err=True)
            self._told = now

    def end(self) -> None:
        """Leave the line, where one stands open."""
        if self._is_open:
            click.echo(err=True)
            self._is_open = False


def summary_text(summary: Mapping[str, Any], out: str) -> str:
    """The scores of each model, and where everything stands."""
    head = ["model", "rows", "tasks", *(metric.name for metric in SCORES.values()), "failed"]
    rows = [
        [
            clean(model, 60) or "unnamed model",
            f"{about['rows']:,}",
            str(about["tasks"]),
            *(percent(about[metric.field]) for metric in SCORES.values()),
            f"{about['infrastructure']:,}",
        ]
        for model, about in list(summary["models"].items())[:_MOST_SHOWN]
    ]
    more = len(summary["models"]) - len(rows)
    lines = [columns([head, *rows], right=range(1, len(head)))]
    lines += [f"and {more:,} more models"] if more else []
    parts = len(summary["parts"])
    in_parts = "1 part" if parts == 1 else f"{parts:,} parts"
    lines.append(f"\n{summary['rows']:,} rows in {in_parts}, {out}/{SUMMARY}")
    return "\n".join(lines)
