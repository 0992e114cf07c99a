"""Badge, preview and private addresses over HTTP, as a stranger's page or a search engine asks for them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from space.base.visitors import Visitor
from space.page.http_routes import middleware, routes
from space.services import Services
from space.submissions.moderation import withdraw
from space.submissions.upload_check import read_upload
from tests.samples.small_site import add_submission, careless, oracle, small_site, trace_lines
from tests.samples.small_suite import small_suite

SUITE = small_suite()
LOCAL = Visitor("local", "127.0.0.1", is_maintainer=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Services:
    folder: Path = tmp_path_factory.mktemp("site")
    return small_site(folder, SUITE, {"oracle": oracle, "a.b-c": careless})


@pytest.fixture(scope="module")
def client(site: Services) -> Iterator[TestClient]:
    page = Route("/", lambda request: PlainTextResponse("the page"))
    app = Starlette(routes=[*routes(site), page], middleware=middleware(site.settings))
    with TestClient(app) as client:
        yield client


@pytest.mark.parametrize(
    ("address", "kind", "beginning"),
    [
        ("/badge/oracle.svg", "image/svg+xml", b"<svg"),
        ("/badge/a.b-c.svg", "image/svg+xml", b"<svg"),
        ("/preview/oracle.png", "image/png", b"\x89PNG"),
    ],
)
def test_a_picture_may_be_kept_for_a_while(
    client: TestClient, address: str, kind: str, beginning: bytes
) -> None:
    answer = client.get(address)
    assert answer.headers["content-type"].startswith(kind)
    assert answer.headers["cache-control"] == "public, max-age=300"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.content.startswith(beginning)
    # The same run is drawn alike each time.
    assert client.get(address).content == answer.content


@pytest.mark.parametrize(
    "address", ["/badge/none.svg", "/preview/none.png", "/badge/%3Cb%3E.svg", "/badge/..%2Fx.svg"]
)
def test_no_run_no_picture(client: TestClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 404
    assert "<b>" not in answer.text


def test_a_withdrawn_run_shows_no_score(site: Services, client: TestClient) -> None:
    name = add_submission(site, "m", careless)
    site.board.complete()
    assert "% solved" in client.get(f"/badge/{name}.svg").text
    withdraw(name, LOCAL, "a mistake", site.store)
    site.board.complete()
    assert "run withdrawn" in client.get(f"/badge/{name}.svg").text
    assert "% solved" not in client.get(f"/badge/{name}.svg").text


def test_a_private_run_has_no_public_address(site: Services, client: TestClient) -> None:
    draft = read_upload(trace_lines("mine", careless, SUITE).decode(), SUITE)
    (name,) = site.private.keep(draft, LOCAL)
    assert site.find(name) is not None
    for address in (
        f"/badge/{name}.svg",
        f"/preview/{name}.png",
        f"/download/{name}/traces.jsonl",
        f"/download/{name}/scores.json",
        f"/download/job/{name}/traces.jsonl",
    ):
        assert client.get(address).status_code == 404
    board = client.get("/download/leaderboard.csv?view=self-reported").text
    assert "mine" not in board
    assert name not in board


@pytest.mark.parametrize(
    ("query", "is_private"),
    [
        (f"?tab=explore&of={'a' * 32}", True),
        (f"?task=T&run={'0' * 32}.2", True),
        (f"?job={'0' * 32}", True),
        ("?tab=explore&of=oracle", False),
        (f"?run={'0' * 33}", False),
        ("", False),
    ],
)
def test_search_engines_keep_no_private_address(
    client: TestClient, query: str, is_private: bool
) -> None:
    assert ("x-robots-tag" in client.get(f"/{query}").headers) == is_private
