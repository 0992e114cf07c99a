"""One visitor's session with the page over plain HTTP: presses its buttons as any client could."""

import base64
import hashlib
import json
import re
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any

from itsdangerous import TimestampSigner

Json = Any


class Session:
    """What a browser has after loading the page, without the browser."""

    def __init__(self, address: str, headers: Mapping[str, str] | None = None) -> None:
        self.address = address
        self.headers = dict(headers or {})
        self.hash = secrets.token_hex(6)
        self.config = json.loads(self.get("config"))
        self._components = {c["id"]: c for c in self.config["components"]}

    def get(self, path: str) -> bytes:
        """The body of an answer, whatever its status is."""
        request = urllib.request.Request(self.address + path, headers=self.headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return bytes(answer.read())
        except urllib.error.HTTPError as error:
            return error.read()

    def press(self, label: str, *data: Json) -> list[Json]:
        """What the outputs of a button are given, or an error's message."""
        return self._run(self._dependency(label, "click"), data)

    def search_board(self, words: str) -> list[Json]:
        """Type into the board's search; gives the board."""
        for dependency in self.config["dependencies"]:
            for target, name in dependency["targets"]:
                props = self._components.get(target, {"props": {}})["props"]
                if name in ("input", "change") and props.get("placeholder", "").startswith(
                    "model, org"
                ):
                    values = [
                        self._components[i]["props"].get("value") for i in dependency["inputs"]
                    ]
                    place = dependency["inputs"].index(target)
                    return self._run(dependency, [*values[:place], words, *values[place + 1 :]])
        raise KeyError("Search")

    def tick(self) -> list[Json]:
        """What the timer's event gives: the state of the job that is shown."""
        timers = [c["id"] for c in self.config["components"] if c["type"] == "timer"]
        return self._run(
            next(
                d for d in self.config["dependencies"] for t in d["targets"]
                if t[0] in timers and t[1] == "tick"
            ),
            [None],
        )  # fmt: skip

    def wait(self, words: str, seconds: float = 90) -> str:
        """Tick until the job that is shown says these words; what it then says."""
        end = time.monotonic() + seconds
        while words not in (text := text_of(self.tick())):
            assert time.monotonic() < end, text
            time.sleep(0.05)
        return text

    def open_job(self, name: str) -> list[Json]:
        """Load the page by a job's link; gives what the tab then shows."""
        shown = self._dependency("Cancel", "click")["outputs"]
        loads = [d for d in self.config["dependencies"] if [t[1] for t in d["targets"]] == ["load"]]
        load = next(d for d in loads if set(shown[1:]) <= set(d["outputs"]))
        return self._run(load, [], f"?job={name}")

    def _dependency(self, label: str, event: str) -> Json:
        for dependency in self.config["dependencies"]:
            for target, name in dependency["targets"]:
                props = self._components.get(target, {"props": {}})["props"]
                if name == event and props.get("value") == label:
                    return dependency
        raise KeyError(label)

    def _run(self, dependency: Json, data: Any, query: str = "") -> list[Json]:
        body = {
            "data": list(data),
            "fn_index": dependency["id"],
            "session_hash": self.hash,
            "trigger_id": None,
        }
        request = urllib.request.Request(
            f"{self.address}gradio_api/queue/join{query}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json", **self.headers},
        )
        urllib.request.urlopen(request, timeout=60).read()
        request = urllib.request.Request(
            f"{self.address}gradio_api/queue/data?session_hash={self.hash}", headers=self.headers
        )
        with urllib.request.urlopen(request, timeout=120) as events:
            for line in events:
                if line.startswith(b"data: "):
                    message = json.loads(line[6:])
                    if message["msg"] == "process_completed":
                        output = message["output"]
                        return list(output["data"]) if message["success"] else [output["error"]]
        raise ConnectionError("the answer broke off")


def order_fields(**changes: Json) -> dict[str, Json]:
    """The values of the form "Run a model" by their names, in its order."""
    form = {
        "source": "endpoint",
        "model": "stand-in",
        "address": "",
        "key": "",
        "protocol": "multi-turn",
        "catalogue": "full",
        "calls": "native",
        "limit": None,
        "samples": 1,
        "max_cost": None,
    }
    assert not changes.keys() - form.keys()
    return form | changes


def order(**changes: Json) -> list[Json]:
    """What the button "Start" is sent."""
    return list(order_fields(**changes).values())


def login_cookie(secret: str, name: str, token: str) -> dict[str, str]:
    """The header of a browser that is logged in; ``secret`` is the page's OAUTH_CLIENT_SECRET."""
    user = {"name": name, "preferred_username": name, "profile": "", "picture": ""}
    info = {"userinfo": user, "access_token": token, "scope": "", "expires_at": 2**40}
    session = base64.b64encode(json.dumps({"oauth_info": info}).encode())
    key = hashlib.sha256(f"{secret}-v4".encode()).hexdigest()
    return {"Cookie": f"session={TimestampSigner(key).sign(session).decode()}"}


def job_of(outputs: list[Json]) -> str:
    """The id of the job that pressing "Start" gave."""
    link = re.search(r"\?job=([0-9a-f]{32})", json.dumps(outputs))
    assert link, text_of(outputs)
    return link[1]


def text_of(outputs: list[Json]) -> str:
    """Everything that the outputs say, without tags."""
    return re.sub(r"<[^>]+>", " ", json.dumps(outputs, ensure_ascii=False))
