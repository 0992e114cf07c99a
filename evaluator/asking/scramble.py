"""Scrambled tools: made-up names, or descriptions without their words. What is left tells them apart.

With made-up *names* the descriptions and all of the parameters stay. With scrambled *descriptions* the names,
the parameters with theirs, and the list of fields that a tool returns stay.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from dataset_builder.tasks.task import Task
from dataset_builder.values.draw import Draw
from evaluator.asking.prompts import Schema
from evaluator.traces.variations import Variation

_CONSONANTS, _VOWELS, _SYLLABLES = "bdfgklmnprstvz", "aeiou", 3
_RETURNS = "Returns: "
_LETTERS = re.compile(r"[^\W\d_]+")


def made_up_names(
    task: Task, tools: Iterable[str], variation: Variation
) -> Mapping[str, str] | None:
    """Tool → what a model is told that it is called, of the catalogue's and the task's; None for its name.

    A name hangs on the seed and the tool's own name; no two are the same.
    """
    if variation.scrambled is None or variation.scrambled[0] != "names":
        return None
    return _made_up(frozenset((*tools, *task.offered)), variation.scrambled[1])


@lru_cache(maxsize=64)
def _made_up(tools: frozenset[str], seed: str) -> Mapping[str, str]:
    names: dict[str, str] = {}
    taken = set(tools)
    for tool in sorted(tools):
        draw = Draw(f"scramble|{seed}|{tool}")
        attempt = 0
        while (name := _word(draw, f"name {attempt}", _SYLLABLES)) in taken:
            attempt += 1
        taken.add(name)
        names[tool] = name
    return names


def _word(draw: Draw, label: str, syllables: int) -> str:
    """Something that can be said and means nothing."""
    parts = (
        draw.choice(f"{label} {letters} {n}", letters)
        for n in range(syllables)
        for letters in (_CONSONANTS, _VOWELS)
    )
    return "".join(parts)


def scrambled(
    schemas: Sequence[Schema], variation: Variation, names: Mapping[str, str] | None
) -> list[Schema]:
    """The schemas as a variation has them sent; as they are where it scrambles nothing."""
    if names is not None:
        return [_renamed(schema, names) for schema in schemas]
    if variation.scrambled is not None:
        return [_without_words(schema, variation.scrambled[1]) for schema in schemas]
    return list(schemas)


def _renamed(schema: Schema, names: Mapping[str, str]) -> dict[str, Any]:
    """The tool under its made-up name, and so all others that its descriptions mention.

    A name without an underscore is a word as well, which a description may need.
    """
    # The longest first, as one name may be the beginning of another.
    known = sorted((name for name in names if "_" in name), key=len, reverse=True)
    mentioned = re.compile(rf"\b(?:{'|'.join(map(re.escape, known))})\b")

    def told(text: str) -> str:
        return mentioned.sub(lambda match: names[match[0]], text) if known else text

    function = schema["function"]
    parameters = function["parameters"]
    properties = {
        name: {**value, "description": told(value["description"])}
        if "description" in value
        else value
        for name, value in parameters["properties"].items()
    }
    renamed = {
        **function,
        "name": names[function["name"]],
        "description": told(function["description"]),
        "parameters": {**parameters, "properties": properties},
    }
    return {**schema, "function": renamed}


def _without_words(schema: Schema, seed: str) -> dict[str, Any]:
    """The tool with words that mean nothing in place of what it does."""
    function = schema["function"]
    says, mark, returns = function["description"].rpartition(_RETURNS)
    draw = Draw(f"scramble|{seed}|{function['name']}")
    # A description of another suite that lists no fields is scrambled whole.
    words = says if mark else returns
    count = 0

    def another(match: re.Match[str]) -> str:
        nonlocal count
        count += 1
        word = _word(draw, f"word {count}", 1 + len(match[0]) // 4)
        return word.capitalize() if match[0][0].isupper() else word

    text = _LETTERS.sub(another, words)
    return {
        **schema,
        "function": {**function, "description": f"{text}{mark}{returns}" if mark else text},
    }


def real_name(name: str, names: Mapping[str, str] | None) -> str:
    """The tool's own name of the one that a model wrote.

    Who was told made-up ones and calls a tool by its own calls one that was not offered: it is kept
    with ``!`` before it, which no tool has.
    """
    if names is None:
        return name
    tools = {made_up: tool for tool, made_up in names.items()}
    return tools.get(name, f"!{name}" if name in names else name)
