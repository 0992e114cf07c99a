"""What a link to the page shows where it is shared: title, description, picture, icon."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from space.page.address_words import address_words, tab_of, wrong_link
from space.page.own_head import OwnHead
from space.page.preview import preview_route
from space.services import Services
from space.tabs.components import SECTION_TITLES, TAB_OF, TAB_TITLES
from tests.samples.small_site import add_run, careless, oracle, small_site, trace_lines
from tests.stand_ins.browser import HOSTILE

GRADIOS = """<!doctype html><html><head><meta charset="utf-8" />
<meta property="og:title" content="Gradio" />
<meta
    property="og:image"
    content="https://elsewhere.example/header.jpg"
/>
<meta name="twitter:card" content="summary_large_image" />
<meta name="viewport" content="width=device-width" />
<script>window.gradio_config = {"text": "\\u003cmeta name='twitter:x'"};</script></head>
<body>text</body></html>"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Services:
    """A page over two runs, one of a hostile name."""
    folder = tmp_path_factory.mktemp("site")
    site = small_site(folder, answers={"oracle": oracle})
    add_run(folder, "hostile", careless, site.settings.suite)
    traces = trace_lines(HOSTILE, careless, site.settings.suite)
    (folder / "runs" / "hostile" / "traces.jsonl").write_bytes(traces)
    return site


@pytest.fixture(scope="module")
def client(site: Services) -> TestClient:
    """A browser of a page whose HTML is like Gradio's."""

    def home(_: Any) -> Response:
        return HTMLResponse(GRADIOS)

    routes = [
        Route("/", home),
        Route("/config", lambda _: PlainTextResponse("<head></head>")),
        preview_route(site.settings.suite),
    ]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(OwnHead, services=site)]))


class Head(HTMLParser):
    """Title and meta lines of a page, as a browser reads them, and whatever else stands in the head."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.title, self.meta, self.others = "", dict[str, str](), list[str]()
        self._open = ""
        self.feed(page.partition("</head>")[0])

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        self._open = tag
        name = given.get("property") or given.get("name")
        if tag == "meta" and name:
            assert name not in self.meta, f"{name} stands there twice"
            self.meta[name] = given["content"]
        elif tag != "title":
            self.others.append(tag)

    def handle_data(self, data: str) -> None:
        if self._open == "title":
            self.title += data

    def handle_endtag(self, tag: str) -> None:
        self._open = ""


def read(client: TestClient, query: str, **headers: str) -> Head:
    """The head of the page at an address."""
    answer = client.get(f"/{query}", headers=headers)
    assert answer.status_code == 200
    assert int(answer.headers["content-length"]) == len(answer.content)
    assert answer.text.endswith("<body>text</body></html>")
    return Head(answer.text)


@pytest.mark.parametrize(
    ("query", "title", "description"),
    [
        ("", "CompToolBench: can a language model compose tools?", "A leaderboard"),
        ("?tab=explore", "Explore · CompToolBench", "A leaderboard"),
        ("?tab=submit", "Submit · CompToolBench", "A leaderboard"),
        ("?tab=nowhere", "CompToolBench: can a language model compose tools?", "A leaderboard"),
        (
            "?run=oracle",
            "oracle · CompToolBench",
            "Solved 100.0 %, calls right 100.0 % (made here).",
        ),
        ("?run=nobody", "CompToolBench: can a language model compose tools?", "A leaderboard"),
        ("?job=0123", "A run of a model · CompToolBench", "A leaderboard"),
    ],
)
def test_every_address_has_its_own_words(
    client: TestClient, query: str, title: str, description: str
) -> None:
    head = read(client, query)
    assert head.title == head.meta["og:title"] == head.meta["twitter:title"] == title
    for name in ("description", "og:description", "twitter:description"):
        assert description in head.meta[name]
    assert "viewport" in head.meta
    assert head.others.count("script") == 1


def test_a_task_has_its_id_its_level_and_its_request(client: TestClient, site: Services) -> None:
    task = next(task for task in site.settings.suite.tasks if task.level == 3)
    head = read(client, f"?task={task.task_id}&run=oracle")
    assert head.title == f"{task.task_id}, Graph (L3) · CompToolBench"
    assert head.meta["og:description"][:40] == task.prompt[:40]


def test_nothing_of_gradios_is_left(client: TestClient) -> None:
    page = client.get("/").text
    assert "elsewhere.example" not in page
    assert 'content="Gradio"' not in page
    # What only looks like it, inside a script, stays.
    assert "\\u003cmeta name='twitter:x'" in page


def test_hostile_names_and_addresses_are_text(client: TestClient) -> None:
    head = read(client, "?run=hostile")
    assert head.title.startswith("<img src=x onerror=alert(1)>")
    assert "img" not in head.others
    for query in ('?tab="><script>', "?task=%22%3E%3Cscript%3E", "?" + "a=1&" * 5000):
        assert read(client, query).others == read(client, "").others
    head = read(client, "?run=oracle", host='x"><script>.example')
    assert head.others.count("script") == 1


@pytest.mark.parametrize(
    ("proto", "scheme"),
    [("https", "https"), ("https, http", "https"), ("javascript", "http"), ("", "http")],
)
def test_the_picture_has_a_whole_address(client: TestClient, proto: str, scheme: str) -> None:
    head = read(client, "", **{"host": "space.example", "x-forwarded-proto": proto})
    address = f"{scheme}://space.example/preview.png"
    assert head.meta["og:image"] == head.meta["twitter:image"] == address
    picture = client.get("/preview.png")
    assert picture.headers["content-type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")


def test_other_answers_stay_as_they_are(client: TestClient) -> None:
    assert client.get("/config").text == "<head></head>"
    assert client.get("/nowhere").status_code == 404


def test_a_private_link_tells_nothing_of_a_job(site: Services) -> None:
    assert address_words({"job": "oracle", "run": "oracle"}, site).title.startswith("A run of a")


# Tabs and sections ----------------------------------------------------------------------------


def test_every_part_of_the_page_has_one_place_and_a_title(site: Services) -> None:
    assert set(TAB_OF.values()) == set(TAB_TITLES)
    sections = [name for names in SECTION_TITLES.values() for name in names]
    assert len(sections) == len(set(sections))
    for tab, names in SECTION_TITLES.items():
        assert next(iter(names)) == tab
    titles = {address_words({"tab": name}, site).title for name in TAB_OF}
    assert len(titles) == len(TAB_OF)


@pytest.mark.parametrize(
    ("address", "tab"),
    [
        ({}, "leaderboard"),
        ({"tab": "figures"}, "compare"),
        ({"tab": "submit"}, "model"),
        ({"tab": "paper"}, "about"),
        ({"tab": "validate"}, "about"),
        ({"job": "x"}, "model"),
        ({"run": "x"}, "run"),
        ({"task": "x", "run": "y"}, "explore"),
        ({"tab": "<b>"}, "leaderboard"),
    ],
)
def test_where_an_address_leads(address: dict[str, str], tab: str) -> None:
    assert tab_of(address) == tab


def test_a_wrong_part_of_the_page_is_said_in_a_sentence() -> None:
    assert wrong_link({"tab": "figures"}) == wrong_link({}) == ""
    sentence = wrong_link({"tab": "statistics" * 20})
    assert re.fullmatch(
        r"This page has no part 'statistics.{,50}': here is the leaderboard\.", sentence
    )


def test_the_icon_is_ours() -> None:
    icon = Path(__file__).parents[2] / "space" / "page" / "favicon.svg"
    assert icon.read_text("utf-8").startswith("<svg ")
