import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dataset_builder.tools import catalogue
from dataset_builder.tools.replay import replay
from evaluator.asking.prompts import (
    GO_ON,
    feed_back,
    opening,
    outputs_shown,
    response_format,
    schemas,
    system_prompt,
    widened,
)
from evaluator.traces.protocols import (
    CALLS,
    MULTI_TURN,
    PROMPT_VERSIONS,
    PROTOCOLS,
    SINGLE_TURN,
    canonical_catalogue,
    offered_tools,
)
from tests.samples.small_suite import small_suite

TOOLS = catalogue()
TASKS = small_suite().tasks
TASK = TASKS[-1]


# A changed prompt needs a new version, since runs under different words do not compare.
PROMPTS = {
    (SINGLE_TURN, 1): "1acd4a292f03",
    (MULTI_TURN, 2): "f9821d613900",
}


def test_prompts_are_those_of_their_version() -> None:
    for protocol, version in PROMPT_VERSIONS.items():
        text = system_prompt(protocol) + system_prompt(protocol, [{"function": {"name": "f"}}])
        if protocol == MULTI_TURN:
            text += "".join(GO_ON[calls] for calls in CALLS)
        assert sha256(text.encode()).hexdigest()[:12] == PROMPTS[protocol, version]


def test_procedures_are_told_of_no_tenth_reply() -> None:
    # Of the same versions: the words of the other tasks have not changed.
    assert system_prompt(SINGLE_TURN, is_procedure=True) == system_prompt(SINGLE_TURN)
    procedures = system_prompt(MULTI_TURN, is_procedure=True)
    assert "tenth" in system_prompt(MULTI_TURN)
    assert "tenth" not in procedures
    assert sha256(procedures.encode()).hexdigest()[:12] == "35221820228f"


def test_the_example_is_unrelated_to_any_tool() -> None:
    for protocol in PROTOCOLS:
        assert not [name for name in TOOLS if name in system_prompt(protocol)]


def test_only_single_turn_speaks_of_references() -> None:
    assert "{{1.loan_id}}" in system_prompt(SINGLE_TURN)
    assert "{{" not in system_prompt(MULTI_TURN)


@pytest.mark.parametrize("calls", CALLS)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_first_request(protocol: str, calls: str) -> None:
    sent = schemas(TASK, TASK.offered, protocol, TOOLS)
    system, user = opening(TASK, protocol, calls, sent)
    assert user == {"role": "user", "content": TASK.prompt}
    assert ('"name":"store_memory"' in system["content"]) is (calls == "json")


NAMES = {"full": "full", "task": "task", "4": "4", "105": "105", "106": "full"}


@pytest.mark.parametrize("catalogue", NAMES)
def test_a_catalogue_has_one_name(catalogue: str) -> None:
    assert canonical_catalogue(catalogue, 106) == NAMES[catalogue]


@pytest.mark.parametrize(
    "catalogue",
    [
        "",
        "all",
        "Full",
        " 8",
        "8 ",
        "0",
        "-1",
        "+8",
        "4.5",
        "٤",
        "08",
        "0008",
        "1_0",
        "107",
        "9" * 9,
    ],
)
def test_catalogue_names_that_are_none(catalogue: str) -> None:
    with pytest.raises(ValueError, match="expected full, task or a number"):
        canonical_catalogue(catalogue, 106)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.task_id)
def test_tools_offered(task: Any) -> None:
    assert offered_tools(task, "full", TOOLS) == tuple(TOOLS)
    assert offered_tools(task, "106", TOOLS) == tuple(TOOLS)
    assert offered_tools(task, "task", TOOLS) == task.offered
    smaller: set[str] = set(task.expected_tools)
    for size in (1, 4, 8, 16, 64):
        names = offered_tools(task, str(size), TOOLS)
        assert len(names) == len(set(names)) == max(size, len(task.expected_tools))
        assert smaller <= set(names)
        smaller = set(names)
    assert set(task.offered) <= smaller


def test_the_needed_tools_stand_in_no_fixed_place() -> None:
    places = {offered_tools(task, "16", TOOLS).index(task.steps[0].tool) for task in TASKS}
    assert len(places) > 2


def leaves(schema: Any) -> Iterator[Any]:
    """The schemas of single values in a parameter schema."""
    yield schema
    for branch in schema.get("anyOf", ()):
        yield from leaves(branch)
    if "items" in schema:
        yield from leaves(schema["items"])


@pytest.mark.parametrize("name", TOOLS)
def test_widened_schemas_take_a_reference_wherever_a_value_goes(name: str) -> None:
    schema = widened(TOOLS[name].schema)
    parameters = schema["function"]["parameters"]
    Draft202012Validator.check_schema(parameters)
    for parameter in parameters["properties"].values():
        validator = Draft202012Validator(parameter)
        assert validator.is_valid("{{1.value}}")
        assert "description" in parameter
        if any(leaf.get("type") == "array" for leaf in leaves(parameter)):
            assert validator.is_valid(["{{1.value}}"])
    plain = TOOLS[name].schema["function"]["parameters"]
    assert parameters["required"] == plain["required"]


def test_strings_stay_as_they_are_and_the_rest_keeps_its_type() -> None:
    function = widened(TOOLS["unit_convert"].schema)["function"]
    properties = function["parameters"]["properties"]
    assert (
        properties["from"]
        == TOOLS["unit_convert"].schema["function"]["parameters"]["properties"]["from"]
    )
    assert properties["value"]["anyOf"] == [{"type": "number"}, {"type": "string"}]


def test_multi_turn_sends_the_plain_types() -> None:
    sent = schemas(TASK, TASK.offered, MULTI_TURN, TOOLS)
    assert [json.dumps(s, separators=(",", ":"), ensure_ascii=False) for s in sent] == list(
        TASK.schemas
    )


def test_the_json_answer_format() -> None:
    sent = schemas(TASK, TASK.offered, SINGLE_TURN, TOOLS)
    schema = response_format(sent)["json_schema"]["schema"]
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    right = {"name": "store_memory", "arguments": {"key": "k", "value": "{{1.x}}"}}
    assert validator.is_valid({"calls": [right, right]})
    assert validator.is_valid({"calls": []})
    assert not validator.is_valid({"calls": [{"name": "fly", "arguments": {}}]})
    assert not validator.is_valid({"calls": [{"name": "store_memory", "arguments": {}}]})


def native(*calls: tuple[Any, Any]) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": identity, "type": "function", "function": {"name": name, "arguments": text}}
            for identity, (name, text) in zip(("a", "a", None), calls, strict=False)
        ],
    }


def test_outputs_are_fed_back_to_native_calls() -> None:
    message = native(("get_weather", '{"city": "Oslo"}'), ("get_weather", "{oops"), ("fly", "{}"))
    executed = replay(
        [("get_weather", {"city": "Oslo"}), ("get_weather", "{oops"), ("fly", {})], TOOLS
    )
    reply, *answers = feed_back(message, executed, 3, "native")
    ids = [call["id"] for call in reply["tool_calls"]]
    assert ids == ["a", "call00004", "call00005"]
    assert [answer["tool_call_id"] for answer in answers] == ids
    assert json.loads(answers[0]["content"]) == executed[0].output
    assert "no JSON object" in answers[1]["content"]
    assert "no tool" in answers[2]["content"]
    # Providers refuse a history whose arguments do not parse.
    assert json.loads(reply["tool_calls"][1]["function"]["arguments"]) == {"unparsed": "{oops"}


# How a model ends that was asked for its calls in that form.
ENDS = {"native": '"Done."', "json": "with no calls"}


@pytest.mark.parametrize("calls", CALLS)
def test_outputs_are_fed_back_to_calls_written_as_text(calls: str) -> None:
    executed = replay([("get_weather", {"city": "Oslo"})], TOOLS)
    message = {"role": "assistant", "content": "<tool_call>...</tool_call>"}
    reply, answer = feed_back(message, executed, 2, calls)
    assert reply == message
    assert answer["role"] == "user"
    results, words = answer["content"].split("\n")
    assert json.loads(results)["results"] == [
        {"call": 2, "name": "get_weather", "output": executed[0].output}
    ]
    assert [form for form, end in ENDS.items() if end in words] == [calls]


@pytest.mark.parametrize("calls", CALLS)
@pytest.mark.parametrize("message", [native(("get_weather", "{}")), {"content": "get_weather()"}])
def test_outputs_shown_are_those_fed_back(message: Any, calls: str) -> None:
    executed = replay([("get_weather", {"city": "Oslo"}), ("fly", {"to": "a\nb\u2028c"})], TOOLS)
    start = opening(TASK, MULTI_TURN, calls, [])
    assert outputs_shown(start) == []
    shown = start
    for number, item in enumerate(executed, 1):
        shown = [*shown, *feed_back(message, [item], number, calls)]
    assert outputs_shown(shown) == [executed[0].output, {"error": "there is no tool 'fly'"}]
