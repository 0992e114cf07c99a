"""The client that kill tests speak through: an answer that breaks off anywhere is an OSError."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.stand_ins.page_calls import call

EVENT = b'{"event_id": "e1"}'
FIRST = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(EVENT) + EVENT
DONE = b'event: complete\ndata: [{"id": "aa"}]\n\n'
SECOND = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n" % len(DONE) + DONE
ENOUGH = len(SECOND) - 1  # the line that answers is whole


@contextmanager
def page(*answers: bytes) -> Iterator[str]:
    """A page that gives each of ``answers`` to one request and closes after its last byte."""

    def serve() -> None:
        for answer in answers:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"


def test_a_whole_answer_is_read() -> None:
    with page(FIRST, SECOND) as address:
        assert call(address, "submit", timeout=5) == {"id": "aa"}


@pytest.mark.parametrize("cut", range(len(FIRST)))
def test_the_first_answer_cut_anywhere(cut: int) -> None:
    with page(FIRST[:cut]) as address:
        assert broke_off(address)


@pytest.mark.parametrize("cut", range(ENOUGH))
def test_the_second_answer_cut_anywhere(cut: int) -> None:
    with page(FIRST, SECOND[:cut]) as address:
        assert broke_off(address)


def broke_off(address: str) -> bool:
    try:
        call(address, "submit", timeout=5)
    except OSError:
        return True
    return False
