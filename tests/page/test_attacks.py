"""Attacks on the page over HTTP: too much, too deep, too dear, other people's files, too often."""

import csv
import io
import json
import re
import socket
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.samples.small_suite import small_suite, write_suite
from tests.samples.submitted_files import trace_lines
from tests.stand_ins import page_server
from tests.stand_ins.page_calls import Refused, call, submit
from tests.stand_ins.page_server import start, stop
from tests.stand_ins.page_session import Session, text_of

pytestmark = pytest.mark.slow
SUITE = small_suite()
MARKER = "nobody-else-may-see-this"
GIB = 2**30


class Page:
    """A page under attack."""

    def __init__(self, folder: Path, environment: dict[str, str] | None = None) -> None:
        write_suite(SUITE, folder / "suite.jsonl")
        self.folder = folder
        self.process, self.address = start(folder, environment)

    def peak(self) -> int:
        """The most memory that the process has held, in bytes."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+) kB", text)
        assert found is not None
        return 1024 * int(found[1])

    def post(self, parts: Iterator[bytes], length: int, name: str = "t.jsonl") -> tuple[int, int]:
        """Upload a file as a browser does: the status (0 where the page hung up), bytes sent."""
        tail = b"\r\n--x--\r\n"
        size = f"Content-Length: {len(file_head(name)) + length + len(tail)}"
        status, sent, _ = self.send(chain([file_head(name)], parts, [tail]), size)
        return status, sent - len(file_head(name)) - len(tail)

    def send(
        self, body: Iterable[bytes], *headers: str, path: str = "gradio_api/upload"
    ) -> tuple[int, int, bytes]:
        """POST a form piece by piece: the status (0 where the page hung up), bytes sent, answer."""
        where = urlsplit(self.address)
        assert where.hostname is not None
        with socket.create_connection((where.hostname, where.port or 80), timeout=120) as wire:
            wire.sendall(
                f"POST /{path} HTTP/1.1\r\nHost: x\r\n"
                "Content-Type: multipart/form-data; boundary=x\r\nConnection: close\r\n".encode()
                + "".join(f"{header}\r\n" for header in headers).encode()
                + b"\r\n"
            )
            sent = 0
            try:
                for part in body:
                    wire.sendall(part)
                    sent += len(part)
            except OSError:
                pass  # It has hung up; what it said first may still be there.
            answer = b""
            with suppress(OSError):
                while more := wire.recv(2**16):
                    answer += more
        found = re.match(rb"HTTP/1.1 (\d+)", answer)
        return int(found[1]) if found else 0, sent, answer

    def kept(self) -> list[Path]:
        """The files that visitors have left here."""
        return [file for file in (self.folder / "jobs").rglob("*") if file.is_file()]

    def get(self, path: str) -> tuple[int, bytes]:
        try:
            with urllib.request.urlopen(self.address + path, timeout=30) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    page = Page(tmp_path_factory.mktemp("attacked"))
    yield page
    stop(page.process)


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    page = Page(tmp_path_factory.mktemp("hosted"), page_server.hosted())
    yield page
    stop(page.process)


# Too much -------------------------------------------------------------------------------------


def test_a_gigabyte_is_refused_while_it_comes(page: Page) -> None:
    status, sent = page.post((b"x" * 2**20 for _ in range(2**10)), GIB)
    assert status != 200
    assert sent < GIB / 4
    assert page.peak() < 0.75 * GIB
    assert sum(file.stat().st_size for file in page.kept()) < 2**26


def file_head(name: str) -> bytes:
    """What a form writes before a file."""
    return (
        f'\r\n--x\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    ).encode()


def chunked(body: Iterable[bytes]) -> Iterator[bytes]:
    """A body that does not say how long it will be."""
    for piece in body:
        yield f"{len(piece):x}\r\n".encode() + piece + b"\r\n"
    yield b"0\r\n\r\n"


def form(files: int, size: int) -> Iterator[bytes]:
    """A form of so many files of so many bytes."""
    for number in range(files):
        yield file_head(f"{number}.jsonl")
        for begin in range(0, size, 2**16):
            yield f"{number}".encode() * min(2**16, size - begin)
    yield b"\r\n--x--\r\n"


@pytest.mark.parametrize("says_its_length", [True, False])
@pytest.mark.parametrize(
    ("files", "size"), [(8, 15 * 2**20), (1, 17 * 2**20), (1_000, 1), (2, 10)], ids=str
)
def test_a_request_has_one_limit_however_it_is_cut(
    page: Page, files: int, size: int, says_its_length: bool
) -> None:
    before = sum(file.stat().st_size for file in page.kept())
    count = len(page.kept())
    body = form(files, size)
    if says_its_length:
        length = sum(map(len, form(files, size)))
        status, _, answer = page.send(body, f"Content-Length: {length}")
    else:
        status, _, answer = page.send(chunked(body), "Transfer-Encoding: chunked")
    assert status in (0, 413), answer
    if status:
        assert b"larger than 16 MB" in answer or b"send one at a time" in answer
    assert sum(file.stat().st_size for file in page.kept()) - before < 18 * 2**20
    assert len(page.kept()) - count <= 3


@pytest.mark.parametrize(
    "path",
    [
        "gradio_api/process_recording",
        "gradio_api/component_server",
        "gradio_api/vibe-edit",
        "gradio_api/stream/x",
        "gradio_api/run-history/connect",
        "gradio_api/proxy=http://127.0.0.1/",
        "upload",
        "login",
        "",
    ],
)
def test_the_page_takes_nothing_that_it_does_not_use(page: Page, path: str) -> None:
    body = b"".join(form(1, 10))
    status, _, answer = page.send([body], f"Content-Length: {len(body)}", path=path)
    assert status == 405
    assert b"takes no such request" in answer


@pytest.mark.parametrize("wrap", [lambda x: x, lambda x: [x], lambda x: {"a": [x]}])
def test_the_page_fetches_nothing_for_a_visitor(
    page: Page, wrap: Callable[[object], object]
) -> None:
    asked: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as elsewhere:
        elsewhere.settimeout(1)
        url = f"http://127.0.0.1:{elsewhere.getsockname()[1]}/big"
        file = {"path": url, "url": url, "meta": {"_type": "gradio.FileData"}, "size": 1}
        said = text_of(Session(page.address).press("Check and score", wrap(file), "", "", ""))
        with pytest.raises(TimeoutError):
            asked.append(str(elsewhere.accept()))
    assert asked == []
    assert "Give a file, not the address of one." in said


def test_a_visitor_who_sends_too_much_in_an_hour_is_told_to_wait(hosted: Page) -> None:
    """Broken-off uploads count as well: they may lie on disk until they are cleared away."""
    status, sent, answer = 0, 0, b""
    length = 15 * 2**20
    header = "X-Forwarded-For: 203.0.113.9"
    head, tail = file_head("t.jsonl"), b"\r\n--x--\r\n"
    size = f"Content-Length: {len(head) + length + len(tail)}"
    for number in range(30):
        piece = bytes([65 + number]) * 2**20
        status, _, answer = hosted.send(chain([head], [piece] * 15, [tail]), size, header)
        if status == 429:
            break
        sent += length
    assert status == 429
    assert b"at most 256 MB an hour" in answer
    assert 200 * 2**20 < sent <= 256 * 2**20
    small = [head, b"{}", tail]
    length = f"Content-Length: {sum(map(len, small))}"  # type: ignore[assignment]
    assert hosted.send(small, str(length), header.replace("9", "8"))[0] == 200


HOSTILE: list[tuple[str, Callable[[], str], str]] = [
    ("a million rows", lambda: "{}\n" * 1_000_000, "more than 10,000 lines"),
    ("a NUL byte", lambda: '{"task_id": "\0"}', "NUL"),
    ("deep lists", lambda: '{"task_id": ' + "[" * 200_000, "nested|no JSON"),
    ("deep and closed", lambda: '{"a": ' + "[" * 500 + "]" * 500 + "}", "nested beyond 32 levels"),
    ("deep arguments", lambda: row([("f", "[" * 100_000)]), ""),
    ("a huge number", lambda: '{"a": 1' + "0" * 100_000 + "}", "out of range"),
    ("not a number", lambda: '{"a": NaN}', "NaN is no JSON value"),
    ("half a surrogate", lambda: '{"task_id": "\\ud800", "calls": []}', "task_id"),
    ("too many calls in a row", lambda: row([("f", {})] * 2_001), "at most 2,000 calls"),
    ("a name of controls", lambda: row([], model="a\u202eb"), "printable"),
    ("a long name", lambda: row([], model="x" * 201), "200 printable"),
    ("problems without end", lambda: "[]\n" * 9_000, "expected a JSON object"),
]


def row(calls: Sequence[tuple[str, object]], **more: object) -> str:
    """One row for the first task."""
    said = [{"name": name, "arguments": arguments} for name, arguments in calls]
    return json.dumps({"task_id": SUITE.tasks[0].task_id, "calls": said, **more})


@pytest.mark.parametrize(("make", "said"), [h[1:] for h in HOSTILE], ids=[h[0] for h in HOSTILE])
def test_hostile_files_get_a_sentence(page: Page, make: Callable[[], str], said: str) -> None:
    if not said:
        # Arguments that are no JSON object are the model's own mistake: the row is scored.
        assert call(page.address, "score", make(), "", "")[0]["overall"] == 0
        return
    with pytest.raises(Refused, match=said) as caught:
        call(page.address, "score", make(), "", "")
    assert "Traceback" not in str(caught.value)
    assert len(str(caught.value)) < 100_000


DEAR: list[tuple[str, Callable[[], str], str]] = [
    (
        "lists of references to a list",
        lambda: row(
            [("extract_numbers", {"text": "1 " * 9_000})]
            + [("statistical_analysis", {"numbers": ["{{1.numbers}}"] * 20_000})] * 9
        ),
        "",
    ),
    (
        "the same long text a thousand times",
        lambda: row(
            [("to_uppercase", {"text": "1 " * 45_000})]
            + [("extract_numbers", {"text": "{{1.text}}"})] * 999
        ),
        "",
    ),
    (
        "more calls than a page executes",
        lambda: "\n".join(
            row([("word_count", {"text": "a"})] * 1_000, sample=number) for number in range(50)
        ),
        "more than 25,000 calls",
    ),
    (
        "a regular expression that backtracks",
        lambda: row([("regex_match", {"text": "a" * 50_000 + "b", "pattern": "(a+)+$"})] * 70),
        "",
    ),
]


@pytest.mark.parametrize(("make", "said"), [d[1:] for d in DEAR], ids=[d[0] for d in DEAR])
def test_dear_calls_are_bounded(page: Page, make: Callable[[], str], said: str) -> None:
    """Each would take hours or the memory of a machine; the page answers and stays small."""
    if said:
        with pytest.raises(Refused, match=said):
            call(page.address, "score", make(), "", "")
    else:
        assert call(page.address, "score", make(), "", "")[0]["overall"] == 0
    assert page.peak() < 1.5 * GIB


def test_a_file_that_unfolds_in_memory_stays_small(page: Page) -> None:
    # Three bytes in the file, sixty in memory.
    text = row([], response=[[[] for _ in range(1_000)] for _ in range(900)])
    rows = [text.replace('"calls"', f'"sample": {number}, "calls"') for number in range(4)]
    call(page.address, "score", "\n".join(rows), "", "")
    assert page.peak() < 1.5 * GIB


# Other people's files -------------------------------------------------------------------------

SECRETS = ("suite.jsonl", "runs", "submissions")


@pytest.mark.parametrize(
    "path",
    [
        "gradio_api/file=/etc/passwd",
        "gradio_api/file=../../../../etc/passwd",
        "gradio_api/file=suite.jsonl",
        "gradio_api/file={folder}/suite.jsonl",
        "gradio_api/file={folder}/submissions/about",
        "gradio_api/file={folder}/page.log",
        "download/..%2F..%2Fsuite/traces.jsonl",
        "download/../suite.jsonl/traces.jsonl",
        "download/%2Fetc%2Fpasswd/traces.jsonl",
        "download/..%2F..%2Fsuite/scores.json",
        "static/../../suite.jsonl",
        "assets/..%2F..%2F..%2Fpyproject.toml",
    ],
)
def test_no_path_leads_to_a_file(page: Page, path: str) -> None:
    status, body = page.get(path.format(folder=page.folder))
    assert status >= 400
    assert b"root:" not in body
    assert b"expected_trace" not in body


@pytest.mark.parametrize(
    "name", ["../../x.jsonl", "/etc/x.jsonl", "..\\..\\x.jsonl", "a/../b.jsonl"]
)
def test_the_name_of_an_upload_goes_nowhere(page: Page, name: str) -> None:
    content = b'{"x": 1}\n'
    status, _ = page.post(iter([content]), len(content), name)
    assert status in (0, 200, 400, 422)
    found = [file for file in page.folder.rglob("*x.jsonl") if "uploads" not in file.parts]
    found += list(page.folder.parent.glob("*.jsonl"))
    assert found == []
    assert not Path("/etc/x.jsonl").exists()


def test_what_is_not_published_is_nowhere(page: Page) -> None:
    text = trace_lines(MARKER, 8)
    assert call(page.address, "score", text, "", "")[0]["model"] == MARKER
    with pytest.raises(Refused, match="https"):
        submit(page.address, text, "", "", "javascript:alert(1)")
    for view in ("verified", "made here", "self-reported"):
        assert MARKER not in json.dumps(call(page.address, "leaderboard", view, "weighted"))
    for path in ("", "download/leaderboard.csv", "config"):
        assert MARKER.encode() not in page.get(path)[1]
    for folder in ("submissions", "runs"):
        for file in (page.folder / folder).rglob("*"):
            assert file.is_dir() or MARKER.encode() not in file.read_bytes()


def test_a_key_is_not_published_unasked_and_not_repeated(page: Page) -> None:
    key = "sk-" + "Zz9" * 16
    text = trace_lines("leaky", 8, response={"headers": {"authorization": key}})
    with pytest.raises(Refused, match="looks like a key") as caught:
        submit(page.address, text)
    assert key not in str(caught.value)


def test_a_formula_in_every_field_is_text_in_the_download(page: Page) -> None:
    formula = "=HYPERLINK(1)"
    done = submit(
        page.address, trace_lines(f"{formula}.", 8), formula, formula, "", "", "", formula
    )
    status, body = page.get(
        "download/leaderboard.csv?view=self-reported&columns=organisation,provider"
    )
    assert status == 200
    rows = list(csv.reader(io.StringIO(body.decode("utf-8-sig"), newline="")))
    cells = [cell for row in rows for cell in row if "HYPERLINK" in cell]
    assert done["id"] in body.decode()
    assert cells
    assert all(cell.startswith("'=") for cell in cells)


# Who may --------------------------------------------------------------------------------------


def test_nobody_without_a_login_publishes_on_a_hosted_page(hosted: Page) -> None:
    with pytest.raises(Refused, match="log in"):
        submit(hosted.address, trace_lines("m", 8))
    assert not (hosted.folder / "submissions" / "about").exists()


def test_a_visitor_who_asks_too_often_is_told_to_wait(hosted: Page) -> None:
    """Another address in the header is no other visitor: what a client writes there is not trusted."""
    said: list[str] = []
    for number in range(70):
        data = json.dumps({"data": ["[]", "", ""]}).encode()
        headers = {
            "Content-Type": "application/json",
            "X-Forwarded-For": f"10.0.0.{number}, 198.51.100.7",
        }
        url = f"{hosted.address}gradio_api/call/score"
        with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=30) as out:
            event = json.load(out)["event_id"]
        with urllib.request.urlopen(f"{url}/{event}", timeout=30) as out:
            said.append(out.read().decode())
    refused = ["too many files scored" in text for text in said]
    assert refused == [False] * 60 + [True] * 10
