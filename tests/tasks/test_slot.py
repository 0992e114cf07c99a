"""Slots: numbers and rows are worded as their templates want them."""

import base64
import re

import pytest

from dataset_builder.tasks.slot import Decimal, Pool, draw_slots
from dataset_builder.values.draw import Draw
from dataset_builder.values.facts import load
from dataset_builder.values.kinds import Kind
from dataset_builder.values.surface_forms import grounded, numbers_in


@pytest.mark.parametrize("number", range(20))
def test_one_of_a_sample_is_the_first_of_a_larger_one(number: int) -> None:
    key, options = str(number), range(300)
    one, *others = Draw(key).sample("rows", options, 300)
    assert Draw(key).sample("rows", options, 1) == [one]
    assert sorted([one, *others]) == list(options)
    assert Draw(key).sample("rows", [], 1) == []


@pytest.mark.parametrize("number", range(20))
def test_a_decimal_groups_its_thousands_or_not(number: int) -> None:
    draw = Draw(str(number))
    grouped = Decimal(12_000, 8_900_000, 3).draw(draw, "n")
    plain = Decimal(12_000, 8_900_000, 3, grouped=False).draw(draw, "n")
    assert plain.value == grouped.value
    assert plain.said == grouped.said.replace(",", "") == f"{plain.value:.3f}"
    assert re.fullmatch(r"\d{1,3}(,\d{3})+\.\d{3}", grouped.said)


@pytest.mark.parametrize(
    ("subject", "field", "kind"),
    [
        ("zones_near", "zone", Kind("timezone")),
        ("zones_far", "zone", Kind("timezone")),
        ("query_parameters", "parameters", Kind("object")),
        ("event_payloads", "payload", Kind("object")),
        ("record_sets", "rows", Kind("list", item=Kind("object"))),
        ("unit_pairs", "from", Kind("unit")),
        ("unit_pairs", "to", Kind("unit")),
        ("webhook_addresses", "", Kind("url")),
        ("page_addresses", "", Kind("url")),
    ],
)
def test_every_row_states_its_value(subject: str, field: str, kind: Kind) -> None:
    slots = {f"row{n}": Pool(subject) for n in range(len(Pool(subject).rows()))}
    drawn = draw_slots(slots, Draw(subject)).items()
    values = [value for name, value in drawn if name.partition(".")[2] == field]
    assert len(values) == len(slots)
    for value in values:
        assert grounded(kind, value.value, f"It is {value.said}, you know.")


@pytest.mark.parametrize(
    ("prompt", "numbers"),
    [
        ("the 90th percentile", {90}),
        ("the 1st, 2nd and 23rd of 5", {1, 2, 23, 5}),
        ("a 3-month average of 1,250.5", {3, 1250.5}),
        ("on 2026-03-05 at 14:30", set()),
        ("one stone weighs 6kg, 4thick", {1}),
    ],
)
def test_numbers_stand_in_a_prompt_as_digits_ordinals_or_words(
    prompt: str, numbers: set[float]
) -> None:
    assert numbers_in(prompt) == numbers


def test_pools_about_the_episode_name_what_it_holds() -> None:
    episode = load("episode")
    assert {row["path"] for row in Pool("workspace_files").rows()} == set(episode["files"])
    assert {row["key"] for row in Pool("memory_keys").rows()} == set(episode["memories"])


def test_encoded_notes_are_the_base64_of_their_text() -> None:
    for row in Pool("encoded_notes").rows():
        assert base64.b64decode(row["encoded"], validate=True).decode() == row["text"]
