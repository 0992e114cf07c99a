"""Procedures: every value stated or flowing, one referent for each phrase, dials as asked."""

import re
import subprocess
import sys
from functools import cache
from itertools import pairwise

import pytest

from dataset_builder.errors import InputError
from dataset_builder.procedures import grammar
from dataset_builder.procedures.dials import Dials
from dataset_builder.procedures.drafts import is_meaningful
from dataset_builder.procedures.procedure import make_procedure
from dataset_builder.procedures.rungs import PER_RUNG, RUNGS, horizon_suite, rung
from dataset_builder.tasks.task import Level, Step, Suite, Task
from dataset_builder.tools import catalogue
from dataset_builder.tools.replay import Episode, replay
from dataset_builder.values.draw import Draw
from dataset_builder.values.references import dig
from evaluator.audit import TASK_RULES
from evaluator.audit.rules import Context

LENGTHS = (1, 2, 3, 4, 16, 64, 256, 1024)
# Rules of the audit that ask nothing of a task's level.
RULES = (
    *("grounded", "schema_valid", "arguments_present", "reexecutes", "edges_real"),
    *("no_tool_names", "whole_text", "no_filler"),
)
SEED = 5


@cache
def rung_of(calls: int) -> tuple[Task, ...]:
    """The procedures of a rung of a fresh seed."""
    return tuple(rung(calls, SEED))


def chain_lengths(steps: tuple[Step, ...]) -> dict[str, int]:
    """By step the calls in the longest chain that ends there."""
    lengths: dict[str, int] = {}
    for step in steps:
        lengths[step.step_id] = 1 + max((lengths[source] for source in step.depends_on), default=0)
    return lengths


def sentences(task: Task) -> list[str]:
    """What a listed procedure, or a numbered one in prose, asks for at each place."""
    if task.metadata["dials"]["form"] == "list":
        return re.split(r"\n\d+\. ", task.prompt)[1:]
    return re.split(r"\(\d+\) (?=[A-Z])", task.prompt)[1:]


@pytest.mark.parametrize("calls", LENGTHS)
def test_any_length_is_made_and_gives_what_it_says(calls: int) -> None:
    task = make_procedure(calls, seed=SEED)
    assert task.level is Level.PROCEDURE
    assert task.task_id == "P_0001"
    assert [step.step_id for step in task.steps] == [f"step_{n}" for n in range(1, calls + 1)]
    executed = replay([(step.tool, dict(step.arguments)) for step in task.steps], catalogue())
    assert [one.output for one in executed] == [step.output for step in task.steps]
    assert Task.from_row(task.to_row()).to_row() == task.to_row()


@pytest.mark.parametrize("calls", [4, 16, 64])
@pytest.mark.parametrize("rule", RULES)
def test_rules_of_the_audit_find_nothing(rule: str, calls: int) -> None:
    context = Context(Suite("3.0.0", None, rung_of(calls)), dict(catalogue()))
    defects = [
        f"{task.task_id}: {defect}"
        for task in rung_of(calls)
        for defect in TASK_RULES[rule](context, task)
    ]
    assert not defects


@pytest.mark.parametrize("calls", [8, 16])
def test_no_other_tool_gives_the_answer(calls: int) -> None:
    context = Context(Suite("3.0.0", None, rung_of(calls)), dict(catalogue()))
    assert not [d for task in rung_of(calls) for d in TASK_RULES["single_answer"](context, task)]


@pytest.mark.parametrize("calls", [16, 64, 256])
def test_what_flows_is_a_value_of_its_own(calls: int) -> None:
    for task in rung_of(calls):
        steps = {step.step_id: step for step in task.steps}
        for step in task.steps:
            for edge in step.edges:
                value = dig(steps[edge.source].output, edge.path)
                assert is_meaningful(value), (task.metadata, edge)


@pytest.mark.parametrize("calls", [4, 32, 128])
def test_dials_are_as_stated(calls: int) -> None:
    for task in rung_of(calls):
        dials = task.metadata["dials"]
        places = {step.step_id: number for number, step in enumerate(task.steps)}
        between = [
            places[step.step_id] - places[edge.source] - 1
            for step in task.steps
            for edge in step.edges
        ]
        assert dials["calls"] == len(task.steps) == calls
        assert dials["depth"] == max(chain_lengths(task.steps).values())
        assert dials["fan_in"] == max(len(step.edges) for step in task.steps)
        assert dials["reach"]["max"] == max(between)
        assert dials["reach"]["mean"] == pytest.approx(sum(between) / len(between), abs=0.005)
        assert dials["near"] == len(task.offered) - len(task.expected_tools)
        in_order = [step.step_id for step in task.steps]
        assert sorted(task.metadata["listed"]) == sorted(in_order)
        assert (task.metadata["listed"] == in_order) == (dials["order"] == "executed")


@pytest.mark.parametrize("calls", [8, 32, 128])
def test_numbers_point_at_the_steps_that_are_needed(calls: int) -> None:
    for task in rung_of(calls):
        if task.metadata["dials"]["naming"] != "number":
            continue
        steps = {step.step_id: step for step in task.steps}
        listed = task.metadata["listed"]
        for step_id, sentence in zip(listed, sentences(task), strict=True):
            named = {listed[int(n) - 1] for n in re.findall(r"from step (\d+)", sentence)}
            assert named == set(steps[step_id].depends_on), sentence


@pytest.mark.parametrize("calls", [8, 32, 128, 256])
def test_a_name_is_given_once_and_used_for_its_step_alone(calls: int) -> None:
    word = "|".join(grammar().names)
    name = rf"(?:{word})(?: (?:{word}))?"
    for task in rung_of(calls):
        dials = task.metadata["dials"]
        if dials["naming"] != "description":
            continue
        given = re.findall(rf"\(call this step ({name})\)", task.prompt)
        assert len(set(given)) == len(given)
        if dials["form"] != "list":
            continue
        steps = {step.step_id: step for step in task.steps}
        listed, texts = task.metadata["listed"], sentences(task)
        owner = {
            match[1]: step_id
            for step_id, sentence in zip(listed, texts, strict=True)
            if (match := re.search(rf"\(call this step ({name})\)", sentence))
        }
        for step_id, sentence in zip(listed, texts, strict=True):
            used = {owner[n] for n in re.findall(rf"from step ({name})", sentence)}
            assert used <= set(steps[step_id].depends_on), sentence


def test_that_and_those_are_said_of_what_the_sentence_before_names() -> None:
    nouns = sorted({given.noun for clause in grammar().clauses for given in clause.gives}, key=len)
    noun = "|".join(map(re.escape, reversed(nouns)))
    pointed = 0
    for task in (task for calls in (32, 64, 128) for task in rung_of(calls)):
        if task.metadata["dials"]["form"] != "list":
            continue
        for before, sentence in pairwise(sentences(task)):
            for named in re.findall(rf"(?<!proportions )\b(?:that|those) ({noun})\b", sentence):
                pointed += 1
                assert named in before
    assert pointed


@pytest.mark.parametrize("calls", [16, 64, 256])
def test_messages_name_figures_before_words(calls: int) -> None:
    for task in rung_of(calls):
        for step in task.steps:
            for rule in step.match.values():
                values = rule.get("values", ())
                are_words = [isinstance(v, str) and not v[:1].isdigit() for v in values]
                assert are_words == sorted(are_words), step.match


@pytest.mark.parametrize("calls", [16, 128])
def test_any_order_that_the_dependencies_allow_gives_the_same(calls: int) -> None:
    for task in rung_of(calls)[:4]:
        draw = Draw(task.prompt)
        lengths = chain_lengths(task.steps)
        order = sorted(
            task.steps, key=lambda step: (lengths[step.step_id], draw.fraction(step.step_id))
        )
        episode = Episode(catalogue())
        for step in order:
            assert episode.execute(step.tool, dict(step.arguments)).output == step.output


def test_no_call_is_asked_for_twice() -> None:
    for calls in (64, 256):
        for task in rung_of(calls):
            calls_made = [(step.tool, repr(sorted(step.arguments.items()))) for step in task.steps]
            assert len(set(calls_made)) == len(calls_made)


def test_few_results_are_left_unused() -> None:
    unused = [task.metadata["dials"]["unused"] for calls in RUNGS for task in rung_of(calls)]
    assert sum(unused) / (12 * sum(RUNGS)) < 0.05


def test_the_ladder() -> None:
    tasks = horizon_suite(SEED).tasks
    assert [task.task_id for task in tasks] == [f"P_{n:04}" for n in range(1, 85)]
    lengths = [len(task.steps) for task in tasks]
    assert {calls: lengths.count(calls) for calls in RUNGS} == dict.fromkeys(RUNGS, 12)
    # Ids say nothing about lengths: neighbours are as often longer as shorter.
    longer = sum(one < other for one, other in pairwise(lengths))
    assert 0.3 < longer / 83 < 0.7
    for calls in RUNGS:
        forms = [t.metadata["dials"]["form"] for t in tasks if len(t.steps) == calls]
        assert sorted(forms) == ["list"] * 6 + ["prose"] * 6
    assert len({task.prompt for task in tasks}) == 84


def test_a_ladder_is_made_once_however_its_sizes_are_said() -> None:
    assert horizon_suite(SEED, PER_RUNG, RUNGS[-1]) is horizon_suite(SEED)
    assert horizon_suite(SEED, longest=4, per_rung=1) is horizon_suite(SEED, 1, 4)


def test_the_same_in_every_process() -> None:
    code = (
        "import hashlib; from dataset_builder.procedures.rungs import rung; "
        "text = ''.join(str(sorted(task.to_row().items())) for c in (8, 64) for task in rung(c, 5)); "
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(digests) == 1


def test_seed_and_number_make_other_procedures() -> None:
    prompts = {make_procedure(8, seed=s, number=n).prompt for s in (1, "long text") for n in (1, 2)}
    assert len(prompts) == 4


@pytest.mark.parametrize(
    ("dials", "stated"),
    [
        ({"depth": 12}, 12),
        ({"depth": 1}, 1),
        ({"fan_in": 0}, 1),
        ({"depth": 2, "fan_in": 5, "reach": "near", "order": "shuffled"}, 2),
        ({"depth": 6, "fan_in": 1, "reach": "far", "form": "prose", "catalogue": "full"}, 6),
    ],
)
def test_dials_are_independent(dials: dict[str, object], stated: int) -> None:
    task = make_procedure(12, Dials.read(dials), seed=SEED)
    assert task.metadata["dials"]["depth"] == stated
    if "fan_in" in dials:
        assert task.metadata["dials"]["fan_in"] == dials["fan_in"]
    if "catalogue" in dials:
        assert set(task.offered) == set(catalogue())


@pytest.mark.parametrize("calls", [0, -1, 1025, 2.0, True, "8"])
def test_a_length_that_cannot_be_is_told(calls: object) -> None:
    with pytest.raises(InputError, match=r"^a procedure has 1 to 1,024 calls, not [^\n]+$"):
        make_procedure(calls)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("dials", "message"),
    [
        ({"length": 3}, "there is no dial 'length' (depth, reach, "),
        ({"depth": 9}, "the dial depth is 1 to 8 for 8 calls, not 9"),
        ({"depth": 0}, "the dial depth is 1 to 8 for 8 calls, not 0"),
        ({"depth": "deep"}, "the dial depth is 1 to 8 for 8 calls, not 'deep'"),
        ({"fan_in": 6}, "the dial fan_in is 0 to 5 for 8 calls, not 6"),
        ({"fan_in": 0, "depth": 3}, "a depth of 1 and a fan_in of 0 go together"),
        ({"near": -1}, "the dial near is 0 to 20, not -1"),
        ({"order": "random"}, "the dial order is executed or shuffled, not 'random'"),
        ({"reach": None}, "the dial reach is near or mixed or far, not None"),
    ],
)
def test_a_dial_that_cannot_be_is_told(dials: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        make_procedure(8, Dials.read(dials))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_rung_without_tasks_is_told() -> None:
    with pytest.raises(InputError, match="a rung has at least one procedure, not 0"):
        list(rung(8, SEED, 0))


@pytest.mark.parametrize(
    "value",
    [
        True,
        False,
        None,
        0,
        0.0,
        "",
        "  ",
        "none",
        "Unknown",
        [],
        ["one"],
        [7, 7],
        {},
        1e15,
        "x" * 601,
    ],
)
def test_nothing_and_the_absurd_do_not_flow(value: object) -> None:
    assert not is_meaningful(value)


@pytest.mark.parametrize("value", [1, -2.5, "rain", [1, 2], {"a": 1, "b": 2}, "2026-08-01"])
def test_values_flow(value: object) -> None:
    assert is_meaningful(value)
