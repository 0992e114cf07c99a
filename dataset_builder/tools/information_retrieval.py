"""Information Retrieval: database, handbook, entities, languages, addresses (paper, Table 3)."""

import bisect
import ipaddress
import re
from collections import Counter
from functools import lru_cache
from typing import Any, Literal

from dataset_builder.tools.define_tool import tool
from dataset_builder.tools.simulated import cities
from dataset_builder.tools.simulated.host_names import host_of, split_host
from dataset_builder.tools.simulated.keyword_search import best_match
from dataset_builder.tools.tool import Output, ToolError
from dataset_builder.tools.world import draw_for
from dataset_builder.values.canonical import fold
from dataset_builder.values.facts import load
from dataset_builder.values.parameter_types import Name, Prose, Query, Url

MAX_SAMPLE = 20_000
_IPV4 = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}")
_WORD = re.compile(r"[^\W\d_]+")

Table = Literal["employees", "orders", "products", "customers"]


@tool("Information Retrieval")
def database_query(
    table: Table,
    column: Name | None = None,
    filter_column: Name | None = None,
    filter_value: Name | None = None,
) -> Output:
    """Read rows of the company database. Columns: employees (name, department, city, salary, hired),
    orders (order_id, customer, product, status, quantity, amount, ordered), products (sku,
    product, category, price, stock), customers (customer, segment, country, balance, since).

    Args:
        table: Table to read.
        column: Numeric column to list in `values`. Default: none.
        filter_column: Column to filter by. Default: all rows.
        filter_value: Value that it must equal. Default: none.

    Returns:
        records (array of object): the matching rows
        record_count (integer): how many match
        values (array of number, of column): its figures, none without a column
    """
    columns, rows = load("database")[table]["columns"], load("database")[table]["rows"]
    if (filter_column is None) != (filter_value is None):
        raise ToolError("filter_column and filter_value go together")
    if filter_column is not None and filter_value is not None:
        at, value = _position(filter_column, columns), fold(filter_value)
        rows = [row for row in rows if _as_text(row[at]) == value]
    figures: list[float] = []
    if column is not None:
        at = _position(column, columns)
        figures = [row[at] for row in rows if isinstance(row[at], int | float)]
        if len(figures) < len(rows):
            raise ToolError("that column holds no numbers")
    return {
        "records": [dict(zip(columns, row, strict=True)) for row in rows],
        "record_count": len(rows),
        "values": figures,
    }


def _position(column: str, columns: list[str]) -> int:
    if fold(column) not in columns:
        raise ToolError(f"the table has no such column, only {', '.join(columns)}")
    return columns.index(fold(column))


def _as_text(cell: str | float) -> str:
    return fold(cell) if isinstance(cell, str) else f"{cell:.12g}"


@tool("Information Retrieval")
def lookup_entity(name: Name) -> Output:
    """Encyclopedia entry of a company, organization, person, landmark or city.

    Args:
        name: What to look up.

    Returns:
        type (string): company, organization, person, landmark or city
        location (string, city of seat, site or birth; for a city its country): where it belongs
        description (string): one or two sentences
    """
    entry = _entities().get(fold(name).removeprefix("the "))
    if entry is not None:
        return {key: entry[key] for key in ("type", "location", "description")}
    try:
        city, facts = cities.find_city(name)
    except ToolError:
        raise ToolError("there is no entry of that name") from None
    description = (
        f"{city} is a city in {facts['country']} with about {facts['population']:,} inhabitants. "
        f"It lies at {_degrees(facts['latitude'], 'NS')} and {_degrees(facts['longitude'], 'EW')}, "
        f"and people pay there in {load('currencies')[facts['currency']]['spellings'][0]}."
    )
    return {"type": "city", "location": facts["country"], "description": description}


def _degrees(angle: float, signs: str) -> str:
    return f"{abs(angle):.2f}° {signs[angle < 0]}"


@lru_cache(maxsize=1)
def _entities() -> dict[str, dict[str, Any]]:
    """Folded name, without a leading article → entry."""
    entries = load("entities").items()
    return {
        fold(spelling).removeprefix("the "): entry
        for name, entry in entries
        for spelling in (name, *entry.get("aliases", ()))
    }


@lru_cache(maxsize=1)
def _article_texts() -> tuple[str, ...]:
    """What each article is found by."""
    return tuple(f"{article['title']} {article['keywords']}" for article in load("handbook"))


@tool("Information Retrieval")
def knowledge_base_query(query: Query) -> Output:
    """Find the article of the company handbook that answers a question about internal rules and services.

    Args:
        query: Topic or question, such as refund policy.

    Returns:
        answer (string): text of the article
        title (string): of the article
        updated (string, YYYY-MM-DD): date of its last change
    """
    articles = load("handbook")
    best = best_match(query, _article_texts())
    if best is None:
        raise ToolError("the handbook has no article about that")
    article = articles[best]
    return {"answer": article["text"], "title": article["title"], "updated": article["updated"]}


@lru_cache(maxsize=1)
def _reserved() -> list[tuple[ipaddress.IPv4Network, str]]:
    blocks = load("networks")["reserved"].items()
    return [(ipaddress.IPv4Network(block), use) for block, use in blocks]


@tool("Information Retrieval")
def ip_geolocation(ip_address: Name) -> Output:
    """Where an IPv4 address is located and who provides it.

    Args:
        ip_address: Public IPv4 address.

    Returns:
        city (string): English name
        country (string): English name
        timezone (string, IANA): name of the time zone
        provider (string): internet provider
    """
    if not _IPV4.fullmatch(ip_address) or max(map(int, ip_address.split("."))) > 255:
        raise ToolError("that is no IPv4 address")
    address = ipaddress.IPv4Address(".".join(str(int(part)) for part in ip_address.split(".")))
    for block, use in _reserved():
        if address in block:
            raise ToolError(f"a {use} address has no location")
    draw = draw_for("ip_geolocation", {"ip_address": str(address)})
    city = draw.choice("city", list(load("cities")))
    facts = load("cities")[city]
    return {
        "city": city,
        "country": facts["country"],
        "timezone": facts["timezone"],
        "provider": draw.choice("provider", load("networks")["providers"]),
    }


@tool("Information Retrieval")
def detect_language(text: Prose) -> Output:
    """Detect the language that a text is written in.

    Args:
        text: Text of a few words or more.

    Returns:
        language (string): English name
        code (string): ISO 639-1 code
        confidence (number, 0 to 1): share of the evidence
    """
    evidence = _evidence(fold(text[:MAX_SAMPLE]))
    ranked = evidence.most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        raise ToolError("the text does not show its language")
    language, weight = ranked[0]
    return {
        "language": language,
        "code": load("languages")[language]["code"],
        "confidence": round(weight / (0.05 * weight + sum(evidence.values())), 2),
    }


Profile = dict[str, dict[str, int]]


@lru_cache(maxsize=1)
def _profiles() -> tuple[Profile, Profile, Profile]:
    """Words, endings and letters of the languages in Latin script → language → weight.

    The words stand by frequency, and what several languages share speaks less for each.
    """
    words: Profile = {}
    endings: Profile = {}
    letters: Profile = {}
    for language, facts in load("languages").items():
        for rank, word in enumerate(facts.get("words", "").split()):
            words.setdefault(word, {})[language] = 60 if rank < 24 else 30
        for ending in facts.get("endings", "").split():
            endings.setdefault(ending, {})[language] = 8
        for letter in facts.get("letters", ""):
            letters.setdefault(letter, {})[language] = 10
    for profile in (words, endings, letters):
        for sign, weights in profile.items():
            total = sum(weights.values())
            profile[sign] = {name: weight * weight // total for name, weight in weights.items()}
    return words, endings, letters


def _evidence(text: str) -> Counter[str]:
    """How much speaks for each language: letters of its script, or its words, endings and letters."""
    counts = Counter(_WORD.findall(text))
    scripts = _scripts(text)
    latin = sum(len(word) * count for word, count in counts.items()) - scripts.total()
    if scripts.total() > latin:
        # Japanese mixes its syllables with Chinese characters, Ukrainian adds letters to the Russian.
        for special, general in (("Japanese", "Chinese"), ("Ukrainian", "Russian")):
            if scripts[special]:
                scripts[special] += scripts.pop(general, 0)
        return +scripts
    words, endings, letters = _profiles()
    evidence: Counter[str] = Counter()
    for word, count in counts.items():
        signs = [words.get(word), *(endings.get(word[-n:]) for n in (2, 3, 4) if len(word) > n)]
        signs += [letters[letter] for letter in sorted(set(word) & letters.keys())]
        for weights in filter(None, signs):
            for language, weight in weights.items():
                evidence[language] += count * weight
    return evidence


@lru_cache(maxsize=1)
def _blocks() -> list[tuple[int, int, str]]:
    """First and last code point of the letters that are not Latin, and the language they speak for."""
    return sorted(
        (first, last, name)
        for name, facts in load("languages").items()
        for first, last in facts.get("ranges", ())
    )


def _scripts(text: str) -> Counter[str]:
    """The letters that are not Latin, by the language that their block speaks for."""
    letters: Counter[str] = Counter()
    if text.isascii():
        return letters
    for character, count in Counter(text).items():
        at = bisect.bisect_right(_blocks(), ord(character), key=lambda block: block[0]) - 1
        if at >= 0 and ord(character) <= _blocks()[at][1]:
            letters[_blocks()[at][2]] += count
    return letters


@tool("Information Retrieval")
def extract_domain(url: Url) -> Output:
    """Take the registered domain out of a URL or e-mail address.

    Args:
        url: URL or e-mail address.

    Returns:
        domain (string): such as example.co.uk
        subdomain (string): what stands before it, may be empty
        suffix (string): public suffix, such as co.uk
    """
    host = split_host(host_of(url))
    return {"domain": host.domain, "subdomain": host.subdomain, "suffix": host.suffix}
