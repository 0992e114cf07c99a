"""How answers travel: what is compressed, what is not, and what browsers may keep."""

import asyncio
import gzip
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

from space.page.delivery import LEAST, Delivery
from space.submissions.example_file import NAME, example_file
from tests.samples.small_suite import small_suite, write_suite
from tests.stand_ins.page_calls import call
from tests.stand_ins.page_server import served

LONG = b"<p>words</p>" * LEAST


def answered(
    pieces: Sequence[bytes],
    headers: Mapping[str, str],
    path: str = "/",
    takes: str = "br, gzip",
    status: int = 200,
    method: str = "GET",
) -> tuple[dict[str, str], list[bytes]]:
    """The headers and the pieces of an answer that goes through the middleware."""
    sent: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": raw})
        for number, piece in enumerate(pieces, 1):
            more = number < len(pieces)
            await send({"type": "http.response.body", "body": piece, "more_body": more})

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "headers": [(b"accept-encoding", takes.encode())],
    }
    asyncio.run(Delivery(app)(scope, receive, send))
    start, *bodies = sent
    return {name.decode().lower(): value.decode() for name, value in start["headers"]}, [
        body["body"] for body in bodies
    ]


@pytest.mark.parametrize("kind", ["text/html; charset=utf-8", "application/json", "image/svg+xml"])
@pytest.mark.parametrize("cuts", [1, 3])
def test_a_long_text_is_compressed_however_it_comes(kind: str, cuts: int) -> None:
    step = len(LONG) // cuts + 1
    pieces = [LONG[at : at + step] for at in range(0, len(LONG), step)]
    length = {"content-length": str(len(LONG))}
    headers, bodies = answered(pieces, {"content-type": kind} | length)
    assert gzip.decompress(b"".join(bodies)) == LONG
    assert len(b"".join(bodies)) < len(LONG) / 10
    assert headers["content-encoding"] == "gzip"
    assert headers["vary"] == "Accept-Encoding"
    assert "content-length" not in headers


PLAIN: dict[str, dict[str, object]] = {
    "events": {"headers": {"content-type": "text/event-stream; charset=utf-8"}},
    "a download": {"headers": {"content-type": "application/x-ndjson"}},
    "a picture": {"headers": {"content-type": "image/png"}},
    "nothing said": {"headers": {}},
    "compressed": {"headers": {"content-type": "text/html", "content-encoding": "br"}},
    "known by its bytes": {"headers": {"content-type": "text/html", "etag": '"1"'}},
    "taken plain only": {"headers": {"content-type": "text/html"}, "takes": "identity"},
    "a part": {"headers": {"content-type": "text/html"}, "status": 206},
    "an error": {"headers": {"content-type": "text/html"}, "status": 404},
    "no GET": {"headers": {"content-type": "text/html"}, "method": "POST"},
}


@pytest.mark.parametrize("name", PLAIN)
def test_what_is_passed_on_as_it_is(name: str) -> None:
    given = PLAIN[name]
    headers, bodies = answered([LONG, b"", LONG], **given)  # type: ignore[arg-type]
    assert bodies == [LONG, b"", LONG]
    headers.pop("vary", None)
    assert headers == given["headers"]


def test_a_short_text_is_passed_on_with_its_length() -> None:
    told = {"content-type": "text/html", "content-length": "5"}
    headers, bodies = answered([b"short"], told)
    assert bodies == [b"short"]
    assert headers == told | {"vary": "Accept-Encoding"}
    assert answered([b""], told)[1] == [b""]


@pytest.mark.parametrize(
    ("path", "status", "is_kept"),
    [
        ("/assets/index-DphvyggB.js", 200, True),
        ("/assets/index-DphvyggB.js", 304, True),
        ("/assets/index-DphvyggB.js", 404, False),
        ("/assets/index.js", 200, False),
        ("/assets/../index-DphvyggB.js", 200, False),
        ("/theme.css", 200, False),
        ("/", 200, False),
    ],
)
def test_only_what_is_named_by_its_content_is_kept(path: str, status: int, is_kept: bool) -> None:
    headers, _ = answered([b"x"], {"content-type": "text/javascript"}, path, status=status)
    assert ("immutable" in headers.get("cache-control", "")) is is_kept


@pytest.mark.slow
def test_a_page_is_sent_compressed_and_its_events_are_not(tmp_path: Path) -> None:
    suite = small_suite()
    write_suite(suite, tmp_path / "suite.jsonl")
    with served(tmp_path) as address:
        for path in ("", "config"):
            request = urllib.request.Request(address + path, headers={"Accept-Encoding": "gzip"})
            with urllib.request.urlopen(request) as answer:
                assert answer.headers["Content-Encoding"] == "gzip"
                assert b"CompToolBench" in gzip.decompress(answer.read())
        with urllib.request.urlopen(f"{address}download/{NAME}") as answer:
            assert answer.read().decode() == example_file(suite)
        # Its events are read line by line as they come.
        assert call(address, "task", suite.tasks[0].task_id)["task_id"] == suite.tasks[0].task_id
