"""How a trace says that it was asked: protocols, forms of calls, wordings, catalogues and what they offer."""

import re
from collections.abc import Mapping

from dataset_builder.tasks.task import Level, Task
from dataset_builder.tools.tool import Tool
from dataset_builder.values.draw import Draw

SINGLE_TURN, MULTI_TURN = "single-turn", "multi-turn"
PROTOCOLS = (SINGLE_TURN, MULTI_TURN)
CALLS = ("native", "json")
CHAT, RESPONSES = "chat", "responses"
ENDPOINTS = (CHAT, RESPONSES)
"""Chat Completions, and Responses: the same model answers differently through them."""
WORDINGS = ("minimal", "tool_hinted", "context_rich")
"""The suite's own prompts, and the other two of the level-0 control (paper, Appendix H)."""
PROMPT_VERSIONS = {SINGLE_TURN: 1, MULTI_TURN: 2}
MAX_TURNS = 10
SPARE_TURNS = 10
"""Of a procedure: beside two for each call."""
MAX_SAMPLES = 1_000
_NUMBER = re.compile("[1-9][0-9]{0,5}")


def canonical_catalogue(text: str, tools: int) -> str:
    """The one name of a catalogue: ``full``, ``task`` or how many of all ``tools`` are offered.

    All of them are ``full``. ValueError for anything else, other spellings of a number among it.
    """
    if text in ("full", "task"):
        return text
    if _NUMBER.fullmatch(text) and int(text) <= tools:
        return "full" if int(text) == tools else text
    raise ValueError(
        f"catalogue {text!r}: expected full, task or a number of tools, at most {tools}"
    )


def most_turns(task: Task, protocol: str) -> int:
    """How many replies a model has for a task."""
    if protocol == SINGLE_TURN:
        return 1
    if task.level is Level.PROCEDURE:
        return 2 * len(task.steps) + SPARE_TURNS
    return MAX_TURNS


def offered_tools(task: Task, catalogue: str, tools: Mapping[str, Tool]) -> tuple[str, ...]:
    """The names of the tools that a model is offered with a task.

    ``full``: all of ``tools``; ``task``: the task's own; a number N: the needed ones, then the
    task's distractors, then others up to N. Which these are and their order hang on the task alone,
    so they are the same for every model, and a larger N adds tools without removing any. Never
    fewer than the needed ones.
    """
    if catalogue == "task":
        return task.offered
    size = None if catalogue == "full" else int(catalogue)
    everything = (*tools, *(name for name in task.offered if name not in tools))
    if size is None or size >= len(everything):
        return everything
    draw = Draw(f"catalogue|{task.task_id}")
    distractors = [name for name in task.offered if name not in task.expected_tools]
    rest = set(everything).difference(task.offered)
    further = sorted(rest, key=lambda name: draw.fraction(f"further {name}"))
    needed = task.expected_tools
    chosen = [*needed, *[*distractors, *further][: max(0, size - len(needed))]]
    return tuple(sorted(chosen, key=lambda name: draw.fraction(f"order {name}")))
