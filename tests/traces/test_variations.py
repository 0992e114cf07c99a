"""What a run may vary: how it is written, what contradicts itself, what is withheld."""

import pytest

from dataset_builder.errors import InputError
from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.tool_overlaps import twins_of
from evaluator.traces.protocols import MAX_TURNS, MULTI_TURN, SINGLE_TURN
from evaluator.traces.signature import parse_signature, signature, signature_text
from evaluator.traces.trace import Trace, TraceProblems
from evaluator.traces.variations import (
    PLAIN,
    Variation,
    possible_steps,
    read_variation,
    variation_of,
)
from tests.samples.small_suite import small_suite

SUITE = CompositionEngine().generate_suite()
WITHHELD = Variation(withhold="1")


def line(variation: Variation) -> str:
    return signature(small_suite(), 8, MULTI_TURN, "task", "native", {MULTI_TURN: 2}, variation)


@pytest.mark.parametrize(
    ("variation", "end", "words"),
    [
        (PLAIN, "|scorer:2", ""),
        (Variation(scramble="names.3"), "|scorer:2|scramble:names.3", "scrambled names (seed 3)"),
        (Variation(faults="20.1"), "|scorer:2|faults:20.1", "faults in 20 % of the tools (seed 1)"),
        (WITHHELD, "|scorer:2|withhold:1", "a needed tool withheld (seed 1)"),
        (
            Variation("descriptions.0", "5.0"),
            "|scorer:2|scramble:descriptions.0|faults:5.0",
            "scrambled descriptions (seed 0), faults in 5 % of the tools (seed 0)",
        ),
    ],
)
def test_the_signature_ends_in_what_is_varied(variation: Variation, end: str, words: str) -> None:
    text = line(variation)
    assert text.endswith(end)
    assert str(parse_signature(text)) == text
    assert parse_signature(text).variation == variation
    assert (f", {words}, " in signature_text(text)) == bool(words)


def row(protocol: str = MULTI_TURN, **asked: object) -> dict[str, object]:
    return {"task_id": "x", "calls": [], "protocol": protocol, "asked": asked}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"scramble": "names"}, "asked.scramble: expected names or descriptions, a dot and a seed"),
        ({"scramble": "names.1|rank:1"}, "asked.scramble: expected names"),
        ({"scramble": "names.٣"}, "asked.scramble: expected names"),
        ({"scramble": "names.1\n"}, "asked.scramble: expected names"),
        ({"scramble": ["names.1"]}, "asked.scramble: expected names"),
        ({"faults": "0.1"}, "asked.faults: expected a per cent, a dot and a seed"),
        ({"faults": "101.1"}, "asked.faults: expected a per cent"),
        ({"faults": 20}, "asked.faults: expected a per cent"),
        ({"withhold": "01"}, "asked.withhold: expected a seed"),
        ({"withhold": "1000000"}, "asked.withhold: expected a seed"),
        ({"withhold": True}, "asked.withhold: expected a seed"),
        ({"withhold": "1", "faults": "20.1"}, "asked.faults: not with withhold"),
    ],
)
def test_nobody_opens_a_setting_with_a_word_of_his_own(asked: dict[str, object], said: str) -> None:
    with pytest.raises(TraceProblems) as refused:
        Trace.from_row(row() | {"asked": asked})
    assert refused.value.problems[0].startswith(said)


def test_faults_are_of_multi_turn() -> None:
    assert Trace.from_row(row(faults="20.1")).protocol == MULTI_TURN
    with pytest.raises(TraceProblems, match=r"asked\.faults: expected multi-turn beside it"):
        Trace.from_row(row(SINGLE_TURN, faults="20.1"))


@pytest.mark.parametrize("asked", [None, "x", [], {}, {"scramble": 3}, {"faults": "x"}])
def test_what_is_in_no_form_declares_nothing(asked: object) -> None:
    assert variation_of(asked) == PLAIN


def test_what_a_user_asks_for_is_what_rows_say() -> None:
    assert read_variation(None, None, False, None, SINGLE_TURN) == PLAIN
    read = read_variation("names", 20, False, 7, MULTI_TURN)
    assert read == variation_of(read.written) == Variation("names.7", "20.7")
    assert read_variation(None, None, True, None, SINGLE_TURN) == WITHHELD


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((None, 20, False, None, SINGLE_TURN), "--faults: expected multi-turn"),
        ((None, 20, True, None, MULTI_TURN), "--faults: not with withhold"),
        ((None, None, False, 3, MULTI_TURN), "--variation-seed: goes with"),
    ],
)
def test_what_makes_no_sense_is_refused(given: tuple[object, ...], said: str) -> None:
    with pytest.raises(InputError, match=f"^{said}"):
        read_variation(*given)  # type: ignore[arg-type]


def test_faults_leave_a_turn_for_every_call() -> None:
    for task in SUITE.tasks:
        faults = Variation(faults="100.1").faults_of(task)
        assert faults is not None
        assert len(task.steps) + faults.most + 1 == MAX_TURNS
    assert PLAIN.faults_of(SUITE.tasks[0]) is None


@pytest.mark.parametrize("seed", ["0", "1", "2"])
def test_what_is_withheld_is_needed_and_nothing_stands_in_for_it(seed: str) -> None:
    for task in SUITE.tasks:
        withheld = Variation(withhold=seed).withheld_of(task)
        chosen = withheld.intersection(task.expected_tools)
        assert len(chosen) == 1, task.task_id
        (tool,) = chosen
        others = set(task.expected_tools) - chosen
        assert withheld >= set(twins_of(tool)) - others
        alternatives = [a.tool for s in task.steps if s.tool == tool for a in s.alternatives]
        assert withheld >= set(alternatives) - others
        assert PLAIN.withheld_of(task) == frozenset()


def test_seeds_withhold_different_tools() -> None:
    chosen = [
        [Variation(withhold=seed).withheld_of(task) for task in SUITE.tasks] for seed in "012"
    ]
    assert chosen[0] != chosen[1] != chosen[2]


def test_steps_that_hang_on_a_withheld_tool_cannot_be_made() -> None:
    for task in SUITE.tasks:
        assert possible_steps(task, ()) == task.steps
        withheld = WITHHELD.withheld_of(task)
        possible = {step.step_id for step in possible_steps(task, withheld)}
        for step in task.steps:
            hangs = {edge.source for edge in step.edges} | set(step.depends_on)
            assert (step.step_id in possible) == (step.tool not in withheld and hangs <= possible)
