"""An endless stream of tasks to train on, each a function of seed and index alone.

stream = TaskStream(7, {"L0": 1, "L1": 2, "P8": 1})      # kinds of task, and how often each comes
stream[1_000_000]                                         # any of them, at once
stream.tasks(start=500, worker=1, workers=4)              # 501, 505, 509, ... without end
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from itertools import count
from typing import NamedTuple

from dataset_builder.errors import InputError
from dataset_builder.procedures.dials import MOST_CALLS, Dials
from dataset_builder.procedures.procedure import make_procedure
from dataset_builder.procedures.rungs import rung_dials
from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.ground_truth import Degenerate
from dataset_builder.tasks.task import SEED, SUITE_LEVELS, Level, Task
from dataset_builder.tasks.template import Template
from dataset_builder.values.draw import Draw

RESERVED_SEEDS = (SEED, 1001, 2002, 3005, 4107, 8231)
"""The published suites' seed, and those whose tasks and answers stand in docs/validation."""
EVEN: Mapping[str, float] = {"L0": 1, "L1": 1, "L2": 1, "L3": 1}
HELD_OUT = 0.2
"""The share of all prompts that is held out."""
KEPT = 1_024
"""Tasks that stay in memory: those of a group of answers are asked for again and again."""

_KIND = re.compile("L([0-3])|P([1-9][0-9]{0,3})")
_ID = re.compile(r"[A-Za-z0-9]+_(?:[a-z]+_)?([0-9]{4,15})\.s([0-9]{1,15})")
_MOST = 10**15
# Dials of procedures come round after so many.
_DIALS = 60
# Of which a fifth is held out: that none of them is a task that fits does not come by chance.
_ATTEMPTS = 400


class Kind(NamedTuple):
    """What sort of task: its level, and of a procedure how many calls it has."""

    level: Level
    calls: int = 0


class TaskStream:
    """The tasks of a seed by their index, from 0 on; the same on every machine.

    A prompt may come again at another index or under another seed, since some templates have few
    values. But what is held out is trained on under no seed, and no prompt is the published suite's.
    """

    def __init__(
        self,
        seed: int,
        mix: Mapping[str, float] = EVEN,
        held_out: bool = False,
        tools: Collection[str] | None = None,
    ) -> None:
        """``mix``: the weights of the kinds: ``L0`` to ``L3``, and ``P8`` for procedures of 8 calls.

        ``held_out``: the tasks to measure on, and not those to train on. ``tools``: only tasks that
        these can solve. InputError for a published seed, and for a mix that cannot be had.
        """
        self.seed, self.held_out = _checked_seed(seed), held_out
        self.mix = _read_mix(mix)
        self._engine = CompositionEngine(seed)
        self._templates = {kind.level: self._solvable(kind, tools) for kind in self.mix}
        self._at = lru_cache(maxsize=KEPT)(self._make)

    def __getitem__(self, index: int) -> Task:
        """The task at an index, in microseconds where it was asked for lately; InputError below 0."""
        if type(index) is not int or not 0 <= index < _MOST:
            raise InputError(f"index {index!r}: expected a whole number from 0")
        return self._at(index)

    def tasks(self, start: int = 0, worker: int = 0, workers: int = 1) -> Iterator[Task]:
        """The tasks from ``start`` on, without end; each of several workers has a share of its own.

        Which share an index belongs to does not hang on ``start``, so that all can go on anywhere.
        """
        if not 0 <= worker < workers:
            raise InputError(f"worker {worker} of {workers}: expected 0 to {workers - 1}")
        first = start + (worker - start) % workers
        return (self[index] for index in count(first, workers))

    def task(self, task_id: str) -> Task:
        """The task of an id; InputError where it is none of this stream's."""
        found = _ID.fullmatch(task_id)
        if found and int(found[2]) == self.seed:
            task = self[int(found[1])]
            if task.task_id == task_id:
                return task
        raise InputError(f"{task_id[:80]!r} is no task of this stream with seed {self.seed}")

    def _solvable(self, kind: Kind, tools: Collection[str] | None) -> tuple[Template, ...]:
        """The templates that the tools solve; none for procedures, which are made without."""
        if kind.level is Level.PROCEDURE:
            if tools is not None:
                raise InputError("procedures take tools of the whole catalogue: leave tools out")
            return ()
        found = tuple(
            template
            for template in self._engine.templates
            if template.level is kind.level and (tools is None or set(template.tools) <= set(tools))
        )
        if not found:
            raise InputError(f"no template of level {kind.level.value} needs these tools alone")
        return found

    def _make(self, index: int) -> Task:
        draw = Draw(f"stream|{self.seed}|{index}")
        kind = _drawn(self.mix, draw.fraction("kind"))
        task_id = f"{kind.level.task_id(index)}.s{self.seed}"
        for attempt in range(_ATTEMPTS):
            try:
                task = self._attempt(kind, index, attempt, task_id, draw)
            except (Degenerate, InputError):  # of these draws comes no task
                continue
            if self.held_out == _is_held_out(task.prompt):
                return _unmarked(task)
        part = "held-out" if self.held_out else "training"
        raise InputError(f"no {part} task was found at index {index}: another mix may do")

    def _attempt(self, kind: Kind, index: int, attempt: int, task_id: str, draw: Draw) -> Task:
        """A task of a kind; Degenerate or InputError where the draws make none."""
        if kind.level is Level.PROCEDURE:
            dials = _dials(kind.calls, self.seed)[index % _DIALS]
            number = index * _ATTEMPTS + attempt + 1
            task = make_procedure(kind.calls, dials, seed=self.seed, number=number)
            return replace(task, task_id=task_id)
        template = draw.choice(f"template {attempt}", self._templates[kind.level])
        return self._engine.make(template, task_id, index, attempt, _published_prompts())


def _checked_seed(seed: int) -> int:
    if type(seed) is not int or not 0 <= seed < _MOST:
        raise InputError(f"seed {seed!r}: expected a whole number from 0")
    if seed in RESERVED_SEEDS:
        raise InputError(
            f"seed {seed} is published, and what is trained on it cannot be measured any more: "
            f"take another than {', '.join(map(str, RESERVED_SEEDS))}"
        )
    return seed


def _read_mix(mix: Mapping[str, float]) -> dict[Kind, float]:
    """The weights by kind, in the kinds' order; InputError where there is no such mix."""
    weights: dict[Kind, float] = {}
    for name, weight in mix.items():
        found = _KIND.fullmatch(name)
        if found is None or int(found[2] or 1) > MOST_CALLS:
            raise InputError(
                f"kind {name!r}: expected L0 to L3, or P and a number of calls (at most {MOST_CALLS})"
            )
        if not 0 < weight < float("inf"):
            raise InputError(f"kind {name}: expected a weight above 0, got {weight!r}")
        kind = (
            Kind(SUITE_LEVELS[int(found[1])]) if found[1] else Kind(Level.PROCEDURE, int(found[2]))
        )
        weights[kind] = weight
    if not weights:
        raise InputError("the mix is empty: expected kinds with weights, such as L0 and 1")
    return dict(sorted(weights.items()))


def _drawn(mix: Mapping[Kind, float], fraction: float) -> Kind:
    """The kind at a fraction of the weights laid end to end."""
    left = fraction * sum(mix.values())
    for kind, weight in mix.items():
        left -= weight
        if left < 0:
            return kind
    return kind


def _is_held_out(prompt: str) -> bool:
    """Whether a prompt belongs to what is held out, whatever stream it comes in."""
    return Draw("held out").fraction(prompt) < HELD_OUT


def _unmarked(task: Task) -> Task:
    """Without the canary, which says not to train on it, and the size of a suite that it is not of."""
    metadata = {name: value for name, value in task.metadata.items() if name != "canary"}
    made = metadata["generation"]
    metadata["generation"] = {name: value for name, value in made.items() if name != "counts"}
    return replace(task, metadata=metadata)


@lru_cache(maxsize=64)
def _dials(calls: int, seed: int) -> list[Dials]:
    return rung_dials(calls, seed, _DIALS)


@cache
def _published_prompts() -> frozenset[str]:
    """Those of the suite of 200 tasks."""
    return frozenset(task.prompt for task in CompositionEngine(SEED).generate())
