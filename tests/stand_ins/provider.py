"""A stand-in provider: an OpenAI-compatible HTTP server that answers as a built-in agent, or
misbehaves on command. Raw sockets, so that it can break every rule of HTTP.

    python tests/stand_ins/provider.py --suite suite.jsonl --agent baseline:oracle --latency 0.5 --faults 0.3
"""

import argparse
import asyncio
import json
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.task import Suite
from dataset_builder.values.draw import Draw
from evaluator.asking.baselines import baseline
from evaluator.asking.prompts import system_prompt
from evaluator.asking.request_reply import Request
from evaluator.traces.protocols import MULTI_TURN, PROTOCOLS, SINGLE_TURN

Body = dict[str, Any]
Script = Callable[[int, Body], str]
"""The behaviour at the n-th request (0-based)."""

FAULTS = ("server_error", "unavailable", "rate_limit", "cut", "closed", "invalid_json", "html")


def always(behaviour: str) -> Script:
    return lambda number, body: behaviour


def first(behaviours: list[str], then: str = "answer") -> Script:
    return lambda number, body: behaviours[number] if number < len(behaviours) else then


def first_tasks(count: int, then: str) -> Script:
    """All requests of so many tasks are answered, whoever's come between them."""
    known: set[str] = set()

    def script(number: int, body: Body) -> str:
        prompt = next(each["content"] for each in body["messages"] if each["role"] == "user")
        if len(known) < count:
            known.add(prompt)
        return "answer" if prompt in known else then

    return script


def faulty(share: float, seed: str = "faults") -> Script:
    """A share of the requests fail, in all ways; which ones hangs on their number."""

    def script(number: int, body: Body) -> str:
        draw = Draw(f"{seed}|{number}")
        return draw.choice("kind", FAULTS) if draw.fraction("fails") < share else "answer"

    return script


@dataclass(frozen=True)
class Got:
    """A request, and what the agent would reply."""

    headers: dict[str, str]
    body: Body
    reply: Body


class Provider:
    """The server, in a thread of its own while the ``with`` block runs."""

    def __init__(
        self,
        suite: Suite,
        agent: str = "baseline:oracle",
        script: Script | None = None,
        latency_s: float = 0.0,
    ) -> None:
        self._answer = baseline(agent)
        self._by_prompt = {task.prompt: task for task in suite.tasks}
        self._script = script or always("answer")
        self._latency_s = latency_s
        self._started = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self.requests: list[tuple[dict[str, str], Body]] = []
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> "Provider":
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._started.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(self.serve(0))
        self._started.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))

    async def serve(self, port: int) -> asyncio.Server:
        server = await asyncio.start_server(self._connection, "127.0.0.1", port, limit=2**24)
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                lines = head.split("\r\n")
                headers = {":path": lines[0].split(" ")[1]} | {
                    name.strip().lower(): value.strip()
                    for name, _, value in (line.partition(":") for line in lines[1:] if line)
                }
                content = await reader.readexactly(int(headers.get("content-length", 0)))
                body = json.loads(content) if content else {}
                due = self._now() + self._latency_s
                number = len(self.requests)
                self.requests.append((headers, body))
                behaviour = BEHAVIOURS[self._script(number, body)]
                is_chat = not headers[":path"].endswith("/responses")
                asked = body if is_chat else chat_of(body)
                reply = await self._reply(asked) if len(asked.get("messages", ())) > 1 else {}
                if not is_chat:
                    reply = response_of(reply)
                await asyncio.sleep(due - self._now())
                await behaviour(Got(headers, body, reply), writer)
                await writer.drain()
                if writer.is_closing():
                    return
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass
        finally:
            writer.close()

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()

    async def _reply(self, body: Body) -> Body:
        """The completion that the agent gives, as a provider sends it."""
        system, prompt = (message["content"] for message in body["messages"][:2])
        task = self._by_prompt[prompt]
        native = "tools" in body
        tools = body["tools"] if native else _tools_in(system)
        single = system.startswith(system_prompt(SINGLE_TURN))
        request = Request(
            task,
            0,
            SINGLE_TURN if single else MULTI_TURN,
            body["messages"],
            tools,
            "native" if native else "json",
        )
        given = await self._answer(request)
        return completion(given.message, given.finish_reason)


def _tools_in(system: str) -> list[Body]:
    known = [system_prompt(p, is_procedure=flag) for p in PROTOCOLS for flag in (False, True)]
    assert any(map(system.startswith, known))
    lines = system.partition("The tools, one a line:\n")[2].splitlines()
    return [{"type": "function", "function": json.loads(line)} for line in lines]


def chat_of(body: Body) -> Body:
    """A request to Responses as one to chat; a reasoning item has to stand before each turn's calls."""
    messages: list[Body] = []
    was_thought = False
    for item in body["input"]:
        kind = item.get("type", "message")
        if kind == "function_call":
            assert was_thought, "the reasoning was not carried along"
            function = {"name": item["name"], "arguments": item["arguments"]}
            call = {"id": item["call_id"], "type": "function", "function": function}
            messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        elif kind == "function_call_output":
            output = {"tool_call_id": item["call_id"], "content": item["output"]}
            messages.append({"role": "tool", **output})
        elif kind == "message":
            messages.append({"role": item["role"], "content": item["content"]})
        was_thought = kind in ("reasoning", "function_call") and (
            was_thought or kind == "reasoning"
        )
    tools = [
        {
            "type": "function",
            "function": {k: tool[k] for k in ("name", "description", "parameters")},
        }
        for tool in body["tools"]
    ]
    return {"messages": messages, "tools": tools}


def response_of(reply: Body) -> Body:
    """A completion as Responses gives it, behind a reasoning item."""
    message = reply["choices"][0]["message"]
    output: list[Body] = [
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "sealed"}
    ]
    output += [
        {
            "type": "function_call",
            "id": f"fc_{call['id']}",
            "call_id": call["id"],
            "status": "completed",
            **call["function"],
        }
        for call in message.get("tool_calls") or ()
    ]
    if message.get("content"):
        text = {"type": "output_text", "text": message["content"], "annotations": []}
        said = {"type": "message", "id": "m_1", "role": "assistant", "status": "completed"}
        output.append({**said, "content": [text]})
    return response(output)


def response(output: list[Body], **more: Any) -> Body:
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": "stand-in-1",
        "output": output,
        "usage": {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120},
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        **more,
    }


def completion(message: Any, finish_reason: str | None = "stop") -> Body:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "stand-in-1",
        "system_fingerprint": "fp_stand_in",
        "service_tier": "default",
        "choices": [{"index": 0, "finish_reason": finish_reason, "message": message}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }


def _usage(tokens: int) -> Body:
    return {"prompt_tokens": 100, "completion_tokens": tokens, "total_tokens": 100 + tokens}


def _http(
    content: Any, status: str = "200 OK", kind: str = "application/json", headers: str = ""
) -> bytes:
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(data)}\r\n"
    return f"{head}{headers}\r\n".encode() + data


def _error(status: str, message: str, headers: str = "", **more: str) -> "Behaviour":
    async def behave(got: Got, writer: asyncio.StreamWriter) -> None:
        writer.write(_http({"error": {"message": message, **more}}, status, headers=headers))

    return behave


def _fixed(content: Any, **how: str) -> "Behaviour":
    async def behave(got: Got, writer: asyncio.StreamWriter) -> None:
        writer.write(_http(content, **how))

    return behave


def _message(**message: Any) -> "Behaviour":
    return _fixed(completion({"role": "assistant", "content": None, **message}))


def _native_call(name: str, arguments: str) -> list[Body]:
    return [
        {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}
    ]


async def _answer(got: Got, writer: asyncio.StreamWriter) -> None:
    writer.write(_http(got.reply))


async def _wrong_type(got: Got, writer: asyncio.StreamWriter) -> None:
    writer.write(_http(got.reply, kind="text/plain"))


async def _cut(got: Got, writer: asyncio.StreamWriter) -> None:
    data = _http(got.reply)
    writer.write(data[: len(data) - 40])
    await writer.drain()
    writer.close()


async def _closed(got: Got, writer: asyncio.StreamWriter) -> None:
    writer.close()


async def _hang(got: Got, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(3600)


async def _slow(got: Got, writer: asyncio.StreamWriter) -> None:
    """A byte now and then: each read succeeds, the whole never does."""
    for byte in _http(got.reply):
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.1)


async def _refuses_schema(got: Got, writer: asyncio.StreamWriter) -> None:
    """Answers unless the request has a ``response_format``."""
    message = "This model does not support response format `json_schema`."
    refused = "response_format" in got.body
    error = _http({"error": {"message": message}}, "400 Bad Request")
    writer.write(error if refused else _http(got.reply))


async def _quotes_key(got: Got, writer: asyncio.StreamWriter) -> None:
    key = got.headers.get("authorization", "")
    writer.write(_http({"error": {"message": f"internal: {key} failed"}}, "500 Oops"))


Behaviour = Callable[[Got, asyncio.StreamWriter], Awaitable[None]]

BEHAVIOURS: dict[str, Behaviour] = {
    "answer": _answer,
    "rate_limit": _error("429 Too Many Requests", "slow down", "Retry-After: 0\r\n"),
    "rate_limit_a_second": _error("429 Too Many Requests", "slow down", "Retry-After: 1\r\n"),
    "rate_limit_an_hour": _error("429 Too Many Requests", "slow down", "Retry-After: 3600\r\n"),
    "rate_limit_bare": _error("429 Too Many Requests", "slow down"),
    "server_error": _error("500 Internal Server Error", "it broke"),
    "unavailable": _fixed(
        b"<html>Service unavailable</html>", status="503 Unavailable", kind="text/html"
    ),
    "hang": _hang,
    "cut": _cut,
    "closed": _closed,
    "slow": _slow,
    "invalid_json": _fixed(b'{"id": "x", "choices": [{'),
    "wrong_type": _wrong_type,
    "html": _fixed(b"<!doctype html><h1>It works!</h1>", kind="text/html"),
    "unauthorized": _error("401 Unauthorized", "Incorrect API key provided"),
    "forbidden": _error("403 Forbidden", "your account is not active"),
    "not_found": _error("404 Not Found", "no such model", code="model_not_found"),
    "bad_schema": _error("400 Bad Request", "Invalid schema for function 'calculator'"),
    "refuses_schema": _refuses_schema,
    "quotes_key": _quotes_key,
    "tool_use_failed": _error(
        "400 Bad Request",
        "Failed to call a function. Please adjust your prompt.",
        code="tool_use_failed",
        failed_generation='<function=calculator>{"expression": 1',
    ),
    "reference_refused": _error(
        "400 Bad Request",
        "tool call validation failed: /value: expected number, but got string",
        code="tool_use_failed",
        failed_generation='<function=unit_convert>{"value": "{{1.temperature_c}}"}</function>',
    ),
    "context_overflow": _error(
        "400 Bad Request",
        "This model's maximum context length is 8192 tokens. However, you requested 12000 tokens.",
        code="context_length_exceeded",
    ),
    "filtered": _error(
        "400 Bad Request", "The prompt was filtered", code="content_policy_violation"
    ),
    "empty_choices": _fixed({**completion(None), "choices": []}),
    "no_choices": _fixed({k: v for k, v in completion(None).items() if k != "choices"}),
    "no_tokens": _fixed({**completion(None), "choices": [], "usage": _usage(0)}),
    "no_usage": _fixed({**completion(None), "choices": [], "usage": None}),
    "null_content": _message(),
    "odd_usage": _fixed(
        {**completion({"role": "assistant", "content": "no"}), "usage": _usage(-7)}
    ),
    "malformed_arguments": _message(
        tool_calls=_native_call("calculator", '{"expression": "1 +'),
    ),
    "brackets": _message(tool_calls=_native_call("calculator", "[" * 3_000)),
    "deep_arguments": _message(
        tool_calls=_native_call("calculator", '{"a": ' + "[" * 3_000 + "]" * 3_000 + "}")
    ),
    "deep_body": _fixed(b'{"id": "x", "choices": ' + b"[" * 5_000),
    "deep_text": _message(content='{"calls": ' + "[" * 3_000),
    "response_failed": _fixed(
        response([], status="failed", error={"code": "server_error", "message": "it broke"})
    ),
    "response_cut": _fixed(
        response(
            [{"type": "reasoning", "id": "rs_1", "summary": []}],
            status="incomplete",
            incomplete_details={"reason": "max_output_tokens"},
        )
    ),
    "response_empty": _fixed(response([], usage=None)),
    "call_as_text": _message(
        content="<think>easy</think>\n<tool_call>\n"
        '{"name": "calculator", "arguments": {"expression": "6 * 7"}}\n</tool_call>'
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--suite", type=Path)
    parser.add_argument("--agent", default="baseline:oracle")
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--faults", type=float, default=0.0)
    options = parser.parse_args()
    provider = Provider(
        load_suite(options.suite), options.agent, faulty(options.faults), options.latency
    )

    async def serve() -> None:
        server = await provider.serve(0)
        print(provider.url, flush=True)
        await server.serve_forever()

    asyncio.run(serve())


if __name__ == "__main__":
    main()
