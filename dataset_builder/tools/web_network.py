"""Web & Network: search, pages, requests, names and markup (paper, Table 3)."""

import datetime as dt
import json
import re
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from dataset_builder.tools.define_tool import tool
from dataset_builder.tools.simulated.host_names import host_from, host_of, split_host
from dataset_builder.tools.simulated.web_pages import (
    headlines,
    page_at,
    publications,
    site_name,
    slug_of,
    topic_of,
)
from dataset_builder.tools.text import html_tokens
from dataset_builder.tools.tool import Output, ToolError
from dataset_builder.tools.world import TODAY, draw_for
from dataset_builder.values.draw import Draw
from dataset_builder.values.facts import load
from dataset_builder.values.parameter_types import Name, Object, Query, Said, Url, Verbatim

_BARE_URL = re.compile(r"https?://[^\s<>\"'`|\\^{}]+")
_NO_PAGE = re.compile(r"#|(?:javascript|mailto|tel|data|sms):", re.IGNORECASE)
_REASONS = {403: "Forbidden", 404: "Not Found", 500: "Internal Server Error", 503: "Unavailable"}

Method = Annotated[
    Literal["GET", "POST", "PUT", "PATCH", "DELETE"],
    Said(
        GET=("get",),
        POST=("post", "submit"),
        PUT=("put", "replace"),
        PATCH=("patch", "update"),
        DELETE=("delete",),
    ),
]


@tool("Web & Network")
def web_search(query: Query, draw: Draw) -> Output:
    """Search the web and return excerpts of the best pages.

    Args:
        query: Search terms.

    Returns:
        results (string): titles and excerpts
        top_url (string, URL): the first page
        result_count (integer): pages found
    """
    slug = slug_of(topic_of(query))
    if not slug:
        raise ToolError("the query holds no word")
    urls = [f"https://www.{p['domain']}/{slug}" for p in publications(draw, 4)]
    lines, used_patterns = list[str](), set[str]()
    for number, page in enumerate(map(page_at, urls), 1):
        # No two excerpts say the same.
        news = [place for place, p in enumerate(page.patterns) if p not in used_patterns][:2]
        used_patterns.update(page.patterns[place] for place in news)
        lines.append(f"{number}. {page.title} ({page.publication})")
        lines.append(" ".join(map(page.sentence, news)))
    return {
        "results": "\n".join(lines),
        "top_url": urls[0],
        "result_count": draw.integer("result_count", 9_000, 48_000_000),
    }


def _status(url: str) -> int:
    """The status with which the server answers a request for a page; ToolError for no web address."""
    host_of(url)
    if urlsplit(url).scheme not in ("http", "https"):
        raise ToolError("only http and https addresses can be requested")
    segments = {part.lower() for part in urlsplit(url).path.split("/")}
    denied = load("webtext")["denied_paths"]
    return next((int(code) for code, names in denied.items() if segments & set(names)), 200)


@tool("Web & Network")
def web_page_fetch(url: Url) -> Output:
    """Fetch a web page as readable text, without its markup.

    Args:
        url: Address of the page.

    Returns:
        title (string): of the page
        text (string): the paragraphs, one a line
        published (string, YYYY-MM-DD): date of publication
    """
    status = _status(url)
    if status != 200:
        raise ToolError(f"the server answered {status} {_REASONS[status]}")
    page = page_at(url)
    return {"title": page.title, "text": "\n".join(page.paragraphs), "published": page.published}


@tool("Web & Network")
def http_request(
    url: Url, draw: Draw, method: Method = "GET", body: Object | None = None
) -> Output:
    """Send a raw HTTP request and return the undecoded response: HTML, or JSON from an API.

    Args:
        url: Address to request.
        method: HTTP method. Default GET.
        body: JSON body to send. Default: none.

    Returns:
        status_code (integer): HTTP status
        body (string): HTML or JSON text
    """
    status = _status(url)
    if status != 200:
        return {"status_code": status, "body": json.dumps({"error": _REASONS[status]})}
    if method == "GET":
        return {"status_code": status, "body": _record(url) if _is_api(url) else page_at(url).html}
    answer = {"id": draw.token("id", 10), "accepted": True}
    return {"status_code": 201 if method == "POST" else 200, "body": json.dumps(answer)}


def _is_api(url: str) -> bool:
    parts = urlsplit(url)
    return (
        (parts.hostname or "").startswith("api.")
        or "api" in parts.path.lower().split("/")
        or parts.path.lower().endswith(".json")
    )


def _record(url: str) -> str:
    """The JSON record that an API keeps under an address; the path's words tell of what sort."""
    draw = draw_for("record", {"url": url})
    sorts = load("networks")["resources"]
    parts = re.split(r"[/.]", urlsplit(url).path.lower())
    shape = next(
        (sorts[part] for part in parts if part in sorts), load("networks")["other_resource"]
    )
    record: dict[str, Any] = {"id": draw.token("id", 10)}
    for name, values in shape.items():
        if isinstance(values[0], str):
            record[name] = draw.choice(name, values)
            continue
        low, high, digits = values
        number = draw.number(name, low, high, digits)
        record[name] = number if digits else int(number)
    return json.dumps(record)


@tool("Web & Network")
def check_url_status(url: Url, draw: Draw) -> Output:
    """Check whether a URL answers, and how fast, without its content.

    Args:
        url: Address to check.

    Returns:
        status_code (integer): HTTP status
        response_ms (integer, ms): time to the first byte
        server (string): software that answered
    """
    return {
        "status_code": _status(url),
        "response_ms": draw.integer("response_ms", 18, 940),
        "server": draw_for("server", {"host": host_of(url)}).choice(
            "server", load("networks")["servers"]
        ),
    }


@tool("Web & Network")
def dns_lookup(domain: Name) -> Output:
    """Resolve a domain name to its IPv4 address.

    Args:
        domain: Domain name, such as example.org.

    Returns:
        ip_address (string, IPv4): A record
        ttl (integer, s): how long it may be cached
        name_server (string): server that answered
    """
    host = host_from(domain.casefold())
    split_host(host)
    draw = draw_for("dns_lookup", {"domain": host})
    networks = load("networks")
    octets = [draw.choice("octet.0", networks["first_octets"])]
    octets += [draw.integer(f"octet.{i}", 1, 254) for i in (1, 2, 3)]
    return {
        "ip_address": ".".join(map(str, octets)),
        "ttl": 60 * draw.integer("ttl", 1, 240),
        "name_server": draw.choice("name_server", networks["name_servers"]),
    }


@tool("Web & Network")
def extract_links(content: Verbatim) -> Output:
    """List the links in HTML or plain text, each once, in order.

    Args:
        content: HTML or text.

    Returns:
        links (array of string): as they are written
        link_count (integer): how many there are
    """
    links = dict[str, None]()
    for item in html_tokens.stream(content):
        if isinstance(item, str):
            for match in _BARE_URL.findall(html_tokens.unescape(item)):
                links[_without_punctuation(match)] = None
        elif item.name in ("a", "area") and not item.ends:
            target = item.attributes.get("href", "").strip()
            if target and not _NO_PAGE.match(target):
                links[target] = None
    return {"links": list(links), "link_count": len(links)}


def _without_punctuation(url: str) -> str:
    """A bare URL without what belongs to the sentence around it."""
    return url.rstrip(".,;:!?*_" if "(" in url or "[" in url else ".,;:!?*_)]")


@tool("Web & Network")
def rss_feed_parse(url: Url, draw: Draw) -> Output:
    """Read an RSS or Atom feed and list its latest entries.

    Args:
        url: Address of the feed.

    Returns:
        feed_title (string): name of the feed
        entries (string, one a line): dates and titles, newest first
        latest_title (string): title of the newest entry
        latest_date (string, YYYY-MM-DD): date of the newest entry
    """
    status = _status(url)
    if status != 200:
        raise ToolError(f"the server answered {status} {_REASONS[status]}")
    day, titles, dates = dt.date.fromisoformat(TODAY), list[str](), list[str]()
    for number, topic in enumerate(draw.sample("topics", load("webtext")["feed_topics"], 5)):
        day -= dt.timedelta(days=draw.integer(f"gap.{number}", 1, 9))
        titles += headlines(topic, draw_for("entry", {"url": url, "topic": topic}), 1)
        dates.append(day.isoformat())
    return {
        "feed_title": f"{site_name(url)} feed",
        "entries": "\n".join(map(" ".join, zip(dates, titles, strict=True))),
        "latest_title": titles[0],
        "latest_date": dates[0],
    }


@tool("Web & Network")
def parse_html(html: Verbatim) -> Output:
    """Parse HTML source into its title, visible text and headings.

    Args:
        html: HTML source.

    Returns:
        title (string): content of the title tag
        text (string): visible text, one block a line
        headings (array of string): h1 to h6, in order
    """
    document = html_tokens.read(html)
    return {"title": document.title, "text": document.text, "headings": document.headings}
