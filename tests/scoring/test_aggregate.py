"""The score of a run: means, gaps, bounds, samples, what is missing, and whether it may be ranked."""

import json
import random
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from dataset_builder.tasks.task import Suite, Task
from evaluator.scoring.aggregate import summarise
from evaluator.scoring.attempts import by_model, score_attempts
from evaluator.scoring.error_classes import reasons
from evaluator.scoring.score import Scorer
from evaluator.scoring.text_tables import score_table
from evaluator.scoring.write_scores import write_scores
from evaluator.traces.signature import signature, suite_label
from evaluator.traces.trace import Call, Trace
from tests.samples.toy_tools import TOOLS, call, make_task, step, suite

BERLIN, PARIS = call("weather", city="Berlin"), call("weather", city="Paris")
FED = call("convert", value="{{1.temperature_c}}", to="fahrenheit")
BOTH = call("hottest", values=["{{1.temperature_c}}", "{{2.temperature_c}}"])


def single(number: int) -> Task:
    return make_task(0, step("weather", city="Berlin"), number=number)


CHAIN = make_task(
    1,
    step("weather", city="Berlin"),
    step("convert", value="{{1.temperature_c}}", to="fahrenheit"),
    number=3,
)
JOIN = make_task(
    2,
    step("weather", city="Berlin"),
    step("weather", city="Paris"),
    step("hottest", values=["{{1.temperature_c}}", "{{2.temperature_c}}"]),
    number=4,
)
DAG = make_task(
    3,
    step("weather", city="Berlin"),
    step("weather", city="Paris"),
    step("add", a="{{1.temperature_c}}", b="{{2.temperature_c}}"),
    step("convert", value="{{1.temperature_c}}", to="fahrenheit"),
    step("hottest", values=["{{3.sum}}", "{{4.result}}"]),
    number=5,
)
SUITE = suite(single(1), single(2), CHAIN, JOIN, DAG)
PERFECT = {
    "L0_node_0001": (BERLIN,),
    "L0_node_0002": (BERLIN,),
    "L1_chain_0003": (BERLIN, FED),
    "L2_parallel_0004": (BERLIN, PARIS, BOTH),
    "L3_dag_0005": (
        BERLIN,
        PARIS,
        call("add", a="{{1.temperature_c}}", b="{{2.temperature_c}}"),
        FED,
        call("hottest", values=["{{3.sum}}", "{{4.result}}"]),
    ),
}
DECLARED: dict[str, Any] = {"protocol": "single-turn", "catalogue": "full", "model": "m"}


def summary(tasks: Suite, traces: Sequence[Trace], allow_partial: bool = False) -> dict[str, Any]:
    attempts = score_attempts(tasks, traces, Scorer(TOOLS), allow_partial=allow_partial)
    return summarise(tasks, traces, attempts, {"single-turn": 1}, "native")


def run(
    changes: dict[str, tuple[Call, ...]] | None = None,
    leave_out: tuple[str, ...] = (),
    allow_partial: bool = False,
    **fields: Any,
) -> dict[str, Any]:
    answers = {**PERFECT, **(changes or {})}
    traces = [
        Trace(task_id, calls, **{**DECLARED, **fields})
        for task_id, calls in answers.items()
        if task_id not in leave_out
    ]
    return summary(SUITE, traces, allow_partial)


KEYS = (
    "signature suite model protocol catalogue ranked n_tasks n_samples n_missing n_infrastructure "
    "overall overall_bound step strict pass_k levels selection_gap comp_gap delta_l0_l3 diagnostics "
    "errors tasks"
).split()
TASK_KEYS = (
    "task_id sample level score step strict sequence arguments completeness data_flow economy error"
).split()


def test_the_json_is_the_published_one() -> None:
    scores = json.loads(json.dumps(run(), allow_nan=False))
    assert list(scores) == KEYS
    assert all(list(row) == TASK_KEYS for row in scores["tasks"])
    assert list(scores["levels"]) == ["L0", "L1", "L2", "L3"]
    assert all(
        list(level) == ["n", "score", "step", "strict"] for level in scores["levels"].values()
    )
    for gap in ("selection_gap", "comp_gap", "delta_l0_l3"):
        assert list(scores[gap]) == ["weighted", "step", "strict"]


def test_a_perfect_run() -> None:
    scores = run()
    assert scores["ranked"] is True
    for name in ("overall", "overall_bound", "step", "strict", "pass_k"):
        assert scores[name] == 1
    assert scores["selection_gap"] == {"weighted": 0, "step": 0, "strict": 0}
    assert (scores["n_tasks"], scores["n_samples"], scores["n_missing"]) == (5, 1, 0)
    assert scores["errors"] == {}
    diagnostics = scores["diagnostics"]
    assert diagnostics["call_precision"] == diagnostics["call_recall"] == 1
    assert diagnostics["argument_accuracy"] == diagnostics["edge_accuracy"] == 1
    # 1 + 1 + 2 + 3 + 5 calls in five answers
    assert diagnostics["calls_per_response"] == 12 / 5
    assert diagnostics["latency_ms"] is diagnostics["tokens"] is diagnostics["cost_usd"] is None
    assert diagnostics["output_tokens"] is None


def test_levels_gaps_and_diagnostics() -> None:
    # One of two level-0 tasks wrong; the chain lacks its second call; the join has one call too many.
    scores = run(
        {
            "L0_node_0001": (PARIS,),
            "L1_chain_0003": (BERLIN,),
            "L2_parallel_0004": (BERLIN, PARIS, BOTH, call("now")),
        }
    )
    assert scores["levels"] == {
        "L0": {"n": 2, "score": 1 / 2, "step": 1 / 2, "strict": 1 / 2},
        "L1": {"n": 1, "score": 1 / 2, "step": 1 / 2, "strict": 0},
        "L2": {"n": 1, "score": 3 / 4, "step": 3 / 4, "strict": 0},
        "L3": {"n": 1, "score": 1, "step": 1, "strict": 1},
    }
    assert scores["overall"] == pytest.approx((0 + 1 + 1 / 2 + 3 / 4 + 1) / 5)
    assert scores["strict"] == pytest.approx(2 / 5)
    # L0 − Lk: 0, −1/4, −1/2
    assert scores["comp_gap"]["weighted"] == pytest.approx(-1 / 4)
    assert scores["selection_gap"]["weighted"] == pytest.approx(1 / 4)
    assert scores["selection_gap"]["strict"] == pytest.approx(1 / 3 - 1 / 2)
    assert scores["delta_l0_l3"] == {"weighted": -1 / 2, "step": -1 / 2, "strict": -1 / 2}
    assert scores["errors"] == {
        "E8_partial_completion": 1,
        "E4_wrong_arguments": 1,
        "E7_unnecessary_tool": 1,
    }
    diagnostics = scores["diagnostics"]
    # 12 expected calls, 11 aligned, 12 made; one of the 11 is wrong; 1 of 1 + 2 + 5 edges is lost
    assert diagnostics["call_precision"] == 11 / 12
    assert diagnostics["call_recall"] == 11 / 12
    assert diagnostics["argument_accuracy"] == pytest.approx(10 / 11)
    assert diagnostics["edge_accuracy"] == pytest.approx(7 / 8)


def test_an_empty_level_is_null() -> None:
    only = suite(single(1), CHAIN)
    traces = [Trace(t.task_id, PERFECT[t.task_id], **DECLARED) for t in only.tasks]
    scores = summary(only, traces)
    assert scores["levels"]["L2"] == {"n": 0, "score": None, "step": None, "strict": None}
    assert scores["selection_gap"] == {"weighted": None, "step": None, "strict": None}
    assert scores["delta_l0_l3"]["weighted"] is None
    assert scores["overall"] == 1
    assert "–" in score_table(scores)


def test_missing_tasks() -> None:
    out = ("L0_node_0002", "L3_dag_0005")
    scores = run(leave_out=out)
    assert scores["overall"] == 3 / 5
    assert (scores["n_tasks"], scores["n_missing"], scores["ranked"]) == (5, 2, False)
    assert scores["diagnostics"]["missing"] == list(out)
    assert scores["diagnostics"]["not_ranked"] == ["2 tasks missing"]
    assert [row["error"] for row in scores["tasks"]] == [None, "missing", None, None, "missing"]
    assert scores["errors"] == {}
    partial = run(leave_out=out, allow_partial=True)
    assert partial["overall"] == 1
    assert (partial["n_tasks"], partial["n_missing"], partial["ranked"]) == (3, 2, False)
    assert partial["levels"]["L3"]["n"] == 0
    assert "|n:3|" in partial["signature"]


def test_infrastructure_failures_have_two_bounds() -> None:
    traces = [Trace(task_id, calls, **DECLARED) for task_id, calls in PERFECT.items()]
    traces[2] = Trace("L1_chain_0003", error={"kind": "connection"}, **DECLARED)
    scores = summary(SUITE, traces)
    assert (scores["overall"], scores["overall_bound"]) == (4 / 5, 1)
    assert (scores["n_infrastructure"], scores["ranked"]) == (1, False)
    assert scores["diagnostics"]["not_ranked"] == ["1 of 5 tasks failed by infrastructure"]
    assert scores["tasks"][2]["error"] == "infrastructure"
    assert scores["errors"] == {}
    # the failed request is no call that the model missed
    assert scores["diagnostics"]["call_recall"] == 1


def test_two_per_cent_may_fail() -> None:
    tasks = [single(number) for number in range(1, 101)]
    for failed, ranked in ((2, True), (3, False)):
        traces = [Trace(t.task_id, (BERLIN,), **DECLARED) for t in tasks[failed:]]
        traces += [Trace(t.task_id, error={"kind": "auth"}, **DECLARED) for t in tasks[:failed]]
        scores = summary(suite(*tasks), traces)
        assert scores["ranked"] is ranked
        assert scores["overall"] == pytest.approx(1 - failed / 100)


def test_samples() -> None:
    rows = {0: (BERLIN,), 1: (PARIS,), 2: (BERLIN,)}
    only = suite(single(1), single(2))
    traces = [Trace("L0_node_0001", calls, sample=n, **DECLARED) for n, calls in rows.items()]
    traces += [Trace("L0_node_0002", (BERLIN,), sample=n, **DECLARED) for n in rows]
    scores = summary(only, traces)
    assert scores["n_samples"] == 3
    # the mean of a task is that of its samples: (2/3 + 1) / 2; one of two tasks passed every time
    assert scores["overall"] == scores["strict"] == pytest.approx(5 / 6)
    assert scores["pass_k"] == 1 / 2
    assert scores["ranked"] is True
    # a sample that is left out counts 0, so nobody can choose
    scores = summary(only, traces[:1] + traces[2:])
    assert scores["overall"] == pytest.approx(5 / 6)
    assert (scores["n_missing"], scores["ranked"]) == (1, False)
    partial = summary(only, traces[:1] + traces[2:], allow_partial=True)
    assert partial["overall"] == 1
    assert partial["n_missing"] == 1


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"protocol": None}, "protocol undeclared"),
        ({"catalogue": None}, "catalogue undeclared"),
    ],
)
def test_undeclared_is_not_ranked(fields: dict[str, Any], reason: str) -> None:
    scores = run(**fields)
    assert scores["ranked"] is False
    assert scores["diagnostics"]["not_ranked"] == [reason]
    assert ":undeclared|" in scores["signature"]


def test_rows_that_declare_different_things_are_not_ranked() -> None:
    traces = [Trace(task_id, calls, **DECLARED) for task_id, calls in PERFECT.items()]
    traces[0] = Trace("L0_node_0001", (BERLIN,), model="m", protocol="multi-turn", catalogue="16")
    scores = summary(SUITE, traces)
    assert scores["diagnostics"]["not_ranked"] == [
        "several protocols: multi-turn, single-turn",
        "several catalogues: 16, full",
    ]


def test_no_trace_at_all() -> None:
    scores = summary(SUITE, [])
    assert (scores["overall"], scores["n_missing"], scores["ranked"]) == (0, 5, False)


def test_the_order_of_rows_changes_nothing() -> None:
    traces = [Trace(task_id, calls, **DECLARED) for task_id, calls in PERFECT.items()]
    expected = summary(SUITE, traces)
    for seed in range(5):
        random.Random(seed).shuffle(traces)
        assert summary(SUITE, traces) == expected


def test_a_run_of_huge_answers_stays_small() -> None:
    tasks = [single(number) for number in range(1, 11)]
    calls = [call("keep", name="n", text="y" * 50_000), call("recall", name="n")]
    calls += [call("weather", city=f"{number} {{{{2.text}}}}") for number in range(40)]
    traces = [Trace(task.task_id, tuple(calls), **DECLARED) for task in tasks]
    tracemalloc.start()
    attempts = score_attempts(suite(*tasks), traces, Scorer(TOOLS))
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 3 * 2**20
    assert peak < 16 * 2**20
    assert attempts[0].score is not None
    sentences = reasons(attempts[0].score)
    assert "Call 1 (keep): nobody asked for it." in sentences
    assert all(len(sentence) < 200 for sentence in sentences)


def test_wrong_input() -> None:
    with pytest.raises(ValueError, match="several models"):
        score_attempts(
            SUITE,
            [Trace("L0_node_0001", model="a"), Trace("L0_node_0001", model="b")],
            Scorer(TOOLS),
        )
    with pytest.raises(ValueError, match="has no task L0_node_0099"):
        score_attempts(SUITE, [Trace("L0_node_0099")], Scorer(TOOLS))
    with pytest.raises(ValueError, match="L0_node_0001, sample 0 stands twice"):
        score_attempts(SUITE, [Trace("L0_node_0001")] * 2, Scorer(TOOLS))
    assert list(by_model([Trace("a", model="y"), Trace("a", model="x")])) == ["y", "x"]


def test_usage_latency_and_turns() -> None:
    usage = {"prompt_tokens": 100, "completion_tokens": 10}
    calls = tuple(Call(c.name, c.arguments, turn) for turn, c in enumerate(PERFECT["L3_dag_0005"]))
    scores = run(
        {"L3_dag_0005": calls}, usage=usage, latency_ms=20.0, cost_usd=0.5, protocol="multi-turn"
    )["diagnostics"]
    assert (scores["tokens"], scores["latency_ms"], scores["cost_usd"]) == (550, 20, 2.5)
    # four answers in one response each, one in five
    assert scores["calls_per_response"] == 12 / 9


def test_signature() -> None:
    label = suite_label(SUITE)
    assert label == f"3.0.0+{SUITE.digest[:8]}"
    line = signature(SUITE, 200, "single-turn", "full", "native", {"single-turn": 1})
    expected = (
        f"ctb:{label}|seed:42|n:200|protocol:single-turn.1|catalogue:full|calls:native|scorer:2"
    )
    assert line == expected
    assert run()["signature"] == expected.replace("n:200", "n:5")


def test_the_table_shows_the_numbers() -> None:
    text = score_table(run({"L0_node_0001": (PARIS,)}, leave_out=("L3_dag_0005",)))
    lines = text.splitlines()
    assert lines[0].startswith("ctb:3.0.0+")
    assert "m: 5 tasks, 1 missing (L3_dag_0005)" in lines
    assert any(
        line.split() == ["Single", "call", "(L0)", *"2 50.0 50.0 50.0".split()] for line in lines
    )
    assert "Not ranked: 1 task missing." in lines
    assert any(line.startswith("E4_wrong_arguments") for line in lines)
    assert all(line == line.rstrip() for line in lines)


def test_files_are_written_whole(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    scores = run({"L1_chain_0003": (BERLIN,)})
    write_scores(tmp_path, scores)
    assert json.loads((tmp_path / "scores.json").read_text("utf-8")) == scores
    rows = pq.read_table(tmp_path / "scores.parquet").to_pylist()
    assert [{name: row[name] for name in TASK_KEYS} for row in rows] == scores["tasks"]
    assert {row["signature"] for row in rows} == {scores["signature"]}
    write_scores(tmp_path, [scores, scores])
    assert len(pq.read_table(tmp_path / "scores.parquet")) == 10
    assert sorted(path.name for path in tmp_path.iterdir()) == ["scores.json", "scores.parquet"]
    with pytest.raises(OSError, match="No such file"):
        write_scores(tmp_path / "none", scores)
