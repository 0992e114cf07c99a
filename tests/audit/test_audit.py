"""The audit: a good suite has no defect, and each rule fires on the fault that it forbids."""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from dataset_builder.published.load_suite import suite_from_rows
from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.task import SUITE_VERSION, Alternative, Edge, Step, Suite, Task
from dataset_builder.tools import catalogue
from evaluator.audit import RULES, audit
from evaluator.audit.seeds import AuditSeed
from tests.samples.small_suite import small_suite

GOOD = small_suite()
L0, L1, L2, L3 = GOOD.tasks[0], GOOD.tasks[2], GOOD.tasks[4], GOOD.tasks[6]


def changed(task: Task, **changes: Any) -> Suite:
    """The good suite with some fields of one task replaced."""
    return replace(GOOD, tasks=tuple(replace(t, **changes) if t is task else t for t in GOOD.tasks))


def with_step(task: Task, number: int, **changes: Any) -> Suite:
    """The good suite with some fields of one step (0-based) replaced."""
    steps = tuple(replace(s, **changes) if i == number else s for i, s in enumerate(task.steps))
    return changed(task, steps=steps)


def spoiled_schema(task: Task, spoil: Callable[[Any], None]) -> Suite:
    """The good suite with the first offered schema of a task spoiled."""
    schema = json.loads(task.schemas[0])
    spoil(schema["function"]["parameters"])
    return changed(task, schemas=(json.dumps(schema), *task.schemas[1:]))


def read_after_write() -> Suite:
    """A task whose second step needs what its first did to the world, without saying so."""
    tools = catalogue()
    prompt = 'Remember "B 42" under the key "gate", and recall what stands under the key "gate".'
    steps = (
        Step("step_1", "store_memory", {"key": "gate", "value": "B 42"}),
        Step("step_2", "retrieve_memory", {"key": "gate"}, output={"value": "B 42"}),
    )
    offered = ("store_memory", "retrieve_memory", "list_memories", "slugify")
    schemas = tuple(tools[name].schema_json for name in offered)
    return changed(L2, prompt=prompt, steps=steps, offered=offered, schemas=schemas)


FIRST_EDGE = L1.steps[1].edges[0]
MUTATIONS: list[tuple[str, str, Callable[[], Suite]]] = [
    ("counts", "ids out of order", lambda: replace(GOOD, tasks=GOOD.tasks[::-1])),
    ("counts", "a task lost", lambda: replace(GOOD, tasks=GOOD.tasks[:-1])),
    (
        "counts",
        "too many tools",
        lambda: changed(L0, offered=(*L0.offered, *list(catalogue())[:5])),
    ),
    ("grounded", "value not stated", lambda: changed(L0, prompt="How is the weather there?")),
    (
        "grounded",
        "flowing value stated",
        lambda: changed(L1, prompt=f"{L1.prompt} It is {L1.steps[1].arguments['value']}."),
    ),
    ("grounded", "edge dropped", lambda: with_step(L1, 1, edges=(), depends_on=())),
    (
        "schema_valid",
        "a default",
        lambda: spoiled_schema(
            L0, lambda p: p["properties"].update(x={"type": "string", "default": "a"})
        ),
    ),
    (
        "schema_valid",
        "an array without items",
        lambda: spoiled_schema(L0, lambda p: p["properties"].update(x={"type": "array"})),
    ),
    (
        "schema_valid",
        "an empty enum",
        lambda: spoiled_schema(
            L0, lambda p: p["properties"].update(x={"type": "string", "enum": []})
        ),
    ),
    (
        "schema_valid",
        "needed tool not offered",
        lambda: changed(L0, offered=L0.offered[:0], schemas=()),
    ),
    (
        "schema_valid",
        "wrong type",
        lambda: with_step(L1, 1, arguments={**L1.steps[1].arguments, "value": "warm"}),
    ),
    (
        "schema_valid",
        "unknown argument",
        lambda: with_step(L0, 0, arguments={**L0.steps[0].arguments, "mood": "good"}),
    ),
    ("arguments_present", "no argument", lambda: with_step(L0, 0, arguments={})),
    ("reexecutes", "another output", lambda: with_step(L0, 0, output={"result": -1})),
    (
        "reexecutes",
        "edge from another field",
        lambda: with_step(L1, 1, edges=(replace(FIRST_EDGE, path="humidity"),)),
    ),
    (
        "reexecutes",
        "wrong alternative",
        lambda: with_step(L0, 0, alternatives=(Alternative("word_count", {}),)),
    ),
    ("topology", "shape of another level", lambda: changed(L1, level=L3.level)),
    ("topology", "dependency on a later step", lambda: with_step(L1, 0, depends_on=("step_2",))),
    ("topology", "dependency without an edge", lambda: with_step(L2, 1, depends_on=("step_1",))),
    ("topology", "hidden state", read_after_write),
    (
        "edges_real",
        "value in the prompt",
        lambda: changed(L1, prompt=f"{L1.prompt} ({L1.steps[0].output['temperature_c']})"),
    ),
    (
        "edges_real",
        "a boolean",
        lambda: with_step(L1, 0, output={**L1.steps[0].output, "temperature_c": True}),
    ),
    (
        "edges_real",
        "same as another output",
        lambda: with_step(
            L1, 0, output={**L1.steps[0].output, "humidity": L1.steps[0].output["temperature_c"]}
        ),
    ),
    ("no_tool_names", "a name", lambda: changed(L1, prompt=f"{L1.prompt} Use get_weather.")),
    (
        "no_tool_names",
        "a description",
        lambda: changed(L1, prompt=f"{L1.prompt} {catalogue()['get_weather'].summary}"),
    ),
    (
        "whole_text",
        "a cut quotation",
        lambda: changed(L0, prompt=f'{L0.prompt} As in "It was the best..."'),
    ),
    ("no_filler", "item_0", lambda: changed(L0, prompt=f"{L0.prompt} Mind item_0.")),
    (
        "no_filler",
        "sample_value_650",
        lambda: with_step(L0, 0, arguments={"x": "sample_value_650"}),
    ),
    ("distinct_prompts", "the same twice", lambda: changed(L0, prompt=GOOD.tasks[1].prompt)),
    (
        "distinct_prompts",
        "nearly the same",
        lambda: changed(L3, prompt=f"{GOOD.tasks[7].prompt} Now."),
    ),
    (
        "near_distractor",
        "strangers only",
        lambda: changed(
            L1, offered=("get_weather", "unit_convert", "slugify", "send_email", "list_memories")
        ),
    ),
    ("distractor_harmless", "a writer beside a reader", read_after_write),
    ("single_answer", "a twin not listed", lambda: twin_left_out()),
    (
        "oracle_perfect",
        "a reference to nothing",
        lambda: with_step(L1, 1, edges=(replace(FIRST_EDGE, path="nowhere"),)),
    ),
    ("silence_zero", "nothing is expected", lambda: changed(L0, steps=())),
]


def twin_left_out() -> Suite:
    """A task whose answer another tool gives too, with the listed alternatives taken away."""
    prompt = "Of 14, 87, 52 and 33: which is the value at the 100th per cent?"
    tools = catalogue()
    arguments = {"numbers": [14, 87, 52, 33], "percent": 100}
    step = Step("step_1", "percentile", arguments, output={"value": 87.0})
    offered = ("percentile", "min_max", "slugify", "correlation")
    schemas = tuple(tools[name].schema_json for name in offered)
    return changed(L0, prompt=prompt, steps=(step,), offered=offered, schemas=schemas)


def test_a_good_suite_has_no_defect() -> None:
    assert list(audit(GOOD, catalogue())) == []


@pytest.mark.parametrize(
    ("rule", "fault", "mutate"), MUTATIONS, ids=[f"{rule}: {fault}" for rule, fault, _ in MUTATIONS]
)
def test_a_rule_fires_on_its_fault(rule: str, fault: str, mutate: Callable[[], Suite]) -> None:
    assert rule in {defect.rule for defect in audit(mutate(), catalogue())}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [5_001, 5_002, 5_003])
def test_other_seeds_have_no_defect(seed: int) -> None:
    assert list(AuditSeed("default")(seed)[1]) == []


@pytest.mark.slow
def test_tasks_of_a_large_suite_have_no_defect() -> None:
    large = CompositionEngine(77, counts=(2_000, 2_000, 1_000, 1_000))
    every = tuple(islice(large.generate(), 0, None, 40))
    defects = audit(Suite(SUITE_VERSION, 77, every), catalogue())
    # A part of a suite has neither its ids in a row nor as many tasks as it declares.
    assert [defect for defect in defects if defect.rule != "counts"] == []


def test_every_rule_is_proved_by_a_mutation() -> None:
    # Spam pays only over a catalogue of a few tools: see the next test.
    assert {rule for rule, *_ in MUTATIONS} == set(RULES) - {"spam_low"}


@pytest.mark.parametrize(
    "mutate",
    [
        lambda: with_step(L1, 1, edges=(Edge("nope", "step_1", "temperature_c"),)),
        lambda: with_step(L1, 1, edges=(Edge("value", "step_9", "temperature_c"),)),
        lambda: with_step(L1, 1, arguments={}),
        lambda: with_step(L1, 1, match={"value": {"rule": "unheard_of"}}),
        lambda: with_step(L1, 0, output={}),
        lambda: with_step(L1, 1, arguments=dict(L1.steps[1].arguments) | {"value": 10**400}),
        lambda: changed(L1, steps=()),
    ],
)
def test_rows_at_odds_with_themselves_are_defects_and_stop_nothing(
    mutate: Callable[[], Suite],
) -> None:
    assert {defect.task_id for defect in audit(mutate(), catalogue())} >= {L1.task_id}


def test_spam_pays_where_the_catalogue_is_small_and_nothing_needs_an_argument() -> None:
    names = ("list_memories", "get_session_context")
    steps = tuple(Step(f"step_{i}", name, {}) for i, name in enumerate(names, 1))
    suite = Suite(GOOD.version, 7, (replace(L1, steps=steps, offered=names),))
    few = {name: catalogue()[name] for name in names}
    assert "spam_low" in {defect.rule for defect in audit(suite, few)}
    assert "spam_low" not in {defect.rule for defect in audit(suite, catalogue())}


def legacy_row(
    number: int, prompt: str, steps: list[dict[str, Any]], level: str = "L0_node"
) -> dict[str, Any]:
    """A row in the format of suite 2.0.0."""
    named = [
        {"step_id": f"step_{i}", "output_key": f"o{i}", "depends_on": [], **step}
        for i, step in enumerate(steps, 1)
    ]
    return {
        "task_id": f"{level}_{number:04}",
        "level": level,
        "prompt": prompt,
        "available_tools": ["base64_encode", "get_weather", "unit_convert", "word_count"],
        "expected_trace": json.dumps({"steps": named, "final_answer_source": "step_1"}),
        "expected_final_answer": None,
        "num_steps": len(steps),
        "num_tools_offered": 4,
        "category": "any",
        "pattern": "single",
    }


@pytest.mark.parametrize(
    ("rule", "row"),
    [
        (
            "grounded",
            legacy_row(
                1,
                "Encode a plain-text string to Base64.",
                [{"tool_name": "base64_encode", "arguments": {"text": "hello world"}}],
            ),
        ),
        (
            "grounded",
            legacy_row(
                49,
                "Check the weather in Oslo and convert the Celsius figure to Fahrenheit.",
                [
                    {"tool_name": "get_weather", "arguments": {"city": "Oslo"}},
                    {
                        "tool_name": "unit_convert",
                        "arguments": {"value": 36, "from": "celsius", "to": "fahrenheit"},
                        "depends_on": ["step_1"],
                    },
                ],
                "L1_chain",
            ),
        ),
        (
            "whole_text",
            legacy_row(
                2,
                'Count the words of "The quick brown fox jumps over..."',
                [
                    {
                        "tool_name": "word_count",
                        "arguments": {"text": "The quick brown fox jumps over the lazy dog"},
                    }
                ],
            ),
        ),
        (
            "arguments_present",
            legacy_row(3, "Encode it.", [{"tool_name": "base64_encode", "arguments": {}}]),
        ),
        (
            "no_filler",
            legacy_row(
                4,
                "Encode the text sample_value_650.",
                [{"tool_name": "base64_encode", "arguments": {"text": "sample_value_650"}}],
            ),
        ),
        (
            "no_tool_names",
            legacy_row(
                5,
                'Call base64_encode with "tea".',
                [{"tool_name": "base64_encode", "arguments": {"text": "tea"}}],
            ),
        ),
        (
            "no_tool_names",
            legacy_row(
                6,
                'Encode text as standard Base64 of its UTF-8 bytes: "tea"',
                [{"tool_name": "base64_encode", "arguments": {"text": "tea"}}],
            ),
        ),
        (
            "schema_valid",
            legacy_row(
                7,
                'What is the hash of "tea"?',
                [{"tool_name": "hash_text", "arguments": {"text": "tea"}}],
            ),
        ),
    ],
)
def test_the_faults_of_the_first_release_are_found(rule: str, row: dict[str, Any]) -> None:
    suite = suite_from_rows([row], "sample")
    assert suite.version == "2.0.0"
    assert rule in {defect.rule for defect in audit(suite, catalogue())}


def test_a_sound_row_of_the_first_release_has_no_defect_of_wording() -> None:
    row = legacy_row(
        8, 'Encode "tea" as Base64.', [{"tool_name": "base64_encode", "arguments": {"text": "tea"}}]
    )
    rules = {defect.rule for defect in audit(suite_from_rows([row], "sample"), catalogue())}
    assert rules <= {"near_distractor"}
