"""Episodes over the Model Context Protocol: what the official client sees, and what is kept of it."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

from comptoolbench import main
from dataset_builder.published.load_suite import load_suite
from dataset_builder.tasks.task import Suite, Task
from dataset_builder.tools import catalogue
from evaluator.asking.baselines import BASELINES, baseline
from evaluator.asking.episode import Setting, answer_task, timed
from evaluator.asking.prompts import opening
from evaluator.integrations.episode_log import EpisodeLog
from evaluator.integrations.mcp_episode import Served
from evaluator.integrations.mcp_server import episode_server
from evaluator.scoring.score import score_task
from evaluator.scoring.score_traces import score
from evaluator.traces.protocols import MULTI_TURN
from evaluator.traces.signature import suite_label
from evaluator.traces.trace import Trace
from evaluator.traces.trace_reader import read_traces
from tests.samples.small_suite import small_horizon, small_suite
from tests.stand_ins.mcp_text import text_of

SUITE = small_suite(2, 2, 2, 2)
WEATHER = SUITE.tasks[0]
TOOLS = catalogue()
PUBLISHED = load_suite()
ERAS = ("legacy", "auto")
"""With the handshake, and as of the protocol's release 2026-07-28."""


def served(path: Path, suite: Suite = SUITE, offered: str = "task") -> Served:
    return Served(suite, offered, "m", EpisodeLog(path))


def client(of: Served, task: Task = WEATHER, era: str = "auto", sample: int = 0) -> Client:
    episode = of.episode(task.task_id, sample)
    return Client(episode_server(lambda _: episode), mode=era)


async def make(client: Client, calls: Iterable[tuple[str, Any]]) -> list[tuple[bool, Any]]:
    """The calls, one after another; of each whether it erred and what the model is shown."""
    answers = []
    for name, arguments in calls:
        answer = await client.call_tool(name, arguments)
        answers.append((answer.is_error, json.loads(text_of(answer.content[0]))))
    return answers


async def right_calls(task: Task) -> list[tuple[str, Any]]:
    """Calls that solve a task."""
    trace = await by_runner("baseline:oracle", task, 0)
    return [(call.name, call.arguments) for call in trace.calls]


async def by_runner(
    agent: str, task: Task, sample: int, suite: Suite = SUITE, offered: str = "task"
) -> Trace:
    """The trace of a run, in which each call has seen the results of the replies before it."""
    setting = Setting(agent, "built-in", suite_label(suite), MULTI_TURN, offered, "native")
    answer = baseline(agent)
    return await answer_task(task, sample, setting, TOOLS, lambda each: timed(answer(each)))


@pytest.mark.parametrize("offered", ["task", "full", "12"])
@pytest.mark.parametrize("era", ERAS)
def test_a_client_gets_the_task_as_a_run_asks_it(offered: str, era: str, tmp_path: Path) -> None:
    async def look() -> None:
        of = served(tmp_path / "t.jsonl", offered=offered)
        async with client(of, era=era) as session:
            listed = await session.list_tools()
            tools = [
                {
                    "type": "function",
                    "function": {
                        "name": each.name,
                        "description": each.description,
                        "parameters": each.input_schema,
                    },
                }
                for each in listed.tools
            ]
            assert tools == list(of.episode(WEATHER.task_id, 0).opening.tools)
            assert len(tools) == {"task": len(WEATHER.offered), "full": 106, "12": 12}[offered]
            [prompt] = (await session.list_prompts()).prompts
            assert prompt.name == f"task/{WEATHER.task_id}"
            messages = (await session.get_prompt(prompt.name)).messages
            texts = [text_of(message.content) for message in messages]
            assert texts == [m["content"] for m in opening(WEATHER, MULTI_TURN, "native", ())]
            with pytest.raises(MCPError, match=f"is 'task/{WEATHER.task_id}'"):
                await session.get_prompt("task/L9")

    asyncio.run(look())
    # Whoever looked at the task has begun it, and a model that makes no call has failed it.
    [trace] = read_traces(tmp_path / "t.jsonl", SUITE)
    assert trace.calls == ()


def test_right_calls_solve_tasks_of_every_level(tmp_path: Path) -> None:
    tasks = [PUBLISHED.tasks[number] for number in range(0, len(PUBLISHED.tasks), 12)]
    assert {int(task.level) for task in tasks} == {0, 1, 2, 3}
    of = served(tmp_path / "t.jsonl", PUBLISHED)

    async def answer() -> None:
        for task in tasks:
            async with client(of, task) as session:
                shown = await make(session, await right_calls(task))
                assert not any(is_error for is_error, _ in shown)

    asyncio.run(answer())
    scores = score(tmp_path / "t.jsonl", PUBLISHED, True)
    assert [row["strict"] for row in scores["tasks"]] == [True] * len(tasks)
    assert "|protocol:multi-turn.2|catalogue:task|calls:native|" in scores["signature"]


@settings(max_examples=25)
@given(
    agent=st.sampled_from([*BASELINES, "baseline:noisy-0.7"]),
    suite=st.sampled_from([SUITE, small_horizon()]),
    offered=st.sampled_from(["task", "12"]),
    sample=st.integers(0, 50),
    era=st.sampled_from(ERAS),
    data=st.data(),
)
def test_the_same_calls_score_as_in_a_run(
    agent: str,
    suite: Suite,
    offered: str,
    sample: int,
    era: str,
    data: st.DataObject,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    task = data.draw(st.sampled_from(suite.tasks))
    trace = asyncio.run(by_runner(agent, task, sample, suite, offered))
    calls = [(call.name, call.arguments) for call in trace.calls]
    assume(all(isinstance(arguments, dict) for _, arguments in calls))
    path = tmp_path_factory.mktemp("log") / "t.jsonl"

    async def answer() -> None:
        of = served(path, suite, offered)
        async with client(of, task, era, sample) as session:
            await make(session, calls)
            await session.list_tools()

    asyncio.run(answer())
    [row] = read_traces(path, suite)
    assert [(call.name, call.arguments) for call in row.calls] == calls
    assert (row.sample, row.protocol, row.catalogue) == (sample, MULTI_TURN, offered)
    assert row.extra["asked"] == trace.extra["asked"]
    assert score_task(task, row, TOOLS) == score_task(task, trace, TOOLS)


def deep(levels: int) -> Any:
    return json.loads("[" * levels + "]" * levels)


@pytest.mark.parametrize("era", ERAS)
def test_hostile_arguments_are_the_models_own_error(era: str, tmp_path: Path) -> None:
    calls: list[tuple[str, Any]] = [
        ("get_weather", {"city": deep(100)}),
        ("get_weather", {"city": "x" * 1_000_000}),
        ("get_weather", {"city": {"a": [None, 1e308]}}),
        ("get_weather", {"no such": "name", "": ""}),
        ("get_weather", {}),
        ("get_weather", None),
        ("no_such_tool\n" * 1000, {"city": "Berlin"}),
        ("", {}),
        ("get_weather", {"city": "{{7.temperature_c}}"}),
    ]

    async def answer() -> list[tuple[bool, Any]]:
        async with client(served(tmp_path / "t.jsonl"), era=era) as session:
            return [*await make(session, calls), *await make(session, await right_calls(WEATHER))]

    *refused, right = asyncio.run(answer())
    assert [(is_error, set(shown)) for is_error, shown in refused] == [(True, {"error"})] * len(
        calls
    )
    assert not right[0]
    [trace] = read_traces(tmp_path / "t.jsonl", SUITE)
    assert len(trace.calls) == len(calls) + 1


def test_an_episode_ends_where_its_trace_is_full(tmp_path: Path) -> None:
    long = ("get_weather", {"city": "x" * 1_500_000})

    async def answer() -> list[tuple[bool, Any]]:
        async with client(served(tmp_path / "t.jsonl")) as session:
            return await make(session, [long, long, long, *await right_calls(WEATHER)])

    shown = asyncio.run(answer())
    assert [is_error for is_error, _ in shown] == [True] * 4
    assert "longer than a trace may be" in shown[2][1]["error"]
    assert "the episode is over" in shown[3][1]["error"]
    [trace] = read_traces(tmp_path / "t.jsonl", SUITE)
    assert len(trace.calls) == 2


def test_several_sessions_know_nothing_of_each_other(tmp_path: Path) -> None:
    of = served(tmp_path / "t.jsonl", offered="full")
    store, fetch = ("store_memory", {"key": "k", "value": "v"}), ("retrieve_memory", {"key": "k"})

    async def answer() -> list[list[bool]]:
        one, two, three = client(of), client(of, SUITE.tasks[1]), client(of, sample=1)
        async with one, two, three:
            said = [
                await make(one, [store, fetch]),
                await make(two, [fetch, store, fetch]),
                await make(three, [fetch]),
            ]
        return [[is_error for is_error, _ in answers] for answers in said]

    assert asyncio.run(answer()) == [[False, False], [True, False, False], [True]]
    rows = [(t.task_id, t.sample, len(t.calls)) for t in read_traces(of.log.path, SUITE)]
    assert rows == [
        (WEATHER.task_id, 0, 2),
        (SUITE.tasks[1].task_id, 0, 3),
        (WEATHER.task_id, 1, 1),
    ]


def test_a_task_is_answered_once(tmp_path: Path) -> None:
    of = served(tmp_path / "t.jsonl")

    async def answer() -> None:
        async with client(of) as looked:
            await looked.list_tools()
        async with client(of) as session:
            await make(session, await right_calls(WEATHER))
        async with client(of) as late:
            with pytest.raises(MCPError, match="is answered already"):
                await late.list_tools()
            with pytest.raises(MCPError, match="is answered already"):
                await make(late, await right_calls(WEATHER))

    asyncio.run(answer())
    [row] = score(of.log.path, SUITE, True)["tasks"]
    assert row["strict"]


# The command ----------------------------------------------------------------------------------


def command(task: str, out: Path, *more: str) -> StdioServerParameters:
    arguments = ["-m", "comptoolbench", "mcp", "--task", task, "--model", "m", "--out", str(out)]
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    return StdioServerParameters(command=sys.executable, args=[*arguments, *more], env=path)


@pytest.mark.parametrize("era", ERAS)
def test_over_standard_input_and_output(era: str, tmp_path: Path) -> None:
    task, out = PUBLISHED.by_id["L1_chain_0049"], tmp_path / "t.jsonl"

    async def answer() -> None:
        server = command(task.task_id, out, "--sample", "2", "--catalogue", "task")
        async with Client(stdio_client(server), mode=era) as session:
            assert {tool.name for tool in (await session.list_tools()).tools} == set(task.offered)
            await make(session, await right_calls(task))

    asyncio.run(answer())
    [row] = score(out, PUBLISHED, True)["tasks"]
    assert (row["sample"], row["strict"]) == (2, True)


@pytest.mark.slow
def test_what_was_called_before_a_kill_is_kept(tmp_path: Path) -> None:
    server = command("L1_chain_0049", tmp_path / "t.jsonl")
    process = subprocess.Popen(
        [server.command, *server.args],
        env={**os.environ, **(server.env or {})},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    pipe, answers = process.stdin, process.stdout
    assert pipe is not None
    assert answers is not None

    def say(method: str, number: int | None = None, **params: Any) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        identity = {} if number is None else {"id": number}
        pipe.write(json.dumps(message | identity) + "\n")
        pipe.flush()

    about = {"name": "test", "version": "1"}
    say("initialize", 0, protocolVersion="2025-06-18", capabilities={}, clientInfo=about)
    assert json.loads(answers.readline())["id"] == 0
    say("notifications/initialized")
    for number in range(1, 4):
        say("tools/call", number, name="get_weather", arguments={"city": "Berlin"})
        assert json.loads(answers.readline())["id"] == number
    # Killed while further calls are on their way.
    for number in range(4, 40):
        say("tools/call", number, name="get_weather", arguments={"city": "Berlin"})
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)
    [trace] = read_traces(tmp_path / "t.jsonl", PUBLISHED)
    assert len(trace.calls) >= 3


MISTAKES = [
    ([], "expected --task ID, or --http for all tasks"),
    (["--task", "L9"], "has no task 'L9'"),
    (["--task", "L1_chain_0049", "--port", "1"], "--host and --port are for --http"),
    (["--task", "L1_chain_0049", "--http"], "leave --task and --sample out"),
    (["--http", "--host", "192.0.2.1"], "192.0.2.1, port 8765: cannot be served there"),
    (["--task", "L1_chain_0049", "--model", "a  b"], "--model: expected no space"),
    (["--task", "L1_chain_0049", "--out", "/dev/null"], "/dev/null: cannot be used"),
]


@pytest.mark.parametrize(("arguments", "expected"), MISTAKES, ids=lambda value: str(value)[:40])
def test_a_users_mistake_is_a_sentence(
    arguments: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["mcp", "--model", "m", "--out", str(tmp_path / "t.jsonl"), *arguments]
    with pytest.raises(SystemExit) as stopped:
        main(given)
    assert stopped.value.code == 2
    said = capsys.readouterr().err.strip()
    assert expected in said
    assert "\n" not in said


def test_a_second_server_for_an_answered_task_says_so(tmp_path: Path) -> None:
    out = tmp_path / "t.jsonl"
    line = {"task_id": "L1_chain_0049", "model": "m", "calls": [{"name": "f", "arguments": {}}]}
    out.write_text(json.dumps(line))
    server = command("L1_chain_0049", out)
    done = subprocess.run(
        [server.command, *server.args],
        env={**os.environ, **(server.env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "is answered already, in another session" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_missing_extra_is_a_sentence(tmp_path: Path) -> None:
    # A module of the name that is none.
    (tmp_path / "mcp.py").write_text("raise ImportError")
    done = subprocess.run(
        [sys.executable, *command("L1_chain_0049", tmp_path / "t.jsonl").args],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == (
        "comptoolbench: serving the Model Context Protocol needs mcp and uvicorn: "
        "pip install 'comptoolbench[mcp]'\n"
    )
    assert not (tmp_path / "t.jsonl").exists()
