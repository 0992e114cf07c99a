"""What a request may bring: counted as it comes, answered with a sentence, and cleared away."""

import asyncio
import os
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

from dataset_builder.errors import InputError
from space.base.limits import MAX_BODY_BYTES, MAX_FORM_BYTES
from space.base.settings import Settings
from space.base.visitors import Visitor
from space.page.request_limits import Allowance, BodyLimit
from space.page.upload_folder import sweep
from tests.samples.small_suite import small_suite

MB = 2**20
HOSTED = Settings(small_suite(), Path("runs"), Path("submissions"), is_hosted=True)
FORM = {"content-type": "multipart/form-data; boundary=x"}
UPLOAD = "/gradio_api/upload"


class Reader:
    """An application that reads the whole body, and answers with its length."""

    def __init__(self, swallows: bool = False) -> None:
        self.read = 0
        self._swallows = swallows

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        status = 200
        try:
            more = True
            while more:
                message = await receive()
                self.read += len(message.get("body", b""))
                more = message.get("more_body", False)
        except Exception:
            if not self._swallows:
                raise
            status = 400
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b"read"})


def ask(
    app: Reader,
    pieces: Sequence[bytes],
    headers: dict[str, str],
    path: str = UPLOAD,
    method: str = "POST",
    allowance: Allowance | None = None,
) -> tuple[int, bytes]:
    """Status and body of the answer."""
    answers: list[Message] = []
    left = list(pieces)

    async def receive() -> Message:
        body = left.pop(0) if left else b""
        return {"type": "http.request", "body": body, "more_body": bool(left)}

    async def send(message: Message) -> None:
        answers.append(message)

    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "client": ("198.51.100.1", 1),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    limit = BodyLimit(app, HOSTED, allowance or Allowance())
    asyncio.run(limit(scope, receive, send))
    (start,) = (answer for answer in answers if answer["type"] == "http.response.start")
    body = b"".join(answer.get("body", b"") for answer in answers)
    return start["status"], body


@pytest.mark.parametrize("swallows", [False, True])
@pytest.mark.parametrize(
    ("path", "most"), [(UPLOAD, MAX_FORM_BYTES), ("/gradio_api/queue/join", MAX_BODY_BYTES)]
)
def test_a_body_is_refused_at_the_first_sign_of_too_much(
    path: str, most: int, swallows: bool
) -> None:
    app = Reader(swallows)
    assert ask(app, [b"", b"y" * most], {}, path) == (200, b"read")
    pieces = [b"y" * MB] * 100
    app = Reader(swallows)
    status, said = ask(app, pieces, {}, path)
    assert (status, said) == (413, f"The request is larger than {most // MB} MB.\n".encode())
    assert app.read <= most
    app = Reader(swallows)
    announced = {"content-length": str(100 * MB)}
    assert ask(app, pieces, announced, path)[0] == 413
    assert app.read == 0
    # Who announces little and sends much gains nothing.
    assert ask(Reader(swallows), pieces, {"content-length": "1"}, path)[0] == 413


@pytest.mark.parametrize("piece", [1, 2, 7, 1000])
def test_files_are_counted_however_the_body_is_cut(piece: int) -> None:
    def form(files: int) -> list[bytes]:
        one = b'--x\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\nab-x\r\n'
        body = one * files + b"--x--\r\n"
        return [body[start : start + piece] for start in range(0, len(body), piece)]

    assert ask(Reader(), form(1), FORM)[0] == 200
    for files in (2, 3, 50):
        status, said = ask(Reader(), form(files), FORM)
        assert status == 413
        assert b"one at a time" in said


@pytest.mark.parametrize(
    "length", ["-1", "abc", "1" * 5_000, "\u00b2", "", " ", "1e9", "0x10", "1_0"]
)
def test_a_length_that_is_none_is_no_way_around(length: str) -> None:
    status, _ = ask(Reader(), [b"y" * MB] * 40, {"content-length": length})
    assert status == 413


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", UPLOAD),
        ("DELETE", UPLOAD),
        ("POST", "/gradio_api/process_recording"),
        ("POST", "/gradio_api/component_server"),
        ("POST", "/gradio_api/uploads"),
        ("POST", "/x"),
    ],
)
def test_what_the_page_does_not_use_it_does_not_take(method: str, path: str) -> None:
    app = Reader()
    assert ask(app, [b"y"], {}, path, method)[0] == 405
    assert app.read == 0


def test_a_visitor_and_all_together_have_an_allowance() -> None:
    now = [0.0]
    allowance = Allowance(10 * MB, 25 * MB, lambda: now[0])
    ann, bob, cat = (Visitor(None, name) for name in ("1", "2", "3"))
    allowance.take(ann, 10 * MB)
    with pytest.raises(InputError, match="at most 10 MB an hour, so wait 60 minutes"):
        allowance.take(ann, 1)
    allowance.take(bob, 10 * MB)
    with pytest.raises(InputError, match="the page has taken in too much"):
        allowance.take(cat, 6 * MB)
    allowance.take(Visitor("keeper", "4", is_maintainer=True), 100 * MB)
    now[0] = 3599
    with pytest.raises(InputError, match="wait a minute"):
        allowance.take(ann, 1)
    now[0] = 3601
    allowance.take(ann, 10 * MB)


def test_a_body_without_a_length_is_charged_as_it_comes() -> None:
    allowance = Allowance(3 * MB)
    for headers, pieces in (({}, [b"y" * MB] * 2), ({"content-length": "2"}, [b"yy"])):
        assert ask(Reader(), pieces, headers, allowance=allowance)[0] == 200
    app = Reader()
    status, said = ask(app, [b"y" * MB] * 2, {}, allowance=allowance)
    assert (status, said[:17]) == (429, b"Too much was sent")
    assert app.read <= MB
    # Single bytes are not cheaper than what they cost.
    assert ask(Reader(), [b"y"] * 2000, {}, allowance=Allowance(MB))[0] == 429


def test_what_is_old_is_swept_away_and_what_is_new_is_not(tmp_path: Path) -> None:
    for name in ("tmpbroken", "a" * 64 + "/t.jsonl", "b" * 64 + "/t.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "empty").mkdir()
    outside = tmp_path.parent / "outside"
    outside.write_text("x")
    os.symlink(outside, tmp_path / "link")
    sweep(tmp_path, time.time() - 60)
    assert len(list(tmp_path.rglob("*"))) == 7
    sweep(tmp_path, time.time() + 60)
    assert list(tmp_path.iterdir()) == []
    assert outside.exists()
    sweep(tmp_path / "nowhere", time.time())
