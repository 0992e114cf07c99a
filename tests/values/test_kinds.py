"""Parameter kinds: what they accept, how values compare, how prompts may state them."""

import datetime as dt
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.tools import catalogue
from dataset_builder.values import canonical
from dataset_builder.values.json_values import ArgumentError
from dataset_builder.values.kinds import Kind
from dataset_builder.values.surface_forms import (
    appears,
    date_forms,
    grounded,
    known,
    numbers_in,
    stands,
    time_forms,
)

PLACE = Kind("name", is_place=True)
ORDER = Kind("enum", choices=("asc", "desc"), said={"desc": ("highest first",)})
NUMBERS = Kind("list", item=Kind("number"))

KINDS = sorted(
    {p.kind.name: p.kind for t in catalogue().values() for p in t.parameters.values()}.values(),
    key=lambda kind: kind.name,
)
PROMPT = "In Paris I paid 7.5 EUR (twelve times) on March 5, 2026 at noon: see a.example/x, in km."
STATED = ["Paris", "2026-03-05", "2026-03-05T12:00:00", "euro", "https://a.example/x", "KM"]
UNSTATED = [
    "Par",
    "2025-03-05",
    "2026-03-05T13:00:00",
    "GBP",
    "https://b.example",
    "0026-03-05",
    "",
]

SAME = [
    (Kind("name"), "Ada  Lovelace ", "ada lovelace"),
    (Kind("name"), "Cafe\u0301", "caf\u00e9"),
    (PLACE, "Berlin, Germany", "berlin"),
    (PLACE, "Paris", " paris, france"),
    (Kind("number"), 36, "36.0"),
    (Kind("integer"), 3.0, "3"),
    (Kind("boolean"), True, "TRUE"),
    (ORDER, "DESC", "desc"),
    (Kind("expression"), "234 - 89", "145"),
    (Kind("expression"), "2^3", "2 ** 3"),
    (Kind("date"), "March 5th, 2026", "2026-03-05"),
    (Kind("date"), "5 Mar 2026", "2026/3/5"),
    (Kind("datetime"), "2026-03-05 2:30 pm", "2026-03-05T14:30:00"),
    (Kind("datetime"), "March 5, 2026 at 14:30", "2026-03-05T14:30"),
    (Kind("timezone"), "Asia/Tokyo", "tokyo"),
    (Kind("timezone"), "US/Eastern", "america/new_york"),
    (Kind("currency"), "eur", "EUR"),
    (Kind("unit"), "°C", "Celsius"),
    (Kind("url"), "HTTPS://Example.com/", "example.com"),
    (Kind("url"), "http://example.com:80/a", "http://EXAMPLE.com/a"),
    (Kind("email"), "Ada@Example.com", "ada@example.com"),
    (NUMBERS, [1, 2.0], "[1.0, 2]"),
    (Kind("set", item=Kind("number")), [3, 1, 2], [1, 2, 3]),
    (Kind("object"), {"a": "X ", "b": 1}, {"b": 1.0, "a": "x"}),
    (Kind("prose"), 96.8, "96.8"),
    (Kind("name"), "O’Brien", "o'brien"),
    (Kind("name"), "set‑up", "set-up"),
    (PLACE, "Kyōto (Japan)", "Kyoto"),
    (Kind("query"), "“Sofa?”", "sofa"),
    (Kind("query"), "sofa.", "sofa"),
    (Kind("query"), '"sofa?".', "sofa"),
    (Kind("date"), "Sunday, the 29th of November 2026", "2026-11-29"),
    (Kind("date"), "November the 29th, 2026.", "2026-11-29"),
    (Kind("date"), '"2026-11-29 (Sun.)"', "2026-11-29"),
    (Kind("datetime"), "11 am, Wednesday, 23 September 2026", "2026-09-23T11:00:00"),
    (Kind("datetime"), "11:00 2026-09-23.", "2026-09-23T11:00:00"),
    (Kind("timezone"), "GMT", "UTC"),
    (Kind("timezone"), "Greenwich", "Etc/UTC"),
    (Kind("currency"), "South African rands", "ZAR"),
    (Kind("unit"), "kilometers-per-hour", "km/h"),
    (Kind("enum", choices=("sha256",)), "SHA-256", "sha256"),
    (Kind("enum", choices=("vigenere",)), "'Vigenère'", "vigenere"),
    (Kind("url"), "<https://a.example./x>", "a.example/x"),
    (Kind("email"), '"Ada L." <ada@a.example>', "ada@a.example"),
    (Kind("email"), "mailto:ada@a.example.", "ada@a.example"),
    (Kind("expression"), "'234 - 89'", "145"),
]

DIFFERENT = [
    (Kind("name"), "Ada", "Adam"),
    (PLACE, "Paris, Texas", "Paris"),
    (Kind("verbatim"), "Hello", "hello"),
    (Kind("verbatim"), "a b", "a  b"),
    (Kind("date"), "2026-03-05", "2026-05-03"),
    (Kind("timezone"), "Europe/Berlin", "Europe/London"),
    (NUMBERS, [1, 2], [2, 1]),
    (Kind("url"), "https://example.com/a", "https://example.com/b"),
    (Kind("boolean"), True, False),
    (Kind("name"), "Kovács", "Kovacs"),
    (Kind("name"), "Ada.", "Ada"),
    (Kind("name"), "work–life", "work-life"),
    (PLACE, "Paris (Texas)", "Paris"),
    (Kind("query"), "C#", "C"),
    (Kind("query"), "sofas", "sofa"),
    (Kind("verbatim"), '"a"', "a"),
    (Kind("verbatim"), "a.", "a"),
    (Kind("datetime"), "11 pm, 23 September 2026", "2026-09-23T11:00:00"),
    (Kind("timezone"), "Europe/London", "UTC"),
    (Kind("currency"), "Australian dollars", "USD"),
    (Kind("unit"), "kilometers", "kilometers-per-hour"),
    (Kind("url"), "https://ada@a.example/x", "https://a.example/x"),
    (Kind("url"), "https://a.example/x.", "https://a.example/x"),
    (Kind("email"), "ada@a.example", "Ada <eve@a.example>"),
]

REFUSED = [
    (Kind("number"), True),
    (Kind("number"), "many"),
    (Kind("number"), math.nan),
    (Kind("number"), math.inf),
    (Kind("number"), 10**400),
    (Kind("number"), None),
    (Kind("integer"), 2.5),
    (Kind("boolean"), 1),
    (ORDER, "sideways"),
    (Kind("date"), "03/05/2026"),
    (Kind("date"), "2026-02-30"),
    (Kind("date"), "0000-01-01"),
    (Kind("datetime"), "2026-03-05"),
    (Kind("datetime"), "2026-03-05T25:00"),
    (Kind("timezone"), "Mars/Olympus"),
    (Kind("currency"), "ZZZ"),
    (Kind("unit"), "furlong per fortnight"),
    (Kind("url"), "not a url"),
    (Kind("url"), "https://./x"),
    (Kind("email"), "nobody"),
    (Kind("email"), "eve@a.example <ada@a.example>"),
    (Kind("email"), "Ada ada@a.example"),
    (Kind("date"), "2026-11-29 (Monday)"),
    (Kind("date"), "2026-W48-7"),
    (Kind("datetime"), "11, 23 September 2026"),
    (Kind("timezone"), "UTC+1"),
    (Kind("currency"), "USDs"),
    (Kind("enum", choices=("sha256", "sha512")), "sha"),
    (Kind("verbatim"), "\ud800"),
    (Kind("verbatim"), "x" * 100_001),
    (NUMBERS, ["x"]),
    (NUMBERS, "[" * 5_000),
    (NUMBERS, [0] * 10_001),
    (Kind("object"), [1]),
]


@pytest.mark.parametrize(("kind", "one", "other"), SAME)
def test_values_written_differently_compare_equal(kind: Kind, one: object, other: object) -> None:
    assert kind.canonical(one) == kind.canonical(other)


@pytest.mark.parametrize(("kind", "one", "other"), DIFFERENT)
def test_different_values_stay_different(kind: Kind, one: object, other: object) -> None:
    assert kind.canonical(one) != kind.canonical(other)


@pytest.mark.parametrize(("kind", "value"), REFUSED)
def test_what_is_no_such_value_is_refused_with_a_reason(kind: Kind, value: object) -> None:
    with pytest.raises(ArgumentError, match=r"\w+ \w+"):
        kind.read(value)


def test_no_two_choices_of_a_tool_are_the_same_word_joined_otherwise() -> None:
    for tool in catalogue().values():
        for kind in (parameter.kind for parameter in tool.parameters.values()):
            assert [kind.read(choice.upper()) for choice in kind.choices] == [*kind.choices]


def test_nesting_is_bounded_without_the_parser_s_own_limit() -> None:
    deep: object = 1
    for _ in range(5_000):
        deep = {"a": deep}
    with pytest.raises(ArgumentError, match="nesting"):
        Kind("object").read(deep)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)
ALL_KINDS = [kind for kind, *_ in SAME]


@given(value=JSON)
@pytest.mark.parametrize("kind", ALL_KINDS, ids=lambda kind: kind.name)
def test_any_json_is_read_or_refused_and_canonical_forms_are_stable(
    kind: Kind, value: object
) -> None:
    try:
        form = kind.canonical(value)
    except ArgumentError:
        return
    text = canonical.canonical_json(form)
    assert canonical.canonical_json(json.loads(text)) == text


@given(st.dates(min_value=dt.date(1000, 1, 1)))
def test_every_surface_form_of_a_date_is_read_back(day: object) -> None:
    iso = str(day)
    forms = [form.removeprefix("the ") for form in date_forms(iso)]
    assert {Kind("date").canonical(form) for form in forms} == {iso}
    assert all(grounded(Kind("date"), iso, f"by {form}, please") for form in date_forms(iso))


@pytest.mark.parametrize("hour", range(24))
@pytest.mark.parametrize("minute", [0, 30])
def test_times_of_day_are_grounded_in_their_forms(hour: int, minute: int) -> None:
    iso = f"2026-03-05T{hour:02}:{minute:02}:00"
    for form in time_forms(iso):
        assert grounded(Kind("datetime"), iso, f"on March 5, 2026 at {form}")
    assert not grounded(Kind("datetime"), iso, "on March 5, 2026")


@pytest.mark.parametrize(
    ("prompt", "numbers"),
    [
        ("3, 5 and 9", {3, 5, 9}),
        ("3,5,9", {3, 5, 9}),
        ("$1,250.50 a month", {1250.5}),
        ("between -4 and 12%", {-4, 12}),
        ("2026-03-05 at 14:30", set()),
        ("version v2 of a4", set()),
        ("a dozen eggs, two hens", {12, 2}),
        ("it was 36.", {36}),
    ],
)
def test_numbers_of_a_prompt(prompt: str, numbers: set[float]) -> None:
    assert numbers_in(prompt) == numbers


@pytest.mark.parametrize(
    ("text", "prompt", "found"),
    [
        ("Berlin", "weather in berlin?", True),
        ("Ber", "weather in Berlin", False),
        ("lin", "weather in Berlin", False),
        ("a b", "say a  b now", True),
        ("", "anything", False),
        ("C++", "learn C++ now", True),
    ],
)
def test_texts_stand_in_prompts_as_whole_tokens(text: str, prompt: str, found: bool) -> None:
    assert stands(text, prompt) is found


@pytest.mark.parametrize(
    ("kind", "value", "prompt", "found"),
    [
        (ORDER, "desc", "sort them highest first", True),
        (ORDER, "asc", "sort them highest first", False),
        (Kind("currency"), "EUR", "in euros", True),
        (Kind("currency"), "EUR", "pay €50", True),
        (Kind("currency"), "USD", "in euros", False),
        (Kind("unit"), "celsius", "from degrees Celsius", True),
        (Kind("timezone"), "Asia/Tokyo", "in Tokyo", True),
        (Kind("verbatim"), "Hello", "say hello", False),
        (Kind("verbatim"), "Hello", 'say "Hello"', True),
        (NUMBERS, [3, 5], "of 3 and 5", True),
        (NUMBERS, [3, 6], "of 3 and 5", False),
        (Kind("object"), {"price": 5, "name": "Ada"}, '{"name": "Ada", "price": 5}', True),
    ],
)
def test_grounding(kind: Kind, value: object, prompt: str, found: bool) -> None:
    assert grounded(kind, value, prompt) is found


def test_outputs_that_a_prompt_gives_away_are_noticed() -> None:
    assert appears(36, "it is 36 there")
    assert not appears(36, "it is 36.5 there")
    assert appears([3, 5], "3 and 5")
    assert not appears("Lisbon", "Lisbonne")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("value", [5, 5.0, 7.5, 12, 13, True, ["5"], [5, 7.5], *STATED, *UNSTATED])
def test_a_value_is_known_as_it_is_or_as_its_kind(kind: Kind, value: Any) -> None:
    found = appears(value, PROMPT) or grounded(kind, value, PROMPT)
    assert known(kind, value, PROMPT) is found


def test_kinds_are_published_as_json() -> None:
    assert ORDER.describe() == {
        "kind": "enum",
        "choices": ["asc", "desc"],
        "said": {"desc": ["highest first"]},
    }
    assert Kind("name", is_free=True).describe() == {"kind": "free", "of": "name"}
