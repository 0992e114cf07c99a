"""What is measured, what the tiers mean, formulas, signature, how to cite, errata, and the API."""

import json
from importlib import resources
from string import Template

import gradio as gr

from dataset_builder.tasks.task import Suite
from dataset_builder.tools import catalogue
from evaluator.scoring.weights import DEFAULT, Weights
from evaluator.traces.protocols import PROMPT_VERSIONS
from evaluator.traces.signature import signature
from space.base.tiers import TIERS

PROTOCOL, CATALOGUE = "single-turn", "full"


def about_tab(suite: Suite) -> None:
    """Build the tab's content."""
    with gr.Column(elem_classes="reading"):
        gr.Markdown(about(suite))
        gr.Markdown(api_text(suite))


def about(suite: Suite) -> str:
    """The text in Markdown; every number in it is read from where it is made."""
    errata = (
        resources.files("dataset_builder.published")
        .joinpath("documents", "ERRATA.md")
        .read_text("utf-8")
    )
    return Template(document("about.md")).substitute(
        tasks=len(suite.tasks),
        tools=len(catalogue()),
        tiers="\n".join(f"- **{name.capitalize()}.** {meaning}" for name, meaning in TIERS.items()),
        weights=_weights(),
        signature=signature(
            suite, len(suite.tasks), PROTOCOL, CATALOGUE, "native", PROMPT_VERSIONS
        ),
        example=_example(suite),
        errata=errata.partition("\n")[2].replace("\n## ", "\n### ").strip(),
        version=suite.version,
        digest=suite.digest[:8],
    )


def api_text(suite: Suite) -> str:
    """How programs use the page, with a task of this suite in its example."""
    return Template(document("api.md")).substitute(example_id=suite.tasks[0].task_id)


def document(name: str) -> str:
    """A text of the page."""
    return resources.files("space.tabs").joinpath("documents", name).read_text("utf-8")


def _weights() -> str:
    lines = [
        f"| level | {' | '.join(map(_words, Weights._fields))} |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for level, weights in DEFAULT.items():
        cells = " | ".join(f"{weight:.2f}" if weight else "–" for weight in weights)
        lines.append(f"| L{level} | {cells} |")
    return "\n".join(lines)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _example(suite: Suite) -> str:
    """A row of a trace file that answers a task of this suite."""
    task = next(task for task in suite.tasks if task.steps)
    calls = [{"name": step.tool, "arguments": dict(step.arguments)} for step in task.steps]
    row = {
        "task_id": task.task_id,
        "model": "my-model",
        "protocol": PROTOCOL,
        "catalogue": CATALOGUE,
    }
    return json.dumps(row | {"calls": calls}, ensure_ascii=False)
