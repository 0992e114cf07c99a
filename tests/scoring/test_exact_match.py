"""Step and strict read exactly: the whole suite answered with one thing wrong, or right in other words."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.task import Suite, Task
from dataset_builder.tools import catalogue
from dataset_builder.values.kinds import Kind
from dataset_builder.values.references import render
from evaluator.scoring.score import score_task
from evaluator.scoring.verdict import TaskScore
from evaluator.traces.trace import Call, Trace

MULTI_TURN = "multi-turn"


@cache
def suite() -> Suite:
    return CompositionEngine(42).generate_suite()


def answered(task: Task, *calls: Call, protocol: str = MULTI_TURN) -> TaskScore:
    trace = Trace(task.task_id, calls, protocol=protocol, catalogue="full")
    return score_task(task, trace, catalogue())


def right_calls(task: Task) -> list[Call]:
    return [Call(step.tool, dict(step.arguments)) for step in task.steps]


Change = Callable[[Kind, Any], Any]


def places(task: Task) -> Iterator[tuple[int, str, Kind, bool]]:
    """Step, argument, its kind, and whether an edge feeds it, of all but mentions arguments."""
    for position, step in enumerate(task.steps):
        fed = {edge.argument.partition(".")[0] for edge in step.edges}
        for name in step.arguments:
            parameter = catalogue()[step.tool].parameters[name]
            if name not in step.match:
                yield position, name, parameter.kind, name in fed


def changed(task: Task, position: int, name: str, value: Any) -> TaskScore:
    calls = right_calls(task)
    calls[position] = Call(calls[position].name, {**calls[position].arguments, name: value})
    return answered(task, *calls)


def scores_with(change: Change, *, fed: bool) -> list[TaskScore]:
    """The scores of all answers in which one argument is changed; where it can be."""
    scores = []
    for task in suite().tasks:
        for position, name, kind, is_fed in places(task):
            value = task.steps[position].arguments[name]
            if is_fed == fed and (other := change(kind, value)) is not None:
                scores.append(changed(task, position, name, other))
    return scores


def scaled(factor: float) -> Change:
    def change(kind: Kind, value: Any) -> Any:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if kind.name == "number" and is_number and value:
            return value * factor
        if isinstance(value, list) and value and kind.item and kind.item.name == "number":
            return [value[0] * factor, *value[1:]] if value[0] else None
        return None

    return change


@pytest.mark.parametrize("factor", [1.0099, 0.9901, 1.0001, 1 + 1e-5, 1 + 1e-7])
def test_a_stated_number_that_is_off_never_passes(factor: float) -> None:
    scores = scores_with(scaled(factor), fed=False)
    assert len(scores) >= 40
    assert not any(score.strict for score in scores)


@pytest.mark.parametrize("factor", [1.0099, 0.9901, 1.0001, 1 + 1.1e-5])
def test_a_fed_number_that_is_off_never_passes(factor: float) -> None:
    scores = scores_with(scaled(factor), fed=True)
    assert len(scores) >= 40
    assert not any(score.strict for score in scores)


def test_a_fed_number_may_be_retyped_to_six_digits() -> None:
    scores = scores_with(
        lambda kind, v: (
            float(f"{v:.6g}") if kind.name == "number" and isinstance(v, float) else None
        ),
        fed=True,
    )
    assert len(scores) >= 20
    assert all(score.strict for score in scores)


def test_a_fed_whole_number_is_retyped_exactly_or_rounded() -> None:
    def whole(kind: Kind, value: Any, change: Callable[[int], int]) -> Any:
        is_whole = isinstance(value, int) and not isinstance(value, bool) and value >= 10**6
        return change(value) if is_whole and kind.name == "number" else None

    # No round number, which would be a rendering.
    off = scores_with(lambda k, v: whole(k, v, lambda n: n + (1 if n % 10 < 9 else 2)), fed=True)
    rounded = scores_with(lambda k, v: whole(k, v, lambda n: round(n, 7 - len(str(n)))), fed=True)
    assert len(off) == len(rounded) >= 1
    assert not any(score.strict for score in off)
    assert all(score.strict for score in rounded)


def test_a_text_with_a_numbered_list_is_worth_no_less() -> None:
    numbered = " ".join(f"{n}) -" for n in range(1, 9))
    scores = texts(lambda values: f"{numbered} {'; '.join(map(render, values))}")
    right = [(task, score) for task, score in scores if all(s.is_right for s in score.steps)]
    assert len(right) >= 40
    for task, score in right:
        assert score.score == 1, task.task_id


def other_word(kind: Kind, value: Any) -> Any:
    """A text of two words or more with its last word replaced."""
    if kind.name not in ("prose", "verbatim") or not isinstance(value, str) or " " not in value:
        return None
    return f"{value.rpartition(' ')[0]} otherwise."


@pytest.mark.parametrize("fed", [False, True])
def test_a_text_with_another_word_never_passes(fed: bool) -> None:
    scores = scores_with(other_word, fed=fed)
    assert len(scores) >= 20
    assert not any(score.strict for score in scores)
    if fed:
        assert not any(score.data_flow == 1 for score in scores)


def test_a_text_without_its_last_sign_and_in_another_case_passes() -> None:
    for fed in (False, True):
        scores = scores_with(
            lambda kind, v: v.rstrip(".!?").upper() if kind.name == "prose" else None, fed=fed
        )
        assert len(scores) >= 10
        wrong = [score for score in scores if not score.strict and not failed(score)]
        assert not wrong, [score.task_id for score in wrong]


def failed(score: TaskScore) -> bool:
    """Whether a tool could not do with what it was given: some look for words in a text."""
    return any(call.error is not None for call in score.calls) or any(
        step.pair and any(edge.reason for edge in step.edges) for step in score.steps
    )


@pytest.mark.parametrize("zone", ["-08:00", "+02:00", "+05:30"])
def test_a_zone_that_nobody_stated_never_passes(zone: str) -> None:
    def change(kind: Kind, value: Any) -> Any:
        is_naive = kind.name == "datetime" and not re.search(r"Z|[+-]\d\d:\d\d$", value)
        return f"{value}{zone}" if is_naive else None

    scores = [score for fed in (False, True) for score in scores_with(change, fed=fed)]
    assert len(scores) >= 5
    passed = [score for score in scores if score.strict]
    # Nothing but the zone in which the tool takes the time to be: then the output is the same.
    for score in passed:
        assert any(call.name == "convert_timezone" for call in score.calls)


def test_utc_may_be_said() -> None:
    scores = scores_with(
        lambda kind, v: f"{v}Z" if kind.name == "datetime" and len(v) == 19 else None, fed=False
    )
    # The time of a zone that the tool is told is another matter: there it errs.
    taken = [score for score in scores if all(call.error is None for call in score.calls)]
    assert len(taken) >= 1
    verdicts = [v for s in taken for step in s.steps if step.pair for v in step.pair.arguments]
    assert all(v.is_exact for v in verdicts if str(v.actual).endswith("Z"))


# Messages in words of one's own ---------------------------------------------------------------


def messages() -> Iterator[tuple[Task, int, str, list[Any], bool]]:
    """Task, step, argument, the values that its text must carry, and whether unrounded."""
    for task in suite().tasks:
        for position, step in enumerate(task.steps):
            for name, rule in step.match.items():
                yield task, position, name, rule["values"], rule.get("unrounded", False)


def texts(write: Callable[[list[Any]], str | None]) -> list[tuple[Task, TaskScore]]:
    answers = []
    for task, position, name, values, _ in messages():
        if (text := write(values)) is not None:
            answers.append((task, changed(task, position, name, text)))
    return answers


def test_invented_numbers_beside_the_right_ones_never_pass() -> None:
    for invented in ("4711", "4711, 1234.5 and 98", "-7"):
        answers = texts(lambda v, i=invented: f"{'; '.join(map(render, v))} (compare {i})")  # type: ignore[misc]
        assert len(answers) >= 40
        assert not any(score.strict for _, score in answers)


@pytest.mark.parametrize("factor", [1.0099, 0.9901, 1.002])
def test_a_number_in_a_text_that_is_off_never_passes(factor: float) -> None:
    def write(values: list[Any]) -> str | None:
        if not any(isinstance(v, float) and abs(v) >= 10 for v in values):
            return None
        off = [v * factor if isinstance(v, float) and abs(v) >= 10 else v for v in values]
        return "We have " + " and ".join(map(render, off))

    answers = texts(write)
    assert len(answers) >= 15
    assert not any(score.strict for _, score in answers)


def test_numbers_as_people_write_them_pass_unless_the_prompt_says_unrounded() -> None:
    seen = {True: 0, False: 0}
    for task, position, name, values, unrounded in messages():
        is_decimal = [isinstance(v, float) and len(f"{abs(v):.12g}") > 6 for v in values]
        if any(is_decimal):
            told = [
                f"{v:.3g}" if long and abs(v) < 1 else f"{v:,.2f}" if long else render(v)
                for v, long in zip(values, is_decimal, strict=True)
            ]
            text = f"Good morning! Here you are: {', '.join(told)}."
            score = changed(task, position, name, text)
            seen[unrounded] += 1
            wide = all(abs(v) >= 1 or v == 0 for v in values if isinstance(v, float))
            if unrounded or wide:
                assert score.strict is not unrounded, (task.task_id, text)
    assert min(seen.values()) >= 3


def test_a_minus_sign_may_be_said_in_words() -> None:
    answers = texts(
        lambda values: (
            "Down " + ", ".join(render(v).lstrip("-") for v in values)
            if any(isinstance(v, int | float) and v < 0 for v in values)
            else None
        )
    )
    assert len(answers) >= 3
    for task, score in answers:
        # What comes after was written for the expected text.
        written = [
            step for step, wanted in zip(score.steps, task.steps, strict=True) if wanted.match
        ]
        assert all(step.is_right for step in written), task.task_id


# Which call stands for a step ---------------------------------------------------------------------


def test_a_call_that_erred_is_never_right() -> None:
    task = next(t for t in suite().tasks if t.steps[0].tool == "get_weather" and t.level == 1)
    assert answered(task, *right_calls(task)).strict
    first = task.steps[0].arguments
    beyond = Call("get_weather", {**first, "city": "Atlantis"})
    assert not answered(task, beyond, *right_calls(task)[1:]).strict


def test_the_right_call_stands_for_a_step_and_not_a_failed_attempt_beside_it() -> None:
    failed = 0
    for task in suite().tasks:
        calls = right_calls(task)
        broken = Call(
            calls[0].name, {**calls[0].arguments, next(iter(calls[0].arguments), "x"): []}
        )
        score = answered(task, broken, *calls)
        first = score.calls[0]
        if first.error is not None and first.is_offered:
            failed += 1
            assert score.steps[0].call == 1, task.task_id
            assert score.strict, task.task_id
    assert failed >= 100
