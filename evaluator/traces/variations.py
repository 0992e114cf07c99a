"""Variations: how a run departs from the plain way of asking, to see what a model's score rests on.

    Variation(scramble="names.1", faults="20.1")     # as rows, run.json and the signature write it

Each hangs on a seed alone, so that the scorer does offline what the run did. Of a plain run nothing is
written anywhere (specification: Variations).
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Step, Task
from dataset_builder.tasks.tool_overlaps import twins_of
from dataset_builder.tools.faults import Faults
from dataset_builder.values.draw import Draw
from evaluator.traces.protocols import MULTI_TURN, most_turns

SCRAMBLES = ("names", "descriptions")
DEFAULT_SEED = 1
MAX_SEED = 999_999
_SEED = "(0|[1-9][0-9]{0,5})"
_FORMS: Mapping[str, tuple[re.Pattern[str], str]] = {
    "scramble": (
        re.compile(rf"({'|'.join(SCRAMBLES)})\.{_SEED}"),
        "names or descriptions, a dot and a seed",
    ),
    "faults": (re.compile(rf"([1-9][0-9]?|100)\.{_SEED}"), "a per cent, a dot and a seed"),
    "withhold": (re.compile(_SEED), "a seed"),
}
_WORDS = {
    "scramble": "scrambled {} (seed {})",
    "faults": "faults in {} % of the tools (seed {})",
    "withhold": "a needed tool withheld (seed {})",
}


class Variation(NamedTuple):
    """What is varied, in its written form; None where nothing is."""

    scramble: str | None = None
    """``names.SEED`` or ``descriptions.SEED``."""
    faults: str | None = None
    """``PERCENT.SEED``."""
    withhold: str | None = None
    """The seed."""

    @property
    def written(self) -> dict[str, str]:
        """What is varied, under its names."""
        return {name: value for name, value in self._asdict().items() if value is not None}

    @property
    def words(self) -> list[str]:
        """What is varied, a phrase each: "scrambled names (seed 1)"."""
        return [
            _WORDS[name].format(*value.partition(".")[::2]) for name, value in self.written.items()
        ]

    @property
    def scrambled(self) -> tuple[str, str] | None:
        """What is scrambled (`SCRAMBLES`) and the seed."""
        if self.scramble is None:
            return None
        what, _, seed = self.scramble.partition(".")
        return what, seed

    def faults_of(self, task: Task) -> Faults | None:
        """The faults of a task's tools: no more than leave a turn for every call that is needed."""
        if self.faults is None:
            return None
        percent, _, seed = self.faults.partition(".")
        spare = most_turns(task, MULTI_TURN) - 1 - len(task.steps)
        return Faults(f"{seed}|{task.task_id}", int(percent), max(0, spare))

    def withheld_of(self, task: Task) -> frozenset[str]:
        """The tools of a task that are not offered: one that it needs, and what could stand in for it.

        What could stand in for it are its twins and the step's alternatives, those left out that other
        steps need; a needed tool without such is preferred.
        """
        needed = task.expected_tools
        if self.withhold is None or not needed:
            return frozenset()
        kin = {tool: _kin(tool, task) for tool in needed}
        apart = [tool for tool in needed if len(kin[tool].intersection(needed)) == 1]
        draw = Draw(f"withhold|{self.withhold}|{task.task_id}")
        chosen = draw.choice("tool", apart or needed)
        return frozenset(kin[chosen].difference(needed) | {chosen})


PLAIN = Variation()


def possible_steps(task: Task, withheld: Collection[str]) -> tuple[Step, ...]:
    """The steps that neither need a withheld tool nor anything that hangs on one."""
    possible: dict[str, Step] = {}
    for step in task.steps:
        sources = {*step.depends_on, *(edge.source for edge in step.edges)}
        if step.tool not in withheld and sources <= possible.keys():
            possible[step.step_id] = step
    return tuple(possible.values())


def _kin(tool: str, task: Task) -> set[str]:
    """A tool and all that could do its work in a task."""
    steps = [step for step in task.steps if step.tool == tool]
    return {tool, *twins_of(tool), *(other.tool for step in steps for other in step.alternatives)}


def variation_of(asked: Any) -> Variation:
    """The variation that a row's ``asked`` declares; what is not in its form declares nothing."""
    if not isinstance(asked, dict):
        return PLAIN
    return Variation(**{name: asked[name] for name in _FORMS if _is_written(name, asked.get(name))})


def _is_written(name: str, value: Any) -> bool:
    return isinstance(value, str) and _FORMS[name][0].fullmatch(value) is not None


def variation_problem(asked: Mapping[str, Any], protocol: Any) -> str:
    """What is wrong with the variation in ``asked``, or nothing."""
    for name, (_, expected) in _FORMS.items():
        if asked.get(name) is not None and not _is_written(name, asked[name]):
            return f".{name}: expected {expected}"
    return next(map(".{}".format, _contradictions(variation_of(asked), protocol)), "")


def _contradictions(variation: Variation, protocol: Any) -> Iterator[str]:
    if variation.faults is not None and protocol != MULTI_TURN:
        yield f"faults: expected {MULTI_TURN} beside it, since in one reply no fault is seen"
    if variation.faults is not None and variation.withhold is not None:
        yield "faults: not with withhold, since what cannot be solved has no recovery"


def read_variation(
    scramble: str | None, faults: int | None, withhold: bool, seed: int | None, protocol: str
) -> Variation:
    """The variation that a user asks for; InputError where it makes no sense."""
    if seed is not None and scramble is None and faults is None and not withhold:
        raise InputError("--variation-seed: goes with --scramble, --faults or --withhold")
    number = DEFAULT_SEED if seed is None else seed
    variation = Variation(
        scramble=None if scramble is None else f"{scramble}.{number}",
        faults=None if faults is None else f"{faults}.{number}",
        withhold=str(number) if withhold else None,
    )
    for problem in _contradictions(variation, protocol):
        raise InputError(f"--{problem}")
    return variation
