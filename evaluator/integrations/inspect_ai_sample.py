"""A task as a sample of Inspect AI, and its conversation read back into an episode. Needs no Inspect.

What a sample needs to be scored stands in its metadata, so that a log can be scored again by itself.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from dataset_builder.errors import InputError
from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.task import Level, Suite, Task
from evaluator.asking.parse import Answer, read_message
from evaluator.asking.request_reply import Message, compact
from evaluator.integrations.environment import Environment, Opening
from evaluator.traces.signature import suite_label

PACKAGE = "comptoolbench"
OURS = ("suite", "protocol", "catalogue")
"""The entries of a sample's metadata without which it is none of ours."""
_Defined = TypeVar("_Defined", bound=Callable[..., Any])


def registered(define: _Defined) -> _Defined:
    """Have Inspect know a function as ``comptoolbench/NAME``, however the project is installed.

    Inspect would put the name of its top-level package before it (``evaluator``), or none in an
    editable install. One that is loaded from a task file by its path keeps its plain name.
    """
    if define.__module__.startswith("evaluator."):
        define.__name__ = f"{PACKAGE}/{define.__name__}"
        return by_plain_name(define)
    return define


def by_plain_name(define: _Defined) -> _Defined:
    """Have Inspect put no package before a name: of a function without module it knows none."""
    define.__module__ = ""
    return define


@lru_cache(maxsize=4)
def suite_at(source: str | None, config: str) -> Suite:
    """The suite of a folder, file or Hub id; the published one where none is named."""
    return load_suite(source, config=config)


def metadata_of(
    task: Task, suite: Suite, source: str | None, protocol: str, catalogue: str
) -> dict[str, Any]:
    """What a sample says of itself; ``group`` is what its metrics are set beside each other by."""
    is_procedure = task.level is Level.PROCEDURE
    return {
        "group": f"{len(task.steps)}_calls" if is_procedure else f"L{task.level.value}",
        "template": task.metadata.get("template") or task.task_id,
        "suite": suite_label(suite),
        "config": suite.name if is_procedure else "default",
        "source": source,
        "protocol": protocol,
        "catalogue": catalogue,
    }


def environment_of(
    task_id: str, epoch: int, metadata: Mapping[str, Any], model: str
) -> tuple[Environment, Opening]:
    """A sample's environment, opened; InputError where its suite is not there, or is another one now.

    ``epoch``: counted from 1.
    """
    if not all(isinstance(metadata.get(name), str) for name in OURS):
        raise InputError(
            f"sample {task_id}: is none of CompToolBench (its metadata lacks the suite)"
        )
    suite = suite_at(metadata.get("source"), metadata.get("config") or "default")
    if suite_label(suite) != metadata["suite"]:
        raise InputError(
            f"sample {task_id}: was asked of suite {metadata['suite']}, and this is {suite_label(suite)}"
        )
    environment = Environment(suite, metadata["protocol"], metadata["catalogue"], model)
    return environment, environment.reset(task_id, epoch - 1)


def openai_form(message: Any) -> Message:
    """An assistant message of Inspect's in OpenAI form.

    Inspect keeps arguments that were no JSON in the words of its error alone.
    """
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {
                "name": call.function,
                "arguments": call.parse_error or compact(call.arguments),
            },
        }
        for call in message.tool_calls or ()
    ]
    return {
        "role": "assistant",
        "content": message.text,
        **({"tool_calls": calls} if calls else {}),
    }


def answers(environment: Environment, messages: Iterable[Any]) -> Iterator[Answer]:
    """The calls of each reply of a conversation, made in the environment while it takes any."""
    for message in messages:
        if message.role != "assistant" or environment.is_over:
            continue
        answer = read_message(openai_form(message), environment.offered)
        for name, arguments in answer.calls:
            environment.call(name, arguments)
        environment.end_turn()
        yield answer


def expected(task: Task) -> str:
    """The expected calls of a task, one a line, for people who read a log."""
    return "\n".join(f"{step.tool} {compact(step.arguments)}" for step in task.steps)


def chosen(
    tasks: Sequence[Task], wanted: Any, value: Callable[[Task], str], what: str
) -> list[Task]:
    """The tasks of which a value is among those wanted: one or several, as a command line gives them."""
    if wanted is None:
        return list(tasks)
    listed = wanted if isinstance(wanted, list | tuple) else str(wanted).split(",")
    names = {str(each).strip().removeprefix("L") for each in listed}
    known = sorted({value(task) for task in tasks}, key=int)
    if unknown := sorted(names.difference(known)):
        raise InputError(f"{what}={','.join(unknown)}: expected some of {', '.join(known)}")
    return [task for task in tasks if value(task) in names]


def error_of(text: str) -> str:
    """The error that a model is shown, as a sentence."""
    return str(json.loads(text)["error"])
