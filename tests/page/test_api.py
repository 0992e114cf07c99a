"""The page's API over real HTTP: the documentation's examples, errors in one sentence, downloads, limits."""

import csv
import hashlib
import io
import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from gradio_client import Client
from gradio_client.exceptions import AppError

from dataset_builder.published.load_suite import load_suite
from space.base.limits import MAX_BODY_BYTES
from tests.samples.small_suite import small_suite, write_suite
from tests.samples.submitted_files import trace_lines
from tests.stand_ins import page_server
from tests.stand_ins.page_server import LOGIN_SECRET, served
from tests.stand_ins.page_session import login_cookie

pytestmark = pytest.mark.slow
SUITE = small_suite()
API_PAGE = Path(__file__).parents[2] / "docs" / "api.md"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    write_suite(SUITE, folder / "suite.jsonl")
    return folder


@pytest.fixture(scope="module")
def page(address: str) -> Client:
    return Client(address, verbose=False)


def get(address: str) -> tuple[int, Message, bytes]:
    """Status, headers and body, whatever the status is."""
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def test_the_documented_examples_run(tmp_path: Path) -> None:
    suite = load_suite()
    lines = trace_lines("my-model", 200, suite)
    (tmp_path / "traces.jsonl").write_text(lines)
    code = "\n".join(re.findall(r"```python\n(.*?)```", API_PAGE.read_text("utf-8"), re.DOTALL))
    with served(tmp_path, suite=None) as address:
        example = code.replace("http://127.0.0.1:7860", address)
        assert example != code
        done = subprocess.run(
            [sys.executable, "-c", example],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert "1.0 1.0" in said
    name = hashlib.sha256(lines.encode()).hexdigest()[:16]
    assert f"{name} True ['{name}']" in said
    assert any(line.startswith("1 my-model 100.0 ctb:3") for line in said)
    assert suite.tasks[0].prompt in done.stdout


def test_a_submission_is_scored_listed_and_downloadable(page: Client, address: str) -> None:
    lines = trace_lines("half", 4)
    scores = page.predict(lines, api_name="/score")
    assert page.predict("self-reported", api_name="/leaderboard") == []
    published = page.predict(lines, organisation="A lab", api_name="/submit")
    assert published["is_new"]
    (name,) = published["runs"]
    row = page.predict("self-reported", api_name="/leaderboard")[0]
    assert (row["id"], row["organisation"], row["rank"]) == (name, "A lab", 1)
    assert row["solved"] == 100 * scores[0]["strict"]
    assert page.predict(lines, api_name="/submit") == {**published, "is_new": False}
    _, headers, body = get(f"{address}download/{name}/traces.jsonl")
    assert body.decode() == lines
    assert "attachment" in headers["Content-Disposition"]
    assert json.loads(get(f"{address}download/{name}/scores.json")[2]) == scores[0]
    table = get(f"{address}download/leaderboard.csv?view=self-reported&columns=model,solved")[2]
    assert next(csv.DictReader(io.StringIO(table.decode())))["Run"] == name


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("/score", "{\n[]\n"), r"(?s)pasted text:1.*pasted text:2"),
        (("/score", ""), "got an empty file"),
        (("/submit", "[]"), "pasted text:1"),
        (("/leaderboard", "best"), "expected one of verified"),
        (("/task", "../../etc/passwd"), "the suite has no task"),
    ],
)
def test_errors_are_sentences(page: Client, arguments: tuple[str, str], said: str) -> None:
    name, *given = arguments
    with pytest.raises(AppError, match=said):
        page.predict(*given, api_name=name)


@pytest.mark.parametrize("traces", [None, 5, ["x"], {"a": 1}, True])
def test_what_is_no_text_is_refused_in_a_sentence(page: Client, traces: object) -> None:
    for name in ("/score", "/submit"):
        with pytest.raises(AppError, match="traces: expected text"):
            page.predict(traces, api_name=name)


def test_only_true_accepts_secrets(page: Client) -> None:
    with pytest.raises(AppError, match="accept_secrets: expected true or false"):
        page.predict(trace_lines("m", 1), accept_secrets="false", api_name="/submit")


def test_half_a_surrogate_pair_is_scored(page: Client) -> None:
    call = {"name": "get_weather", "arguments": {"city": "\ud800"}}
    row = {"task_id": SUITE.tasks[0].task_id, "model": "m", "calls": [call]}
    assert page.predict(json.dumps(row), api_name="/score")[0]["model"] == "m"


def test_a_query_of_many_fields_is_refused(address: str) -> None:
    status, _, body = get(f"{address}download/leaderboard.csv?{'a=1&' * 200}")
    assert (status, body) == (400, b"the address has too many fields\n")


@pytest.mark.parametrize(
    "path",
    [
        "download/nothing/traces.jsonl",
        "download/..%2f..%2fsuite.jsonl/traces.jsonl",
        "download/%2e%2e/traces.jsonl",
        "download/" + "a" * 5000 + "/scores.json",
    ],
)
def test_names_lead_to_runs_only(address: str, path: str) -> None:
    assert get(address + path)[0] == 404


def test_a_large_request_is_refused_before_it_is_read(address: str) -> None:
    body = b'{"data": ["' + b"x" * (MAX_BODY_BYTES + 2**20) + b'"]}'
    request = urllib.request.Request(
        f"{address}gradio_api/call/score", body, {"Content-Type": "application/json"}
    )
    # The server may hang up while we are still sending.
    with pytest.raises(OSError, match=r"413|reset|[Bb]roken") as caught:
        urllib.request.urlopen(request, timeout=30)
    assert getattr(caught.value, "code", 413) == 413


def test_every_answer_forbids_what_comes_from_elsewhere(address: str) -> None:
    _, headers, body = get(address)
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert "frame-ancestors" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert re.findall(rb'(?:src|href)="(?:https?:)?//[^"]+', body) == []


# A hosted page --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page as a Space runs it, with the login of a Hub that is not asked."""
    folder = tmp_path_factory.mktemp("hosted")
    write_suite(SUITE, folder / "suite.jsonl")
    environment = page_server.hosted(
        HF_ENDPOINT="http://127.0.0.1:9", COMPTOOLBENCH_MAINTAINERS="keeper"
    )
    with served(folder, environment) as address:
        yield address


def logged_in(address: str, name: str) -> Client:
    """A client with the cookie that the login would have set."""
    return Client(address, verbose=False, headers=login_cookie(LOGIN_SECRET, name, "t"))


def test_a_hosted_page_scores_for_all_and_publishes_for_those_logged_in(hosted: str) -> None:
    lines = trace_lines("m", 3)
    stranger = Client(hosted, verbose=False)
    assert stranger.predict(lines, api_name="/score")[0]["model"] == "m"
    with pytest.raises(AppError, match="log in with Hugging Face"):
        stranger.predict(lines, api_name="/submit")
    forged = Client(hosted, verbose=False, headers={"Cookie": "session=e30.forged"})
    with pytest.raises(AppError, match="log in with Hugging Face"):
        forged.predict(lines, api_name="/submit")
    token = Client(hosted, verbose=False, headers={"x-hf-authorization": "Bearer hf_wrong"})
    with pytest.raises(AppError, match="does not know the token"):
        token.predict(lines, api_name="/submit")
    assert stranger.predict("self-reported", api_name="/leaderboard") == []
    published: dict[str, Any] = logged_in(hosted, "ada").predict(lines, api_name="/submit")
    assert published["is_new"]
    assert len(stranger.predict("self-reported", api_name="/leaderboard")) == 1
