"""Shows how a run goes: a live line in a terminal, plain lines elsewhere."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from evaluator.asking.pace import duration, pace
from evaluator.asking.rate_limits import Limits
from evaluator.asking.runner import State
from evaluator.scoring.metrics import SOLVED
from evaluator.scoring.text_tables import percent

REFRESH_S = 0.25
PLAIN_EVERY_S = 15.0


def status(state: State, limits: Limits) -> str:
    """Done, failed, waiting, asked again, cost, share solved and time left, on one line."""
    parts = [f"{state.done}/{state.total} done"]
    if state.failed:
        parts.append(f"{state.failed} failed")
    if limits.waiting:
        parts.append(f"{limits.waiting} waiting")
    if limits.retried:
        parts.append(f"{limits.retried} asked again")
    if state.cost_usd is None:
        parts.append("cost unknown")
    elif state.cost_usd:
        parts.append(f"${state.cost_usd:.4f}")
    if state.scores:
        solved = percent(sum(state.scores) / len(state.scores))
        parts.append(f"{SOLVED.name.lower()} {solved} %")
    left = state.total - state.done - state.failed
    known = pace(state.took_s, limits.concurrency)
    if known and left and state.ended is None and not state.interrupted:
        parts.append(f"{duration(known.seconds(left))} left")
    return ", ".join(parts)


@asynccontextmanager
async def shown(state: State, limits: Limits, stream: Any) -> AsyncIterator[None]:
    """Show the state on a text stream (standard error) while the body runs."""

    def line() -> str:
        return status(state, limits)

    if not stream.isatty():
        task = asyncio.create_task(_plain(line, stream))
    else:
        task = asyncio.create_task(_live(line, state))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        print(line(), file=stream, flush=True)


async def _plain(line: Any, stream: Any) -> None:
    while True:
        await asyncio.sleep(PLAIN_EVERY_S)
        print(line(), file=stream, flush=True)


async def _live(line: Any, state: State) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (BarColumn(bar_width=24), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        shown_task = bar.add_task(line(), total=state.total)
        while True:
            bar.update(shown_task, completed=state.done, description=line())
            await asyncio.sleep(REFRESH_S)
