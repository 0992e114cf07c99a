"""Web & Network: drawn pages that agree with each other, and markup that is really parsed."""

import html.parser
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.tools.information_retrieval import extract_domain, ip_geolocation
from dataset_builder.tools.simulated.host_names import split_host
from dataset_builder.tools.text import html_tokens as markup
from dataset_builder.tools.tool import ToolError
from dataset_builder.tools.web_network import (
    check_url_status,
    dns_lookup,
    extract_links,
    http_request,
    parse_html,
    rss_feed_parse,
    web_page_fetch,
    web_search,
)
from dataset_builder.values.facts import load
from tests.samples.tool_call import call

words = st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=9)
urls = st.builds("https://{}.example/{}-{}".format, words, words, words)


# ── the simulated web agrees with itself ──────────────────────────────────────────────────────────


@given(words, words)
def test_searches_differ_and_lead_to_pages(first: str, second: str) -> None:
    one, two = (
        call(web_search, query=f"{first} {second}"),
        call(web_search, query=f"{first} x{second}"),
    )
    assert one["results"] != two["results"]
    page = call(web_page_fetch, url=one["top_url"])
    assert one["results"].startswith(f"1. {page['title']} (")
    assert one["results"].count("\n") == 7
    assert len({line for line in one["results"].split("\n") if line[:1].isdigit()}) == 4


def test_publications_tell_a_topic_under_different_titles() -> None:
    known = load("webtext")
    assert len(set(known["titles"])) >= len(known["publications"])
    addresses = [f"https://www.{p['domain']}/night-trains" for p in known["publications"]]
    titles = {call(web_page_fetch, url=address)["title"] for address in addresses}
    assert len(titles) == len(addresses)


def test_a_search_keeps_names_and_forgets_case() -> None:
    plain = call(web_search, query="electric cars in new york")
    assert plain == call(web_search, query=" Electric cars in New York")
    assert "electric cars in New York" in plain["results"]


@given(urls)
def test_fetch_request_and_status_agree(url: str) -> None:
    page = call(web_page_fetch, url=url)
    response = call(http_request, url=url)
    parsed = call(parse_html, html=response["body"])
    assert parsed["title"] == page["title"] == parsed["headings"][0]
    assert page["text"] in parsed["text"]
    assert call(check_url_status, url=url)["status_code"] == response["status_code"] == 200
    links = call(extract_links, content=response["body"])
    assert links["link_count"] == len(set(links["links"])) >= 2
    assert all("error" not in call(web_page_fetch, url=link) for link in links["links"])
    assert "2026-01-01" < page["published"] < "2026-07-15"


@pytest.mark.parametrize(
    ("url", "status"),
    [
        ("https://acme.example/missing", 404),
        ("https://acme.example/admin/users", 403),
        ("https://acme.example/maintenance", 503),
        ("https://acme.example/500", 500),
        ("https://acme.example/lost-and-found", 200),
    ],
)
def test_denied_paths(url: str, status: int) -> None:
    assert call(check_url_status, url=url)["status_code"] == status
    assert call(http_request, url=url)["status_code"] == status
    assert ("error" in call(web_page_fetch, url=url)) == (status != 200)
    assert ("error" in call(rss_feed_parse, url=url)) == (status != 200)


def test_an_api_answers_in_json() -> None:
    order = json.loads(call(http_request, url="https://api.acme.example/v2/orders/48213")["body"])
    assert list(order) == ["id", "state", "total", "items"]
    assert isinstance(order["total"], float)
    assert isinstance(order["items"], int)
    other = json.loads(call(http_request, url="https://acme.example/data/tides.json")["body"])
    assert list(other) == ["id", "state", "value", "revision"]


def test_methods_and_bodies_matter() -> None:
    url = "https://api.acme.example/v2/orders"
    posted = [
        call(http_request, url=url, method="POST", body={"sku": sku, "n": 1}) for sku in ("A", "B")
    ]
    assert [answer["status_code"] for answer in posted] == [201, 201]
    assert posted[0]["body"] != posted[1]["body"]
    assert posted[0] == call(http_request, url=url, method="post", body={"n": 1.0, "sku": "a"})
    assert call(http_request, url=url, method="DELETE")["status_code"] == 200


def test_a_name_leads_to_a_place() -> None:
    domain = call(extract_domain, url="https://shop.acme.example/cart")["domain"]
    address = call(dns_lookup, domain=domain)["ip_address"]
    assert address == call(dns_lookup, domain="ACME.example.")["ip_address"]
    assert "timezone" in call(ip_geolocation, ip_address=address)


@given(words)
def test_every_resolved_address_is_public(word: str) -> None:
    address = call(dns_lookup, domain=f"{word}.example")["ip_address"]
    assert "error" not in call(ip_geolocation, ip_address=address)


@given(urls)
def test_feeds_list_the_newest_first(url: str) -> None:
    feed = call(rss_feed_parse, url=url)
    dates, titles = zip(*(line.split(" ", 1) for line in feed["entries"].split("\n")), strict=True)
    assert list(dates) == sorted(dates, reverse=True)
    assert len(set(titles)) == 5
    assert (feed["latest_date"], feed["latest_title"]) == (dates[0], titles[0])


# ── markup ────────────────────────────────────────────────────────────────────────────────────────

PAGE = """<!DOCTYPE html><html><head><title>Tea &amp; cake</title><style>p {color: red}</style>
<script>if (a < b) document.write("<h1>No</h1>")</script></head><body><!-- <h1>Neither</h1> -->
<h1>Opening   hours</h1><p>Monday to <b>Fri</b>day,<br>8&ndash;18&nbsp;h</p>
<h2>Find <em>us</em></h2><ul><li><a href='/map'>Map</a><li><A HREF=https://tea.example/a?b=1&amp;c=2>Shop</A></ul>
<a href="#top">Up</a><a href="mailto:hi@tea.example">Write</a><a name=x>x</a>
</body></html>"""


def test_a_page_is_read_as_its_reader_sees_it() -> None:
    assert call(parse_html, html=PAGE) == {
        "title": "Tea & cake",
        "text": "Opening hours\nMonday to Friday,\n8–18 h\nFind us\nMap\nShop\nUpWritex",
        "headings": ["Opening hours", "Find us"],
    }


@pytest.mark.parametrize(
    ("content", "links"),
    [
        (PAGE, ["/map", "https://tea.example/a?b=1&c=2"]),
        (
            "See https://a.example/x, (https://b.example/y) and https://a.example/x.",
            ["https://a.example/x", "https://b.example/y"],
        ),
        ("https://en.example/wiki/Tea_(drink)", ["https://en.example/wiki/Tea_(drink)"]),
        ("no links here <b>at all</b>", []),
        ('<a href="https://c.example">https://c.example</a>', ["https://c.example"]),
        ("", []),
    ],
)
def test_links(content: str, links: list[str]) -> None:
    assert call(extract_links, content=content) == {"links": links, "link_count": len(links)}


@pytest.mark.parametrize(
    ("source", "title", "text"),
    [
        ("", "", ""),
        ("plain < text > & more", "", "plain < text > & more"),
        ("a<b", "", "a"),
        ("a <b", "", "a"),
        ("<p>one<!-- never closed", "", "one"),
        ("<p>one<a href='never closed>two", "", "one"),
        ("<title>only", "only", ""),
        ("<script>only", "", ""),
        ("<p/>x<br/>y", "", "x\ny"),
        ("&#99999999999999999999;&#xD800;&bogus;", "", "\ufffd\ufffd&bogus;"),
        ("<p class=a class=b =>x</p =>y", "", "x\ny"),
    ],
)
def test_malformed_markup_is_read_to_the_end(source: str, title: str, text: str) -> None:
    output = call(parse_html, html=source)
    assert (output["title"], output["text"]) == (title, text)


class _Reference(html.parser.HTMLParser):
    """The standard library's reading, which is right about well-formed markup."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.seen: list[Any] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen.append((tag, False, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        self.seen.append((tag, True, {}))

    def handle_data(self, data: str) -> None:
        self.seen.append(data)


texts = st.text(alphabet="abc &;\"'é\n", min_size=1, max_size=12).map(
    lambda text: html.escape(text) if text.strip() else "x"
)
attributes = st.dictionaries(words, texts, max_size=3).map(
    lambda values: "".join(f' {name}="{value}"' for name, value in values.items())
)
elements = st.recursive(
    texts,
    lambda inner: st.builds(
        lambda tag, values, content: f"<{tag}{values}>{''.join(content)}</{tag}>",
        st.sampled_from(["p", "div", "a", "em", "h2", "td"]),
        attributes,
        st.lists(inner, max_size=3),
    ),
    max_leaves=8,
)


@given(elements)
def test_well_formed_markup_is_read_as_the_standard_library_reads_it(source: str) -> None:
    reference = _Reference()
    reference.feed(source)
    reference.close()
    seen = [
        markup.unescape(item) if isinstance(item, str) else (item.name, item.ends, item.attributes)
        for item in markup.stream(source)
        if item
    ]
    assert _joined(seen) == _joined(reference.seen)


def _joined(items: list[Any]) -> list[Any]:
    """Neighbouring texts as one."""
    joined: list[Any] = []
    for item in items:
        if isinstance(item, str) and joined and isinstance(joined[-1], str):
            joined[-1] += item
        else:
            joined.append(item)
    return joined


def test_pages_have_a_bound() -> None:
    assert "error" not in call(parse_html, html="<p>x</p>" * (markup.MAX_TAGS // 2))
    for tool, name in ((parse_html, "html"), (extract_links, "content")):
        assert set(call(tool, **{name: "<p>" * (markup.MAX_TAGS + 1)})) == {"error"}


@given(st.text(alphabet="<>!-/=\"' ab&#;x1", max_size=80))
def test_no_text_upsets_the_parser(source: str) -> None:
    assert set(call(parse_html, html=source)) == {"title", "text", "headings"}
    links = call(extract_links, content=source)
    assert links["link_count"] == len(links["links"])


# ── refusals ──────────────────────────────────────────────────────────────────────────────────────

BAD_HOSTS = [
    "",
    " ",
    "a b",
    "-x.example",
    "x..example",
    "a" * 64 + ".example",
    "ex@mple!.org",
    "[",
    "[::1]",
]


@pytest.mark.parametrize(
    "domain", [*BAD_HOSTS, "localhost", "co.uk", "192.168.0.1", "https://a.example/"]
)
def test_names_that_do_not_resolve(domain: str) -> None:
    assert set(call(dns_lookup, domain=domain)) == {"error"}


@pytest.mark.parametrize(
    "url", ["https://" + host for host in BAD_HOSTS] + ["ftp://a.example/x", "file:///etc/passwd"]
)
def test_addresses_that_cannot_be_requested(url: str) -> None:
    for tool in (web_page_fetch, http_request, check_url_status, rss_feed_parse):
        assert set(call(tool, url=url)) == {"error"}, tool.name


@given(st.text(max_size=40))
def test_any_address_gets_an_answer(text: str) -> None:
    for tool in (web_page_fetch, http_request, check_url_status, rss_feed_parse):
        for url in (text, f"https://a.example/{text}"):
            assert set(call(tool, url=url)) in ({"error"}, set(tool.returns)), tool.name


@given(st.text(min_size=1, max_size=60))
def test_any_query_with_a_word_finds_something(query: str) -> None:
    output = call(web_search, query=query)
    if any(character.isalnum() for character in query):
        assert "error" not in call(web_page_fetch, url=output["top_url"])
    else:
        assert set(output) == {"error"}


@pytest.mark.parametrize(
    ("host", "parts"),
    [
        ("example.org", ("", "example.org", "org")),
        ("a.b.example.co.uk", ("a.b", "example.co.uk", "co.uk")),
        ("uk.com", ("", "uk.com", "com")),
    ],
)
def test_hosts_split(host: str, parts: tuple[str, ...]) -> None:
    assert split_host(host) == parts
    with pytest.raises(ToolError):
        split_host(parts[2])
