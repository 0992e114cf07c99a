"""The prompt of a procedure as a reader takes it apart: a sentence for each thing to be done."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from dataset_builder.tasks.task import Step, Task

_SENTENCE_ENDS = ".!?"
_BRACKETS = {"“": 1, "[": 1, "{": 1, "”": -1, "]": -1, "}": -1}


@dataclass(frozen=True)
class Sentence:
    """What the prompt says at one place, and the step that the row says is meant."""

    place: int
    """From 1, in the order of the prompt."""
    text: str
    step: Step


@dataclass(frozen=True)
class Reading:
    """A prompt in its parts."""

    form: str
    """list or prose"""
    is_numbered: bool
    introduction: str
    texts: tuple[str, ...]


# As many as a ladder has and more: rule after rule reads them all.
@lru_cache(maxsize=128)
def read(prompt: str) -> Reading:
    """The parts of a prompt: the first paragraph introduces, the others say what is to be done."""
    introduction, _, body = prompt.partition("\n\n")
    if body.startswith("1. "):
        return Reading("list", True, introduction, tuple(_numbered(f"\n{body}", "\n{}. ")))
    if body.startswith("(1) "):
        return Reading("prose", True, introduction, tuple(_numbered(f" {body}", " ({}) ")))
    return Reading("prose", False, introduction, tuple(_sentences(body)))


def _numbered(body: str, mark: str) -> Iterator[str]:
    """The texts behind the marks 1, 2, 3 …, each where it comes next."""
    body = re.sub(r"\n\n(?=\(\d+\) )", " ", body)
    number = 1
    while body:
        end = body.find(mark.format(number + 1))
        yield body[len(mark.format(number)) : end if end >= 0 else None].strip()
        number, body = number + 1, body[end:] if end >= 0 else ""


def _sentences(body: str) -> Iterator[str]:
    """Sentences of prose: they end before a capital letter, outside quotations and brackets."""
    start = depth = 0
    for position, sign in enumerate(body):
        depth += _BRACKETS.get(sign, 0)
        behind = body[position + 1 : position + 4].lstrip()
        ends = sign in _SENTENCE_ENDS or body[position - 1 : position + 1] in (".”", "!”", "?”")
        is_apart = not behind or (body[position + 1].isspace() and behind[0].isupper())
        if depth == 0 and ends and is_apart:
            yield body[start : position + 1].strip()
            start = position + 1
    if body[start:].strip():
        yield body[start:].strip()


def sentences(task: Task) -> list[Sentence]:
    """Each sentence with its step; ValueError where there are more or fewer than steps."""
    texts = read(task.prompt).texts
    steps: Mapping[str, Step] = {step.step_id: step for step in task.steps}
    listed = task.metadata["listed"]
    if sorted(listed) != sorted(steps):
        raise ValueError("metadata.listed does not name every step once")
    if len(texts) != len(listed):
        raise ValueError(f"the prompt has {len(texts)} sentences for {len(listed)} steps")
    return [
        Sentence(place, text, steps[step_id])
        for place, (text, step_id) in enumerate(zip(texts, listed, strict=True), 1)
    ]


def is_quoted(text: str, position: int) -> bool:
    """Whether a position lies inside quotation marks."""
    return text.count("“", 0, position) > text.count("”", 0, position)
