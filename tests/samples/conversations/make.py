"""One task's conversation in the forms of other tools, each made by the tool's own classes.

`python -m tests.samples.conversations.make` writes the files beside this one anew.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.task import Task
from dataset_builder.tools import catalogue
from dataset_builder.tools.replay import Episode
from dataset_builder.values.references import resolve
from evaluator.asking.baselines.oracle_and_dump import arguments_with_references
from evaluator.traces.protocols import MULTI_TURN, SINGLE_TURN

FOLDER = Path(__file__).parent
TASK_ID = "L3_dag_0155"
MODEL = "lab-model-1"
SYSTEM = "You complete tasks by calling tools."
PROMPT_TOKENS, COMPLETION_TOKENS = 100, 20
"""Of each reply."""
Entry = dict[str, Any]


@dataclass(frozen=True)
class Made:
    """One call as the model made it, and what it gave."""

    id: str
    name: str
    arguments: dict[str, Any]
    output: Mapping[str, Any]

    @property
    def text(self) -> str:
        return json.dumps(self.arguments)

    @property
    def result(self) -> str:
        return json.dumps(self.output)


Turns = Sequence[Sequence[Made]]
"""The calls of each reply. In multi-turn the last reply has none."""


def right_turns(task: Task, protocol: str) -> Turns:
    """The expected calls: in one reply with references, or each as soon as its values are there."""
    episode = Episode(catalogue())
    turns: list[list[Made]] = [[]]
    outputs: list[Any] = []
    pending: set[str] = set()
    for number, step in enumerate(task.steps, 1):
        arguments = arguments_with_references(step, task)
        if protocol == MULTI_TURN:
            if any(edge.source in pending for edge in step.edges):
                turns.append([])
                pending.clear()
            arguments = {name: resolve(value, outputs) for name, value in arguments.items()}
        output = episode.execute(step.tool, arguments).output or {}
        outputs.append(output)
        pending.add(step.step_id)
        turns[-1].append(Made(f"call_{number}", step.tool, arguments, output))
    return turns if protocol == SINGLE_TURN else [*turns, []]


def _said(calls: Sequence[Made]) -> str:
    return "" if calls else "Done."


# OpenAI ---------------------------------------------------------------------------------------


def openai_chat(task: Task, turns: Turns) -> list[Entry]:
    """Each request with its response, as a proxy logs them."""
    from openai.types.chat import ChatCompletion

    messages: list[Entry] = [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": task.prompt},
    ]
    entries = []
    for number, calls in enumerate(turns):
        message: Entry = {"role": "assistant", "content": _said(calls) or None}
        if calls:
            message["tool_calls"] = [
                {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.text}}
                for c in calls
            ]
        response = ChatCompletion.model_validate(
            {
                "id": f"chatcmpl-{task.task_id}-{number}",
                "object": "chat.completion",
                "created": 1_780_000_000,
                "model": MODEL,
                "choices": [
                    {
                        "index": 0,
                        "finish_reason": "tool_calls" if calls else "stop",
                        "message": message,
                    }
                ],
                "usage": {
                    "prompt_tokens": PROMPT_TOKENS,
                    "completion_tokens": COMPLETION_TOKENS,
                    "total_tokens": PROMPT_TOKENS + COMPLETION_TOKENS,
                },
            }
        )
        request = {"model": MODEL, "messages": [*messages]}
        entries.append({"request": request, "response": response.model_dump(mode="json")})
        results = [{"role": "tool", "tool_call_id": c.id, "content": c.result} for c in calls]
        messages += [message, *results]
    return entries


def openai_responses(task: Task, turns: Turns) -> list[Entry]:
    """Exchanges that name the response before by its id, so that only new items are sent."""
    from openai.types.responses import Response

    entries: list[Entry] = []
    items: list[Entry] = [{"role": "user", "content": task.prompt}]
    previous = None
    for number, calls in enumerate(turns):
        output: list[Entry] = [
            {
                "type": "function_call",
                "id": f"fc_{c.id}",
                "call_id": c.id,
                "name": c.name,
                "arguments": c.text,
                "status": "completed",
            }
            for c in calls
        ] or [
            {
                "type": "message",
                "id": "msg_1",
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": _said(calls), "annotations": []}],
            }
        ]
        response = Response.model_validate(
            {
                "id": f"resp_{task.task_id}_{number}",
                "object": "response",
                "created_at": 1_780_000_000,
                "model": MODEL,
                "status": "completed",
                "previous_response_id": previous,
                "instructions": SYSTEM,
                "output": output,
                "parallel_tool_calls": True,
                "tool_choice": "auto",
                "tools": [],
                "usage": {
                    "input_tokens": PROMPT_TOKENS,
                    "output_tokens": COMPLETION_TOKENS,
                    "total_tokens": PROMPT_TOKENS + COMPLETION_TOKENS,
                    "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
                    "output_tokens_details": {"reasoning_tokens": 0},
                },
            }
        )
        request = {"model": MODEL, "input": items, "previous_response_id": previous}
        entries.append({"request": request, "response": response.model_dump(mode="json")})
        previous = response.id
        items = [
            {"type": "function_call_output", "call_id": c.id, "output": c.result} for c in calls
        ]
    return entries


# Anthropic and Google -------------------------------------------------------------------------


def anthropic(task: Task, turns: Turns) -> list[Entry]:
    """Each request with its message."""
    from anthropic.types import Message

    messages: list[Entry] = [{"role": "user", "content": task.prompt}]
    entries = []
    for number, calls in enumerate(turns):
        blocks: list[Entry] = [
            {"type": "tool_use", "id": c.id, "name": c.name, "input": c.arguments} for c in calls
        ] or [{"type": "text", "text": _said(calls)}]
        message = Message.model_validate(
            {
                "id": f"msg_{task.task_id}_{number}",
                "type": "message",
                "role": "assistant",
                "model": MODEL,
                "content": blocks,
                "stop_reason": "tool_use" if calls else "end_turn",
                "stop_sequence": None,
                "usage": {"input_tokens": PROMPT_TOKENS, "output_tokens": COMPLETION_TOKENS},
            }
        )
        request = {"model": MODEL, "system": SYSTEM, "messages": [*messages]}
        entries.append({"request": request, "response": message.model_dump(mode="json")})
        results = [{"type": "tool_result", "tool_use_id": c.id, "content": c.result} for c in calls]
        messages += [
            {"role": "assistant", "content": blocks},
            {"role": "user", "content": results},
        ]
    return entries


def gemini(task: Task, turns: Turns) -> list[Entry]:
    """Each request's contents with its candidates, in camelCase as the service has them."""
    from google.genai import types

    contents = [types.Content(role="user", parts=[types.Part(text=task.prompt)])]
    entries = []
    for calls in turns:
        parts = [
            types.Part(function_call=types.FunctionCall(name=c.name, args=c.arguments))
            for c in calls
        ] or [types.Part(text=_said(calls))]
        answer = types.Content(role="model", parts=parts)
        response = types.GenerateContentResponse(
            candidates=[types.Candidate(content=answer, finish_reason=types.FinishReason.STOP)],
            usage_metadata=types.GenerateContentResponseUsageMetadata(
                prompt_token_count=PROMPT_TOKENS, candidates_token_count=COMPLETION_TOKENS
            ),
            model_version=MODEL,
        )
        entries.append(
            {
                "request": {"contents": [_dumped(content) for content in contents]},
                "response": _dumped(response),
            }
        )
        results = [
            types.Part.from_function_response(name=c.name, response=dict(c.output)) for c in calls
        ]
        contents += [answer, types.Content(role="user", parts=results)]
    return entries


def _dumped(model: Any) -> Entry:
    dumped: Entry = model.model_dump(mode="json", by_alias=True, exclude_none=True)
    return dumped


# Frameworks -----------------------------------------------------------------------------------


def langchain(task: Task, turns: Turns) -> list[Entry]:
    """The state of an agent as `messages_to_dict` writes it."""
    from langchain_core.messages import (
        AIMessage,
        BaseMessage,
        HumanMessage,
        SystemMessage,
        ToolMessage,
        messages_to_dict,
    )

    messages: list[BaseMessage] = [SystemMessage(SYSTEM), HumanMessage(task.prompt)]
    for calls in turns:
        answer = AIMessage(
            _said(calls),
            tool_calls=[{"name": c.name, "args": c.arguments, "id": c.id} for c in calls],
            usage_metadata={
                "input_tokens": PROMPT_TOKENS,
                "output_tokens": COMPLETION_TOKENS,
                "total_tokens": PROMPT_TOKENS + COMPLETION_TOKENS,
            },
            response_metadata={"model_name": MODEL},
        )
        messages += [answer, *(ToolMessage(c.result, tool_call_id=c.id) for c in calls)]
    return [{"messages": messages_to_dict(messages)}]


def hugging_face(task: Task, turns: Turns) -> list[Entry]:
    """The messages that chat templates take: arguments are objects, and no call has an id."""
    messages: list[Entry] = [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": task.prompt},
    ]
    for calls in turns:
        answer: Entry = {"role": "assistant", "content": _said(calls)}
        if calls:
            answer["tool_calls"] = [
                {"type": "function", "function": {"name": c.name, "arguments": c.arguments}}
                for c in calls
            ]
        results = [{"role": "tool", "name": c.name, "content": c.result} for c in calls]
        messages += [answer, *results]
    return [{"model": MODEL, "messages": messages}]


def bfcl(task: Task, turns: Turns) -> list[Entry]:
    """A row of `BFCL_v4_…_result.json`, as the leaderboard's `base_handler.py` composes it.

    Its package is not installed: the form is that of gorilla at fa4cbf02e804, and of published result files.
    """
    steps = [[{c.name: c.text} for c in calls] or _said(calls) for calls in turns]
    counts: Entry = {"input_token_count": PROMPT_TOKENS, "output_token_count": COMPLETION_TOKENS}
    if len(turns) == 1:
        return [{"id": task.task_id, "result": steps[0], **counts, "latency": 0.25}]
    log: Entry = {"begin_of_turn_query": [{"role": "user", "content": task.prompt}]}
    for number, calls in enumerate(turns):
        log[f"step_{number}"] = [
            {"role": "assistant", "content": steps[number]},
            *({"role": "tool", "content": c.result} for c in calls),
        ]
    nested = {name: [[count] * len(turns)] for name, count in counts.items()}
    latency = [[0.25] * len(turns)]
    return [
        {
            "id": task.task_id,
            "result": [steps],
            **nested,
            "latency": latency,
            "inference_log": [log],
        }
    ]


FORMS: Mapping[str, Callable[[Task, Turns], list[Entry]]] = {
    "openai-chat": openai_chat,
    "openai-responses": openai_responses,
    "anthropic": anthropic,
    "gemini": gemini,
    "langchain": langchain,
    "huggingface": hugging_face,
    "bfcl": bfcl,
}
"""All but Inspect's log, which holds many tasks (see `inspect_log.py`)."""


def main() -> None:
    from tests.samples.conversations.inspect_log import inspect_log

    task = load_suite().by_id[TASK_ID]
    turns = right_turns(task, MULTI_TURN)
    for name, write in FORMS.items():
        lines = "".join(f"{json.dumps(entry)}\n" for entry in write(task, turns))
        (FOLDER / f"{name}.jsonl").write_text(lines, "utf-8")
    log = inspect_log([(task, turns)], MULTI_TURN)
    (FOLDER / "inspect.json").write_text(json.dumps(log, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
