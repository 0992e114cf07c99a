"""Requests that no tool serves: the right answer is text, and any call is one too many."""

import tomllib
from functools import lru_cache
from importlib import resources

from dataset_builder.tasks.task import CANARY, SEED, SUITE_VERSION, Level, Suite, Task
from dataset_builder.tools import catalogue
from dataset_builder.values.draw import Draw

IRRELEVANCE = "irrelevance"
"""Name of the suite, and of the config that holds it."""
OFFERED = 6
"""Tools that a request offers: the nearest one, two of its category, others."""
_NEAR = 2


@lru_cache(maxsize=1)
def irrelevance_suite() -> Suite:
    """The requests as a suite of its own, the same for every seed; never averaged with levels 0 to 3."""
    source = resources.files("dataset_builder.tasks").joinpath("irrelevance.toml")
    requests = tomllib.loads(source.read_text("utf-8"))["request"]
    tasks = tuple(_task(number, request) for number, request in enumerate(requests, 1))
    return Suite(SUITE_VERSION, SEED, tasks, name=IRRELEVANCE)


def _task(number: int, request: dict[str, str]) -> Task:
    task_id = Level.IRRELEVANT.task_id(number)
    offered = _offered(task_id, request["nearest"])
    return Task(
        task_id=task_id,
        level=Level.IRRELEVANT,
        prompt=request["prompt"],
        schemas=tuple(catalogue()[name].schema_json for name in offered),
        offered=offered,
        steps=(),
        metadata={
            "pattern": "none",
            "template": request["kind"],
            "categories": [],
            "nearest_tool": request["nearest"],
            "why": request["why"],
            "generation": {"seed": SEED, "suite_version": SUITE_VERSION},
            "canary": CANARY,
        },
    )


def _offered(task_id: str, nearest: str) -> tuple[str, ...]:
    """The tools offered with a request, in random order; which ones hangs on its id and nearest tool."""
    tools = catalogue()
    draw = Draw(f"{IRRELEVANCE}|{SEED}|{task_id}")
    others = [name for name in tools if name != nearest]
    kin = [name for name in others if tools[name].category == tools[nearest].category]
    chosen = [nearest, *draw.sample("near", kin, _NEAR)]
    far = [name for name in others if name not in chosen]
    chosen += draw.sample("far", far, OFFERED - len(chosen))
    return tuple(draw.sample("order", chosen, OFFERED))
