"""The page's own head in place of Gradio's: title, description, preview and icon, for each address."""

import re
from collections.abc import Mapping
from urllib.parse import parse_qsl

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from space.page.address_words import SITE, AddressWords, address_words
from space.services import Services

_MAX_FIELDS = 100
_GRADIOS = re.compile(
    rb'<meta\s+(?:property="og:|name="twitter:)[^>]*>|<title>[^<]*</title>|<link rel="icon"[^>]*>'
)


class OwnHead:
    """Replaces in the page's HTML, and in nothing else, what Gradio says of itself."""

    def __init__(self, app: ASGIApp, services: Services) -> None:
        """``services``: what an address is looked up in."""
        self._app, self._services = app, services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != "/" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        started: list[Message] = []
        body = bytearray()

        async def changed(message: Message) -> None:
            if message["type"] == "http.response.start":
                started.append(message)
                return
            body.extend(message.get("body", b""))
            if message.get("more_body"):
                return
            headers = MutableHeaders(scope=started[0])
            content = bytes(body)
            if headers.get("content-type", "").startswith("text/html"):
                # Looking up a run may read the whole board.
                ours = await run_in_threadpool(self._head, Request(scope))
                content = with_head(content, ours)
                headers["content-length"] = str(len(content))
            await send(started[0])
            await send({"type": "http.response.body", "body": content})

        await self._app(scope, receive, changed)

    def _head(self, request: Request) -> Markup:
        try:
            pairs = parse_qsl(request.url.query, max_num_fields=_MAX_FIELDS)
        except ValueError:
            pairs = []
        words = address_words(dict(reversed(pairs)), self._services)
        return head(words, _origin(request.headers, request.url.netloc, request.url.scheme))


def with_head(page: bytes, ours: Markup) -> bytes:
    """The page with our lines in its head, and without those of Gradio's that say the same."""
    start, end_of_head, rest = page.partition(b"</head>")
    return _GRADIOS.sub(b"", start) + ours.encode() + end_of_head + rest


def head(words: AddressWords, origin: str) -> Markup:
    """The lines of the head; ``origin``: where the page is reached, without a slash at the end."""
    image = f"{origin}/{words.image}"
    lines = [
        Markup("<title>{}</title>").format(words.title),
        Markup('<link rel="icon" type="image/svg+xml" href="./favicon.ico">'),
        _meta("name", "description", words.description),
        _meta("property", "og:type", "website"),
        _meta("property", "og:site_name", SITE),
        _meta("property", "og:title", words.title),
        _meta("property", "og:description", words.description),
        _meta("property", "og:image", image),
        _meta("property", "og:image:alt", words.image_shows),
        _meta("name", "twitter:card", "summary_large_image"),
        _meta("name", "twitter:title", words.title),
        _meta("name", "twitter:description", words.description),
        _meta("name", "twitter:image", image),
    ]
    return Markup("\n").join(lines)


def _meta(kind: str, name: str, content: str) -> Markup:
    return Markup('<meta {}="{}" content="{}">').format(Markup(kind), name, content)


def _origin(headers: Mapping[str, str], host: str, scheme: str) -> str:
    """Where the page is reached, also through a proxy; a preview needs a whole address."""
    told = headers.get("x-forwarded-proto", "").partition(",")[0].strip()
    return f"{told if told in ('http', 'https') else scheme}://{host}"
