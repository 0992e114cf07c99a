"""How answers travel: texts compressed, and files kept by browsers where the name tells the content.

Gradio compresses files by the ending of their path; its page and its JSON have none. Streams of events
stay as they are, since a compressor would hold them back. So does everything that a visitor alone may
see: it comes in events or as JSON lines, and nobody can measure it by the length of an answer that
holds words of their own beside it.
"""

import re
import zlib

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COMPRESSED = ("text/html", "application/json", "image/svg+xml")
LEAST = 1_000
"""Bytes; a shorter answer fits one packet either way."""
_GZIP = 16 + zlib.MAX_WBITS
_LEVEL = 5
# The hash of its content stands in the name of each of these.
_LASTING = re.compile(r"/assets/[\w.]+-[\w-]{8}\.(js|css|woff2?|svg|png)")
_A_YEAR = "public, max-age=31536000, immutable"


class Delivery:
    """The middleware, outside of all that changes an answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(scope, send)
        await self._app(scope, receive, answer.pass_on)


class _Answer:
    """One answer on its way out."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._send = send
        self._is_lasting = _LASTING.fullmatch(scope["path"]) is not None
        takes = Headers(scope=scope).get("accept-encoding", "")
        self._may_compress = scope["method"] == "GET" and "gzip" in takes
        self._start: Message | None = None
        """The head of an answer that may be compressed, until its body begins."""
        self._compressor: zlib._Compress | None = None

    async def pass_on(self, message: Message) -> None:
        """Send a message of the answer, or hold its head back until its body says how it is sent."""
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if self._is_lasting and message["status"] in (200, 304):
                headers.setdefault("Cache-Control", _A_YEAR)
            if message["status"] == 200 and _is_text(headers):
                headers.add_vary_header("Accept-Encoding")
                if self._may_compress:
                    self._start = message
                    return
        elif message["type"] == "http.response.body":
            message = await self._begin(message)
        await self._send(message)

    async def _begin(self, message: Message) -> Message:
        """The piece of a body as it is sent, once the head that was held back is on its way."""
        body, has_more = message.get("body", b""), message.get("more_body", False)
        if self._start is not None:
            headers = MutableHeaders(scope=self._start)
            if has_more or len(body) >= LEAST:
                self._compressor = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
                headers["Content-Encoding"] = "gzip"
                del headers["Content-Length"]
            start, self._start = self._start, None
            await self._send(start)
        if self._compressor is None:
            return message
        piece = self._compressor.compress(body)
        piece += b"" if has_more else self._compressor.flush()
        return {**message, "body": piece}


def _is_text(headers: Headers) -> bool:
    """Whether an answer is a text that is not compressed yet, and not known by its exact bytes."""
    kind = headers.get("content-type", "").partition(";")[0].strip()
    return kind in COMPRESSED and "content-encoding" not in headers and "etag" not in headers
