"""Episodes over streamable HTTP: the address names the task, and a session is an episode.

http://127.0.0.1:8765/mcp?task=L1_chain_0001&sample=0
"""

import re
import socket
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from time import monotonic
from typing import Generic, NamedTuple, TypeVar

import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from mcp_types import INVALID_PARAMS, ErrorData, JSONRPCError
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from dataset_builder.errors import InputError, why
from evaluator.integrations.mcp_episode import Episode, Served
from evaluator.integrations.mcp_server import Context, episode_server

PATH = "/mcp"
MOST_OPEN = 1_000
"""Sessions at once, and episodes at once."""
IDLE_S = 1_800.0
"""After so many seconds without a request a session ends, and its episode with it."""

_ADDRESS = "comptoolbench.address"
_SESSION, _VERSION = "mcp-session-id", "mcp-protocol-version"
_MAX_ID = 100
_NUMBER = re.compile("0|[1-9][0-9]{0,5}")
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_EVERYWHERE = ("0.0.0.0", "::")

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Address(NamedTuple):
    """Which episode a request is for.

    ``session``: empty for a client of the protocol's release 2026-07-28, which knows none.
    """

    session: str
    task_id: str
    sample: int


def serve_http(served: Served, host: str, port: int, say: Callable[[str], None]) -> None:
    """Serve all tasks until the process is told to end; ``say`` is given the address.

    InputError where the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family)
    except OSError as error:
        reason = why(error).partition(" (while")[0]  # what follows is the address once more
        raise InputError(f"{host}, port {port}: cannot be served there ({reason})") from None
    where = f"[{host}]" if ":" in host else host
    say(f"http://{where}:{listening.getsockname()[1]}{PATH}?task=ID")
    config = uvicorn.Config(
        http_app(served, host), log_level="warning", timeout_graceful_shutdown=1
    )
    uvicorn.Server(config).run(sockets=[listening])


def http_app(served: Served, host: str, most: int = MOST_OPEN, idle_s: float = IDLE_S) -> Starlette:
    """The application; ``host`` is where it will be reached, by which its requests are checked."""
    door = _Door(served, _security(host), most, idle_s)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with door.manager.run():
            yield

    return Starlette(routes=[Route(PATH, endpoint=door)], lifespan=lifespan)


def _security(host: str) -> TransportSecuritySettings | None:
    """What keeps pages of other sites away that give themselves this machine's address."""
    if host in _EVERYWHERE:  # under what names it is reached nobody knows
        return None
    names = [f"[{name}]" if ":" in name else name for name in {host, *_LOOPBACK}]
    return TransportSecuritySettings(
        allowed_hosts=[f"{name}:*" for name in names],
        allowed_origins=[f"http://{name}:*" for name in names],
    )


class _Open(Generic[K, V]):
    """What is under way, bounded in number; what nobody used for a while goes."""

    def __init__(self, most: int, idle_s: float) -> None:
        self._most, self._idle_s = most, idle_s
        self._items: dict[K, tuple[float, V]] = {}
        """In the order of their last use."""

    def get(self, key: K) -> V | None:
        if (item := self._items.pop(key, None)) is None:
            return None
        self._items[key] = monotonic(), item[1]
        return item[1]

    def make_room(self) -> None:
        """Let go of what is idle; InputError where all places are taken still."""
        oldest = monotonic() - self._idle_s
        for key in [key for key, (used, _) in self._items.items() if used < oldest]:
            del self._items[key]
        if len(self._items) >= self._most:
            raise InputError(f"{self._most:,} sessions are open: close one, or wait")

    def add(self, key: K, value: V) -> V:
        self._items[key] = monotonic(), value
        return value

    def drop(self, ends: Callable[[K], bool]) -> None:
        self._items = {key: item for key, item in self._items.items() if not ends(key)}


class _Door:
    """Reads off each request which episode it is for, and lets only so many sessions in."""

    def __init__(
        self,
        served: Served,
        security: TransportSecuritySettings | None,
        most: int,
        idle_s: float,
    ) -> None:
        self._served = served
        self._security = TransportSecurityMiddleware(security)
        self._sessions: _Open[str, str] = _Open(most, idle_s)
        self._episodes: _Open[Address, Episode] = _Open(most, idle_s)
        self.manager = StreamableHTTPSessionManager(
            episode_server(self._episode_of),
            json_response=True,
            session_idle_timeout=idle_s,
        )

    def _episode_of(self, context: Context) -> Episode:
        if context.request is None:
            raise RuntimeError("a message over HTTP without its request")
        address: Address = context.request.scope[_ADDRESS]
        if (episode := self._episodes.get(address)) is not None:
            return episode
        self._episodes.make_room()
        episode = self._served.episode(address.task_id, address.sample)
        return self._episodes.add(address, episode)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        # Before the library does the same, which by then has made a session for it.
        refusal = await self._security.validate_request(request, request.method == "POST")
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        session = request.headers.get(_SESSION, "")
        try:
            scope[_ADDRESS] = _address(request, session)
            if session:
                self._sessions.get(session)
            elif _opens_session(request):
                self._sessions.make_room()
        except InputError as error:
            await _refusal(str(error))(scope, receive, send)
            return

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._note(request, session, message)
            await send(message)

        await self.manager.handle_request(scope, receive, noted)

    def _note(self, request: Request, session: str, answer: Message) -> None:
        """Take note of a session that an answer begins or ends."""
        headers = {name.lower(): value.decode("latin-1") for name, value in answer["headers"]}
        begun = headers.get(_SESSION.encode())
        if request.method == "DELETE" and answer["status"] == 200:
            self._sessions.drop(lambda each: each == session)
            self._episodes.drop(lambda each: each.session == session)
        elif begun and not session:
            self._sessions.add(begun, begun)


def _address(request: Request, session: str) -> Address:
    """The episode that an address names; InputError where it names none."""
    task_id = request.query_params.get("task", "")
    sample = request.query_params.get("sample", "0")
    if not 0 < len(task_id) <= _MAX_ID:
        raise InputError(f"expected an address such as {PATH}?task=L1_chain_0001")
    if not _NUMBER.fullmatch(sample):
        raise InputError(f"sample: expected a whole number, got {sample[:20]!r}")
    return Address(session, task_id, int(sample))


def _opens_session(request: Request) -> bool:
    """Whether the library makes a session for a request that bears none.

    Any method but POST would get one that is of no use to anybody.
    """
    if request.method != "POST":
        raise InputError(f"{request.method} needs the header {_SESSION}")
    return request.headers.get(_VERSION, HANDSHAKE_PROTOCOL_VERSIONS[0]) in (
        HANDSHAKE_PROTOCOL_VERSIONS
    )


def _refusal(why_not: str) -> Response:
    body = JSONRPCError(
        jsonrpc="2.0", id=None, error=ErrorData(code=INVALID_PARAMS, message=why_not)
    )
    return Response(
        body.model_dump_json(by_alias=True, exclude_unset=True),
        status_code=404,
        media_type="application/json",
    )
