"""The environment: a task opens, calls are made, a score comes of them. Synchronous, no I/O.

environment = Environment(load_suite())
opening = environment.reset("L1_chain_0049")       # system and user prompt, schemas of the tools
shown = environment.call("get_weather", {"city": "Berlin"})   # what the model is shown of it
environment.end_turn()                             # the calls of one reply are made
environment.score().strict
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import Any, NamedTuple

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite, Task
from dataset_builder.tools import catalogue as benchmark_tools
from dataset_builder.tools.tool import Output, Tool
from evaluator.asking.episode import asked
from evaluator.asking.parse.json_calls import read_arguments
from evaluator.asking.prompts import opening, result_shown
from evaluator.asking.request_reply import compact
from evaluator.asking.rollout import Rollout
from evaluator.scoring.score import score_task
from evaluator.scoring.verdict import TaskScore
from evaluator.traces.protocols import MULTI_TURN, PROTOCOLS, canonical_catalogue
from evaluator.traces.signature import suite_label
from evaluator.traces.strict_json import mended
from evaluator.traces.trace import MAX_CALLS, Trace


class Opening(NamedTuple):
    """What a model is given before its first reply."""

    task_id: str
    system: str
    prompt: str
    tools: Sequence[Mapping[str, Any]]
    """The schemas in OpenAI form as they are sent in the protocol; shared, so not to be changed."""
    most_turns: int
    """How many replies there are at most."""


class Shown(NamedTuple):
    """What a model is shown of a call: the text, and whether it tells of an error.

    ``output`` is what the tool gave; None where the call was not executed.
    """

    text: str
    is_error: bool
    output: Output | None


class Environment:
    """One task at a time, under one protocol and catalogue."""

    def __init__(
        self,
        suite: Suite | None = None,
        protocol: str = MULTI_TURN,
        catalogue: str = "task",
        model: str = "",
        tools: Mapping[str, Tool] | None = None,
        turns_known: bool = True,
    ) -> None:
        """``suite``: where `reset` looks ids up; without one it takes tasks themselves.

        ``catalogue``: what is offered: ``task`` (the task's own tools), ``full`` or a number of tools.
        ``model``: whom the traces name. ``tools``: the benchmark's own where nothing is said.
        ``turns_known``: False for a caller that sees single calls and not the replies that held them:
        then the traces name no turns, and without `end_turn` nothing but the number of calls ends one.
        InputError for a protocol or a catalogue that does not exist.
        """
        if protocol not in PROTOCOLS:
            raise InputError(f"protocol {protocol!r}: expected {' or '.join(PROTOCOLS)}")
        self.tools = benchmark_tools() if tools is None else tools
        try:
            self.catalogue = canonical_catalogue(str(catalogue), len(self.tools))
        except ValueError as error:
            raise InputError(str(error)) from None
        self.suite, self.protocol, self.model = suite, protocol, model
        self._turns_known = turns_known
        self._episode: tuple[Task, int, Rollout] | None = None

    def reset(self, task: Task | str, sample: int = 0) -> Opening:
        """Open a task, by itself or by its id; what was under way is forgotten.

        ``sample``: the number of the attempt, as the trace bears it. InputError for an unknown id.
        """
        task = self._task_of(task)
        rollout = Rollout(task, self.protocol, self.catalogue, self.tools)
        self._episode = task, sample, rollout
        system, user = opening(task, self.protocol, "native", rollout.schemas)
        return Opening(
            task.task_id, system["content"], user["content"], rollout.schemas, rollout.most_turns
        )

    def _task_of(self, task: Task | str) -> Task:
        if isinstance(task, Task):
            return task
        if self.suite is None or task not in self.suite.by_id:
            where = (
                "an environment without a suite" if self.suite is None else repr(self.suite.name)
            )
            raise InputError(f"{where} has no task {task!r}")
        return self.suite.by_id[task]

    @property
    def _open(self) -> tuple[Task, int, Rollout]:
        if self._episode is None:
            raise RuntimeError("no task is open: call reset first")
        return self._episode

    @property
    def task(self) -> Task:
        """The task that is open."""
        return self._open[0]

    @property
    def offered(self) -> Set[str]:
        """The names of the tools that may be called."""
        return self._open[2].offered

    @property
    def turn(self) -> int:
        """The 0-based number of the reply under way."""
        return self._open[2].turn

    @property
    def is_over(self) -> bool:
        """Whether nothing more is taken: all turns were used, or as many calls made as a trace may hold."""
        rollout = self._open[2]
        return rollout.is_over or len(rollout.calls) >= MAX_CALLS

    def call(self, name: str, arguments: Any) -> Shown | None:
        """Make one call of the reply under way; what a model is shown of it, None where that is nothing.

        Nothing is shown in single-turn, where references are resolved when it is scored, and in the
        last turn. ``arguments``: an object or its JSON text; anything else is a malformed call of the
        model's. Once the episode is over, no call is made, and an error says so.
        """
        if self.is_over:
            text = compact({"error": "the episode is over: this call was not made"})
            return Shown(text, True, None)
        executed = self._open[2].call(mended(name), _readable(arguments))
        if executed is None:
            return None
        return Shown(compact(result_shown(executed)), executed.error is not None, executed.output)

    def end_turn(self) -> None:
        """The reply is over: calls that follow belong to the next one."""
        self._open[2].end_turn()

    def trace(self) -> Trace:
        """The calls made so far as a trace."""
        task, sample, rollout = self._open
        calls = rollout.calls
        if not self._turns_known:
            calls = [replace(call, turn=None) for call in calls]
        return Trace(
            task_id=task.task_id,
            calls=tuple(calls),
            model=self.model,
            sample=sample,
            protocol=self.protocol,
            catalogue=self.catalogue,
            suite=None if self.suite is None else suite_label(self.suite),
            extra={"asked": asked(self.protocol, "native")},
        )

    def row(self) -> dict[str, Any]:
        """The trace as the row of a trace file, which `comptoolbench score` takes."""
        return self.trace().to_row()

    def score(self) -> TaskScore:
        """What the calls made so far are worth."""
        return score_task(self.task, self.trace(), self.tools)


def _readable(arguments: Any) -> Any:
    """Arguments as a trace file gives them back, so that an episode scores as its row does."""
    try:
        return read_arguments(arguments)
    except (ValueError, RecursionError):  # it holds itself, or is nested without end
        return "no JSON"
