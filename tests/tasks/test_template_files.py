"""Templates as data: how files, slots and steps are read, and the one sentence where they cannot be."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.tasks.call_template import CallTemplate, Mentions
from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.slot import (
    Day,
    Decimal,
    Moment,
    Numbers,
    Pattern,
    Pick,
    Pool,
    Slot,
    Whole,
    word_lists,
)
from dataset_builder.tasks.template import Template
from dataset_builder.tasks.template_error import TemplateError
from dataset_builder.tasks.templates import templates
from dataset_builder.tasks.templates.read_slots import read_slots
from dataset_builder.tasks.templates.read_step import read_step
from dataset_builder.tasks.templates.read_templates import read_folder, read_templates
from dataset_builder.tools import catalogue
from tests.samples.template_parts import call, mentions, pick

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "dataset_builder" / "tasks" / "templates"
WORDS = FOLDER / "pools" / "words.json"

GOOD = """
[[template]]
name = "air_in_words"
prompts = [
  "How warm is it in {city.name}, in words for {paper}?",
  "For {paper}, in words: the temperature in {city.name}.",
  "{city.name}: its temperature now, spelled out for {paper}.",
]
steps = [
  "get_weather(city={city.name})",
  "number_to_text(number={1.temperature_c})",
]
[template.slots]
city.pool = "facts/cities"
paper.pick = ["the quiz", "the panel"]
"""


def read(content: str | bytes) -> tuple[Template, ...]:
    """The templates of a file called l1_air.toml."""
    raw = content.encode() if isinstance(content, str) else content
    return tuple(read_templates("l1_air.toml", raw, catalogue()))


def test_a_file_gives_what_python_would_have_written() -> None:
    (template,) = read(GOOD)
    assert template == Template(
        "air_in_words",
        prompts=(
            "How warm is it in {city.name}, in words for {paper}?",
            "For {paper}, in words: the temperature in {city.name}.",
            "{city.name}: its temperature now, spelled out for {paper}.",
        ),
        slots={"city": Pool("facts/cities"), "paper": pick("the quiz", "the panel")},
        steps=(
            call("get_weather", city="{city.name}"),
            call("number_to_text", number="{1.temperature_c}"),
        ),
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        # TOML and keys
        ("steps = [", "steps = ", "cannot be read as TOML ("),
        ('"air_in_words"', '"air', "cannot be read as TOML (Illegal character"),
        ("[[template]]", "[[templates]]", "expected nothing but [[template]] tables"),
        ("[[template]]", "[template]", "expected nothing but [[template]] tables"),
        ("[[template]]", "version = 1\n[[template]]", "expected nothing but [[template]] tables"),
        (GOOD, "", "expected nothing but [[template]] tables"),
        ('name = "air_in_words"\n', "", "template 1: name: missing"),
        ('"air_in_words"', "7", "template 1: name: expected small letters, digits and underscores"),
        ('"air_in_words"', '"Air, in words"', "Air, in words: name: expected small letters"),
        ("steps =", "step =", "air_in_words: step: there is no such key (name, prompts, rich,"),
        ("prompts =", "rich = 3\nprompts =", "air_in_words: rich: expected a text"),
        ('  "number_to_text', '  7, "number_to_text', "air_in_words: steps: expected a list of texts"),
        ("steps = [", 'optional = "none"\nsteps = [', "air_in_words: optional: expected a list of"),
        ("[template.slots]", "[template.slot]", "air_in_words: slot: there is no such key"),
        # wordings
        ('  "For {paper}, in words: the temperature in {city.name}.",\n', "", "prompts: fewer than"),
        ("{city.name}: its", "{city.name} {town}: its", "prompts 3: {town} does not exist as a slot"),
        ("{city.name}: its", "{city.nmae}: its", "prompts 3: {city.nmae} does not exist"),
        ("{city.name}: its", "{city.name} {city its", "prompts 3: {city its temperature"),
        ("{city.name}: its", "The", "air_in_words: prompts 3: {city.name} is not stated in 'The"),
        ("steps = [", 'rich = "{city.name}"\nsteps = [', "air_in_words: rich: a context-rich wording"),
        # slots
        ("paper.pick", "paper.choice", "air_in_words: slots.paper: there is no kind of slot choice (pick"),
        ('"facts/cities"', '"townz"', "air_in_words: slots.city: there is no pool townz"),
        ('["the quiz", "the panel"]', '"papres"', "slots.paper: there is no list papres in pools/words"),
        ("paper.pick", "more.whole = [1, 2]\npaper.pick", "slots.more: no phrasing states it"),
        ("paper.pick", "Paper.pick", "prompts 1: {paper} does not exist as a slot"),
        # steps
        ("{city.name})", "'Paris')", "air_in_words: steps 1: city: \"'Paris'\" is neither a slot nor"),
        ("{1.temperature_c}", "36", "air_in_words: steps 2: number: '36' is neither a slot nor"),
        ("{1.temperature_c}", "[]", "steps 2: number: ']' is neither a slot nor a reference"),
        ('{city.name})"', '{city.name}"', "air_in_words: steps 1: expected ')', not the end"),
        ("get_weather(", "get_wether(", "air_in_words: steps 1: there is no tool get_wether"),
        ("(city=", "(town=", "steps 1: get_weather has unknown arguments ['town'], lacks ['city']"),
        ("{1.temperature_c}", "{1.poem}", "steps 2: number: get_weather returns no poem"),
        ("{1.temperature_c}", "{9.poem}", "air_in_words: steps: the graph ((), (9,)) is of no level"),
        (
            "steps = [",
            'optional = ["word_count(text={3.text})"]\nsteps = [',
            "air_in_words: optional 1: text refers to step 3, which is no earlier one",
        ),
    ],
)  # fmt: skip
def test_an_error_names_file_template_and_field(old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(TemplateError) as caught:
        read(GOOD.replace(old, new, 1))
    said = str(caught.value)
    assert said.startswith("l1_air.toml: ")
    assert message in said
    assert "\n" not in said


def test_an_error_in_the_second_template_names_the_second() -> None:
    broken = GOOD.replace("air_in_words", "air_again").replace("get_weather", "get_wether")
    with pytest.raises(TemplateError, match=r"^l1_air\.toml: air_again: steps 1: there is no tool"):
        read(GOOD + broken)


@pytest.mark.parametrize("content", [b"\xff\xfe", b"\x00", b"a = " + b"[" * 5_000])
def test_what_is_no_toml_is_refused_in_a_sentence(content: bytes) -> None:
    with pytest.raises(TemplateError, match=r"^l1_air\.toml: cannot be read as TOML"):
        read(content)


@pytest.mark.parametrize("second", ["l1_air.toml", "l1_more.toml"])
def test_a_name_stands_once_in_all_files(second: str, tmp_path: Path) -> None:
    (tmp_path / "l1_air.toml").write_text(GOOD, "utf-8")
    with (tmp_path / second).open("a", encoding="utf-8") as file:
        file.write(GOOD)
    with pytest.raises(TemplateError) as caught:
        read_folder(tmp_path, catalogue())
    assert (
        str(caught.value)
        == f"{second}: air_in_words: name: a template of l1_air.toml has it as well"
    )


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("get_time()", CallTemplate("get_time", {})),
        ("a(b={c})", call("a", b="{c}")),
        (" a ( b = {c} ,d={1.e.f} ) ", call("a", b="{c}", d="{1.e.f}")),
        ("a(from={c.d})", call("a", from_="{c.d}")),
        ("a(b=[{c}, {1.d}])", call("a", b=["{c}", "{1.d}"])),
        ("a(b=mentions({c}, {1.d}), e={f})", call("a", b=mentions("{c}", "{1.d}"), e="{f}")),
        ("a(b=mentions_unrounded({1.d}))", call("a", b=mentions("{1.d}", unrounded=True))),
        ("mentions(mentions={mentions})", call("mentions", mentions="{mentions}")),
    ],
)
def test_a_step_is_read(text: str, step: CallTemplate) -> None:
    assert read_step(text) == step


CONSTANTS = (
    '"x"', "'x y'", "36", "-1.5", "true", "None", "x", "", "[]", "{}", "{A}", "{1}", "{a b}", '["x"]',
    "[36]", "[{b}, 36]", "[[{b}]]", "x{b}", "mentions", "mentions()", 'mentions("x")',
    "mentions([{b}])", "mentions(mentions({b}))", "unrounded({b})", "dict(a={b})",
)  # fmt: skip


@pytest.mark.parametrize("value", CONSTANTS)
def test_a_step_has_no_syntax_for_a_constant(value: str) -> None:
    with pytest.raises(TemplateError, match=r"^a: .* is neither a slot nor a reference$"):
        read_step(f"tool(a={value})")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected the name of a tool, not the end"),
        ("{a}(b={c})", "expected the name of a tool, not '{a}'"),
        ("tool", "expected '(', not the end"),
        ("tool(a={b}", "expected ')', not the end"),
        ("tool(a=[{b})", "a: expected ']', not ')'"),
        ("tool(a=mentions({b})", "expected ')', not the end"),
        ("tool(a={b} c={d})", "expected ')', not 'c'"),
        ("tool(a={b},)", "expected the name of an argument, not ')'"),
        ("tool(a={b, c={d})", "a: '{b, c=' is neither a slot nor a reference"),
        ("tool(a={b}, a={c})", "a: stands twice"),
        ("tool({b})", "expected the name of an argument, not '{b}'"),
        ("tool(a={b}{c})", "expected ')', not '{c}'"),
        ("tool(a={b})(c={d})", "expected the end, not '('"),
        ("tool(a={b}) # why", "expected the end, not '#'"),
    ],
)
def test_a_step_that_cannot_be_read_says_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(TemplateError, match=f"^{re.escape(message)}$"):
        read_step(text)


@given(st.text(st.sampled_from("ab1{}[](),.=\"' \n€"), max_size=40))
def test_any_text_is_a_step_or_an_error_of_one_sentence(text: str) -> None:
    try:
        step = read_step(text)
    except TemplateError:
        return
    # What was read holds nothing but slots and references, so it can be written again.
    assert read_step(written(step)) == step


def written(step: CallTemplate) -> str:
    """A step as files write it."""
    return f"{step.tool}({', '.join(f'{n}={argument(v)}' for n, v in step.arguments.items())})"


def argument(value: Any) -> str:
    """An argument as files write it."""
    if isinstance(value, Mentions):
        kind = "mentions_unrounded" if value.is_unrounded else "mentions"
        return f"{kind}({', '.join(map(argument, value.parts))})"
    if isinstance(value, tuple):
        return f"[{', '.join(map(argument, value))}]"
    return f"{{{value.name}}}" if hasattr(value, "name") else f"{{{value.step}.{value.path}}}"


@pytest.mark.parametrize("template", templates(), ids=lambda template: template.name)
def test_every_step_can_be_written_and_read_again(template: Template) -> None:
    for step in (*template.steps, *template.optional):
        assert read_step(written(step)) == step


@pytest.mark.parametrize(
    ("line", "slot"),
    [
        ('x.pick = ["a", "b", 3, 4.5]', pick("a", "b", 3, 4.5)),
        ('x.pick = { "one decimal" = 1, two = 2 }', pick(("one decimal", 1), ("two", 2))),
        ('x.pick = "cipher_keys"', Pick(tuple(word_lists()["cipher_keys"]))),
        ('x.pick = "payment_terms"', Pick(tuple(word_lists()["payment_terms"].items()))),
        ('x.pool = "people"', Pool("people")),
        ('x = { pool = "facts/cities" }', Pool("facts/cities")),
        ("x.whole = [3, 24]", Whole(3, 24)),
        ("x.whole = [1500, 64000, 250]", Whole(1500, 64000, 250)),
        ("x.decimal = [1.15, 6.95]", Decimal(1.15, 6.95)),
        ("x.decimal = [12, 940, 1]", Decimal(12, 940, 1)),
        ("x.decimal_ungrouped = [1, 9, 3]", Decimal(1, 9, 3, grouped=False)),
        ("x.numbers = [5, 9, 12, 95]", Numbers(5, 9, 12, 95)),
        ("x.numbers = [5, 9, 1.5, 9.5, 1]", Numbers(5, 9, 1.5, 9.5, 1)),
        ("x.day = [2026-09-01, 2026-11-28]", Day("2026-09-01", "2026-11-28")),
        ("x.moment = [2026-09-01, 2026-11-28]", Moment("2026-09-01", "2026-11-28")),
        (
            'x.pattern.text = "{a} in {b}"\nx.pattern.a.whole = [1, 9]\nx.pattern.b.pick = ["c"]',
            Pattern("{a} in {b}", {"a": Whole(1, 9), "b": pick("c")}),
        ),
    ],
)
def test_each_kind_of_slot_is_read(line: str, slot: Slot) -> None:
    assert read_slots(tomllib.loads(line), "slots") == {"x": slot}


WRONG = (
    "1", "1.5", "nan", "true", '""', '"nothing"', "[]", "{}", "[[]]", "[1]", "[2, 1]", '["1", "2"]',
    "[true, false]", "[nan, inf]", "[1, inf]", "[1, 2, -1]", "[1, 2, 3, 4, 5, 6]", "{ a = [] }",
    "{ text = 3 }", "2026-09-01", "[2026-11-28, 2026-09-01]", "[2026-09-01T10:00:00, 2026-09-02]",
)  # fmt: skip
KINDS = ("pool", "whole", "decimal", "decimal_ungrouped", "numbers", "day", "moment", "pattern")


@pytest.mark.parametrize("value", WRONG)
@pytest.mark.parametrize("kind", KINDS)
def test_a_slot_of_a_wrong_value_is_refused(kind: str, value: str) -> None:
    with pytest.raises(TemplateError, match=r"^slots\.x: "):
        read_slots(tomllib.loads(f"x.{kind} = {value}"), "slots")


@pytest.mark.parametrize(
    "line",
    [
        "x = 3",
        "x = {}",
        "x = { whole = [1, 2], decimal = [1, 2] }",
        'x.pick = "no such list"',
        "x.pick = []",
        "x.pick = {}",
        "x.pick = 3",
        'x.pick = [["said", "value"]]',
        "x.pick = [true]",
        "x.pick = [nan]",
        "x.pick = { a = [1] }",
        'x.pool = "words"',
        'x.pool = "facts/country_names"',
        "x.whole = [1, 9, 0]",
        "x.numbers = [5, 9, 1, 9]",
        "x.numbers = [0, 9, 1, 90]",
        'x.pattern.text = "{a} and {b}"\nx.pattern.a.whole = [1, 2]',
        'x.pattern.text = "{a}"\nx.pattern.a.whole = [1, 2]\nx.pattern.b.whole = [1, 2]',
        'x.pattern.text = "{a}"\nx.pattern.a.pool = "people"',
    ],
)
def test_a_slot_that_cannot_be_drawn_is_refused(line: str) -> None:
    with pytest.raises(TemplateError, match=r"^slots\.x: "):
        read_slots(tomllib.loads(line), "slots")


def test_a_slot_of_a_pattern_is_named_in_its_error() -> None:
    tables = tomllib.loads('x.pattern.text = "{a}"\nx.pattern.a.hole = [1, 2]')
    with pytest.raises(
        TemplateError, match=r"^slots\.x: pattern\.a: there is no kind of slot hole"
    ):
        read_slots(tables, "slots")


def test_a_file_of_a_level_holds_templates_of_that_level() -> None:
    wrong = [
        (path.name, template.name)
        for path in sorted(FOLDER.glob("l*.toml"))
        for template in read_templates(path.name, path.read_bytes(), catalogue())
        if not path.name.startswith(f"l{template.level.task_id(1)[1]}_")
    ]
    assert not wrong


def picked() -> Counter[str]:
    """How often the files pick each named list, or each list of their own."""
    found: Counter[str] = Counter()

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            if set(value) == {"pick"}:
                found[json.dumps(value["pick"])] += 1
            for inner in value.values():
                walk(inner)

    for path in FOLDER.glob("*.toml"):
        for table in tomllib.loads(path.read_text("utf-8"))["template"]:
            walk(table["slots"])
    return found


def test_a_list_of_words_is_written_once() -> None:
    uses = picked()
    named = {json.dumps(options): name for name, options in word_lists().items()}
    assert len(named) == len(word_lists()), "two names for one list"
    unused = [name for name in word_lists() if not uses[json.dumps(name)]]
    assert not unused, "no template picks them"
    long = [
        text for text in uses if not isinstance(json.loads(text), str) and len(json.loads(text)) > 2
    ]
    assert not [text for text in long if uses[text] > 1 or text in named], "to words.json with them"


def test_a_name_of_words_is_given_once() -> None:
    names = re.findall(r'^ "(\w+)": [\[{]$', WORDS.read_text("utf-8"), flags=re.MULTILINE)
    assert names == sorted(word_lists())


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            "l1_numbers.toml",
            "{unit.to}",
            "{unit.too}",
            "l1_numbers.toml: conversion_rounded: prompts 1: {unit.too} does not exist as a slot",
        ),
        (
            "pools/words.json",
            "[",
            "",
            "l0_communication.toml: mail_to_person: slots.body: pattern.what: pools/words.json cannot "
            "be read as JSON (",
        ),
        (
            "pools/people.json",
            "{",
            "",
            "l0_communication.toml: mail_to_person: slots.person: pools/people.json cannot be read as "
            "JSON (",
        ),
    ],
)
def test_who_breaks_a_file_is_told_in_one_line(
    file: str, old: str, new: str, message: str, tmp_path: Path
) -> None:
    for package in ("croissant", "dataset_builder", "evaluator", "space"):
        shutil.copytree(ROOT / package, tmp_path / package)
    shutil.copy(ROOT / "comptoolbench.py", tmp_path)
    path = tmp_path / "dataset_builder" / "tasks" / "templates" / file
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    command = (sys.executable, "-m", "comptoolbench", "build", "--out", "built")
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith(f"comptoolbench: {message}")
    assert done.stderr.count("\n") == 1


def test_the_template_of_the_guide_makes_tasks() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    (example,) = re.findall(r"```toml\n( *\[\[template\]\].*?) ```", guide, flags=re.DOTALL)
    (template,) = read(example)
    engine = CompositionEngine(7, templates=[template], counts=(0, 3, 0, 0))
    assert len({task.prompt for task in engine.generate()}) == 3
