"""The climb of the horizon's ladder: rung after rung into one run folder, until hardly anything is solved."""

import asyncio
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from dataset_builder.errors import InputError, why
from dataset_builder.procedures.rungs import PER_RUNG, RUNGS, rungs_to
from dataset_builder.published.load_suite import horizon_of
from dataset_builder.tasks.task import SEED, Suite, Task
from dataset_builder.tools import catalogue as benchmark_tools
from dataset_builder.tools.tool import Tool
from evaluator.asking.ask_suite import (
    check_context,
    describe_run,
    session_of,
    setting_of,
    state_of,
    watch,
)
from evaluator.asking.cost_estimate import Estimate, estimate, first_request_tokens
from evaluator.asking.pace import duration, pace
from evaluator.asking.rate_limits import Limits
from evaluator.asking.ready_model import Ready, ready_model
from evaluator.asking.run_folder import RunFolder, default_folder, left_to_ask
from evaluator.asking.run_options import RunOptions
from evaluator.asking.runner import Job, State
from evaluator.horizon.outcome import Outcome
from evaluator.scoring.horizon_section import cut_off_by, outcome_of_trace
from evaluator.scoring.score import score_task
from evaluator.traces.trace import Trace

FEWEST_ASKED = 6
"""With fewer answers a rung says too little for the climb to end at it."""
FEWEST_SOLVED = 0.1
"""Below this share of a rung solved the next one is not asked."""


class Ladder(NamedTuple):
    """Which procedures are asked: those of a seed, so many a rung, up to so many calls."""

    seed: int = SEED
    per_rung: int = PER_RUNG
    max_calls: int = RUNGS[-1]

    @property
    def sizes(self) -> dict[str, int]:
        """What the suite is made of beside its seed.

        One that ends sooner is a part of the published ladder, so that it can be climbed further.
        """
        longest = rungs_to(max(self.max_calls, RUNGS[-1]))[-1]
        return {"per_rung": self.per_rung, "longest": longest}

    @property
    def suite(self) -> Suite:
        """All its procedures."""
        return horizon_of(self.seed, **self.sizes)


@dataclass(frozen=True)
class Climbed:
    """How a climb ended: why, and whether going on would ask anything."""

    folder: Path
    end: str
    answers: int
    is_over: bool
    is_interrupted: bool = False

    @property
    def exit_code(self) -> int:
        """0 where the climb is over, 130 after Ctrl-C, else 1."""
        if self.is_over:
            return 0
        return 130 if self.is_interrupted else 1

    def summary(self) -> str:
        """What became of it, and how to go on."""
        if not self.answers:
            return f"{self.end}: nothing was written"
        kept = f"{self.folder}: {self.end}; {self.answers} answers"
        if self.is_over:
            return kept
        return f"{kept} are kept. The same command again goes on from there."


def climb(
    options: RunOptions,
    ladder: Ladder,
    out: Path | None,
    stream: TextIO,
    environment: Mapping[str, str] = os.environ,
) -> Climbed:
    """Climb the ladder from its shortest procedures, or go on where the folder's climb stopped.

    Says on ``stream`` what each rung will take before it is asked. Raises InputError before anything
    is written.
    """
    lengths, suite = rungs_to(ladder.max_calls), ladder.suite
    with ready_model(options, environment) as ready:
        name = default_folder(
            ready.label,
            options.protocol,
            options.catalogue,
            ready.calls,
            endpoint=options.endpoint,
        )
        description = describe_run(options, suite, ready, len(suite.tasks), None)
        described = {**description["suite"], "ladder": ladder.sizes}
        folder = out or name.with_name(f"{name.name}-horizon")
        session = session_of(options, ready)
        with closing(RunFolder(folder, {**description, "suite": described}, session)) as run:
            try:
                return _Climb(options, suite, ready, run, stream).up(lengths)
            except OSError as error:
                raise InputError(f"{folder}: cannot be written ({why(error)})") from None


@dataclass
class _Climb:
    """A climb under way."""

    options: RunOptions
    suite: Suite
    ready: Ready
    run: RunFolder
    stream: TextIO
    tools: Mapping[str, Tool] = field(default_factory=benchmark_tools)
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    limits: dict[str, str] = field(default_factory=dict)
    """What cut an answer off, by task."""
    has_begun: bool = False
    seconds_a_call: float | None = None

    def __post_init__(self) -> None:
        self.answered = list(self.run.complete)
        at_once = self.options.concurrency or self.ready.concurrency
        if known := pace(self._call_times(), at_once):
            self.seconds_a_call = known.answer_s / at_once

    def _call_times(self) -> Iterator[float]:
        """Seconds for a call of the procedures that an earlier session has answers to."""
        for trace in self.answered:
            task = self.suite.by_id.get(trace.task_id)
            if task is not None and trace.latency_ms is not None:
                yield trace.latency_ms / 1000 / len(task.steps)

    def up(self, lengths: Sequence[int]) -> Climbed:
        """Ask rung after rung."""
        end, expected = f"climbed to {lengths[-1]} calls", 0
        for calls in lengths:
            tasks = [task for task in self.suite.tasks if len(task.steps) == calls]
            if too_long := self._too_long(calls, tasks, is_first=not expected):
                end = too_long
                break
            expected += len(tasks)
            self.run.expect(expected)
            state = self._ask(calls, tasks)
            if not state.is_complete:
                return self._stopped(state)
            if reason := self._end_at(calls, tasks):
                end = reason
                break
        self._close({"ended": end, "interrupted": False})
        return Climbed(self.run.path, end, len(self.answered), is_over=True)

    def _ask(self, calls: int, tasks: Sequence[Task]) -> State:
        """Ask what the folder has no answer to yet of a rung."""
        items = [(task, 0) for task in tasks]
        left = left_to_ask(items, self.answered)
        state = state_of(items, left, self.answered, self._score)
        if not left:
            return state
        options, ready = self.options, self.ready
        protocol, catalogue = options.protocol, options.catalogue
        cost = estimate(tasks, len(left), protocol, catalogue, self.tools, ready.price)
        self._say(calls, cost)
        if not self.has_begun:
            self.run.begin()
            self.has_begun = True
        job = Job(
            items=left,
            setting=setting_of(options, self.suite, ready, None),
            tools=self.tools,
            answerer=ready.answerer(),
            keep=self._keep,
            state=state,
            limits=Limits(options.concurrency or ready.concurrency, options.rpm, options.tpm),
            score=self._score,
            ceiling_usd=options.max_cost,
            task_cost_usd=(cost.cost_usd or 0.0) / len(left),
        )
        began = time.monotonic()
        asyncio.run(watch(job, self.stream))
        self.seconds_a_call = (time.monotonic() - began) / (len(left) * calls)
        return state

    def _keep(self, trace: Trace) -> None:
        self.run.append(trace)
        if not trace.is_infrastructure_failure:
            self.answered.append(trace)

    def _score(self, task: Task, trace: Trace) -> float:
        outcome = outcome_of_trace(task, trace, score_task(task, trace, self.tools))
        self.outcomes[task.task_id] = outcome
        if outcome.is_limited:
            self.limits[task.task_id] = cut_off_by(trace) or ""
        return float(outcome.is_solved)

    def _say(self, calls: int, cost: Estimate) -> None:
        """What a rung will take."""
        parts = [
            f"{cost.answers} procedures of {calls} calls",
            f"about {round(cost.requests):,} requests",
            f"{cost.tokens_in:,} tokens read and {cost.tokens_out:,} written",
        ]
        if cost.cost_usd is None:
            parts.append("at a price that is not known")
        elif cost.cost_usd:
            parts.append(f"${cost.cost_usd:.2g}")
        if self.seconds_a_call is not None:
            parts.append(duration(self.seconds_a_call * cost.answers * calls))
        print(", ".join(parts), file=self.stream, flush=True)

    def _too_long(self, calls: int, tasks: Sequence[Task], *, is_first: bool) -> str | None:
        """Why a rung cannot be asked at all; InputError where it is the first."""
        options, context = self.options, self.ready.context
        if is_first:
            check_context(self.ready, options, tasks, self.tools)
        if context is None:
            return None
        needed = min(
            first_request_tokens(task, options.protocol, options.catalogue, self.tools)
            for task in tasks
        )
        if needed <= context:
            return None
        return f"limited by context at {calls} calls ({needed:,} tokens, and it reads {context:,})"

    def _end_at(self, calls: int, tasks: Sequence[Task]) -> str | None:
        """Why the climb ends with a rung that was answered; None where it goes on."""
        rung = [self.outcomes[task.task_id] for task in tasks]
        limits = [self.limits[task.task_id] for task in tasks if task.task_id in self.limits]
        if 2 * len(limits) >= len(rung):
            what = max(sorted(set(limits)), key=limits.count)
            return f"limited by {what} at {calls} calls"
        answers = len(rung) - len(limits)
        solved = sum(each.is_solved for each in rung if not each.is_limited)
        if answers >= FEWEST_ASKED and solved < FEWEST_SOLVED * answers:
            return f"{solved} of {answers} solved at {calls} calls, fewer than a tenth"
        return None

    def _stopped(self, state: State) -> Climbed:
        """The end of a climb that is not over."""
        counts = {"failed": state.failed, "ended": state.ended, "interrupted": state.interrupted}
        self._close(counts)
        if state.refused and not self.answered:
            raise InputError(f"{self.ready.label}: {state.ended}")
        reason = "stopped" if state.interrupted else state.ended and state.ended.rstrip(".")
        if reason is None:
            reason = f"{state.failed} tasks got no answer from the provider"
        answers = len(self.answered)
        return Climbed(
            self.run.path, reason, answers, is_over=False, is_interrupted=state.interrupted
        )

    def _close(self, outcome: Mapping[str, Any]) -> None:
        self.run.close({"done": len(self.answered), **outcome})
