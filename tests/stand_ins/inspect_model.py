"""A model of Inspect AI that answers as one of the built-in agents does, or with replies made by hand."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    GenerateConfig,
    Model,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    get_model,
    modelapi,
)
from inspect_ai.model._call_tools import parse_tool_call
from inspect_ai.tool import ToolChoice, ToolInfo

from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.task import Suite
from evaluator.asking.baselines import baseline
from evaluator.asking.prompts import system_prompt
from evaluator.asking.request_reply import Message, Request, compact
from evaluator.traces.protocols import MULTI_TURN, SINGLE_TURN

Reply = Mapping[str, Any]
"""An assistant message in OpenAI form."""
Answer = Callable[[Request], Reply]


def agent(name: str) -> Answer:
    """The replies of a built-in agent."""
    answer = baseline(name)

    async def one(request: Request) -> Reply:
        message = (await answer(request)).message
        assert message is not None
        return message

    # A loop of its own, in a thread of its own: Inspect's is running in this one.
    threads = ThreadPoolExecutor(1)
    return lambda request: threads.submit(asyncio.run, one(request)).result()


def replying(suite: Suite, answer: Answer) -> Callable[..., ModelOutput]:
    """What answers a request of Inspect's: tasks are told by prompt, epochs by count."""
    by_prompt = {task.prompt: task for task in suite.tasks}
    opened: Counter[str] = Counter()

    def generate(
        messages: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        system, prompt = messages[0].text, messages[1].text
        opened[prompt] += len(messages) == 2
        request = Request(
            by_prompt[prompt],
            opened[prompt] - 1,
            SINGLE_TURN if system.startswith(system_prompt(SINGLE_TURN)) else MULTI_TURN,
            [openai_message(message) for message in messages],
            [schema_of(tool) for tool in tools],
        )
        return as_output(answer(request), tools)

    return generate


def model_answering(suite: Suite, answer: Answer) -> Model:
    """A model that replies as it is told."""
    return get_model("mockllm/model", custom_outputs=replying(suite, answer), memoize=False)


@modelapi(name="stand-in")
class StandIn(ModelAPI):
    """``--model stand-in/baseline:oracle``: a built-in agent on the published tasks and procedures."""

    def __init__(self, model_name: str, *_: Any, **more: Any) -> None:
        super().__init__(model_name)
        both = (*load_suite().tasks, *load_suite(config="horizon").tasks)
        self._generate = replying(Suite("3", 42, both), agent(model_name))

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        return self._generate(input, tools, tool_choice, config)


def schema_of(tool: ToolInfo) -> dict[str, Any]:
    """A tool in OpenAI form, as Inspect sends it."""
    return {"type": "function", "function": tool.model_dump(exclude_none=True)}


def openai_message(message: ChatMessage) -> Message:
    """A message in OpenAI form."""
    if isinstance(message, ChatMessageTool):
        error = message.error and compact({"error": message.error.message})
        content = error or message.text
        return {"role": "tool", "tool_call_id": message.tool_call_id, "content": content}
    if isinstance(message, ChatMessageAssistant) and message.tool_calls:
        return {
            "role": "assistant",
            "content": message.text,
            "tool_calls": [
                {"id": call.id, "function": {"name": call.function, "arguments": call.arguments}}
                for call in message.tool_calls
            ],
        }
    return {"role": message.role, "content": message.text}


def as_output(reply: Reply, tools: Sequence[ToolInfo]) -> ModelOutput:
    """A reply as Inspect's adapter for OpenAI reads it."""
    calls = [
        parse_tool_call(
            call["id"], call["function"]["name"], call["function"]["arguments"], list(tools)
        )
        for call in reply.get("tool_calls", ())
    ]
    message = ChatMessageAssistant(content=reply.get("content") or "", tool_calls=calls or None)
    output = ModelOutput.from_message(message)
    output.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
    return output


def calls(*made: tuple[str, Any]) -> Reply:
    """A reply that makes these calls; arguments that are text stay as they are."""
    return {
        "tool_calls": [
            {
                "id": f"call{number}",
                "function": {
                    "name": name,
                    "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments),
                },
            }
            for number, (name, arguments) in enumerate(made)
        ]
    }
