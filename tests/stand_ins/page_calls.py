"""The page's API over plain HTTP, without Gradio's client."""

import json
import urllib.request
from typing import Any


class Refused(Exception):
    """The page answered with an error; the message is what it said."""


def call(address: str, name: str, *data: object, timeout: float = 120) -> Any:
    """What an endpoint gives for its arguments, in order; Refused or OSError otherwise."""
    event = _post(f"{address}gradio_api/call/{name}", {"data": list(data)}, timeout)["event_id"]
    kind = ""
    with urllib.request.urlopen(f"{address}gradio_api/call/{name}/{event}", timeout=timeout) as out:
        for line in out:
            text = line.decode().strip()
            if text.startswith("event: "):
                kind = text.removeprefix("event: ")
            elif text.startswith("data: ") and kind == "complete":
                return json.loads(text.removeprefix("data: "))[0]
            elif text.startswith("data: ") and kind == "error":
                raise Refused(text.removeprefix("data: "))
    raise ConnectionError(f"{name}: the answer broke off")


def _post(address: str, value: object, timeout: float) -> Any:
    request = urllib.request.Request(
        address, json.dumps(value).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=timeout) as out:
        return json.load(out)


def submit(address: str, traces: str, *more: object) -> Any:
    """Publish the text of a trace file; ``more``: model, organisation, link, protocol and so on."""
    defaults = ["", "", "", "", "", "", "", "", False]
    return call(address, "submit", traces, *more, *defaults[len(more) :])
