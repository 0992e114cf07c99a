"""What a newcomer sees first: what is asked, in three sentences, an example and the four levels."""

from markupsafe import Markup

from dataset_builder.tasks.task import Suite, Task
from space.base.markup import join, tag
from space.html.level_pictures import level_pictures
from space.html.task_graph import graph

EXAMPLE_ID = "L3_dag_0155"
"""The task that is shown: of few calls, on a matter that everybody knows."""


def example(suite: Suite) -> Task:
    """The task to show for a suite: its own of that id, or the first of its highest level."""
    highest = max(task.level for task in suite.tasks)
    first = next(task for task in suite.tasks if task.level == highest)
    return suite.by_id.get(EXAMPLE_ID, first)


def hero(suite: Suite) -> Markup:
    """Three sentences, the four levels, and an example task as a graph with its calls."""
    task = example(suite)
    words = (
        "A language model with tools answers a request by calling them: it looks up the weather, converts "
        "a figure, sends a message.",
        f"Here it is asked {len(suite.tasks)} such requests, from one call to graphs of calls that need "
        "one another.",
        "A task is solved only if every call is right, and whoever doubts a score can see each call and "
        "compute the score again.",
    )
    calls = "call" if len(task.steps) == 1 else "calls"
    about = join(
        [
            tag("b", task.level.title),
            f" of {len(task.steps)} {calls}: each box is a call, each line a value that flows.",
        ]
    )
    picture = tag(
        "figure",
        tag("blockquote", task.prompt, class_="asked"),
        tag("div", graph(task), class_="picture"),
        tag("figcaption", about, class_="fine"),
    )
    left = tag("div", *(tag("p", sentence) for sentence in words), level_pictures())
    return tag("section", left, picture, class_="hero", aria_label="What is measured here")
