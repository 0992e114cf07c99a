"""Rules about the wording of prompts."""

import json
import re
from collections.abc import Iterator

from dataset_builder.tasks.prompt_similarity import SMALL_SUITE, AlikePrompts, word_trigrams
from dataset_builder.tasks.task import Task
from dataset_builder.values.surface_forms import stands
from evaluator.audit.rules import Context

_ELIDED = re.compile(r"(?:\.\.\.|…)\s*[\"'”’»`]|[\"'“‘«`]\s*(?:\.\.\.|…)")
_FILLER = re.compile(
    r"\b(?:(?:item|sample|value|test|dummy|example|placeholder|field|key|data)_\w*\d\w*|sample_\w+"
    r"|lorem ipsum|foo|foobar|asdf|qwerty|your_\w+_here)\b",
    re.IGNORECASE,
)


def no_tool_names(context: Context, task: Task) -> Iterator[str]:
    """No prompt names a tool by its snake_case name or pastes a description."""
    words = set(re.findall(r"[a-z0-9]+(?:_[a-z0-9]+)+", task.prompt.casefold()))
    for name in sorted(words & {name.casefold() for name in {*context.tools, *task.offered}}):
        yield f"the prompt names {name}"
    for step in task.steps:
        tool = context.tools.get(step.tool)
        if tool is not None and stands(tool.summary.rstrip("."), task.prompt):
            yield f"the prompt pastes the description of {step.tool}"


def whole_text(context: Context, task: Task) -> Iterator[str]:
    """No prompt cuts a quoted text short."""
    if match := _ELIDED.search(task.prompt):
        start = max(0, match.start() - 30)
        yield f"a quotation is cut short: {task.prompt[start : match.end()]!r}"


def no_filler(context: Context, task: Task) -> Iterator[str]:
    """No placeholder stands where a person would write something."""
    arguments = json.dumps([step.arguments for step in task.steps], ensure_ascii=False)
    fillers = {m.group() for text in (task.prompt, arguments) for m in _FILLER.finditer(text)}
    for filler in sorted(fillers):
        yield f"filler: {filler}"


def distinct_prompts(context: Context) -> Iterator[tuple[str, str]]:
    """No two prompts are the same; in a small suite no two are nearly alike."""
    seen: dict[str, str] = {}
    for task in context.suite.tasks:
        if task.prompt in seen:
            yield task.task_id, f"has the prompt of {seen[task.prompt]}"
        seen.setdefault(task.prompt, task.task_id)
    if len(context.suite.tasks) > SMALL_SUITE:
        return
    tasks, earlier = context.suite.tasks, AlikePrompts()
    for task in tasks:
        trigrams = word_trigrams(task.prompt)
        for place, alike in earlier.like(trigrams).items():
            if alike < 1:
                other = tasks[place].task_id
                yield task.task_id, f"its prompt is nearly that of {other} (similarity {alike:.2f})"
        earlier.add(trigrams)
