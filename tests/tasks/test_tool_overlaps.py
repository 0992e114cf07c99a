"""The table of twins: its rows are true, its cues are words, and the audit holds prompts to it."""

import re

import pytest

from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.slot import draw_slots
from dataset_builder.tasks.task import Task
from dataset_builder.tasks.template import Template
from dataset_builder.tasks.templates import templates
from dataset_builder.tasks.tool_overlaps import Overlap, overlaps
from dataset_builder.tools import catalogue
from dataset_builder.tools.define_tool import tool
from dataset_builder.tools.tool import Catalogue, Output
from dataset_builder.tools.world import World
from dataset_builder.values.draw import Draw
from dataset_builder.values.parameter_types import Verbatim
from dataset_builder.values.references import dig, project
from dataset_builder.values.rounding import is_same
from evaluator.audit.rules import Context
from evaluator.audit.single_answer import single_answer
from tests.samples.template_parts import call, pick

ROWS = [row for rows in overlaps().values() for row in rows]
SAME = [row for row in ROWS if row.outputs]


def name(row: Overlap) -> str:
    return f"{row.tool}-{row.twin}"


def test_the_table_covers_the_catalogue() -> None:
    pairs = {frozenset((row.tool, row.twin)) for row in ROWS}
    assert len(pairs) >= 40
    assert sum("calculator" in pair for pair in pairs) >= 5
    assert {catalogue()[row.tool].category for row in ROWS} == {
        tool.category for tool in catalogue().values()
    }


def test_no_row_stands_twice() -> None:
    keys = [(row.tool, row.twin, tuple(row.arguments.items())) for row in ROWS]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("row", ROWS, ids=name)
def test_a_row_names_what_exists(row: Overlap) -> None:
    tool, twin = catalogue()[row.tool], catalogue()[row.twin]
    assert row.tool != row.twin or row.outputs
    assert set(row.arguments) <= set(twin.parameters)
    places = [*map(str, row.arguments.values()), *row.outputs.values(), *row.inputs]
    assert set(re.findall(r"\{(\w+)", " ".join(places))) <= set(tool.parameters)
    assert set(row.outputs) <= set(tool.returns)
    assert {path.split(".")[0] for path in row.outputs.values()} <= set(twin.returns)
    assert bool(row.outputs) == bool(row.example)
    assert bool(row.outputs) or not row.arguments
    assert bool(row.inputs) == (row.twin == "calculator" and not row.cues)
    assert row.note.endswith(".")


@pytest.mark.parametrize("row", SAME, ids=name)
def test_a_twin_gives_the_same_in_the_example(row: Overlap) -> None:
    arguments = row.twin_arguments(row.example)
    assert arguments is not None
    expected = catalogue()[row.tool](row.example, World())
    given = catalogue()[row.twin](arguments, World())
    outputs = row.twin_outputs(row.example)
    assert outputs is not None
    for path, twin_path in outputs.items():
        assert is_same(project(given, twin_path), dig(expected, path))


@pytest.mark.parametrize("row", ROWS, ids=name)
def test_cues_are_words_of_a_prompt(row: Overlap) -> None:
    assert row.cues or row.outputs
    assert len(set(row.cues)) == len(row.cues)
    for cue in row.cues:
        assert re.fullmatch(r"[a-z0-9]+(?:[ '-][a-z0-9]+)*", cue), cue
        assert row.decided(f"What about the {cue.upper()}?")


def drawn(template: Template) -> list[str]:
    """Each phrasing of a template with values of its own."""
    prompts = []
    for text in template.prompts:
        values = draw_slots(template.slots, Draw(f"{template.name}|{text}"))
        prompts.append(template.say(text, values))
    return prompts


@pytest.mark.parametrize("row", [row for row in ROWS if row.cues], ids=name)
def test_a_cue_stands_in_prompts_that_want_the_tool(row: Overlap) -> None:
    prompts = [text for t in templates() if row.tool in t.tools for text in drawn(t)]
    assert any(row.decided(text) for text in prompts)


def made(template: Template, tools: Catalogue | None = None) -> tuple[Context, Task]:
    """A task of the template, and what the audit knows of it."""
    engine = CompositionEngine(7, tools or catalogue(), [template], (1, 0, 0, 0))
    suite = engine.generate_suite()
    return Context(suite, engine.catalogue), suite.tasks[0]


def counting(ask: str) -> Template:
    """A template that wants the words of a text counted and asks for it in some way."""
    return Template(
        "counting",
        prompts=(f"{ask} “{{text}}”?", f"{ask}, please: “{{text}}”", f"“{{text}}”: {ask}?"),
        slots={"text": pick("The ferry to the island left at dawn with all of us aboard")},
        steps=(call("word_count", text="{text}"),),
        rich="The text “{text}”.",
    )


def test_a_twin_that_no_cue_excludes_is_an_alternative() -> None:
    context, task = made(counting("How big is"))
    assert "tokenize_text" in {other.tool for other in task.steps[0].alternatives}
    assert "tokenize_text" not in task.offered
    assert not list(single_answer(context, task))


def test_a_cue_excludes_the_twin() -> None:
    context, task = made(counting("How many words has"))
    assert not task.steps[0].alternatives
    assert not list(single_answer(context, task))


def message(ask: str) -> Template:
    return Template(
        "message",
        prompts=(f"{ask}: “{{text}}”", f"{ask} “{{text}}”", f"“{{text}}” {ask}"),
        slots={"who": pick("Grace Okafor"), "text": pick("The lift works again")},
        steps=(call("send_message", recipient="{who}", text="{text}"),),
        rich="{who} gets the text “{text}”.",
    )


def test_a_prompt_must_decide_between_tools_that_meet_the_same_need() -> None:
    assert not list(single_answer(*made(message("Send {who} a chat message"))))
    found = list(single_answer(*made(message("Let {who} know"))))
    assert "step_1: no word of the prompt decides between send_message and send_email" in found


@tool("AI & NLP")
def letters(text: Verbatim) -> Output:
    """How long a text is.

    Args:
        text: Text.

    Returns:
        count (integer): characters
    """
    return {"count": len(text)}


@tool("AI & NLP")
def size(text: Verbatim) -> Output:
    """How big a text is.

    Args:
        text: Text.

    Returns:
        size (integer): characters
    """
    return {"size": len(text)}


@tool("AI & NLP")
def rank(text: Verbatim, draw: Draw) -> Output:
    """How a text is ranked.

    Args:
        text: Text.

    Returns:
        rank (integer): place
    """
    return {"rank": draw.integer("rank", 13, 60)}


def test_a_drawn_value_that_agrees_by_chance_is_no_second_answer() -> None:
    texts = (f"Berth {n} at the old north quay" for n in range(1000))
    text = next(t for t in texts if rank({"text": t}, World())["rank"] == len(t))
    template = Template(
        "letters",
        prompts=("{text}?", "{text}!", "{text}."),
        slots={"text": pick(text)},
        steps=(call("letters", text="{text}"),),
        rich="{text}",
    )
    assert not list(single_answer(*made(template, Catalogue([letters, rank]))))
    found = list(single_answer(*made(template, Catalogue([letters, size, rank]))))
    assert found == ["step_1: size gives the answer of letters too"]
