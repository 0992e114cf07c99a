"""What a scorer keeps from one trace to the next saves work, and never changes a score."""

import random
import tracemalloc
from dataclasses import fields, replace
from itertools import count

import pytest

from dataset_builder.tasks.engine import CompositionEngine
from dataset_builder.tasks.irrelevance import irrelevance_suite
from dataset_builder.tools import catalogue
from dataset_builder.tools.replay import Episode, Outcomes
from dataset_builder.tools.tool import Tool
from dataset_builder.tools.world import World
from evaluator.scoring.known_task import MOST_KEPT
from evaluator.scoring.score import Scorer, score_task
from evaluator.traces.protocols import MULTI_TURN, SINGLE_TURN
from evaluator.traces.trace import Call, Trace
from space.submissions.replay_budget import Meter, metered
from tests.differential.mutations import mutants

TOOLS = catalogue()
SUITE = CompositionEngine(42).generate_suite()


def counted(names: list[str]) -> dict[str, Tool]:
    """The catalogue, each call of which is noted by its tool's name."""

    def noting(tool: Tool) -> Tool:
        def function(**arguments: object) -> dict:
            names.append(tool.name)
            return tool.function(**arguments)

        own = {field.name: getattr(tool, field.name) for field in fields(Tool)}
        return Tool(**own | {"function": function})

    return {name: noting(tool) for name, tool in TOOLS.items()}


def test_a_score_does_not_hang_on_the_traces_scored_before() -> None:
    pairs = [(task, mutant.trace) for task, mutant in mutants(SUITE, TOOLS, 800, 7, most=8)]
    alone = [score_task(task, trace, TOOLS) for task, trace in pairs]
    shared = Scorer(TOOLS)
    assert [shared.score(task, trace) for task, trace in pairs] == alone
    # Everything is known by now, and another order meets other traces first.
    order = list(range(len(pairs)))
    random.Random(1).shuffle(order)
    assert [shared.score(*pairs[i]) for i in order] == [alone[i] for i in order]


def test_more_tasks_than_are_known_at_a_time_score_the_same() -> None:
    suite = CompositionEngine(3, counts=(400, 300, 0, 0)).generate_suite()
    scorer = Scorer(TOOLS)
    for task in suite.tasks:
        calls = tuple(Call(step.tool, dict(step.arguments)) for step in task.steps)
        assert scorer.score(task, Trace(task.task_id, calls)).strict


def test_more_answers_to_one_task_than_are_kept_score_the_same() -> None:
    task = next(task for task in SUITE.tasks if task.level == 1)
    right = [Call(step.tool, dict(step.arguments)) for step in task.steps]
    scorer = Scorer(TOOLS)
    for number in range(300):
        name = next(iter(right[0].arguments))
        changed = {**right[0].arguments, name: f"value {number}"}
        trace = Trace(task.task_id, (replace(right[0], arguments=changed), *right[1:]))
        assert scorer.score(task, trace) == score_task(task, trace, TOOLS)
        assert scorer.score(task, Trace(task.task_id, tuple(right))).strict


def test_more_outcomes_than_are_kept_begin_anew() -> None:
    outcomes, tool = Outcomes(), TOOLS["word_count"]
    first = outcomes.of(tool, {"text": "first"}, [])
    text = "word " * 370
    for number in range(11_500):
        outcomes.of(tool, {"text": f"{text}{number}"}, [])
    again = outcomes.of(tool, {"text": "first"}, [])
    assert again == first
    assert again.token != first.token


def test_what_is_kept_of_answers_goes_with_the_outcomes_of_their_calls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("dataset_builder.tools.replay._MOST_KEPT", 100_000)
    scorer, task = Scorer(TOOLS), SUITE.tasks[100]
    texts = (f"{'w' * 1_700} {number}" for number in count())

    def answer() -> Trace:
        return Trace(task.task_id, tuple(Call("word_count", {"text": next(texts)}) for _ in "1234"))

    tracemalloc.start()
    for _ in range(MOST_KEPT - 1):  # 2.6 MB of texts
        answered = answer()
        assert scorer.score(task, answered).step == 0
    assert tracemalloc.get_traced_memory()[0] < 1_000_000
    tracemalloc.stop()
    assert scorer.score(task, answered) == score_task(task, answered, TOOLS)


def test_a_task_of_the_same_id_and_other_content_is_another_task() -> None:
    task = next(task for task in SUITE.tasks if len(task.steps) == 1)
    other = replace(task, steps=(replace(task.steps[0], arguments={"other": 1}, match={}),))
    trace = Trace(task.task_id, (Call(task.steps[0].tool, dict(task.steps[0].arguments)),))
    scorer = Scorer(TOOLS)
    assert scorer.score(task, trace).strict
    assert scorer.score(other, trace) == score_task(other, trace, TOOLS)
    assert not scorer.score(other, trace).strict
    assert scorer.score(task, trace).strict


def test_equal_calls_of_several_traces_are_executed_once() -> None:
    task = next(task for task in SUITE.tasks if task.level == 2)
    calls = tuple(Call(step.tool, dict(step.arguments)) for step in task.steps)
    names: list[str] = []
    scorer = Scorer(counted(names))
    for sample in range(3):
        assert scorer.score(task, Trace(task.task_id, calls, sample=sample)).strict
    assert len(names) == len(task.steps)


def test_equal_calls_asked_for_otherwise_are_another_answer() -> None:
    task = next(task for task in SUITE.tasks if task.level == 1)
    right = tuple(Call(step.tool, dict(step.arguments)) for step in task.steps)
    # Forgiven in many turns alone, since it is tried again.
    failed = Call(right[0].name, {})
    answers = [(), right, (failed, *right), right[:1]]
    traces = [
        Trace(task.task_id, calls, sample=sample, protocol=protocol, catalogue=offered, error=error)
        for calls in answers
        for protocol in (SINGLE_TURN, MULTI_TURN)
        for offered in ("full", "task")
        for error in (None, {"kind": "malformed_call"}, {"kind": "turn_limit"}, {"kind": "timeout"})
        for sample in (0, 3)
    ]
    alone = [score_task(task, trace, TOOLS) for trace in traces]
    assert len({(s.error, s.fault, s.step, s.counted) for s in alone}) > 8
    for seed in range(4):
        scorer, order = Scorer(TOOLS), list(range(len(traces)))
        random.Random(seed).shuffle(order)
        assert [scorer.score(task, traces[i]) for i in order] == [alone[i] for i in order]
        for offered in ((), [right[0].name], list(TOOLS)):
            one = score_task(task, traces[16], TOOLS, offered)
            assert scorer.score(task, traces[16], offered) == one


def test_requests_without_a_call_are_scored_as_alone() -> None:
    scorer = Scorer(TOOLS)
    for task in irrelevance_suite().tasks[:3]:
        for calls in ((), (Call("get_weather", {"city": "Berlin"}),)):
            trace = Trace(task.task_id, calls)
            assert scorer.score(task, trace) == score_task(task, trace, TOOLS)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"values": [1, 2]}, {"values": [1.0, 2]}),
        ({"values": [1, 2]}, {"values": ["1", 2]}),
        ({"values": [1, 2]}, {"values": "[1, 2]"}),
        ({"values": [True, 2]}, {"values": [1, 2]}),
        ({"values": [1, 2]}, {"values": [1, 2], "more": None}),
    ],
)
def test_what_is_written_otherwise_is_another_call(one: dict, other: dict) -> None:
    outcomes = Outcomes()
    tool = TOOLS["moving_average"]
    first, second = (outcomes.of(tool, arguments, []) for arguments in (one, other))
    assert first.token != second.token
    assert second.arguments == other
    assert outcomes.of(tool, dict(one), []) is first


def test_calls_that_act_on_the_world_are_made_in_each_episode() -> None:
    outcomes = Outcomes()
    for _ in range(2):
        episode = Episode(TOOLS, outcomes=outcomes)
        before = episode.execute("retrieve_memory", {"key": "k9"})
        episode.execute("store_memory", {"key": "k9", "value": "v"})
        after = episode.execute("retrieve_memory", {"key": "k9"})
        assert before.output != after.output
        assert before.token is after.token is None


def test_a_reference_is_the_call_that_it_becomes() -> None:
    outcomes = Outcomes()
    tool = TOOLS["word_count"]
    written = outcomes.of(tool, {"text": "a b"}, [])
    assert outcomes.of(tool, {"text": "{{1.text}}"}, [{"text": "a b"}]) is written
    assert outcomes.of(tool, {"text": "{{1.text}}"}, [{"text": "a c"}]) is not written
    missing = outcomes.of(tool, {"text": "{{2.text}}"}, [{"text": "a b"}])
    assert missing.error == "text: the reference {{2.text}} points at nothing"


def test_long_calls_are_not_kept() -> None:
    outcomes = Outcomes()
    text = {"text": "word " * 4_000}
    assert outcomes.of(TOOLS["word_count"], text, []).token is None


@pytest.mark.parametrize("value", [10**5_000, [{"deep": -(10**5_000)}]], ids=["plain", "deep"])
def test_a_number_that_python_does_not_write_is_a_bad_argument_like_others(value: object) -> None:
    task = SUITE.tasks[0]
    bad = dict.fromkeys(task.steps[0].arguments, value)
    scorer = Scorer(TOOLS)
    for _ in range(2):
        score = scorer.score(task, Trace(task.task_id, (Call(task.steps[0].tool, bad),)))
        assert (score.step, score.strict) == (0, False)
    outcomes = Outcomes()
    assert outcomes.of(TOOLS["word_count"], {"text": value}, []).token is None


def test_a_budget_counts_equal_calls_each_time() -> None:
    meter = Meter(10_000)
    scorer = Scorer(metered(TOOLS, meter))
    task = SUITE.tasks[0]
    trace = Trace(task.task_id, (Call("word_count", {"text": "a b c"}),) * 2)
    scorer.score(task, trace)
    spent = 10_000 - meter.characters
    scorer.score(task, trace)
    assert 10_000 - meter.characters == 2 * spent


def test_a_tool_leaves_its_arguments_as_they_are() -> None:
    for task in SUITE.tasks:
        for step in task.steps:
            before = repr(dict(step.arguments))
            TOOLS[step.tool](step.arguments, World())
            assert repr(dict(step.arguments)) == before
