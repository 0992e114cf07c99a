"""The page's API over plain HTTP, without Gradio's client."""

import json
import urllib.request
from http.client import HTTPException, HTTPResponse
from typing import Any


class Refused(Exception):
    """The page answered with an error; the message is what it said."""


def call(address: str, name: str, *data: object, timeout: float = 120) -> Any:
    """What an endpoint gives for its arguments, in order; Refused or OSError otherwise."""
    question = json.dumps({"data": list(data)}).encode()
    try:
        with _opened(f"{address}gradio_api/call/{name}", question, timeout) as out:
            event = json.load(out)["event_id"]
        with _opened(f"{address}gradio_api/call/{name}/{event}", None, timeout) as out:
            return _answer(out)
    except (HTTPException, json.JSONDecodeError) as error:  # neither is an OSError
        raise ConnectionError(f"{name}: the answer broke off") from error


def _opened(address: str, data: bytes | None, timeout: float) -> HTTPResponse:
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"})
    response: HTTPResponse = urllib.request.urlopen(request, timeout=timeout)
    return response


def _answer(lines: HTTPResponse) -> Any:
    """What the events of a call end with; a line without its end was cut off."""
    kind = ""
    for line in lines:
        text = line.decode().strip() if line.endswith(b"\n") else ""
        if text.startswith("event: "):
            kind = text.removeprefix("event: ")
        elif text.startswith("data: ") and kind == "complete":
            return json.loads(text.removeprefix("data: "))[0]
        elif text.startswith("data: ") and kind == "error":
            raise Refused(text.removeprefix("data: "))
    raise ConnectionError("the answer broke off")


def submit(address: str, traces: str, *more: object) -> Any:
    """Publish the text of a trace file; ``more``: model, organisation, link, protocol and so on."""
    defaults = ["", "", "", "", "", "", "", "", False]
    return call(address, "submit", traces, *more, *defaults[len(more) :])
