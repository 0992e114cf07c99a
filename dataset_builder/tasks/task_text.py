"""A task as text for people: prompt, graph, and where every value comes from."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from dataset_builder.tasks.task import Step, Task
from dataset_builder.tools.tool import Tool
from dataset_builder.values.surface_forms import grounded


def task_text(task: Task, tools: Mapping[str, Tool]) -> str:
    """Everything that one task expects."""
    distractors = [name for name in task.offered if name not in task.expected_tools]
    lines = [
        f"{task.task_id}  ({task.metadata.get('pattern')}, template {task.metadata.get('template')})",
        "",
        task.prompt,
        "",
        f"Needed tools: {', '.join(task.expected_tools)}",
        f"Distractors:  {', '.join(distractors)}",
        "",
        *graph_lines(task),
        "",
    ]
    for step in task.steps:
        lines += [f"{step.step_id}  {step.tool}", *_argument_lines(step, tools, task.prompt)]
        if step.output:
            lines.append(f"    → {_short(step.output, 400)}")
        lines += [f"    or {a.tool}({_short(a.arguments, 200)})" for a in step.alternatives]
    lines += [f"optional: {c['tool']}({_short(c['arguments'], 200)})" for c in task.optional_calls]
    return "\n".join(lines)


def graph_lines(task: Task) -> Iterator[str]:
    """The graph, a line a rank: the steps of a rank need only steps of the ranks above."""
    rank: dict[str, int] = {}
    for step in task.steps:
        rank[step.step_id] = 1 + max((rank[s] for s in step.depends_on if s in rank), default=0)
    for level in sorted(set(rank.values())):
        boxes = []
        for step in task.steps:
            if rank[step.step_id] == level:
                needs = ",".join(s.removeprefix("step_") for s in step.depends_on)
                number = step.step_id.removeprefix("step_")
                boxes.append(f"[{number} {step.tool}{f' ← {needs}' if needs else ''}]")
        yield f"{'   ' * (level - 1)}{'└─ ' if level > 1 else ''}{'  '.join(boxes)}"


def _argument_lines(step: Step, tools: Mapping[str, Tool], prompt: str) -> Iterator[str]:
    for name, value in step.arguments.items():
        yield f"    {name} = {_short(value, 160)}   ({origin(step, name, tools, prompt)})"


def origin(step: Step, argument: str, tools: Mapping[str, Tool], prompt: str) -> str:
    """Where the value of an argument comes from, in words."""
    edges = [e for e in step.edges if e.argument.split(".")[0] == argument]
    flows = ", ".join(f"{e.path} of {e.source}" for e in edges)
    rule = step.match.get(argument, {}).get("rule")
    if rule == "mentions":
        return (
            f"any text that mentions these; from {flows}"
            if flows
            else "any text that mentions these"
        )
    if flows:
        return f"from {flows}"
    tool = tools.get(step.tool)
    parameter = tool.parameters.get(argument) if tool else None
    if parameter and not parameter.required and parameter.default == step.arguments[argument]:
        return "the default"
    if parameter and not grounded(parameter.kind, step.arguments[argument], prompt):
        return "NOT stated in the prompt"
    return "stated in the prompt" if parameter else "not known to the catalogue"


def _short(value: Any, most: int) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= most else f"{text[: most - 1]}…"
