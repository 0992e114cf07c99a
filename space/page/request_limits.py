"""What visitors may send: which requests, how much in one, how many files, how much in an hour.

A body is counted as it comes, whether or not it announces its length, and whoever reads it. What is
refused in the middle is answered with a sentence; what it left on disk `upload_folder` clears away.
"""

import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from math import ceil

from python_multipart.multipart import parse_options_header
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dataset_builder.errors import InputError
from space.base.limits import ALL_BYTES, EACH_BYTES, HOUR_S, MAX_BODY_BYTES, MAX_FORM_BYTES, MB
from space.base.settings import Settings
from space.base.visitors import Visitor, visitor_of

# Every piece costs memory of its own, however short it is.
_LEAST_CHARGED = 1024
_UPLOAD = re.compile(r"/gradio_api/upload/?\Z")
# What the page's own buttons and the Gradio client send to.
_TAKES = re.compile(r"/gradio_api/(upload|queue/join|cancel|reset|(run|api|call)/[\w./-]+)/?\Z")


class Refused(Exception):
    """A request that is too much; the message is shown to the visitor."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Allowance:
    """Bytes that each visitor, and all of them together, may send in an hour."""

    def __init__(
        self,
        each: int = EACH_BYTES,
        together: int = ALL_BYTES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._each, self._together, self._clock = each, together, clock
        self._lock = threading.Lock()
        self._window = -1
        self._sent: Counter[str] = Counter()

    def take(self, visitor: Visitor, size: int) -> None:
        """Count what a visitor sends; InputError with the time to wait where it is too much.

        Who keeps the page is not limited.
        """
        if visitor.is_maintainer:
            return
        size = max(size, _LEAST_CHARGED)
        with self._lock:
            now = self._clock()
            if (window := int(now // HOUR_S)) != self._window:
                self._window, self._sent = window, Counter()
            left = ceil((HOUR_S - now % HOUR_S) / 60)
            minutes = "a minute" if left == 1 else f"{left} minutes"
            if self._sent.total() + size > self._together:
                raise InputError(f"the page has taken in too much: try again in {minutes}")
            if self._sent[visitor.key] + size > self._each:
                raise InputError(
                    f"too much was sent: at most {self._each // MB} MB an hour, so wait {minutes}"
                )
            self._sent[visitor.key] += size


class Body:
    """The body of one request, counted as it comes."""

    def __init__(self, headers: Headers, path: str, visitor: Visitor, allowance: Allowance) -> None:
        """Refused where it announces too much."""
        self._visitor, self._allowance = visitor, allowance
        self._most = MAX_FORM_BYTES if _UPLOAD.search(path) else MAX_BODY_BYTES
        self._size, self._marks, self._tail = 0, 0, b""
        kind, options = parse_options_header(headers.get("content-type", ""))
        boundary = options.get(b"boundary", b"")
        self._mark = b"--" + boundary if kind.startswith(b"multipart/") and boundary else b""
        announced = headers.get("content-length", "")
        self._is_charged = announced.isascii() and announced.isdigit()
        if self._is_charged:
            size = int(announced[:20])
            self._check_size(size)
            self._charge(size)

    def take(self, piece: bytes) -> None:
        """Count a piece; Refused at the first sign of too much."""
        self._size += len(piece)
        self._check_size(self._size)
        if piece and not self._is_charged:
            self._charge(len(piece))
        if self._mark:
            seen = self._tail + piece
            self._marks += seen.count(self._mark)
            # Never so long that it holds a whole mark, which would be counted twice.
            self._tail = seen[len(seen) - len(self._mark) + 1 :] if len(self._mark) > 1 else b""
            # One before the file, one behind it.
            if self._marks > 2:
                raise Refused(413, "The request holds several files: send one at a time.")

    def _check_size(self, size: int) -> None:
        if size > self._most:
            raise Refused(413, f"The request is larger than {self._most // MB} MB.")

    def _charge(self, size: int) -> None:
        try:
            self._allowance.take(self._visitor, size)
        except InputError as error:
            sentence = str(error)
            raise Refused(429, f"{sentence[0].upper()}{sentence[1:]}.") from None


class BodyLimit:
    """The middleware: refuses what the page takes from nobody, and bodies that are too much."""

    def __init__(self, app: ASGIApp, settings: Settings, allowance: Allowance) -> None:
        self._app, self._settings, self._allowance = app, settings, allowance

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused: Refused | None = None
        has_begun = False

        async def counted() -> Message:
            nonlocal refused
            message = await receive()
            try:
                body.take(message.get("body", b""))
            except Refused as error:
                refused = error
                raise
            return message

        async def answered(message: Message) -> None:
            nonlocal has_begun
            if refused is None or has_begun:
                has_begun = True
                await send(message)

        try:
            body = self._body(scope)
            await self._app(scope, counted, answered)
        except Refused as error:
            refused = error
        if refused is not None and not has_begun:
            answer = PlainTextResponse(f"{refused}\n", refused.status, {"Connection": "close"})
            await answer(scope, receive, send)

    def _body(self, scope: Scope) -> Body:
        headers, path = Headers(scope=scope), scope["path"]
        reads = scope["method"] in ("GET", "HEAD", "OPTIONS")
        if not reads and not (scope["method"] == "POST" and _TAKES.search(path)):
            raise Refused(405, "The page takes no such request.")
        address = scope["client"][0] if scope.get("client") else "unknown"
        forwarded = headers.get("x-forwarded-for")
        visitor = visitor_of(self._settings, None, address, forwarded)
        return Body(headers, path, visitor, self._allowance)
