"""State Management tools: memories, the session, and the form of e-mail addresses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from dataset_builder.tools import state_management as s
from dataset_builder.tools.world import World
from dataset_builder.values import addresses, canonical
from dataset_builder.values.facts import load

TEXT = st.text(st.characters(codec="utf-8"), max_size=40)


def test_fixture_memories_can_be_recalled():
    world = World()
    assert s.retrieve_memory({"key": "home_city"}, world) == {"value": "Lisbon"}
    listed = s.list_memories({}, world)
    assert listed == {"keys": sorted(world.memories), "count": len(world.memories)}
    for key in listed["keys"]:
        assert key == canonical.fold(key)
        assert s.retrieve_memory({"key": key.upper()}, world)["value"].strip()


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=20), TEXT, TEXT)
def test_the_value_stored_last_is_recalled_and_another_episode_never_sees_it(key, first, second):
    key, world = f"my {key}", World()
    one = s.store_memory({"key": key, "value": first}, world)
    two = s.store_memory({"key": f" {key.upper()}", "value": second}, world)
    assert s.retrieve_memory({"key": key.upper()}, world) == {"value": second}
    if canonical.fold(key) == canonical.fold(key.upper()):
        assert (one == two) == (first == second)
    assert "error" in s.retrieve_memory({"key": key}, World())


def test_storing_adds_to_the_list():
    world = World()
    before = s.list_memories({}, world)
    s.store_memory({"key": "Locker Code", "value": "4417"}, world)
    after = s.list_memories({}, world)
    assert after["count"] == before["count"] + 1
    assert "locker code" in after["keys"]


def test_the_memory_can_be_full():
    world = World()
    for number in range(s.MAX_MEMORIES):
        last = s.store_memory({"key": f"k{number}", "value": "v"}, world)
    assert "full" in last["error"]
    assert "memory_id" in s.store_memory({"key": "k0", "value": "w"}, world)


@pytest.mark.parametrize(
    ("tool", "arguments", "why"),
    [
        (s.store_memory, {"key": " ", "value": "v"}, "key: the text is empty"),
        (s.store_memory, {"key": "k" * 101, "value": "v"}, "at most 100"),
        (s.store_memory, {"key": "k", "value": "v" * 100_001}, "at most"),
        (s.store_memory, {"key": "k"}, "value: required argument is missing"),
        (s.retrieve_memory, {"key": "shoe_size"}, "nothing is remembered under 'shoe_size'"),
        (s.retrieve_memory, {}, "key: required argument is missing"),
        (s.validate_email, {"email": "\ud800@x.example"}, "surrogate"),
        (s.validate_email, {"email": True}, "expected text"),
    ],
)
def test_a_wrong_argument_is_named(tool, arguments, why):
    output = tool(arguments, World())
    assert set(output) == {"error"}
    assert why in output["error"]


def test_the_session_is_coherent_and_repeats_no_memory():
    session = s.get_session_context({}, World())
    assert set(session) == set(s.get_session_context.returns)
    assert session["timezone"] == load("cities")[World().memories["home_city"]]["timezone"]
    assert addresses.mailbox(session["email"])
    # Otherwise two tools would give the same answer.
    assert not set(session.values()) & set(World().memories.values())


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("iris@media.news", ""),
        ("First.Last+tag@sub.Example.co.uk", ""),
        ("o'neil@example.org", ""),
        ("a@xn--bcher-kva.example", ""),
        ("x" * 64 + "@example.org", ""),
        ("", "there is no @"),
        ("plain.example.org", "there is no @"),
        ("a@b@example.org", "there is more than one @"),
        ("@example.org", "nothing stands before the @"),
        ("a@", "nothing stands after the @"),
        (".a@example.org", "a dot is misplaced before the @"),
        ("a..b@example.org", "a dot is misplaced before the @"),
        ("a b@example.org", "it contains a space"),
        ("iris@media.news ", "it contains a space"),
        ("a,b@example.org", "a character before the @ is not allowed"),
        ("é@example.org", "a character before the @ is not allowed"),
        ("‏a@example.org", "a character before the @ is not allowed"),
        ("a@example..org", "a dot is misplaced after the @"),
        ("a@exa_mple.org", "a character after the @ is not allowed"),
        ("a@-example.org", "a hyphen is misplaced after the @"),
        ("a@localhost", "the top-level domain is missing"),
        ("a@127.0.0.1", "the top-level domain is missing"),
        ("x" * 65 + "@example.org", "it is too long"),
        ("a@" + "x" * 64 + ".org", "it is too long"),
        ("a@" + "x." * 49_000 + "org", "it is too long"),
    ],
)
def test_addresses_are_judged(address, problem):
    output = s.validate_email({"email": address}, World())
    assert set(output) == set(s.validate_email.returns)
    assert (output["problem"], output["is_valid"]) == (problem, not problem)
    assert 1 <= output["risk_score"] <= 100
    assert (output["risk_score"] >= 90) == bool(problem)


@pytest.mark.parametrize(
    ("address", "suggestion"),
    [
        ("Tom.W@gmial.com", "Tom.W@gmail.com"),
        ("tom@gmai.com", "tom@gmail.com"),
        ("tom@gmaill.com", "tom@gmail.com"),
        ("tom@GMAIL.CON", "tom@gmail.com"),
        ("tom@outlok.com", "tom@outlook.com"),
        ("tom@hotmial.com", "tom@hotmail.com"),
        ("tom@yaho.com", "tom@yahoo.com"),
        ("tom@gmail,com", "tom@gmail.com"),
        ("tom@gmail.com", ""),
        ("tom@hmail.com", ""),
        ("tom@media.news", ""),
        ("@gmial.com", ""),
        ("tom", ""),
    ],
)
def test_misspelt_providers_are_corrected(address, suggestion):
    assert s.validate_email({"email": address}, World())["suggestion"] == suggestion


LETTERS = st.text("abc", max_size=6)


@given(LETTERS, LETTERS)
def test_one_slip_is_an_edit_distance_of_one(left, right):
    assert s._one_slip_apart(left, right) == (OSA.distance(left, right) == 1)
