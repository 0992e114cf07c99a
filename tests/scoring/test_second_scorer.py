"""The scorer agrees with a second one that was written from the specification alone."""

from typing import Any

import pytest

from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tools import catalogue
from dataset_builder.values.kinds import kind_of
from evaluator.scoring.exact_match import same_stated
from evaluator.scoring.numbers_in_text import is_rendering, numbers_written
from evaluator.scoring.score import score_task
from evaluator.scoring.tolerant_match import equal, same_number
from tests.differential.agreement import disagreements
from tests.differential.mutated_values import CHANGED
from tests.differential.mutations import mutants
from tests.differential.second_scorer import Scorer
from tests.differential.second_texts import numbers_shown
from tests.differential.second_values import same_number as second_same_number
from tests.differential.second_values import similarity

TOOLS = catalogue()


@pytest.mark.parametrize("seed", [42, 4107])
def test_agreement(seed: int) -> None:
    found = list(disagreements(seed, 150))
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [4200, 8400])
def test_agreement_at_length(seed: int) -> None:
    # `python -m tests.differential` compares as many as one likes.
    found = list(disagreements(seed, 40_000))
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("kind", "own", "given", "agree"),
    [
        # `validate_email` suggests an empty text for an address that is right already.
        ("email", "", "", True),
        ("email", "", "ada@example.org", False),
        ("number", "none", "None", True),
        ("date", None, None, True),
        ("date", None, "", False),
        # Exactly one per cent, which no binary fraction is.
        ("number", 120.0, 118.8, True),
        ("number", 120.0, 118.79, False),
    ],
)
def test_what_an_upstream_call_gave_is_read_alike(
    kind: str, own: Any, given: Any, agree: bool
) -> None:
    known = kind_of(kind)
    assert equal(known, own, given) is agree
    assert (similarity(known, own, given, exact=False, fed=True) == 1) is agree


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        # Its last digit is off by more than half, all of it by 1.0007 parts in a thousand million.
        ("280.797641772km", True),
        ("280.797641771km", False),
        ("280.797642334", True),
        ("280.797642335", False),
    ],
)
def test_a_number_is_rounded_within_a_thousand_millionth(text: str, shown: bool) -> None:
    own = 280.797642053
    (written,) = numbers_written(text)
    assert is_rendering(written, own) is shown
    assert [number.shows(own) for number in numbers_shown(text)] == [shown]


@pytest.mark.parametrize(
    ("expected", "given"),
    [(215.0, 214.999999785), (1.0, 1.000000001), (3.0, 3.000000003), (100.0, 99.0), (120.0, 118.8)],
)
def test_numbers_at_the_bounds_are_read_alike(expected: float, given: float) -> None:
    second = [second_same_number(expected, given, exact, False) for exact in (True, False)]
    assert second == [same_stated(expected, given), same_number(expected, given)]


def test_right_answers_pass_and_changed_ones_fail_under_both() -> None:
    # Else two scorers that read nothing at all would agree.
    suite = CompositionEngine(42).generate_suite()
    changed = [(t, m) for t, m in mutants(suite, TOOLS, 300, 7, most=1) if m.meaning == CHANGED]
    passed = [bool(Scorer(task, mutant.trace, TOOLS).score()["strict"]) for task, mutant in changed]
    assert len(changed) > 100
    assert sum(passed) <= 0.02 * len(changed)
    same = [(t, m) for t, m in mutants(suite, TOOLS, 300, 7, most=1) if m.kind == "default given"]
    assert same
    assert all(score_task(task, mutant.trace, TOOLS).strict for task, mutant in same)
