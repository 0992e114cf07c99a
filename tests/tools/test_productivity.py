"""Productivity tools: calendar, contacts, invoices, links and pictures."""

import datetime as dt
import math
from fractions import Fraction
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.tools import productivity as p
from dataset_builder.tools.world import TODAY
from tests.samples.tool_call import call

EVENT = {"title": "Deep work", "start": "2026-08-03T14:00"}


@pytest.mark.parametrize(
    ("arguments", "tax", "total", "due"),
    [
        ({"unit_price": 120, "quantity": 3, "tax_percent": 19}, 68.4, 428.4, "2026-08-14"),
        ({"unit_price": 2.675}, 0.0, 2.68, "2026-08-14"),
        ({"unit_price": 0.1, "quantity": 3, "tax_percent": 7.5}, 0.02, 0.32, "2026-08-14"),
        ({"unit_price": 99.99, "quantity": 12, "payment_days": 0}, 0.0, 1199.88, "2026-07-15"),
        ({"unit_price": 0, "payment_days": 365}, 0.0, 0.0, "2027-07-15"),
        ({"unit_price": 1e-300, "quantity": 1e300}, 0.0, 1.0, "2026-08-14"),
        (
            {"unit_price": "48.90", "quantity": 10**10, "tax_percent": 100},
            4.89e11,
            9.78e11,
            "2026-08-14",
        ),
    ],
)
def test_invoices_add_up(arguments, tax, total, due):
    output = call(p.create_invoice, customer="Acme", **arguments)
    number = output.pop("invoice_number")
    assert number.startswith("INV-2026-")
    assert output == {"tax_amount": tax, "total": total, "due_date": due}


def half_up(amount):
    return math.floor(amount * 100 + Fraction(1, 2)) / 100


@given(st.integers(0, 10**7), st.integers(1, 10**4), st.integers(0, 1000), st.integers(0, 365))
def test_invoices_agree_with_fractions(price, quantity, tax, days):
    output = call(
        p.create_invoice,
        customer="Acme",
        unit_price=price / 100,
        quantity=quantity / 10,
        tax_percent=tax / 10,
        payment_days=days,
    )
    net = Fraction(price, 100) * Fraction(quantity, 10)
    assert output["tax_amount"] == half_up(net * Fraction(tax, 1000))
    assert output["total"] == half_up(net * (1 + Fraction(tax, 1000)))
    assert (dt.date.fromisoformat(output["due_date"]) - dt.date.fromisoformat(TODAY)).days == days


def test_a_contact_comes_as_a_vcard():
    output = call(
        p.create_contact, name="Vogel, Henrike", phone="+49 40 5550 17", company="Acme; \\ Söhne"
    )
    assert output["vcard"] == (
        "BEGIN:VCARD\nVERSION:4.0\nFN:Vogel\\, Henrike\nTEL:+49 40 5550 17\n"
        "ORG:Acme\\; \\\\ Söhne\nEND:VCARD"
    )


@given(
    st.text(st.characters(codec="utf-8"), max_size=30),
    st.text(st.characters(codec="utf-8"), max_size=30),
)
def test_no_contact_adds_lines_to_its_vcard(name, company):
    output = call(p.create_contact, name=f"X {name}", company=company)
    assert output["vcard"].count("\n") == 3 + bool(company.split())


@pytest.mark.parametrize(
    ("base_url", "parameters", "url"),
    [
        ("https://shop.example.com/search", {"q": "red shoes"}, "/search?q=red%20shoes"),
        ("https://shop.example.com", {"b": 2.0, "a": 1}, "?a=1&b=2"),
        ("shop.example.com/?x=1#top", {"q": "a&b=c/d"}, "?x=1&q=a%26b%3Dc%2Fd#top"),
        ("https://shop.example.com", {"on": True, "off": False}, "?off=false&on=true"),
        ("https://shop.example.com", {"tag": ["a", "é"]}, "?tag=a&tag=%C3%A9"),
        ("https://shop.example.com", {"id": 20260715001, "p": 0.25}, "?id=20260715001&p=0.25"),
    ],
)
def test_urls_are_built(base_url, parameters, url):
    output = call(p.generate_url, base_url=base_url, parameters=parameters)
    assert output == {"url": "https://shop.example.com" + url}


VALUES = st.text(st.characters(codec="utf-8"), max_size=20)


@given(
    st.dictionaries(
        VALUES, VALUES | st.lists(VALUES, min_size=1, max_size=3), min_size=1, max_size=5
    )
)
def test_url_parameters_read_back(parameters):
    url = call(p.generate_url, base_url="https://x.example/a?z=1", parameters=parameters)["url"]
    expected = [("z", "1")]
    for name in sorted(parameters):
        value = parameters[name]
        expected += [(name, item) for item in (value if isinstance(value, list) else [value])]
    assert parse_qsl(urlsplit(url).query, keep_blank_values=True, strict_parsing=True) == expected


@pytest.mark.parametrize(
    ("tool", "first", "second", "same"),
    [
        (p.create_calendar_event, EVENT, EVENT | {"duration_minutes": 60}, True),
        (p.create_calendar_event, EVENT, EVENT | {"start": "3 August 2026, 2 pm"}, True),
        (p.create_calendar_event, EVENT, EVENT | {"location": "Room 4"}, False),
        (p.create_calendar_event, EVENT, EVENT | {"duration_minutes": 90}, False),
        (p.create_contact, {"name": "Ada Byron"}, {"name": "ada  byron"}, True),
        (p.create_contact, {"name": "Ada"}, {"name": "Ada", "email": "a@b.example"}, False),
        (p.generate_image, {"prompt": "a cat"}, {"prompt": "a cat "}, True),
        (p.generate_image, {"prompt": "a cat"}, {"prompt": "a cart"}, False),
    ],
)
def test_identifiers_follow_the_canonical_arguments(tool, first, second, same):
    one, two = call(tool, **first), call(tool, **second)
    assert set(one) == set(tool.returns)
    identifier = next(iter(tool.returns))
    assert (one[identifier] == two[identifier]) == same


@pytest.mark.parametrize(
    ("tool", "arguments", "why"),
    [
        (p.create_calendar_event, EVENT | {"title": ""}, "title: the text is empty"),
        (p.create_calendar_event, EVENT | {"duration_minutes": 0}, "between 1 and 10,080"),
        (p.create_calendar_event, EVENT | {"start": "2026-08-03"}, "no date and time"),
        (p.create_contact, {"name": " "}, "name: the text is empty"),
        (p.create_contact, {"name": "Ada", "email": "ada"}, "no e-mail address"),
        (p.create_contact, {"name": "\\" * 99_999, "phone": ";" * 99_999}, "would exceed"),
        (p.create_invoice, {"customer": "", "unit_price": 1}, "customer: the text is empty"),
        (p.create_invoice, {"customer": "A", "unit_price": -1}, "must not be negative"),
        (p.create_invoice, {"customer": "A", "unit_price": 1, "quantity": 0}, "above zero"),
        (p.create_invoice, {"customer": "A", "unit_price": 1, "tax_percent": 101}, "0 and 100"),
        (p.create_invoice, {"customer": "A", "unit_price": 1, "payment_days": 366}, "0 and 365"),
        (p.create_invoice, {"customer": "A", "unit_price": 10**299, "quantity": 1e300}, "exceed"),
        (p.create_invoice, {"customer": "A", "unit_price": math.nan}, "out of range"),
        (
            p.create_invoice,
            {"customer": "A", "unit_price": 1, "currency": "XXQ"},
            "no known currency",
        ),
        (p.generate_url, {"base_url": "", "parameters": {"a": 1}}, "no URL"),
        (p.generate_url, {"base_url": "x.example", "parameters": {}}, "at least one"),
        (p.generate_url, {"base_url": "x.example", "parameters": {"a": []}}, "at least one"),
        (
            p.generate_url,
            {"base_url": "x.example", "parameters": {"a": {"b": 1}}},
            "'a' must be text",
        ),
        (p.generate_url, {"base_url": "x.example", "parameters": {"a": None}}, "'a' must be text"),
        (
            p.generate_url,
            {"base_url": "x.example", "parameters": {"a": "é" * 50_000}},
            "exceed 8,000",
        ),
        (p.generate_url, {"base_url": "x.example", "parameters": {"a": math.inf}}, "out of range"),
        (p.generate_image, {"prompt": ""}, "prompt: the text is empty"),
    ],
)
def test_a_wrong_argument_is_named(tool, arguments, why):
    output = call(tool, **arguments)
    assert set(output) == {"error"}
    assert why in output["error"]
