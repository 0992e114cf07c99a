"""How a model is asked: system prompts, the tools offered, and how outputs are fed back.

The prompts of a protocol are the same for every model. A changed word raises its version.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from dataset_builder.tasks.task import Level, Task
from dataset_builder.tools.replay import Executed
from dataset_builder.tools.tool import Tool
from evaluator.asking.request_reply import Message, compact
from evaluator.asking.responses_form import ITEMS
from evaluator.traces.protocols import MULTI_TURN, SINGLE_TURN

Schema = Mapping[str, Any]


_SYSTEM = {
    SINGLE_TURN: """\
You complete tasks by calling tools. You get one reply: put every call that the task needs into \
it, in an order in which a call comes after the calls whose results it uses. No tool runs before \
your reply is complete, so you will not see any result.

Where an argument must be a value that an earlier call of yours returns, write a reference in its \
place: "{{1.loan_id}}" stands for the field loan_id in the result of your first call, \
"{{2.total}}" for the field total in the result of your second, and so on. The description of \
each tool lists the fields that it returns. A reference may be the whole argument, whatever type \
that argument has; it may also stand inside a longer text or be an item of a list. Dots lead \
deeper: "{{1.copies.0.shelf}}" is the field shelf of the first item of copies.

An example with tools that you do not have: to borrow a book and tell Ida when it is due, call \
lend_book with {"title": "Solaris"}, then send_note with {"to": "Ida", "text": "Please return it \
by {{1.due_date}}."}.

Make only the calls that the task needs. Give optional arguments only where the task asks for \
them.""",
    MULTI_TURN: """\
You complete tasks by calling tools. After each of your replies the calls in it are carried out \
and their results are shown to you. Use those results in the calls that depend on them. Calls \
that do not depend on each other may stand in one reply. When no call is left to make, reply \
without one; at the latest your tenth reply is the last.

Make only the calls that the task needs. Give optional arguments only where the task asks for \
them.""",
}
# Procedures have turns for every call, and the prompt does not say how many that is.
_LAST_REPLY = "; at the latest your tenth reply is the last."
_REPLIES_ENOUGH = ". You have replies enough for every call to stand in one of its own, and more."
_JSON_CALLS = """\


Reply with one JSON object and nothing else, in this form:
{"calls": [{"name": "lend_book", "arguments": {"title": "Solaris"}}]}
The list holds your calls in order; it is empty where you make none.

The tools, one a line:
"""
# Stands below results that go back as text, since nothing else says there how to go on and how to end.
GO_ON = {
    "native": 'If the task still needs calls, make them now. If it does not, reply "Done."',
    "json": "Go on with the task. Once every part of it is done, reply with no calls.",
}


def system_prompt(
    protocol: str, tools: Sequence[Schema] = (), *, is_procedure: bool = False
) -> str:
    """The system prompt; with ``tools`` the one for ``calls`` "json", which holds their schemas."""
    system = _SYSTEM[protocol]
    if is_procedure:
        system = system.replace(_LAST_REPLY, _REPLIES_ENOUGH)
    if not tools:
        return system
    lines = "\n".join(compact(tool["function"]) for tool in tools)
    return f"{system}{_JSON_CALLS}{lines}"


def opening(task: Task, protocol: str, calls: str, tools: Sequence[Schema]) -> list[Message]:
    """The messages of the first request: the system prompt and the task's prompt."""
    schemas_told = tools if calls == "json" else ()
    is_procedure = task.level is Level.PROCEDURE
    system = system_prompt(protocol, schemas_told, is_procedure=is_procedure)
    return [{"role": "system", "content": system}, {"role": "user", "content": task.prompt}]


def schemas(
    task: Task, names: Sequence[str], protocol: str, tools: Mapping[str, Tool]
) -> list[Schema]:
    """The schemas of the offered tools as they are sent: the task's own, else the catalogue's.

    A tool whose schema nobody knows (suite 2.0.0 gives names alone) is left out. The schemas are
    shared between tasks: not to be changed.
    """
    texts = {name: tools[name].schema_json for name in names if name in tools}
    texts |= zip(task.offered, task.schemas, strict=False)
    return [_sent(texts[name], protocol) for name in names if name in texts]


@lru_cache(maxsize=1024)
def _sent(schema: str, protocol: str) -> Schema:
    """A schema in the form of a protocol."""
    read: Schema = json.loads(schema)
    return widened(read) if protocol == SINGLE_TURN else read


def widened(schema: Schema) -> dict[str, Any]:
    """A tool's schema in which every argument may be written as a reference, which is a string.

    A parameter that is no string becomes ``anyOf: [its type, string]``, and so do the items of an
    array. A string with an ``enum`` does as well, since a validator would refuse a reference there.
    """
    function = schema["function"]
    parameters = function["parameters"]
    properties = {name: _widened(value) for name, value in parameters["properties"].items()}
    parameters = {**parameters, "properties": properties}
    return {**schema, "function": {**function, "parameters": parameters}}


def _widened(value: Schema) -> dict[str, Any]:
    schema = dict(value)
    if "items" in schema:
        schema["items"] = _widened(schema["items"])
    if schema.get("type") == "string" and "enum" not in schema:
        return schema
    description = {"description": schema.pop("description")} if "description" in schema else {}
    return {"anyOf": [schema, {"type": "string"}], **description}


def response_format(tools: Sequence[Schema]) -> dict[str, Any]:
    """What constrains the answer of ``calls`` "json": a list of calls of these tools."""
    calls = [
        {
            "type": "object",
            "properties": {
                "name": {"type": "string", "enum": [tool["function"]["name"]]},
                "arguments": tool["function"]["parameters"],
            },
            "required": ["name", "arguments"],
            "additionalProperties": False,
        }
        for tool in tools
    ]
    schema = {
        "type": "object",
        "properties": {"calls": {"type": "array", "items": {"anyOf": calls}}},
        "required": ["calls"],
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": "calls", "schema": schema}}


def feed_back(
    message: Message, executed: Sequence[Executed], first: int, calls: str
) -> list[Message]:
    """The messages that go before the next request: the model's own, then what its calls gave.

    ``first`` is the number (1-based, in the episode) of the first of the calls. Calls that came as
    text are answered in a user message, since there is no call id to answer to: the results in its
    first line, below it how to go on or to end, in the words of the form (``calls``) asked for.
    """
    results = [result_shown(item) for item in executed]
    native = list(message.get("tool_calls") or ())
    if len(native) != len(executed):
        outputs = [
            {"call": number, "name": item.name, "output": output}
            for number, (item, output) in enumerate(zip(executed, results, strict=True), first)
        ]
        content = message.get("content") or message.get("function_call")
        text = content if isinstance(content, str) else compact(content)
        return [
            {"role": "assistant", "content": text},
            {"role": "user", "content": results_as_text(outputs, calls)},
        ]
    repaired = list(_repaired(native, first))
    reply = {"role": "assistant", "content": message.get("content"), "tool_calls": repaired}
    if message.get("thinking_blocks"):
        reply["thinking_blocks"] = message["thinking_blocks"]
    if ITEMS in message:
        reply[ITEMS] = message[ITEMS]
    answers = [
        {"role": "tool", "tool_call_id": call["id"], "content": compact(result)}
        for call, result in zip(repaired, results, strict=True)
    ]
    return [reply, *answers]


def results_as_text(outputs: Sequence[Mapping[str, Any]], calls: str) -> str:
    """What answers calls that came as text: ``{"call", "name", "output"}`` of each, and how to go on."""
    return f"{compact({'results': outputs})}\n{GO_ON[calls]}"


def result_shown(executed: Executed) -> Mapping[str, Any]:
    """What a model is shown of a call: its output, or why there is none."""
    if executed.shown is not None:
        return executed.shown
    if executed.arguments is None:
        return {"error": "the arguments are no JSON object"}
    return {"error": f"there is no tool {executed.name!r}"}


def _repaired(native: Sequence[Mapping[str, Any]], first: int) -> Iterator[dict[str, Any]]:
    """The calls as any provider takes them back: with ids and arguments that are objects."""
    seen: set[str] = set()
    for number, call in enumerate(native, first):
        function = call.get("function") or {}
        identity = call.get("id")
        if not isinstance(identity, str) or not identity or identity in seen:
            identity = f"call{number:05}"
        seen.add(identity)
        arguments = function.get("arguments")
        repaired = {
            "name": function.get("name") or "unnamed",
            "arguments": arguments if _is_object(arguments) else compact({"unparsed": arguments}),
        }
        kept = {k: v for k, v in call.items() if k == "provider_specific_fields"}
        yield {"id": identity, "type": "function", "function": repaired, **kept}


def _is_object(text: Any) -> bool:
    try:
        return isinstance(text, str) and isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def outputs_shown(messages: Sequence[Message]) -> list[Any]:
    """The outputs that a conversation shows the model so far, in the order of its calls."""
    outputs: list[Any] = []
    for message in messages[2:]:
        if message["role"] == "tool":
            outputs.append(json.loads(message["content"]))
        elif message["role"] == "user":
            results = json.loads(message["content"].partition("\n")[0])["results"]
            outputs += [item["output"] for item in results]
    return outputs
