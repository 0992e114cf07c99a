"""How Inspect AI asks a model a task: the tools that it offers, and the turns of a protocol."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    ChatMessageUser,
    execute_tools,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolCallError, ToolDef, ToolError, ToolParams

from evaluator.asking.parse import Answer, read_message
from evaluator.asking.prompts import results_as_text
from evaluator.integrations.environment import Environment, Opening
from evaluator.integrations.inspect_ai_sample import (
    environment_of,
    error_of,
    openai_form,
    registered,
)

# The replay decides what is a bad argument and says so in its own words: what it takes, such as a
# number in quotes, Inspect would refuse by the schema, and a right call would look like a wrong one.
_ANYTHING = ToolParams(additionalProperties=True)


def opened(state: TaskState) -> tuple[Environment, Opening]:
    """The environment of a sample, at its opening."""
    return environment_of(str(state.sample_id), state.epoch, state.metadata, str(state.model))


@solver
@registered
def offer_tools() -> Solver:
    """Offers the tools of the catalogue, with the schemas of the protocol; stays with any solver."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        environment, opening = opened(state)
        state.tools = [_tool(environment, schema["function"]).as_tool() for schema in opening.tools]
        return state

    return solve


@solver
@registered
def answer() -> Solver:
    """Asks as `comptoolbench run` does: up to as many replies as the protocol has, the results between.

    Single-turn is one reply, and no tool runs.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        environment, opening = opened(state)
        for turns_left in reversed(range(opening.most_turns)):
            state = await generate(state, tool_calls="none")
            if state.completed or not turns_left:
                break
            results = await _carry_out(environment, state.output.message)
            if not results:
                break
            state.messages.extend(results)
        return state

    return solve


async def _carry_out(
    environment: Environment, message: ChatMessageAssistant
) -> Sequence[ChatMessage]:
    """Make the calls of a reply; the messages that show their results, none where it makes no call."""
    read = read_message(openai_form(message), environment.offered)
    if read.shape == "native":
        shown = await _native(environment, message, read)
    else:
        shown = _as_text(environment, read)
    environment.end_turn()
    return shown


async def _native(
    environment: Environment, message: ChatMessageAssistant, read: Answer
) -> list[ChatMessage]:
    """Each call carried out by Inspect, in order; those that it would not carry out are noted."""
    shown: list[ChatMessage] = []
    for call, (name, arguments) in zip(message.tool_calls or (), read.calls, strict=False):
        if name not in environment.offered or not isinstance(arguments, dict):
            noted = environment.call(name, arguments)
            error = "" if noted is None else error_of(noted.text)
            shown.append(
                ChatMessageTool(
                    content=error,
                    tool_call_id=call.id,
                    function=name,
                    error=ToolCallError("parsing", error),
                )
            )
        else:
            alone = message.model_copy(update={"tool_calls": [call]})
            open_tool = _tool(environment, {"name": name, "description": name}, _ANYTHING)
            shown += (await execute_tools([alone], [open_tool])).messages
    return shown


def _as_text(environment: Environment, read: Answer) -> list[ChatMessage]:
    """The results of calls that a model wrote as text, in one message, as there is no id to answer to."""
    first = len(environment.trace().calls) + 1
    made = [(name, environment.call(name, arguments)) for name, arguments in read.calls]
    outputs = [
        {"call": number, "name": name, "output": json.loads(result.text)}
        for number, (name, result) in enumerate(made, first)
        if result is not None
    ]
    return [ChatMessageUser(content=results_as_text(outputs, "native"))] if outputs else []


def _tool(
    environment: Environment, function: Mapping[str, Any], parameters: ToolParams | None = None
) -> ToolDef:
    """A tool of ours as one of Inspect's; with ``parameters``, in place of those of its schema."""
    name = function["name"]

    async def execute(**kwargs: Any) -> str:
        shown = environment.call(name, kwargs)
        if shown is None:
            raise ToolError("no tool runs before the reply is complete")
        if shown.is_error:
            raise ToolError(error_of(shown.text))
        return shown.text

    schema = function.get("parameters")
    if parameters is None:
        parameters = ToolParams.model_validate({"additionalProperties": None, **(schema or {})})
    # Nothing is cut off the output of a tool: a later call may depend on its end.
    return ToolDef(execute, name, function["description"], parameters, max_output=0)
