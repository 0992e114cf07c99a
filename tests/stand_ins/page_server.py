"""The page in a process of its own, which a test may kill: started as the command line starts it."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

_COMMAND = (sys.executable, "-m", "comptoolbench", "space")
_LOG = "page.log"
LOGIN_SECRET = "only-for-this-test"
"""The client secret with which a hosted page seals the cookies of those who are logged in."""


def hosted(**more: str) -> dict[str, str]:
    """The environment of a page that a Space runs; the Hub that logs its visitors in is not reached."""
    environment = os.environ | {
        "SYSTEM": "spaces",
        "SPACE_ID": "org/space",
        "OAUTH_CLIENT_ID": "id",
        "OAUTH_CLIENT_SECRET": LOGIN_SECRET,
        "OAUTH_SCOPES": "openid profile",
        "OPENID_PROVIDER_URL": "http://127.0.0.1:9",
    }
    environment.pop("SPACE_HOST", None)
    return environment | more


def start(
    folder: Path,
    environment: Mapping[str, str] | None = None,
    suite: str | None = "suite.jsonl",
    command: Sequence[str] = _COMMAND,
) -> tuple[subprocess.Popen[bytes], str]:
    """A page over a folder's runs and submissions that answers, and its address; it logs to page.log."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    arguments = [*command, "--port", str(port), *(["--suite", suite] if suite else [])]
    with (folder / _LOG).open("ab") as log:
        page = subprocess.Popen(arguments, cwd=folder, env=environment, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}/"
    end = time.monotonic() + 120
    while True:
        try:
            urllib.request.urlopen(address, timeout=20).read()
            return page, address
        except OSError:
            assert page.poll() is None, (folder / _LOG).read_text()
            assert time.monotonic() < end, f"{address} is not served after two minutes"
            time.sleep(0.2)


def stop(page: subprocess.Popen[bytes]) -> None:
    """Ask the page to end, and wait until it has."""
    page.terminate()
    page.wait(20)


@contextmanager
def served(
    folder: Path, environment: Mapping[str, str] | None = None, suite: str | None = "suite.jsonl"
) -> Iterator[str]:
    """The address of a page while the ``with`` block runs."""
    page, address = start(folder, environment, suite)
    try:
        yield address
    finally:
        stop(page)
