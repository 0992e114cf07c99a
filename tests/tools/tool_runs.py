"""Runs tools on given arguments in a process of its own and prints what they gave.

    python tests/tools/tool_runs.py [--reverse] [--sealed | --probe] <cases.json

Reads a JSON list of [tool, arguments]; each runs in a fresh world. Prints one JSON object: `outputs`
(as JSON texts, null where the tool's module could not be imported), `missing` (what it lacked) and
`touched` (what a sealed run reached for and should not have). With --probe it says instead which reaches
outside the seal denied, to show that it holds. It needs the tools' own requirements
and nothing else, so that any Python runs it.
"""

import datetime as dt
import heapq  # noqa: F401 - collections loads it at first use, which is no reach outside
import json
import locale
import os
import random
import socket
import sys
import time
import uuid
from collections.abc import Callable
from importlib import import_module, resources
from pathlib import Path
from types import FrameType
from typing import Any

from dataset_builder.tools import MODULES
from dataset_builder.tools.tool import Tool
from dataset_builder.tools.world import World

# What comes with the packages: the same on every machine.
PACKAGE_DATA = tuple(
    str(resources.files(package)) for package in ("dataset_builder.values.facts", "tzdata")
)
# Functions in C that ask the machine, by module; of datetime's those that read clock or local zone.
MACHINE = ("time", "posix", "nt", "_locale", "_random", "_socket", "_ssl", "select", "_thread")
HARMLESS = ("fspath", "allocate_lock", "RLock", "get_ident")
CLOCK = ("now", "today", "utcnow", "fromtimestamp")
LOCAL = ("astimezone", "timestamp")
# Modules in Python that do.
ASKING = (
    *("os.py", "<frozen os>", "locale.py", "random.py", "secrets.py", "uuid.py", "platform.py"),
    *("socket.py", "tempfile.py", "getpass.py", "subprocess.py", "shutil.py", "glob.py"),
    "_strptime.py",
)
# The profiler looks at frames, and is taken off when it raises: events themselves.
OF_THE_SEAL = ("object.__getattr__", "sys.setprofile")


def found_tools() -> tuple[dict[str, Tool], list[str]]:
    """Tools by name, and the packages that modules of theirs lack here."""
    tools: dict[str, Tool] = {}
    missing = []
    for name in MODULES:
        try:
            module = import_module(f"dataset_builder.tools.{name}")
        except ModuleNotFoundError as error:
            missing.append(str(error.name))
            continue
        tools |= {value.name: value for value in vars(module).values() if isinstance(value, Tool)}
    return tools, missing


class Seal:
    """Notes all that reaches out of the process: audit events and calls, from `close` to `open`."""

    def __init__(self) -> None:
        self.touched: list[str] = []
        self._is_closed = False
        sys.addaudithook(self._audit)

    def close(self) -> None:
        sys.setprofile(self._profile)
        self._is_closed = True

    def open(self) -> None:
        self._is_closed = False
        sys.setprofile(None)

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self._is_closed or event in OF_THE_SEAL:
            return
        if event == "open" and _is_package_data(arguments[0]):
            return
        self._deny(f"event {event} {arguments!r:.200}")

    def _profile(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "c_call" and _asks(argument):
            self._deny(f"{frame.f_code.co_qualname} calls {argument!r:.200}")
        elif event == "call" and Path(frame.f_code.co_filename).name in ASKING:
            self._deny(f"{frame.f_code.co_filename} {frame.f_code.co_qualname}")

    def _deny(self, what: str) -> None:
        self.touched.append(what)
        raise PermissionError(what)


def _is_package_data(path: Any) -> bool:
    return isinstance(path, str | Path) and str(path).startswith(PACKAGE_DATA)


def _asks(function: Any) -> bool:
    name, owner = function.__name__, getattr(function, "__self__", None)
    if getattr(function, "__module__", None) in MACHINE:
        return name not in HARMLESS
    of = (owner if isinstance(owner, type) else type(owner)).__module__
    is_naive = getattr(owner, "tzinfo", None) is None
    asks_clock = of == "datetime" and (name in CLOCK or (name in LOCAL and is_naive))
    return asks_clock or of in ("random", "_random")


def run(cases: list[tuple[str, Any]], tools: dict[str, Tool], seal: Seal | None) -> list[Any]:
    """The outputs as JSON texts, in the order of the cases."""
    outputs = []
    for name, arguments in cases:
        world = World()
        if seal:
            seal.close()
        try:
            output = tools[name](arguments, world) if name in tools else None
        except PermissionError as error:
            output = {"denied": str(error)}
        finally:
            if seal:
                seal.open()
        outputs.append(json.dumps(output) if output is not None else None)
    return outputs


PROBES: dict[str, Callable[[], object]] = {
    "clock": time.time,
    "monotonic clock": time.perf_counter,
    "local time": time.localtime,
    "now": dt.datetime.now,
    "now in UTC": lambda: dt.datetime.now(dt.UTC),
    "today": dt.date.today,
    "local zone": lambda: dt.datetime(2026, 7, 15).astimezone(),
    "local seconds": lambda: dt.datetime(2026, 7, 15).timestamp(),
    "environment": lambda: os.environ.get("HOME"),
    "environment, written": lambda: os.putenv("A", "B"),
    "locale": locale.getlocale,
    "file": Path(__file__).read_text,
    "folder": lambda: os.listdir("."),
    "working folder": os.getcwd,
    "network": lambda: socket.create_connection(("127.0.0.1", 9), 1),
    "names of hosts": lambda: socket.getaddrinfo("localhost", 80),
    "process": lambda: os.system("true"),
    "entropy": lambda: os.urandom(4),
    "random numbers": random.random,
    "unique ids": uuid.uuid4,
    "late import": lambda: import_module("wave"),
}


def denied_probes() -> dict[str, bool]:
    """Of each reach outside, whether the seal denied it."""
    seal, denied = Seal(), {}
    for name, probe in PROBES.items():
        seal.close()
        try:
            probe()
        except PermissionError:
            pass
        finally:
            seal.open()
        denied[name] = bool(seal.touched)
        seal.touched.clear()
    return denied


def main() -> None:
    """Run and print."""
    options = sys.argv[1:]
    if "--probe" in options:
        print(json.dumps({"denied": denied_probes()}))
        return
    cases = json.load(sys.stdin)
    order = list(reversed(cases)) if "--reverse" in options else cases
    tools, missing = found_tools()
    seal = Seal() if "--sealed" in options else None
    outputs = run(order, tools, seal)
    if "--reverse" in options:
        outputs.reverse()
    touched = seal.touched if seal else []
    print(json.dumps({"outputs": outputs, "missing": missing, "touched": touched}))


if __name__ == "__main__":
    main()
