"""Inspect's own log of tasks that its mock model answers with given calls."""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dataset_builder.tasks.task import Task
from tests.samples.conversations.make import (
    COMPLETION_TOKENS,
    MODEL,
    PROMPT_TOKENS,
    SYSTEM,
    Made,
    Turns,
)

# Of the machine that made it.
_OF_THE_MACHINE = ("task_file", "revision", "packages", "config", "model_generate_config")


def inspect_log(answers: Sequence[tuple[Task, Turns]], protocol: str) -> dict[str, Any]:
    """The JSON of a log; what tells of the machine is taken out."""
    with tempfile.TemporaryDirectory() as folder:
        path = write_inspect_log(answers, protocol, Path(folder), "json")
        log: dict[str, Any] = json.loads(path.read_text("utf-8"))
    log["eval"] = {k: v for k, v in log["eval"].items() if k not in _OF_THE_MACHINE}
    return log


def write_inspect_log(
    answers: Sequence[tuple[Task, Turns]], protocol: str, folder: Path, form: Any
) -> Path:
    """A log ("json" or "eval") in a folder; where it lies."""
    import inspect_ai
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageTool, get_model
    from inspect_ai.solver import Generate, TaskState, solver

    by_id = {task.task_id: turns for task, turns in answers}

    @solver
    def playing() -> Any:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            state.messages.insert(0, ChatMessageSystem(content=SYSTEM))
            for calls in by_id[str(state.sample_id)]:
                model = get_model(f"mockllm/{MODEL}", custom_outputs=[_output(calls)])
                state.output = await model.generate(state.messages)
                state.messages.append(state.output.message)
                state.messages += [
                    ChatMessageTool(content=c.result, tool_call_id=c.id, function=c.name)
                    for c in calls
                ]
            return state

        return solve

    @inspect_ai.task
    def suite(protocol: str, catalogue: str) -> inspect_ai.Task:
        samples = [Sample(id=task.task_id, input=task.prompt) for task, _ in answers]
        return inspect_ai.Task(dataset=samples, solver=playing())

    (log,) = inspect_ai.eval(
        suite(protocol=protocol, catalogue="full"),
        model=f"mockllm/{MODEL}",
        log_dir=str(folder),
        log_format=form,
        display="none",
        max_samples=1,
    )
    return Path(log.location.removeprefix("file://"))


def _output(calls: Sequence[Made]) -> Any:
    from inspect_ai.model import (
        ChatCompletionChoice,
        ChatMessageAssistant,
        ModelOutput,
        ModelUsage,
    )
    from inspect_ai.tool import ToolCall

    made = [ToolCall(id=c.id, function=c.name, arguments=c.arguments) for c in calls]
    message = ChatMessageAssistant(content="" if calls else "Done.", tool_calls=made or None)
    return ModelOutput(
        model=MODEL,
        choices=[
            ChatCompletionChoice(message=message, stop_reason="tool_calls" if calls else "stop")
        ],
        usage=ModelUsage(
            input_tokens=PROMPT_TOKENS,
            output_tokens=COMPLETION_TOKENS,
            total_tokens=PROMPT_TOKENS + COMPLETION_TOKENS,
        ),
    )
