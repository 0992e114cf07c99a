"""From dials to task: draw a scenario, compose the steps, say them, and note what came of the dials."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

from dataset_builder.errors import InputError
from dataset_builder.procedures import grammar
from dataset_builder.procedures.compose import Composer
from dataset_builder.procedures.dials import Dials
from dataset_builder.procedures.drafts import Draft
from dataset_builder.procedures.wording import Wording, frame
from dataset_builder.tasks.distractors import benchmark_distractors
from dataset_builder.tasks.ground_truth import Degenerate, with_alternatives
from dataset_builder.tasks.task import CANARY, SEED, SUITE_VERSION, Level, Step, Task
from dataset_builder.tools import catalogue
from dataset_builder.tools.tool import Tool
from dataset_builder.values.draw import Draw

# Draws of a whole procedure before it is said that there is none.
VARIANTS = 40


def make_procedure(
    calls: int, dials: Dials | None = None, *, seed: int | str = SEED, number: int = 1
) -> Task:
    """One procedure of so many calls; ``number`` tells procedures of one seed and length apart.

    Raises InputError where a dial does not exist, or no procedure can have it.
    """
    dials = dials or Dials()
    dials.check(calls)
    for variant in range(VARIANTS):
        try:
            return _make(calls, dials, seed, number, variant)
        except Degenerate:
            continue
    raise InputError(
        f"no procedure of {calls} calls was found with depth {dials.depth} and fan_in {dials.fan_in}; "
        "other dials or another number may do"
    )


def _make(calls: int, dials: Dials, seed: int | str, number: int, variant: int) -> Task:
    key = f"procedure|{seed}|{calls}|{number}|{variant}"
    draw = Draw(key)
    scenario = draw.choice("scenario", grammar().scenarios)
    depth = dials.depth or _depth(calls, dials, draw)
    tools = dict(catalogue())
    composer = Composer(
        grammar(), tools, calls, replace(dials, depth=depth), scenario, frame(scenario), key
    )
    drafts, ledger = composer.steps()
    shape = _shape(drafts)
    if dials.depth not in (None, shape["depth"]) or dials.fan_in not in (None, shape["fan_in"]):
        raise Degenerate("the draws made another shape")
    listed = _listed(drafts, dials, draw)
    wording = Wording(listed, dials, grammar().names, ledger, draw)
    steps = _steps(drafts)
    others = frozenset(other.tool for step in steps for other in step.alternatives)
    expected = tuple(dict.fromkeys(step.tool for step in steps))
    offered = _offered(expected, others, dials, draw)
    metadata = {
        **_described(steps, tools),
        "template": scenario.name,
        "dials": _stated_dials(dials, shape, len(offered) - len(expected)),
        "listed": [draft.step_id for draft in listed],
        "generation": {
            "seed": seed if isinstance(seed, int) else None,
            "number": number,
            "variant": variant,
            "suite_version": SUITE_VERSION,
        },
        "canary": CANARY,
    }
    schemas = tuple(tools[name].schema_json for name in offered)
    level = Level.PROCEDURE
    prompt = wording.prompt(scenario)
    return Task(level.task_id(number), level, prompt, schemas, offered, steps, metadata)


def _stated_dials(dials: Dials, shape: Mapping[str, Any], near: int) -> dict[str, Any]:
    """The dials as the task has them: those that can be measured as they came out."""
    chosen = {dial: getattr(dials, dial) for dial in ("order", "naming", "form", "catalogue")}
    return {**shape, **chosen, "near": near}


def _described(steps: Sequence[Step], tools: Mapping[str, Tool]) -> dict[str, Any]:
    """The metadata that every task has, of these steps."""
    return {
        "pattern": "procedure",
        "categories": list(dict.fromkeys(tools[step.tool].category for step in steps)),
        "step_count": len(steps),
        "dag": {
            "nodes": [step.step_id for step in steps],
            "edges": [[source, step.step_id] for step in steps for source in step.depends_on],
        },
        "optional_calls": [],
    }


def _depth(calls: int, dials: Dials, draw: Draw) -> int:
    """The length of the longest chain where the dial leaves it open."""
    if dials.fan_in == 0:
        return 1
    return draw.integer("depth", min(calls, 3), min(calls, 3 + calls.bit_length()))


def _shape(drafts: Sequence[Draft]) -> dict[str, Any]:
    """What can be measured of the steps: depth, reach, fan-in, and results that nobody uses."""
    between = [
        draft.number - result.step.number - 1 for draft in drafts for result in draft.sources
    ]
    used = {result.step.step_id for draft in drafts for result in draft.sources}
    return {
        "calls": len(drafts),
        "depth": max(draft.depth for draft in drafts),
        "reach": {
            "mean": round(fmean(between), 2) if between else 0.0,
            "max": max(between, default=0),
        },
        "fan_in": max(len(draft.sources) for draft in drafts),
        "unused": sum(not d.clause.is_end and d.step_id not in used for d in drafts),
    }


def _listed(drafts: Sequence[Draft], dials: Dials, draw: Draw) -> list[Draft]:
    """The steps in the order of the prompt; Degenerate where shuffling left them as they were."""
    if dials.order == "executed":
        return [*drafts]
    listed = draw.sample("listed", drafts, len(drafts))
    if listed == [*drafts] and len(drafts) > 1:
        raise Degenerate("the shuffled steps stand in the order of execution")
    return listed


def _steps(drafts: Sequence[Draft]) -> tuple[Step, ...]:
    tools = catalogue()
    used: dict[str, set[str]] = {draft.step_id: set() for draft in drafts}
    for draft in drafts:
        for edge in draft.edges:
            used[edge.source].add(edge.path)
    steps = []
    for draft in drafts:
        sources = dict.fromkeys(sorted(result.step.number for result in draft.sources))
        step = Step(
            draft.step_id,
            draft.clause.tool,
            draft.arguments,
            tuple(f"step_{number}" for number in sources),
            draft.output,
            tuple(draft.edges),
            draft.match,
        )
        # The cue has to stand in the step's own sentence: another's says nothing about it.
        steps.append(with_alternatives(step, used[step.step_id], draft.stated, tools))
    return tuple(steps)


def _offered(
    expected: tuple[str, ...], others: frozenset[str], dials: Dials, draw: Draw
) -> tuple[str, ...]:
    """The tools that the task itself offers, in random order."""
    if dials.catalogue == "full":
        names = list(catalogue())
    else:
        near, _ = benchmark_distractors().allowed(expected, others)
        names = [*expected, *draw.sample("near", near, dials.near)]
    return tuple(draw.sample("offered", names, len(names)))
