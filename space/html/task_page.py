"""A task as HTML: the prompt, the offered tools, the graph, and the expected calls."""

from collections.abc import Iterator

from markupsafe import Markup

from dataset_builder.tasks.task import Step, Task
from dataset_builder.tasks.task_text import origin
from dataset_builder.tools import catalogue
from evaluator.scoring.metrics import QUANTITY_NAMES
from space.base.markup import Child, badge, join, scroll, tag
from space.base.shown_values import value
from space.html.task_graph import graph


def task_head(task: Task) -> Markup:
    """What a task is called and what it asks."""
    head = [
        tag("h2", task.task_id, " ", badge(QUANTITY_NAMES[f"L{task.level.value}"], "plain")),
        tag("blockquote", task.prompt, class_="asked"),
    ]
    return join(head)


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
    for number, step in enumerate(task.steps, 1):
        yield tag("h4", f"{number} ", tag("code", step.tool))
        yield expected_call(step, task.prompt)


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
