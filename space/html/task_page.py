"""A task as HTML: the prompt, the offered tools, the graph, and the expected calls."""

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from dataset_builder.tasks.task import Step, Task
from dataset_builder.tasks.task_text import origin
from dataset_builder.tools import catalogue
from evaluator.scoring.metrics import QUANTITY_NAMES
from space.base.markup import Child, badge, join, scroll, tag
from space.base.shown_values import value
from space.html.task_graph import graph

FOLDED_FROM = 8
"""More calls are folded away, so many at a time."""


def task_head(task: Task) -> Markup:
    """What a task is called and what it asks."""
    head = [
        tag("h2", task.task_id, " ", badge(level_name(task), "plain")),
        tag("blockquote", task.prompt, class_="asked"),
    ]
    return join(head)


def level_name(task: Task) -> str:
    """What people read of a task's level: Chain (L1), or Procedure, which is none of the suite's levels."""
    return QUANTITY_NAMES.get(f"L{task.level.value}", task.level.title)


def task_page(task: Task) -> Markup:
    """Everything about a task that hangs on no run."""
    return join([task_head(task), *task_facts(task), *_picture(graph(task)), *_expected(task)])


def task_facts(task: Task) -> list[Markup]:
    """Which tools are offered, and what kind of task it is."""
    needed = set(task.expected_tools)
    tools = join(
        (tag("code", name, " (needed)" if name in needed else "") for name in task.offered), ", "
    )
    facts: dict[str, Child] = {
        "offered with it": tools,
        "pattern": _words(str(task.metadata.get("pattern", ""))),
        "categories": ", ".join(task.metadata.get("categories", ())),
        "template": _words(str(task.metadata.get("template", ""))),
    }
    pairs = (
        part for term, fact in facts.items() if fact for part in (tag("dt", term), tag("dd", fact))
    )
    note = "With the full catalogue every tool is offered, not only these."
    return [tag("dl", *pairs, class_="facts"), tag("p", note, class_="fine")]


def _words(name: str) -> str:
    return name.replace("_", " ")


def _picture(picture: Markup) -> list[Markup]:
    return [tag("h3", "Graph"), scroll(picture, "Graph of the task")]


def _expected(task: Task) -> Iterator[Markup]:
    yield tag("h3", "Expected calls")
    calls = [
        join([tag("h4", f"{number} ", tag("code", step.tool)), expected_call(step, task.prompt)])
        for number, step in enumerate(task.steps, 1)
    ]
    yield from folded(calls, task)


def folded(parts: Sequence[Markup], task: Task) -> Iterator[Markup]:
    """A part for each step; those of a long procedure are folded away, some at a time."""
    if len(parts) <= FOLDED_FROM:
        yield from parts
        return
    for start in range(0, len(parts), FOLDED_FROM):
        steps = task.steps[start : start + FOLDED_FROM]
        tools = ", ".join(step.tool for step in steps)
        summary = tag("summary", f"{start + 1} to {start + len(steps)}: ", tag("code", tools))
        yield tag("details", summary, *parts[start : start + FOLDED_FROM], class_="steps")


def expected_call(step: Step, prompt: str) -> Markup:
    """The arguments of a step, where each comes from, and what the call gives."""
    tools = catalogue()
    rows = [
        tag(
            "tr",
            tag("th", name, scope="row"),
            tag("td", value(wanted), data_label="value"),
            tag("td", origin(step, name, tools, prompt), data_label="comes from"),
        )
        for name, wanted in step.arguments.items()
    ]
    head = tag(
        "tr", *(tag("th", name, scope="col") for name in ("argument", "value", "comes from"))
    )
    parts: list[Child] = []
    if rows:
        inside = tag("table", tag("thead", head), tag("tbody", *rows), class_="stacked")
        parts.append(tag("div", inside, class_="framed"))
    else:
        parts.append(tag("p", "No argument is needed."))
    if step.output:
        parts.append(tag("p", "gives ", value(step.output)))
    parts += [
        tag("p", "or ", tag("code", other.tool), " ", value(other.arguments))
        for other in step.alternatives
    ]
    return join(parts)
