"""Mutated answers: right answers of a suite with one thing or a few things changed, seeded.

Each names its kind and says whether it changed what was asked for (``changed``), nothing but the
spelling (``same``) or something that the rules of scoring have to decide (``open``).
"""

import copy
import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dataset_builder.tasks.task import Suite, Task
from dataset_builder.tools.replay import replay
from dataset_builder.tools.tool import Tool
from dataset_builder.values.references import dig, references, render
from evaluator.traces.protocols import MULTI_TURN, SINGLE_TURN
from evaluator.traces.trace import Call, Trace, parse_arguments
from tests.differential.mutated_values import CHANGED, OPEN, SAME, SENTENCES, message, mutated


@dataclass
class Draft:
    """A call in the making; ``step`` is the 0-based number of the step that it answers."""

    step: int | None
    name: str
    arguments: Any


@dataclass(frozen=True)
class Mutant:
    """A trace, what was done to it, and whether that changed what was asked for."""

    kind: str
    meaning: str
    trace: Trace


# Right answers ------------------------------------------------------------------------------------


def right_answer(task: Task) -> list[Draft]:
    """The expected calls with a reference wherever an edge feeds them."""
    drafts = []
    for i, step in enumerate(task.steps):
        arguments = copy.deepcopy(dict(step.arguments))
        for name, rule in step.match.items():
            arguments[name] = "\n".join(_fed_values(task, i, name, rule["values"]))
        for edge in step.edges:
            name, *path = edge.argument.split(".")
            if name in step.match:
                continue
            written = _reference(edge.source, edge.path)
            if path:
                arguments[name][int(path[0])] = written
            else:
                arguments[name] = written
        drafts.append(Draft(i, step.tool, arguments))
    return drafts


def _reference(source: str, path: str) -> str:
    return f"{{{{{source}.{path}}}}}"


def _fed_values(task: Task, i: int, name: str, values: Sequence[Any]) -> list[str]:
    """The values of a mentions rule as text, with a reference for each that an edge feeds."""
    written: list[str | None] = [None] * len(values)
    outputs = {step.step_id: step.output for step in task.steps}
    for edge in task.steps[i].edges:
        if edge.argument == name:
            for place, value in enumerate(values):
                if written[place] is None and dig(outputs[edge.source], edge.path) == value:
                    written[place] = _reference(edge.source, edge.path)
                    break
    return [w or render(v) for w, v in zip(written, values, strict=True)]


def numbered(drafts: Sequence[Draft]) -> list[Call]:
    """The calls, with each reference to a step turned into one to the call that answers it."""
    place: dict[int, int] = {}
    for position, draft in enumerate(drafts, 1):
        if draft.step is not None:
            place.setdefault(draft.step, position)

    def renumber(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: renumber(item) for key, item in value.items()}
        if isinstance(value, list):
            return [renumber(item) for item in value]
        if isinstance(value, str):
            return re.sub(
                r"\{\{step_(\d+)\.",
                lambda m: f"{{{{{place.get(int(m[1]) - 1, 99)}.",
                value,
            )
        return value

    return [Call(d.name, parse_arguments(renumber(d.arguments))) for d in drafts]


def _with_values(drafts: Sequence[Draft], tools: Mapping[str, Tool]) -> list[Draft]:
    """The same calls as a model that sees the outputs would write them."""
    calls = numbered(drafts)
    done = replay([(call.name, call.arguments) for call in calls], tools)
    made = []
    for draft, call, executed in zip(drafts, calls, done, strict=True):
        arguments = json.loads(json.dumps(executed.arguments, default=lambda u: u.reference))
        if executed.arguments is None:
            arguments = call.arguments
        made.append(Draft(draft.step, draft.name, arguments))
    return made


# Calls --------------------------------------------------------------------------------------------


def _changed_argument(
    task: Task, drafts: list[Draft], tools: Mapping[str, Tool], rng: random.Random
) -> tuple[str, str] | None:
    """One argument changed by its kind; a text under a mentions rule as a message."""
    draft = rng.choice(drafts)
    if draft.step is None or not isinstance(draft.arguments, dict) or not draft.arguments:
        return None
    if draft.name not in tools:
        return None
    name = rng.choice(sorted(draft.arguments))
    value = draft.arguments[name]
    step = task.steps[draft.step]
    known = tools[draft.name].parameters
    if name not in known or (isinstance(value, str) and any(references(value))):
        return None
    if name in step.match and draft.name == step.tool:
        what, meaning, new = message(step.match[name]["values"], rng)
    else:
        what, meaning, new = mutated(known[name].kind, value, rng)
    if new == value:
        return None
    fed = any(edge.argument.split(".")[0] == name for edge in step.edges)
    if fed and meaning == CHANGED and what in _RETYPED:
        meaning = OPEN
    draft.arguments[name] = new
    where = "message" if name in step.match else "fed" if fed else "stated"
    return f"{where} {known[name].kind.name}: {what}", meaning


# What a model may do to a number that an output gave it.
_RETYPED = {"number off by 1e-07", "number to 6 digits"} | {
    f"item: {what}" for what in ("number off by 1e-07", "number to 6 digits")
}


def _default_given(
    task: Task, drafts: list[Draft], tools: Mapping[str, Tool], rng: random.Random
) -> tuple[str, str] | None:
    draft = rng.choice(drafts)
    if not isinstance(draft.arguments, dict) or draft.name not in tools:
        return None
    free = [p for p in tools[draft.name].parameters.values() if not p.required]
    free = [p for p in free if p.name not in draft.arguments]
    if not free:
        return None
    p = rng.choice(free)
    if p.default is None or rng.random() < 0.2:
        draft.arguments[p.name] = None
        return "null given", SAME
    if rng.random() < 0.6:
        draft.arguments[p.name] = p.default
        return "default given", SAME
    what, _, new = mutated(p.kind, p.default, rng)
    if new == p.default:
        return None
    draft.arguments[p.name] = new
    if p.kind.is_free:
        return "free argument added", OPEN
    return f"optional argument added ({what})", OPEN


def _shape(
    task: Task, drafts: list[Draft], tools: Mapping[str, Tool], rng: random.Random
) -> tuple[str, str] | None:
    """A call dropped, doubled, moved, sent to another tool; arguments dropped or malformed."""
    place = rng.randrange(len(drafts))
    draft = drafts[place]
    way = rng.randrange(14)
    if not isinstance(draft.arguments, dict) or draft.step is None:
        return None
    if way == 0:
        drafts.pop(place)
        return "call dropped", CHANGED
    if way == 1:
        drafts.insert(
            rng.randrange(len(drafts) + 1), Draft(None, draft.name, copy.deepcopy(draft.arguments))
        )
        return "call doubled", CHANGED
    if way == 2:
        other = rng.randrange(len(drafts))
        drafts[place], drafts[other] = drafts[other], drafts[place]
        return "calls swapped", OPEN
    if way == 3:
        name = rng.choice([*sorted(tools), "no_such_tool"])
        if name == draft.name:
            return None
        draft.name = name
        return "another tool", CHANGED
    if way == 4:
        others = task.steps[draft.step].alternatives
        if not others:
            return None
        twin = rng.choice(others)
        draft.name, draft.arguments = twin.tool, copy.deepcopy(dict(twin.arguments))
        return "twin", SAME
    if way == 5 and draft.arguments:
        del draft.arguments[rng.choice(sorted(draft.arguments))]
        return "argument left out", OPEN
    if way == 6:
        drafts.insert(place, Draft(None, draft.name, {}))
        return "failing call before", OPEN
    if way == 7:
        for _ in range(3):
            drafts.insert(place, Draft(None, draft.name, {"wrong": 1}))
        return "three failing calls before", CHANGED
    if way == 8:
        draft.arguments = json.dumps(draft.arguments)
        return "arguments as JSON text", SAME
    if way == 9:
        draft.arguments = rng.choice(["not json", "[1]", '{"a": ', None])
        return "malformed arguments", CHANGED
    if way == 10:
        draft.arguments["no_such_argument"] = "x"
        return "unknown argument", CHANGED
    if way == 11 and len(draft.arguments) > 1:
        one, other_name = rng.sample(sorted(draft.arguments), 2)
        a = draft.arguments
        a[one], a[other_name] = a[other_name], a[one]
        both = {one, other_name}
        symmetric = tools[draft.name].symmetric if draft.name in tools else None
        return "arguments exchanged", SAME if symmetric and both == set(symmetric) else OPEN
    if way == 12 and task.optional_calls:
        optional = rng.choice(task.optional_calls)
        drafts.insert(
            rng.randrange(len(drafts) + 1),
            Draft(None, optional["tool"], dict(optional["arguments"])),
        )
        return "optional call", SAME
    if way == 13:
        drafts.insert(rng.randrange(len(drafts) + 1), Draft(None, rng.choice(sorted(tools)), {}))
        return "extra call", CHANGED
    return None


def _changed_message(
    task: Task, drafts: list[Draft], tools: Mapping[str, Tool], rng: random.Random
) -> tuple[str, str] | None:
    """A text under a mentions rule written anew, with references where it has them."""
    found = [
        (draft, name)
        for draft in drafts
        if draft.step is not None and isinstance(draft.arguments, dict)
        for name in task.steps[draft.step].match
        if draft.name == task.steps[draft.step].tool and name in draft.arguments
    ]
    if not found:
        return None
    draft, name = rng.choice(found)
    text, values = draft.arguments[name], task.steps[draft.step or 0].match[name]["values"]
    if isinstance(text, str) and "{{" in text:
        said = _fed_values(task, draft.step or 0, name, values)
        draft.arguments[name] = rng.choice(SENTENCES).format(" and ".join(said))
        return "message with references recomposed", SAME
    what, meaning, draft.arguments[name] = message(values, rng)
    return what, meaning


_WAYS = (
    _changed_argument,
    _changed_argument,
    _changed_argument,
    _changed_message,
    _default_given,
    _shape,
)


def mutant(
    task: Task, tools: Mapping[str, Tool], rng: random.Random, changes: int
) -> Mutant | None:
    """A right answer with so many changes; None where the draw came to nothing."""
    style = rng.choice(["references", "values", "values"])
    drafts = right_answer(task)
    done: list[tuple[str, str]] = []
    early = rng.randint(0, changes) if style == "values" else changes
    for number in range(changes + 1):
        if number == early and style == "values":
            drafts = _with_values(drafts, tools)
        if number == changes or not drafts:
            continue
        said = rng.choice(_WAYS)(task, drafts, tools, rng)
        if said is None:
            return None
        when = "consistently " if style == "values" and number < early else ""
        done.append((f"{when}{said[0]}", said[1]))
    meanings = {meaning for _, meaning in done}
    meaning = next((m for m in (OPEN, CHANGED) if m in meanings), SAME)
    trace = Trace(
        task.task_id,
        tuple(numbered(drafts)),
        protocol=SINGLE_TURN if style == "references" else MULTI_TURN,
        catalogue=rng.choice(["full", "full", "task"]),
    )
    return Mutant(" + ".join(kind for kind, _ in done), meaning, trace)


def mutants(
    suite: Suite, tools: Mapping[str, Tool], count: int, seed: int, most: int = 3
) -> Iterator[tuple[Task, Mutant]]:
    """So many mutants over a suite's tasks, with one to ``most`` changes each."""
    rng = random.Random(f"mutants of {seed}")
    made = 0
    while made < count:
        task = rng.choice(suite.tasks)
        found = mutant(task, tools, rng, rng.choice([1, *range(1, most + 1)]))
        if found is not None:
            made += 1
            yield task, found
