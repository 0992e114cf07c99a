"""Information Retrieval: fixed tables, fair refusals, and languages told apart."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.tools.information_retrieval import (
    database_query,
    detect_language,
    extract_domain,
    ip_geolocation,
    knowledge_base_query,
    lookup_entity,
)
from dataset_builder.values.facts import load
from tests.samples.tool_call import call

DATABASE = load("database")
PHRASES = load("phrasebook")


# ── database ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("table", DATABASE)
def test_without_a_filter_all_rows_come(table: str) -> None:
    columns, rows = DATABASE[table]["columns"], DATABASE[table]["rows"]
    output = call(database_query, table=table)
    assert output["record_count"] == len(rows) == len({str(row) for row in rows})
    assert [list(row.values()) for row in output["records"]] == rows
    assert all(list(row) == columns for row in output["records"])
    assert output["values"] == []
    assert f"{table} ({', '.join(columns)})" in database_query.description


@pytest.mark.parametrize(
    ("table", "column", "where", "values"),
    [
        ("employees", "salary", ("department", "sales"), [52750, 49300, 56400, 47850]),
        ("Employees", "Salary", ("City", " lisbon"), [58200, 76900, 54600, 38900]),
        ("orders", "amount", ("status", "cancelled"), [2796.0, 795.0]),
        ("products", "stock", ("price", "48.9"), [134]),
        ("customers", "balance", ("segment", "mining"), []),
    ],
)
def test_filters(table: str, column: str, where: tuple[str, str], values: list[float]) -> None:
    arguments = {"table": table, "filter_column": where[0], "filter_value": where[1]}
    output = call(database_query, column=column, **arguments)
    assert output["values"] == values
    assert output["record_count"] == len(output["records"]) == len(values)
    assert call(database_query, **arguments) == output | {"values": []}


def test_the_database_agrees_with_the_files() -> None:
    people = {row[0]: row for row in DATABASE["employees"]["rows"]}
    listed = load("episode")["files"]["/data/employees.json"]
    for name, row in people.items():
        for line in listed:
            if f'"{name}"' in line:
                assert all(str(value) in line for value in (row[1], row[3], row[4]))
    customers = {row[0] for row in DATABASE["customers"]["rows"]}
    products = {row[1] for row in DATABASE["products"]["rows"]}
    for _, customer, product, *_ in DATABASE["orders"]["rows"]:
        assert customer in customers
        assert product in products


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"table": "secrets"},
        {"table": "orders", "filter_column": "status"},
        {"table": "orders", "filter_value": "pending"},
        {"table": "orders", "filter_column": "colour", "filter_value": "red"},
        {"table": "orders", "column": "status"},
        {"table": "orders", "column": "1=1; DROP TABLE orders"},
    ],
)
def test_queries_that_make_no_sense(arguments: dict[str, Any]) -> None:
    assert set(call(database_query, **arguments)) == {"error"}


# ── entities and handbook ─────────────────────────────────────────────────────────────────────────


def test_every_entity_is_found_and_sits_in_a_known_city() -> None:
    for name, facts in load("entities").items():
        for spelling in (name, name.upper(), f"the {name}", *facts.get("aliases", ())):
            entry = call(lookup_entity, name=spelling)
            assert entry["type"] == facts["type"], spelling
            assert entry["location"] in load("cities"), spelling
        assert len({e["description"] for e in load("entities").values()}) == len(load("entities"))


@pytest.mark.parametrize("name", ["", "Nobody Nowhere", "x" * 100_001, "\ud800", 5])
def test_unknown_entities(name: Any) -> None:
    assert set(call(lookup_entity, name=name)) == {"error"}


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("refund policy", "Refund policy"),
        ("How do I set up the VPN?", "VPN set-up"),
        ("annual leave", "Annual leave"),
        ("how many vacation days do we have", "Annual leave"),
        ("Parental leave", "Parental leave"),
        ("travel expenses", "Travel expenses"),
        ("password reset", "Password rules"),
        ("warranty on solar panels", "Warranty terms"),
        ("gifts from suppliers", "Procurement limits"),
        ("battery maintenance", "Battery storage maintenance"),
    ],
)
def test_the_handbook_answers(query: str, title: str) -> None:
    assert call(knowledge_base_query, query=query)["title"] == title


@pytest.mark.parametrize("article", load("handbook"), ids=lambda article: str(article["title"]))
def test_every_article_is_found_by_its_title(article: dict[str, str]) -> None:
    output = call(knowledge_base_query, query=article["title"])
    assert output == {
        "answer": article["text"],
        "title": article["title"],
        "updated": article["updated"],
    }


@pytest.mark.parametrize(
    "query", ["zebra crossings", "", "the of and", "quantum refund of purple elephants"]
)
def test_the_handbook_does_not_guess(query: str) -> None:
    assert set(call(knowledge_base_query, query=query)) == {"error"}


# ── addresses ─────────────────────────────────────────────────────────────────────────────────────


@given(st.tuples(*[st.integers(0, 255)] * 4))
def test_addresses_lie_in_a_known_city_or_are_refused(octets: tuple[int, ...]) -> None:
    output = call(ip_geolocation, ip_address=".".join(map(str, octets)))
    if "error" not in output:
        facts = load("cities")[output["city"]]
        assert (output["country"], output["timezone"]) == (facts["country"], facts["timezone"])


@pytest.mark.parametrize(
    "address",
    ["10.1.2.3", "192.168.1.1", "172.20.0.1", "127.0.0.1", "169.254.0.9", "224.0.0.1", "255.255.255.255",
     "0.0.0.0", "256.1.1.1", "1.2.3", "1.2.3.4.5", "::1", "٨.8.8.8", "8.8.8.8/24", "", "home"],
)  # fmt: skip
def test_addresses_without_a_place(address: str) -> None:
    assert set(call(ip_geolocation, ip_address=address)) == {"error"}


@pytest.mark.parametrize(
    ("url", "subdomain", "domain", "suffix"),
    [
        ("https://www.example.com/path?q=1", "www", "example.com", "com"),
        ("EXAMPLE.org", "", "example.org", "org"),
        ("http://news.bbc.co.uk:8080/x", "news", "bbc.co.uk", "co.uk"),
        ("https://a.b.c.com.au", "a.b", "c.com.au", "com.au"),
        ("iris@media.news", "", "media.news", "news"),
        ("mailto:sales@shop.example.co.jp", "shop", "example.co.jp", "co.jp"),
        ("https://user:pw@portal.example.de/", "portal", "example.de", "de"),
        ("https://münchen.example", "", "münchen.example", "example"),
    ],
)
def test_domains(url: str, subdomain: str, domain: str, suffix: str) -> None:
    expected = {"domain": domain, "subdomain": subdomain, "suffix": suffix}
    assert call(extract_domain, url=url) == expected


@pytest.mark.parametrize(
    "url", ["localhost", "http://10.0.0.1/", "co.uk", "https://[::1]/", "x y", "", "@", "a@"]
)
def test_addresses_without_a_domain(url: str) -> None:
    assert set(call(extract_domain, url=url)) == {"error"}


@given(st.text(max_size=60))
def test_any_text_is_split_or_refused(text: str) -> None:
    for candidate in (text, f"https://{text}", f"https://[{text}]", f"https://a.{text}.example"):
        output = call(extract_domain, url=candidate)
        assert "error" in output or output["domain"].endswith(output["suffix"])


# ── languages ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "row", [r for r in PHRASES["phrases"] if r[0].count(" ") > 3], ids=lambda r: str(r[0])
)
def test_phrases_are_recognised(row: list[str]) -> None:
    for language, phrase in zip(PHRASES["languages"], row, strict=True):
        assert call(detect_language, text=phrase)["language"] == language, phrase


@pytest.mark.parametrize(
    ("text", "language", "code"),
    [
        ("De vergadering is verplaatst naar donderdag.", "Dutch", "nl"),
        ("Mötet har flyttats till torsdag och börjar klockan tio.", "Swedish", "sv"),
        ("Spotkanie zostało przeniesione na czwartek.", "Polish", "pl"),
        ("Toplantı perşembe gününe ertelendi ve saat onda başlıyor.", "Turkish", "tr"),
        ("Встреча перенесена на четверг.", "Russian", "ru"),
        ("Зустріч перенесено на четвер, її початок о десятій.", "Ukrainian", "uk"),
        ("Η συνάντηση μεταφέρθηκε την Πέμπτη.", "Greek", "el"),
        ("הפגישה נדחתה ליום חמישי.", "Hebrew", "he"),
        ("تم تأجيل الاجتماع إلى يوم الخميس.", "Arabic", "ar"),
        ("बैठक गुरुवार तक टाल दी गई है।", "Hindi", "hi"),
        ("การประชุมเลื่อนไปเป็นวันพฤหัสบดี", "Thai", "th"),
        ("会議は木曜日に延期されました。", "Japanese", "ja"),
        ("회의가 목요일로 연기되었습니다.", "Korean", "ko"),
        ("会议已改到星期四。", "Chinese", "zh"),
    ],
)
def test_more_languages(text: str, language: str, code: str) -> None:
    output = call(detect_language, text=text)
    assert (output["language"], output["code"]) == (language, code)
    assert 0.4 < output["confidence"] <= 1


@pytest.mark.parametrize("text", ["", "12345", "?!", "zzz qqq", "\u200f\u202e"])
def test_texts_without_a_language(text: str) -> None:
    assert set(call(detect_language, text=text)) == {"error"}


@given(st.text(max_size=200))
def test_confidence_is_a_share(text: str) -> None:
    output = call(detect_language, text=text)
    assert "error" in output or 0 < output["confidence"] <= 1
