"""What docs/integrations/mcp.md shows, run as a user runs it: an agent of smolagents with the local model."""

import json
import os
import re
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from comptoolbench import main
from dataset_builder.published.load_suite import load_suite
from evaluator.asking.local_model import obstacle
from evaluator.integrations.mcp_http import IDLE_S, MOST_OPEN
from evaluator.traces.trace import MAX_CALLS, MAX_LINE_BYTES
from evaluator.traces.trace_reader import read_traces

PAGE = Path(__file__).parents[2].joinpath("docs/integrations/mcp.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def words(line: str) -> list[str]:
    """The words of a command of ours behind its name."""
    name, *rest = shlex.split(line)
    assert name == "comptoolbench"
    return rest


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def test_the_page_tells_the_limits() -> None:
    assert f"after {IDLE_S / 60:g} minutes" in PAGE
    assert f"At most {MOST_OPEN:,} sessions" in PAGE
    assert f"beside {MAX_CALLS:,} calls and {MAX_LINE_BYTES // 2**20} MB a row" in PAGE


def test_a_client_starts_the_server_as_the_page_says(tmp_path: Path) -> None:
    [server] = json.loads(blocks("json")[0])["mcpServers"].values()
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "comptoolbench",
            *words(shlex.join([server["command"], *server["args"]])),
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    [trace] = read_traces(tmp_path / "traces.jsonl", load_suite())
    assert (trace.task_id, trace.model) == ("L1_chain_0049", "my agent")


@pytest.mark.slow
def test_an_agent_is_measured_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("smolagents")
    if problem := obstacle():
        pytest.skip(problem)
    [start, score], [code], port = blocks("bash"), blocks("python"), free_port()
    assert "127.0.0.1:8765" in code
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    server = subprocess.Popen(
        [sys.executable, "-m", "comptoolbench", *words(start), "--port", str(port)],
        cwd=tmp_path,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stderr is not None
        assert f"http://127.0.0.1:{port}/mcp?task=ID" in server.stderr.readline()
        script = tmp_path / "agent.py"
        script.write_text(code.replace("127.0.0.1:8765", f"127.0.0.1:{port}"), "utf-8")
        agent = subprocess.run(
            [sys.executable, str(script)],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
        assert agent.returncode == 0, agent.stdout + agent.stderr
    finally:
        server.kill()
        server.communicate(timeout=30)
    asked = [task.task_id for task in load_suite().tasks[:1]]
    traces = read_traces(tmp_path / "traces.jsonl", load_suite())
    assert [trace.task_id for trace in traces] == asked
    assert all(trace.calls for trace in traces)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(words(score))
    assert ended.value.code == 0
    assert "smolagents 1.26, SmolLM2 135M" in capsys.readouterr().out
