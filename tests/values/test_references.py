"""References between calls, and replay."""

import pytest

from dataset_builder.tools import catalogue
from dataset_builder.tools.replay import Episode, replay
from dataset_builder.values.references import Unresolved, dig, render, resolve

OUTPUTS = [
    {"temperature_c": 36, "note": "warm {{1.temperature_c}}", "list": [{"v": 1.5}, {"v": True}]},
    None,
    {"total": 96.80000000001, "text": "a b"},
]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{{1.temperature_c}}", 36),
        ("  {{ 1.temperature_c }}  ", 36),
        ("{{step_1.temperature_c}}", 36),
        ("{{1.list.0.v}}", 1.5),
        ("{{1.list[0].v}}", 1.5),
        ("{{1.list[ 1 ].v}}", True),
        ("{{3}}", OUTPUTS[2]),
        ("It is {{1.temperature_c}} °C", "It is 36 °C"),
        ("{{3.total}} and {{3.text}}", "96.8 and a b"),
        ("v={{1.list}}", 'v=[{"v":1.5},{"v":true}]'),
        ("{{1.note}}", "warm {{1.temperature_c}}"),
        ("x {{1.note}}", "x warm {{1.temperature_c}}"),
        ("{{customer}}", "{{customer}}"),
        ("{{}} {{ }} {1.total}", "{{}} {{ }} {1.total}"),
        ("no braces", "no braces"),
    ],
)
def test_a_reference_gives_the_value_that_it_points_at(text: str, value: object) -> None:
    assert resolve(text, OUTPUTS) == value


@pytest.mark.parametrize(
    "text",
    ["{{4.total}}", "{{0.total}}", "{{2.x}}", "{{1.missing}}", "{{1.list.7}}", "a {{9.b}} c"],
)
def test_a_reference_to_nothing_is_unresolved(text: str) -> None:
    assert isinstance(resolve(text, OUTPUTS), Unresolved)
    assert isinstance(resolve({"a": [text]}, OUTPUTS)["a"][0], Unresolved)


def test_rendering_cannot_grow_without_bound() -> None:
    outputs = [{"text": "x" * 60_000}]
    assert isinstance(resolve("{{1.text}}, " * 4, outputs), Unresolved)
    # nor through many small arguments of one call
    many = resolve({"a": ["{{1.text}}!"] * 1000}, outputs)["a"]
    assert [isinstance(item, str) for item in many[:4]] == [True, True, True, False]
    assert not any(isinstance(item, str) for item in many[3:])


def test_dig_treats_numbers_as_positions_only_in_lists() -> None:
    assert dig({"0": {"a": 1}}, "0.a") == 1
    assert dig([[1, 2]], "0.1") == 2
    assert isinstance(dig([1], "-1"), Unresolved)
    assert isinstance(dig("text", "0"), Unresolved)


@pytest.mark.parametrize(
    ("value", "text"),
    [(36, "36"), (0.1 + 0.2, "0.3"), (1e15, "1e+15"), (True, "true"), (None, "null"), ("é", "é")],
)
def test_values_inside_a_text_are_rendered_as_documented(value: object, text: str) -> None:
    assert render(value) == text


def test_replay_recomputes_and_never_raises() -> None:
    calls = [
        ("calculator", {"expression": "2 + 3"}),
        ("round_number", {"number": "{{1.result}}"}),
        ("no_such_tool", {}),
        ("calculator", "not an object"),
        ("calculator", {"expression": "{{3.x}}"}),
        ("calculator", {"expression": "{{7.later}}"}),
        ("calculator", {"expression": "1 / 0"}),
        ("calculator", {"expression": "{{7.result}}"}),
    ]
    done = replay(calls, catalogue())
    assert done[0].output == {"result": 5.0}
    assert done[1].error is None
    assert [call.output for call in done[2:4]] == [None, None]
    assert "points at nothing" in str(done[4].error)
    assert "points at nothing" in str(done[5].error)
    assert "division by zero" in str(done[6].error)
    assert "points at nothing" in str(done[7].error)


def test_a_tool_that_was_not_offered_is_not_executed() -> None:
    assert replay([("calculator", {"expression": "1"})], catalogue(), {"slugify"})[0].output is None


def test_two_episodes_never_touch() -> None:
    one, other = Episode(catalogue()), Episode(catalogue())
    stored = one.execute("store_memory", {"key": "gate", "value": "B 42"})
    assert stored.error is None
    assert one.execute("retrieve_memory", {"key": "gate"}).output == {"value": "B 42"}
    assert other.execute("retrieve_memory", {"key": "gate"}).error is not None
