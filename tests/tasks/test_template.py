"""Templates: what can be written at all, and which level a graph is of."""

from typing import Any

import pytest

from dataset_builder.tasks.graph_shape import level_of, pattern_of
from dataset_builder.tasks.slot import Decimal, Numbers, Pattern, Pool, Whole, draw_slots, say
from dataset_builder.tasks.task import Edge, Level
from dataset_builder.tasks.template import Template
from dataset_builder.tasks.template_error import TemplateError
from dataset_builder.tools import catalogue
from dataset_builder.values.draw import Draw
from tests.samples.template_parts import call, mentions, pick

PROMPTS = ("Weather in {city}?", "How is {city}?", "Tell me about {city}.")


def weather(**changes: object) -> Template:
    """A template of one call, with some of its parts replaced."""
    parts = {
        "name": "weather",
        "prompts": PROMPTS,
        "slots": {"city": pick("Paris", "Rome")},
        "steps": (call("get_weather", city="{city}"),),
        "rich": "The weather in the city {city}.",
    }
    return Template(**(parts | changes))  # type: ignore[arg-type]


def test_a_complete_template_passes() -> None:
    template = weather()
    template.check(catalogue())
    assert template.level is Level.NODE
    assert template.tools == ("get_weather",)


@pytest.mark.parametrize(
    "value", ["Paris", 36, True, None, {"a": "{city}"}, "in {city}", ["Paris"], []]
)
def test_a_constant_cannot_be_written(value: object) -> None:
    with pytest.raises(TemplateError, match="neither a slot nor a reference"):
        call("get_weather", city=value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"prompts": PROMPTS[:2]}, "fewer than three"),
        ({"prompts": (*PROMPTS, "Weather?")}, "not stated"),
        ({"prompts": (*PROMPTS, "{city} and {country}")}, "does not exist"),
        ({"prompts": (*PROMPTS, "{city} and {city.name}")}, "does not exist"),
        ({"prompts": (*PROMPTS, "{city} and {City}")}, "does not exist"),
        ({"prompts": (*PROMPTS, "{city} and {city")}, "does not exist"),
        ({"prompts": (*PROMPTS, "{city} and city}")}, "does not exist"),
        ({"slots": {"city": pick("Paris"), "day": pick("Monday")}}, "no phrasing states it"),
        ({"slots": {"city": Pool("people")}}, "does not exist"),
        ({"rich": ""}, "context-rich"),
        ({"rich": "The weather."}, "not stated"),
        ({"steps": (call("get_wether", city="{city}"),)}, "no tool"),
        ({"steps": (call("get_weather", town="{city}"),)}, "unknown arguments"),
        ({"steps": (call("get_weather"),)}, "lacks"),
        (
            {"steps": (call("get_weather", city="{city}"), call("word_count", text="{1.poem}"))},
            "returns no poem",
        ),
        (
            {
                "steps": (
                    call("get_weather", city="{2.text}"),
                    call("word_count", text="{1.condition}"),
                )
            },
            "no level",
        ),
    ],
)
def test_an_incomplete_template_is_refused_with_its_name(
    changes: dict[str, Any], message: str
) -> None:
    rich = {} if "rich" in changes or len(changes.get("steps", "1")) == 1 else {"rich": ""}
    template = weather(**changes, **rich)
    with pytest.raises(TemplateError, match=message):
        template.check(catalogue())


@pytest.mark.parametrize(
    ("dependencies", "level", "pattern"),
    [
        ([()], Level.NODE, "single"),
        ([(), (1,)], Level.CHAIN, "chain"),
        ([(), ()], Level.PARALLEL, "fan_out_2"),
        ([(), (), ()], Level.PARALLEL, "fan_out_3"),
        ([(), (), (1, 2)], Level.PARALLEL, "fork_join_2"),
        ([(), (), (), (1, 2, 3)], Level.PARALLEL, "fork_join_3"),
        ([(), (1,), (1,), (2, 3)], Level.DAG, "diamond"),
        ([(), (1,), (1,), (2, 3), (4,)], Level.DAG, "diamond_with_tail"),
        ([(), (1,), (), (3,), (2, 4)], Level.DAG, "two_chains_merge"),
        ([(), (), (1, 2), (3,)], Level.DAG, "join_with_tail"),
        ([(), (1,), (2,)], None, None),
        ([(), (1,), (1,)], None, None),
        ([(), (), (1,)], None, None),
        ([(), (), (), ()], None, None),
        ([(), (), (), (1, 2)], None, None),
        ([(), (1,), (2,), (3,)], None, None),
        ([(), (1,), (1,), (2, 3), (4,), (5,), (6,)], None, None),
        ([(), (1,), (), (3,)], None, None),
        ([(), (), (1, 2), (9,)], None, None),
        ([(), (1,), (1,), (2, 0)], None, None),
    ],
)
def test_the_level_comes_from_the_shape(
    dependencies: list[tuple[int, ...]], level: Level | None, pattern: str | None
) -> None:
    assert level_of(dependencies) is level
    if pattern is not None:
        assert pattern_of(dependencies) == pattern


def test_references_are_found_in_lists_and_mentions() -> None:
    step = call("send_email", to="{a}", body=mentions("{1.x}", "{b}", "{2.y}"))
    assert step.edges == (Edge("body", "step_1", "x"), Edge("body", "step_2", "y"))
    step = call("min_max", values=["{1.x}", "{3.x}"])
    assert step.edges == (Edge("values.0", "step_1", "x"), Edge("values.1", "step_3", "x"))


def test_slots_of_one_pool_never_share_a_row() -> None:
    slots = {"a": Pool("people"), "b": Pool("people"), "c": Pool("people")}
    for key in range(200):
        drawn = draw_slots(slots, Draw(str(key)))
        assert len({drawn[f"{slot}.email"].value for slot in slots}) == 3


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([3, 5, 9], "3, 5 and 9"),
        (["tea"], "tea"),
        (12500, "12,500"),
        (950, "950"),
        ([{"a": 1}], '[{"a": 1}]'),
    ],
)
def test_values_are_said_as_people_write_them(value: object, said: str) -> None:
    assert say(value) == said


def test_drawn_values_stay_in_their_ranges() -> None:
    for key in range(300):
        draw = Draw(str(key))
        assert Whole(10, 20, 5).draw(draw, "w").value in (10, 15, 20)
        money = Decimal(1, 2).draw(draw, "d")
        assert 1 <= money.value <= 2
        assert money.said == f"{money.value:.2f}"
        numbers = Numbers(3, 5, 1, 40).draw(draw, "n").value
        assert 3 <= len(numbers) == len(set(numbers)) <= 5
        assert (
            Pattern("{a} - {b}", {"a": Whole(1, 9), "b": Whole(1, 9)}).draw(draw, "p").said[1]
            == " "
        )
