"""A stand-in for the Hugging Face Hub: real HTTP, in memory, for the real client and `datasets`.

    with Hub() as hub:
        repo = Repo("org/data", token=WRITER, endpoint=hub.url)   # in process: dataset_builder.published.hub
        subprocess.run(..., env=hub.environment(tmp_path))        # or as a user: HF_ENDPOINT
        hub.repo("org/data").files()["README.md"]                 # what is there now, as bytes
        hub.fail("POST", "/commit/", 500)                         # misbehave from now on; hub.mend()

Datasets and spaces: create, commit (regular and LFS files), refs and tags, tree, paths-info, resolve
with Range, whoami. Three tokens: WRITER owns the namespaces ``org`` and ``maintainer``, READER owns
``visitor`` and may only read, any other is refused; no token sees what is public. Files that end in
.parquet go through LFS. Needs HF_HUB_DISABLE_XET=1 before huggingface_hub is imported, which
tests/conftest.py sees to.
"""

import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.stand_ins.hub_answers import Answers
from tests.stand_ins.hub_repositories import READER, WRITER, Repository

__all__ = ["READER", "WRITER", "Hub"]
# What a client needs in its environment to talk to this server and to nothing else.
_CLIENT = {"HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}


@dataclass
class Fault:
    method: str
    path: str
    how: int | str
    times: float


class Hub:
    """The server, in a thread of its own while the ``with`` block runs."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str]] = []
        """Method and path of every request, in order."""
        self._answers = Answers()
        self._faults: list[Fault] = []

    def repo(self, name: str, kind: str = "dataset") -> Repository:
        """A repository by ``ORG/NAME``; KeyError where there is none. Kind: dataset or space."""
        return self._answers.repos[f"{kind}s", name]

    def has(self, name: str, kind: str = "dataset") -> bool:
        return (f"{kind}s", name) in self._answers.repos

    def fail(self, method: str, path: str, how: int | str, times: float = float("inf")) -> None:
        """Let requests whose path contains ``path`` fail, the first ``times`` of them.

        Paths: /repos/create, /preupload/, /info/lfs/, /lfs/ (PUT), /commit/, /tag/, /tree/, /resolve/.
        ``how``: an HTTP status; "cut" ends the connection with nothing done; "lost" does what was
        asked and ends the connection before the answer.
        """
        self._faults.append(Fault(method, path, how, times))

    def mend(self) -> None:
        """End all misbehaviour."""
        self._faults.clear()

    def environment(self, home: Path, token: str | None = WRITER) -> dict[str, str]:
        """The environment of a user of this Hub whose caches and login are in ``home``."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
        login = {"HF_TOKEN": token} if token else {}
        return kept | {"HF_ENDPOINT": self.url, "HF_HOME": str(home), **_CLIENT} | login

    def __enter__(self) -> "Hub":
        app = Starlette(routes=self._answers.routes(), exception_handlers={HTTPException: _as_json})
        config = uvicorn.Config(
            self._faulty(app), port=0, log_level="critical", lifespan="off", timeout_keep_alive=60
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.005)
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        return self

    def __exit__(self, *_: object) -> None:
        self._server.force_exit = True
        self._server.should_exit = True
        self._thread.join(10)

    def _faulty(self, app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            method, path = scope["method"], scope["path"]
            self.requests.append((method, path))
            for fault in self._faults:
                if fault.method == method and fault.path in path and fault.times > 0:
                    fault.times -= 1
                    await _misbehave(fault.how, app, scope, receive, send)
                    return
            await app(scope, receive, send)

        return serve


async def _as_json(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


async def _misbehave(
    how: int | str, app: ASGIApp, scope: Scope, receive: Receive, send: Send
) -> None:
    if isinstance(how, int):
        await JSONResponse({"error": "it broke"}, how)(scope, receive, send)
        return

    async def swallow(message: Message) -> None:
        pass

    if how == "lost":
        await app(scope, receive, swallow)
    # An answer that promises more than comes: the server ends the connection.
    headers = [(b"content-length", b"100")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"{", "more_body": True})
