"""Similarity by kind, rules, defaults; tables worked by hand (specification: Tolerant reading)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_builder.values.kinds import Kind
from dataset_builder.values.references import Unresolved
from evaluator.scoring.arguments import Expected, call_similarity, compare
from evaluator.scoring.exact_match import same
from evaluator.scoring.tolerant_match import at_path, contained, equal, prose_similarity, similarity
from tests.samples.toy_tools import TOOLS

NUMBERS, TEXTS = Kind("list", item=Kind("number")), Kind("set", item=Kind("name"))
NUMBER_SET, PROSE_SET = Kind("set", item=Kind("number")), Kind("set", item=Kind("prose"))
ROWS = Kind("list", item=Kind("object"))
PLACE = Kind("name", is_place=True)
ENUM = Kind("enum", choices=("mean", "sample_sd"))

CASES: list[tuple[str | Kind, Any, Any, float]] = [
    # number: within 1 %, both ends included; 0 within 1e-9; booleans are no numbers
    ("number", 100, 101, 1),
    ("number", 100, 101.001, 0),
    ("number", 100, 99, 1),
    ("number", 100, 98.999, 0),
    ("number", 1.0, 1.01, 1),
    ("number", 3.0, 3.03, 1),
    ("number", -50, -50.5, 1),
    ("number", -50, 50, 0),
    ("number", 0, 1e-9, 1),
    ("number", 0, 1.1e-9, 0),
    ("number", 1, True, 0),
    ("number", 36, "36", 1),
    ("number", 36, " 36.0 ", 1),
    ("number", 36, "36 °C", 0),
    ("number", 36, None, 0),
    ("number", 36, [36], 0),
    ("number", 36, Unresolved("{{9.x}}"), 0),
    ("number", 1e300, 10**400, 0),
    ("integer", 100, 101, 0),
    ("integer", 100, 100.0, 1),
    ("integer", 100, "100", 1),
    ("integer", 1, True, 0),
    ("boolean", True, True, 1),
    ("boolean", True, "true", 1),
    ("boolean", True, 1, 0),
    ("boolean", False, 0, 0),
    (ENUM, "mean", "Mean", 1),
    (ENUM, "mean", "median", 0),
    # text kinds: canonical forms
    ("name", "Ana  María", "ana mari\u0301a ", 1),
    ("name", "Ana", "Anna", 0),
    ("name", "36", 36, 1),
    ("name", "true", True, 0),
    (PLACE, "Berlin", "Berlin, Germany", 1),
    (PLACE, "Berlin", "berlin", 1),
    (PLACE, "Berlin", "Berlin, France", 0),
    ("query", "Solar  Power", "solar power", 1),
    ("verbatim", "a b", "a b", 1),
    ("verbatim", "a b", "A b", 0),
    ("verbatim", "a b", "a b ", 0),
    ("date", "2026-03-05", "5 March 2026", 1),
    ("date", "2026-03-05", "20260305", 1),
    ("date", "2026-03-05", "Thursday, 5 March 2026", 1),
    ("date", "2026-03-05", "Friday, 5 March 2026", 0),
    ("date", "2026-03-05", "2026-03-05 00:00:00+00:00", 1),
    ("date", "2026-03-05", "03/05/2026", 0),
    ("datetime", "2026-03-05T14:30:00", "2026-03-05T14:30:00Z", 1),
    ("datetime", "2026-03-05T14:30:00", "2026-03-05 2:30 pm", 1),
    ("datetime", "2026-03-05T14:30:00+02:00", "2026-03-05T14:30:00", 0),
    ("datetime", "2026-03-05T14:30:00+02:00", "2026-03-05T14:30:00+02:00", 1),
    ("currency", "EUR", "eur", 1),
    ("currency", "SEK", "Swedish krona", 1),
    ("currency", "MXN", "pesos", 0),
    ("name", "www.example.org", "www.example.org.", 1),
    ("query", "solar power", '"Solar power"', 1),
    (PLACE, "Kyoto", "Kyōto", 1),
    (PLACE, "São Paulo", "Sao Paulo", 1),
    (ENUM, "sample_sd", "sample sd", 1),
    ("unit", "celsius", "°C", 1),
    ("unit", "celsius", "kelvin", 0),
    ("url", "https://example.com", "HTTPS://Example.com/", 1),
    ("email", "a@b.org", "A@B.org", 1),
    ("timezone", "Asia/Tokyo", "tokyo", 1),
    ("expression", "234 - 89", "234-89", 1),
    ("expression", "234 - 89", "145", 1),
    ("expression", "234 - 89", "89 - 234", 0),
    # prose: normalised Levenshtein from 0.85, else 0 (3 of 20 characters are 0.85)
    ("prose", "a" * 20, "a" * 17 + "bbb", 0.85),
    ("prose", "a" * 20, "a" * 16 + "bbbb", 0),
    ("prose", "a" * 20, "a" * 18 + "bb", 0.9),
    ("prose", "one  two", "one two", 1),
    ("prose", "One two.", "one TWO", 1),
    ("prose", "one two", "'One two!'", 1),
    ("prose", "", "", 1),
    ("prose", "x", "", 0),
    # lists element by element over the longer length
    (NUMBERS, [1, 2, 3, 4], [1, 2, 3, 4], 1),
    (NUMBERS, [1, 2, 3, 4], [1, 2, 3, 5], 0.75),
    (NUMBERS, [1, 2], [1, 2, 3, 4], 0.5),
    (NUMBERS, [1, 2, 3, 4], [1, 2], 0.5),
    (NUMBERS, [1, 2], [2, 1], 0),
    (NUMBERS, [1, 2], [1, 2, *range(118)], 2 / 120),
    # more than ten times as long and a hundred: a flood is worth nothing
    (NUMBERS, [1, 2], [1, 2, *range(119)], 0),
    (NUMBERS, [1, 2], "[1, 2]", 1),
    (NUMBERS, [1, 2], ["1", 2.01], 1),
    (NUMBERS, [1, 2], [1, Unresolved("{{9}}")], 0.5),
    (NUMBERS, [1, 2], "1, 2", 0),
    (NUMBERS, [5], 5, 0),
    (NUMBERS, [], [], 1),
    (NUMBERS, [], [1], 0),
    # sets: order does not matter, each item counts once
    (NUMBER_SET, [1, 2, 3], [3, 1, 2], 1),
    (NUMBER_SET, [1, 1, 2], [1, 2, 2], 2 / 3),
    (NUMBER_SET, [100, 101], [101.5, 100.5], 1),
    (NUMBER_SET, [100, 100.9], [101.5, 99.5], 1),
    (NUMBER_SET, [-100, 100], [100, -100], 1),
    (TEXTS, ["a", "b"], ["B", "A", "c"], 2 / 3),
    (TEXTS, ["a", "b"], '["b", "a"]', 1),
    (TEXTS, ["a", "b"], [["b"], "a"], 0.5),
    (PROSE_SET, ["a" * 20, "b" * 20], ["b" * 20, "a" * 19 + "c"], 1),
    # objects over the union of keys; leaves as data
    ("object", {"a": 1, "b": 2}, {"a": 1, "b": 2}, 1),
    ("object", {"a": 1, "b": 2}, {"a": 1}, 0.5),
    ("object", {"a": 1}, {"a": 1, "b": 2, "c": 3, "d": 4}, 0.25),
    ("object", {"a": {"x": 1, "y": 2}, "b": 0}, {"a": {"x": 1, "y": 3}, "b": 0}, 0.75),
    ("object", {"a": [1, 2]}, {"a": [1, 3]}, 0.5),
    ("object", {"a": "X y"}, {"a": "x  Y"}, 1),
    ("object", {"a": 100}, {"a": 100.5}, 1),
    ("object", {"a": 1}, {"a": True}, 0),
    ("object", {"a": True}, {"a": 1}, 0),
    ("object", {"a": None}, {"a": None}, 1),
    ("object", {"a": None}, {}, 0),
    ("object", {"a": 1}, '{"a": 1}', 1),
    ("object", {"a": 1}, "a", 0),
    ("object", {}, {}, 1),
    (
        ROWS,
        [{"n": "x", "v": 1}, {"n": "y", "v": 2}],
        [{"n": "x", "v": 1}, {"n": "y", "v": 3}],
        0.75,
    ),
]


@pytest.mark.parametrize(("kind", "expected", "actual", "alike"), CASES)
def test_similarity(kind: str | Kind, expected: Any, actual: Any, alike: float) -> None:
    kind = Kind(kind) if isinstance(kind, str) else kind
    assert similarity(kind, expected, actual) == pytest.approx(alike, abs=1e-12)


@pytest.mark.parametrize(
    ("expected", "actual", "alike"),
    [
        (1, 1.01, 1),
        ("a b", "A  B", 1),
        ("a", "b", 0),
        ([1], [1, 2], 0.5),
        (None, None, 1),
        ("3", 3, 0),
    ],
)
def test_without_a_kind_values_compare_as_data(expected: Any, actual: Any, alike: float) -> None:
    assert similarity(None, expected, actual) == alike


def test_expected_value_that_is_of_no_such_kind_compares_as_data() -> None:
    assert similarity(Kind("date"), "tomorrow", "Tomorrow") == 1
    assert similarity(Kind("date"), "tomorrow", "2026-01-01") == 0


def test_own_upstream_value_is_right_as_well() -> None:
    assert similarity(Kind("number"), 36, 25, {(): 25}) == 1
    assert similarity(Kind("number"), 36, 36, {(): 25}) == 1
    assert similarity(Kind("number"), 36, 30, {(): 25}) == 0
    assert similarity(NUMBERS, [36, 21, 5], [25, 21, 6], {("0",): 25}) == pytest.approx(2 / 3)
    assert similarity(NUMBER_SET, [36, 21], [21, 25], {("0",): 25}) == 1
    assert similarity(NUMBER_SET, [36, 21], [25, 25], {("0",): 25}) == 0.5
    assert similarity(Kind("object"), {"t": 36, "u": "C"}, {"t": 25, "u": "C"}, {("t",): 25}) == 1


def test_equal_means_entirely() -> None:
    assert equal(Kind("prose"), "See you at noon.", "“see you at  NOON”")
    assert not equal(Kind("prose"), "a" * 20, "a" * 19 + "b")
    assert not equal(NUMBERS, list(range(1, 101)), [*range(1, 100), 0])


def test_at_path_walks_lists_objects_and_their_texts() -> None:
    assert at_path(NUMBERS, [1, 2], ["1"]) == (Kind("number"), 2)
    assert at_path(NUMBERS, "[1, 2]", ["1"]) == (Kind("number"), 2)
    assert at_path(Kind("object"), {"a": [{"b": 3}]}, ["a", "0", "b"]) == (None, 3)
    assert at_path(NUMBERS, [1], ["1"])[1] == Unresolved("1")
    assert at_path(NUMBERS, 5, ["0"])[1] == Unresolved("0")
    assert at_path(Kind("object"), {"a": 1}, ["b"])[1] == Unresolved("b")


def test_contained_is_one_to_one() -> None:
    assert contained(Kind("number"), [36, 36], [36, 21]) == [True, False]
    assert contained(Kind("number"), [36, 36], [36, 36.1]) == [True, True]
    assert contained(Kind("number"), [100, 101], [100.5, 99.5]) == [True, True]
    assert contained(Kind("number"), [1], "no list") == [False]
    assert contained(Kind("number"), [1], list(range(200))) == [False]


# Calls ----------------------------------------------------------------------------------------


def alike(tool: str, expected: dict[str, Any], actual: dict[str, Any], **rules: Any) -> float:
    return call_similarity(compare(Expected(TOOLS[tool], expected, rules), actual))


MAIL = {"to": "a@b.org", "body": "See you at noon"}


@pytest.mark.parametrize(
    ("tool", "expected", "actual", "score"),
    [
        ("now", {}, {}, 1),
        ("now", {}, {"zone": "UTC"}, 0),
        ("now", {}, {"zone": None}, 1),
        ("weather", {"city": "Berlin"}, {"city": "berlin"}, 1),
        ("weather", {"city": "Berlin"}, {}, 0),
        ("weather", {"city": "Berlin"}, {"city": None}, 0),
        ("weather", {"city": "Berlin"}, {"city": "Berlin", "units": "C"}, 0.5),
        ("weather", {"city": "Berlin"}, {"city": "Berlin", "units": None}, 1),
        # defaults are dropped on both sides, by their kind
        ("convert", {"value": 36, "to": "kelvin"}, {"value": 36, "to": "K", "digits": 2}, 1),
        ("convert", {"value": 36, "to": "kelvin", "digits": 2}, {"value": 36, "to": "kelvin"}, 1),
        (
            "convert",
            {"value": 36, "to": "kelvin", "digits": 3},
            {"value": 36, "to": "kelvin"},
            2 / 3,
        ),
        (
            "convert",
            {"value": 36, "to": "kelvin"},
            {"value": 36, "to": "kelvin", "digits": 3},
            2 / 3,
        ),
        (
            "convert",
            {"value": 36, "to": "kelvin", "digits": 3},
            {"value": 36, "to": "kelvin", "digits": 2},
            2 / 3,
        ),
        ("send", MAIL, MAIL | {"urgent": False, "subject": ""}, 1),
        ("send", MAIL, MAIL | {"urgent": "false"}, 1),
        ("send", MAIL, MAIL | {"urgent": True}, 2 / 3),
        # a free parameter is neutral when not expected, and compared when it is
        ("forecast", {"place": "Rome"}, {"place": "Rome", "days": 5}, 1),
        ("forecast", {"place": "Rome", "days": 3}, {"place": "Rome", "days": 5}, 0.5),
        ("forecast", {"place": "Rome", "days": 3}, {"place": "Rome"}, 0.5),
        ("trend", {"values": [1, 2]}, {"values": [1, 3]}, 0.5),
        (
            "plan",
            {"day": "2026-01-02", "details": {}},
            {"day": "January 2, 2026", "details": "{}"},
            1,
        ),
    ],
)
def test_call_similarity(
    tool: str, expected: dict[str, Any], actual: dict[str, Any], score: float
) -> None:
    assert alike(tool, expected, actual) == pytest.approx(score)


@pytest.mark.parametrize(
    ("rules", "body", "score"),
    [
        # an expected address and body: body is one of two arguments
        ({"body": {"rule": "mentions", "values": ["noon", 12]}}, "12 is noon", 1),
        ({"body": {"rule": "mentions", "values": ["noon", 12]}}, "noon", 0.75),
        ({"body": {"rule": "mentions", "values": [12]}}, 12, 1),
        ({"body": {"rule": "mentions", "values": [12]}}, True, 0.5),
        ({}, "See you at noom", 1 - 1 / 30),
    ],
)
def test_match_rules(rules: dict[str, Any], body: Any, score: float) -> None:
    actual = {"to": "a@b.org", "body": body}
    assert alike("send", MAIL, actual, **rules) == pytest.approx(score)


def test_fed_argument_left_out_has_its_default() -> None:
    expected = Expected(
        TOOLS["convert"], {"value": 1, "to": "kelvin", "digits": 2}, fed=frozenset({"digits"})
    )
    left_out = compare(expected, {"value": 1, "to": "kelvin"})
    assert call_similarity(left_out) == 1
    assert [verdict.name for verdict in left_out] == ["value", "to", "digits"]


LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["2026-01-01", "1e999", "[1, 2]", "{}", "°C", "NaN", "[" * 100, "\ud800"])
)


def nested(leaves: st.SearchStrategy[Any], depth: int = 3) -> st.SearchStrategy[Any]:
    """Leaves in lists and objects, up to some levels deep."""
    if depth == 0:
        return leaves
    inner = nested(leaves, depth - 1)
    names = st.text(max_size=4)
    return leaves | st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3)


HOLED = nested(LEAVES | st.just(Unresolved("{{1}}")))
ALL_KINDS = [
    *(Kind(n) for n in "number integer boolean name query verbatim prose expression date".split()),
    *(Kind(n) for n in "datetime timezone currency unit url email object".split()),
    *(PLACE, ENUM, NUMBERS, TEXTS, NUMBER_SET, PROSE_SET, ROWS),
    Kind("list", item=Kind("list", item=Kind("date"))),
    None,
]


@given(st.sampled_from(ALL_KINDS), nested(LEAVES), HOLED)
def test_no_value_breaks_the_comparison(kind: Kind | None, expected: Any, actual: Any) -> None:
    assert 0 <= similarity(kind, expected, actual) <= 1
    assert 0 <= similarity(kind, expected, actual, {(): expected}) <= 1
    assert 0 <= similarity(kind, expected, actual, {("0",): 1, ("a", "b"): "x"}) <= 1


@given(st.sampled_from(ALL_KINDS), nested(LEAVES), HOLED)
def test_what_is_exact_is_alike(kind: Kind | None, expected: Any, actual: Any) -> None:
    if same(kind, expected, actual):
        assert similarity(kind, expected, actual) == 1
    if same(kind, expected, actual, {("0",): 1}):
        assert similarity(kind, expected, actual, {("0",): 1}) == 1


@given(st.text(max_size=30), st.text(max_size=30))
def test_prose_similarity_is_the_textbook_one(one: str, other: str) -> None:
    previous = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            row.append(min(row[-1] + 1, previous[j] + 1, previous[j - 1] + (a != b)))
        previous = row
    longer = max(len(one), len(other), 1)
    alike = 1 - previous[-1] / longer
    assert prose_similarity(one, other) == (alike if 100 * previous[-1] <= 15 * longer else 0)


@given(
    st.lists(st.integers(-6, 6).map(float), max_size=6), st.lists(st.integers(-6, 6), max_size=6)
)
def test_number_sets_pair_off_like_multisets(one: list[float], other: list[int]) -> None:
    # Whole numbers this small are further apart than 1 %.
    common = sum(min(one.count(n), other.count(int(n))) for n in set(one))
    longer = max(len(one), len(other))
    assert similarity(NUMBER_SET, one, other) == (common / longer if longer else 1)


def test_an_expected_infinity_is_wrong_against_everything() -> None:
    for kind in (Kind("query"), Kind("number"), None):
        assert similarity(kind, float("inf"), float("inf")) == 0
        assert similarity(kind, [float("-inf")], [1]) == 0


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ('“say "hi" now”', 'say "hi" now'),
        ("'it's late'", "it's late"),
        ("‘It’s late.’", "it's late"),
        ("'a' and 'b'", "'a' and 'b'"),
    ],
)
def test_quotation_marks_around_the_whole_of_a_text_say_nothing(said: str, meant: str) -> None:
    assert same(Kind("prose"), meant, said)
    assert not same(Kind("prose"), meant, f"{said} too")
