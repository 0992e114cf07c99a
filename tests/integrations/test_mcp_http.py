"""Episodes over streamable HTTP: the address names the task, sessions are apart, places are bounded."""

import asyncio
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from dataset_builder.published.load_suite import load_suite
from evaluator.integrations.episode_log import EpisodeLog
from evaluator.integrations.mcp_episode import Served
from evaluator.integrations.mcp_http import http_app
from evaluator.scoring.score_traces import score
from evaluator.traces.trace_reader import read_traces
from tests.samples.small_suite import small_suite
from tests.stand_ins.mcp_text import text_of
from tests.stand_ins.waiting import until

SUITE = small_suite(2, 2, 2, 2)
IDS = [task.task_id for task in SUITE.tasks]
CITY = {"city": "Berlin"}
HANDSHAKE: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
ACCEPT = {"accept": "application/json, text/event-stream"}
JSON = ACCEPT | {"content-type": "application/json"}


@contextmanager
def server(out: Path, **limits: Any) -> Iterator[str]:
    """The address of a server over the small suite."""
    served = Served(SUITE, "full", "m", EpisodeLog(out))
    config = uvicorn.Config(
        http_app(served, "127.0.0.1", **limits), log_level="error", timeout_graceful_shutdown=1
    )
    running = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        finally:
            running.should_exit = True
            thread.join(timeout=30)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "t.jsonl"


@pytest.fixture
def address(out: Path) -> Iterator[str]:
    with server(out) as address:
        yield address


def kept(out: Path) -> list[tuple[str, int, list[str]]]:
    return sorted(
        (trace.task_id, trace.sample, [call.name for call in trace.calls])
        for trace in read_traces(out, SUITE)
    )


@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_several_sessions_at_once_are_apart(era: str, address: str, out: Path) -> None:
    async def answer(task_id: str, sample: int, key: str) -> str:
        where = f"{address}?task={task_id}&sample={sample}"
        async with Client(where, mode=era) as session:
            assert len((await session.list_tools()).tools) == 106
            [prompt] = (await session.list_prompts()).prompts
            text = text_of((await session.get_prompt(prompt.name)).messages[1].content)
            await session.call_tool("store_memory", {"key": "k", "value": key})
            await session.call_tool("get_weather", CITY)
            found = await session.call_tool("retrieve_memory", {"key": "k"})
            assert key in text_of(found.content[0])
        return text

    async def all_at_once() -> list[str]:
        episodes = [(IDS[0], 0, "one"), (IDS[0], 1, "two"), (IDS[5], 0, "three")]
        return await asyncio.gather(*(answer(*each) for each in episodes))

    prompts = asyncio.run(all_at_once())
    assert prompts == [SUITE.tasks[0].prompt, SUITE.tasks[0].prompt, SUITE.tasks[5].prompt]
    made = ["store_memory", "get_weather", "retrieve_memory"]
    assert kept(out) == sorted([(IDS[0], 0, made), (IDS[0], 1, made), (IDS[5], 0, made)])


def test_two_sessions_for_one_task_do_not_mix(address: str, out: Path) -> None:
    async def answer() -> None:
        where = f"{address}?task={IDS[0]}"
        async with Client(where, mode="legacy") as one, Client(where, mode="legacy") as two:
            await one.list_tools()
            await two.list_tools()
            await two.call_tool("get_weather", CITY)
            with pytest.raises(MCPError, match="is answered already"):
                await one.call_tool("get_weather", {"city": "Oslo"})
            await two.call_tool("calculator", {"expression": "1 + 1"})
        # A session that was closed is over, and so is its episode.
        async with Client(where, mode="legacy") as late:
            with pytest.raises(MCPError, match="is answered already"):
                await late.call_tool("get_weather", CITY)

    asyncio.run(answer())
    assert kept(out) == [(IDS[0], 0, ["get_weather", "calculator"])]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", r"expected an address such as /mcp\?task="),
        (f"?task={'x' * 101}", r"expected an address such as /mcp\?task="),
        ("?task=L9", "has no task 'L9'"),
        (f"?task={IDS[0]}&sample=-1", "sample: expected a whole number, got '-1'"),
        (f"?task={IDS[0]}&sample=1000", "sample 1000: expected 0 to 999"),
    ],
)
@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_an_address_that_names_no_task(
    era: str, query: str, expected: str, address: str, out: Path
) -> None:
    async def look() -> None:
        async with Client(address + query, mode=era) as session:
            await session.list_tools()

    with pytest.raises(Exception) as refused:  # noqa: PT011  # the client's task groups wrap it
        asyncio.run(look())
    assert re.search(expected, str(leaf(refused.value)))
    assert out.read_bytes() == b""


def leaf(error: BaseException) -> BaseException:
    return leaf(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


def begin(address: str, **headers: str) -> httpx.Response:
    where = f"{address}?task={IDS[0]}"
    return httpx.post(where, json=HANDSHAKE, headers=ACCEPT | headers)


def test_only_so_many_sessions(out: Path) -> None:
    with server(out, most=2) as address:
        where = f"{address}?task={IDS[0]}"
        first, second, third = (begin(address) for _ in range(3))
        assert (first.status_code, second.status_code) == (200, 200)
        assert "2 sessions are open" in third.json()["error"]["message"]
        session = {"mcp-session-id": first.headers["mcp-session-id"]}
        assert httpx.delete(where, headers=ACCEPT | session).status_code == 200
        assert begin(address).status_code == 200
        assert httpx.post(where, json=HANDSHAKE, headers=ACCEPT | session).status_code == 404


def test_an_idle_session_ends(out: Path) -> None:
    with server(out, most=1, idle_s=2.0) as address:
        session = {"mcp-session-id": begin(address).headers["mcp-session-id"]}
        call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call"}
        call |= {"params": {"name": "get_weather", "arguments": CITY}}
        where = f"{address}?task={IDS[0]}"
        assert httpx.post(where, json=call, headers=ACCEPT | session).status_code == 200
        until(lambda: begin(address).status_code == 200)
        assert httpx.post(where, json=call, headers=ACCEPT | session).status_code == 404
    assert kept(out) == [(IDS[0], 0, ["get_weather"])]


HOSTILE: dict[str, tuple[Callable[[str], httpx.Response], int]] = {
    "another site's page": (lambda a: begin(a, origin="http://evil.example"), 403),
    "another site's name": (lambda a: begin(a, host="evil.example:80"), 421),
    "a session of nobody's": (lambda a: begin(a, **{"mcp-session-id": "0" * 32}), 404),
    "a stream of nobody's": (lambda a: httpx.get(f"{a}?task=x", headers=ACCEPT), 404),
    "too much": (
        lambda a: httpx.post(f"{a}?task=x", content=b" " * 5_000_000, headers=JSON),
        413,
    ),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_requests_are_refused_and_take_no_place(kind: str, out: Path) -> None:
    send, status = HOSTILE[kind]
    with server(out, most=2) as address:
        assert [send(address).status_code for _ in range(3)] == [status] * 3
        assert begin(address).status_code == 200
    assert out.read_bytes() == b""


def test_what_is_no_message_is_refused(address: str, out: Path) -> None:
    for content in ("[" * 100_000, "{", "3", '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'):
        answer = httpx.post(f"{address}?task={IDS[0]}", content=content, headers=JSON)
        assert answer.status_code == 400
    assert out.read_bytes() == b""


@pytest.mark.slow
def test_the_command_serves_all_tasks(out: Path) -> None:
    suite = load_suite()
    command = [sys.executable, "-m", "comptoolbench", "mcp", "--http", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--model", "m", "--out", str(out)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    said = process.stderr.readline()
    found = re.match(r"(http://127\.0\.0\.1:\d+/mcp\?task=)ID  \(Ctrl-C ends it\)", said)
    assert found, said

    async def answer() -> None:
        for task in suite.tasks[:3]:
            async with Client(found[1] + task.task_id) as session:
                for step in task.steps:
                    await session.call_tool(step.tool, dict(step.arguments))

    asyncio.run(answer())
    process.kill()
    process.communicate(timeout=30)
    rows = score(out, suite, True)["tasks"]
    assert [row["strict"] for row in rows] == [True] * 3
