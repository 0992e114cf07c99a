from typing import Any

import numpy as np
import pytest

from evaluator.comparing.control_table import control_groups
from evaluator.comparing.leaderboard import board_text, ranked
from evaluator.comparing.places import Place
from evaluator.comparing.ranking import overall_intervals, rank_ranges
from evaluator.comparing.results import Result
from evaluator.comparing.score_array import Floats, ScoreArray
from evaluator.comparing.significance_tests import differences
from evaluator.comparing.statistics import clustered_interval
from evaluator.intervals import wilson
from evaluator.scoring.metrics import BY_OPTION, METRICS, SCORES, Metric
from evaluator.scoring.text_tables import percent
from tests.comparing.score_arrays import LEVELS, array_of, by, result_of, rows_of

SIGNATURE = "ctb:3.0.0+aaaa|seed:42|n:8|protocol:single-turn.1|catalogue:full|scorer:1"


def boards(seed: int, runs: int, spread: float) -> Floats:
    """Tasks × runs: scores that share the tasks' difficulty."""
    generator = np.random.default_rng(seed)
    skill = generator.uniform(0.5 - spread, 0.5 + spread, runs)
    difficulty = generator.normal(0, 0.2, (200, 1))
    return np.clip(skill + difficulty + generator.normal(0, 0.3, (200, runs)), 0, 1)


def of_metrics(values: Floats) -> ScoreArray:
    """The same values for every metric."""
    return array_of(np.repeat(values[:, :, None], len(METRICS), axis=2))


@pytest.mark.parametrize("metric", SCORES.values(), ids=list(BY_OPTION))
@pytest.mark.parametrize("spread", [0.0, 0.1, 0.4])
def test_ranges_of_ranks_are_those_of_all_pairs_compared_one_by_one(
    spread: float, metric: Metric
) -> None:
    values = boards(1, 20, spread)
    results = [result_of(f"run-{i:02}", with_passes(values[:, i])) for i in range(20)]
    pairs = by(differences(results, ["overall"]), "metric", "a", "b")
    told_apart = [
        (row["a"], row["b"]) if row["difference"] > 0 else (row["b"], row["a"])
        for (own, *_), row in pairs.items()
        if own == metric.key and row["significant"]
    ]
    better, worse = ([pair[end] for pair in told_apart] for end in (0, 1))
    names = [result.name for result in results]
    expected = {name: (1 + worse.count(name), 20 - better.count(name)) for name in names}
    (entries,) = ranked(results, metric).values()
    places = {entry.result.name: entry.place for entry in entries}
    assert {name: (place.rank, place.last) for name, place in places.items()} == expected
    if spread:
        assert len(set(expected.values())) > 3


@pytest.mark.parametrize(
    ("rank", "last", "text"), [(1, 1, "1"), (1, 2, "1–2"), (3, None, "3"), (None, None, "–")]
)
def test_a_range_of_ranks_is_said_in_few_characters(
    rank: int | None, last: int | None, text: str
) -> None:
    assert Place(rank, {}, last).range == text


def with_passes(values: Floats) -> list[dict[str, Any]]:
    """Rows whose tasks are solved where the score is above one half."""
    return [{**row, "strict": row["score"] > 0.5} for row in rows_of(values)]


def test_equal_runs_share_the_first_rank() -> None:
    values = np.repeat(boards(2, 1, 0.1), 3, axis=1)
    for metric in METRICS:
        ranges = rank_ranges(of_metrics(values), metric)
        assert (ranges.first.tolist(), ranges.last.tolist()) == ([1, 1, 1], [3, 3, 3])


def test_a_run_with_few_templates_ahead_is_not_ahead() -> None:
    values = np.zeros((200, 3))
    values[:5, 1], values[:6, 2] = 1, 1
    for metric in METRICS:
        ranges = rank_ranges(of_metrics(values), metric)
        assert (ranges.first.tolist(), ranges.last.tolist()) == ([2, 1, 1], [3, 3, 2])


def test_a_single_template_ranks_nobody() -> None:
    values = np.array([[[1.0] * 3, [0.0] * 3]] * 8)
    scores = array_of(values, np.zeros(8, dtype=int), np.zeros(8, dtype=int))
    for metric in METRICS:
        assert rank_ranges(scores, metric).first.tolist() == [1, 1]
        assert np.isnan(overall_intervals(scores, metric)).all() == (metric != "strict")


def test_the_interval_is_about_that_of_the_clustered_bootstrap() -> None:
    values = boards(3, 1, 0.1)
    ((entry,),) = ranked([result_of("run", rows_of(values[:, 0]))]).values()
    plain = clustered_interval(values[:, 0].tolist(), [str(i) for i in range(200)])
    for metric in ("step", "weighted"):
        interval = entry.place.intervals[metric]
        assert interval.mean == pytest.approx(plain.mean)
        # Levels are strata here, and their few templates are allowed for.
        assert interval[1:] == pytest.approx(plain[1:], abs=0.005)


def test_the_interval_beside_a_number_is_its_own() -> None:
    """Whatever a board is ranked by."""
    rows = [
        {**row, "step": 0.5 + row["score"] / 4, "strict": row["score"] > 0.9}
        for row in rows_of(boards(4, 1, 0.1)[:, 0])
    ]
    solved = sum(row["strict"] for row in rows)
    for metric in SCORES.values():
        ((entry,),) = ranked([result_of("run", rows)], metric).values()
        assert entry.place.intervals["strict"] == pytest.approx(wilson(solved, 200))
        assert 0.5 < entry.place.intervals["step"].low < entry.place.intervals["step"].high < 0.75
        (mean,) = {
            interval.mean for key, interval in entry.place.intervals.items() if key == "weighted"
        }
        assert mean == pytest.approx(np.mean([row["score"] for row in rows]))
        text = board_text([result_of("run", rows)], metric)
        assert f"Ranked by: {metric.name}" in text


def test_what_is_ranked_by_decides_rank_and_order() -> None:
    """One run solves fewer tasks, with the more calls right; the paper's score likes neither."""
    solver = [
        {**row, "strict": i % 2 == 0, "step": 0.5, "score": 0.5}
        for i, row in enumerate(rows_of(np.zeros(200)))
    ]
    nearly = [{**row, "strict": i % 8 == 0, "step": 0.75} for i, row in enumerate(solver)]
    results = [result_of("nearly", nearly), result_of("solver", solver)]
    for option, expected in (
        ("solved", [("solver", 1), ("nearly", 2)]),
        ("calls", [("nearly", 1), ("solver", 2)]),
        ("weighted", [("solver", 1), ("nearly", 1)]),
    ):
        (entries,) = ranked(results, BY_OPTION[option]).values()
        assert [(entry.result.name, entry.place.rank) for entry in entries] == expected


def test_signatures_are_ranked_apart_and_the_unranked_come_last() -> None:
    good, bad = rows_of(np.ones(200)), rows_of(np.zeros(200))
    other = SIGNATURE.replace("full", "task")
    results = [
        result_of("bad", bad),
        result_of("partial", good[:100], is_ranked=False),
        result_of("good", good),
        result_of("elsewhere", bad, signature=other),
        result_of("hinted", good, about={"wording": "tool_hinted"}),
        result_of("minimal", good, about={"wording": "minimal"}),
    ]
    rankings = ranked(results)
    shown = {
        signature: [(entry.result.name, entry.place.rank) for entry in entries]
        for signature, entries in rankings.items()
    }
    assert shown == {
        SIGNATURE: [("good", 1), ("minimal", 1), ("bad", 3), ("partial", None)],
        other: [("elsewhere", 1)],
    }


def test_the_board_as_text() -> None:
    rows = rows_of(np.linspace(0, 1, 200))
    text = board_text(
        [result_of("a", rows), result_of("b", rows[:7], model="partial", is_ranked=False)]
    )
    lines = text.splitlines()
    assert lines[0] == SIGNATURE
    assert lines[1].split()[:7] == ["rank", "model", "Solved", "95", "%", "Calls", "right"]
    assert lines[1].split()[8:] == "95 % L0 L1 L2 L3 gap Weighted score (paper) 95 %".split()[1:]
    assert lines[2].split()[:5] == ["1", "a", "0.5", "0.1–2.8", "50.0"]
    assert lines[3].split()[:2] == ["–", "partial"]
    assert lines[3].endswith("2 tasks missing")
    assert lines[5].startswith("Per cent, with 95 % intervals. Ranked by: Solved;")


def test_baselines_are_below_all_others_and_count_for_nobody_s_rank() -> None:
    good, bad = rows_of(np.ones(200)), rows_of(np.zeros(200))
    results = [
        result_of("oracle", good, model="baseline:oracle"),
        result_of("mine", bad, model="mine"),
        result_of("partial", good[:100], model="partial", is_ranked=False),
        result_of("cut", good[:9], model="baseline:spam", is_ranked=False),
        result_of("silent", bad, model="baseline:silent"),
    ]
    (entries,) = ranked(results).values()
    assert [(entry.result.name, entry.place.rank) for entry in entries] == [
        ("mine", 1),
        ("partial", None),
        ("oracle", None),
        ("cut", None),
        ("silent", None),
    ]
    without = ranked(result for result in results if not result.model.startswith("baseline:"))
    assert [entry.place.intervals for entry in without[SIGNATURE]] == [
        e.place.intervals for e in entries[:2]
    ]
    lines = board_text(results).splitlines()
    assert [line.split()[0] for line in lines[2:7]] == ["1", "–", "–", "–", "–"]
    assert lines[4].endswith("for reference")
    assert lines[5].endswith("for reference; 2 tasks missing")


def control_run(name: str, wording: str, accuracy: float, model: str = "m") -> Result:
    rows = [
        {**row, "completeness": 1.0, "arguments": accuracy, "error": None}
        for row in rows_of((np.arange(48) < 48 * accuracy).astype(float), LEVELS[:48])
    ]
    return result_of(name, rows, model=model, about={"wording": wording})


def test_the_runs_of_a_control_stand_together_in_a_table_of_their_own() -> None:
    runs = [
        control_run("one/context_rich", "context_rich", 1.0),
        control_run("one/minimal", "minimal", 0.5),
        control_run("one/tool_hinted", "tool_hinted", 0.75),
        control_run("two/tool_hinted", "tool_hinted", 0.25, "other"),
        control_run("alone", "minimal", 1.0, "plain"),
    ]
    runs[2].scores["tasks"][47] |= {"error": "infrastructure"}
    names = [[result.name for result in group] for group in control_groups(runs)]
    assert names == [["one/minimal", "one/tool_hinted", "one/context_rich"], ["two/tool_hinted"]]
    board, one, two, _ = board_text(runs).split("\n\n")
    assert [line.split()[:2] for line in board.splitlines()[2:]] == [["1", "plain"]]
    assert one.splitlines()[1].startswith("m: level-0 prompts in several wordings")
    assert [line.split() for line in one.splitlines()[3:]] == [
        ["minimal", "48", "50.0", "100.0", "50.0"],
        ["tool_hinted", "47", "76.6", "100.0", "75.0", "0.000"],
        ["context_rich", "48", "100.0", "100.0", "100.0", "0.000"],
    ]
    assert [line.split() for line in two.splitlines()[3:]] == [
        ["tool_hinted", "48", "25.0", "100.0", "25.0"]
    ]


@pytest.mark.slow
@pytest.mark.parametrize("metric", METRICS)
def test_a_thousand_runs_are_ranked(metric: str) -> None:
    values = boards(5, 1_000, 0.3)
    if metric == "strict":
        values = (values > 0.5).astype(float)
    scores = of_metrics(values)
    low, high = overall_intervals(scores, metric)
    rank = rank_ranges(scores, metric).first
    means = np.array([values[level == LEVELS].mean(axis=0) for level in range(4)])
    overall = np.array([48, 64, 40, 48]) @ means / 200
    assert np.all((low < overall) & (overall < high))
    assert rank[overall.argmax()] == 1
    assert rank[overall.argmin()] > 800


@pytest.mark.parametrize(
    ("value", "plain", "signed"),
    [
        (None, "–", "–"),
        (float("nan"), "–", "–"),
        (0.1234, "12.3", "+12.3"),
        (-0.5, "−50.0", "−50.0"),
        (0.0, "0.0", "0.0"),
        (-1e-17, "0.0", "0.0"),
        (-0.0004, "0.0", "0.0"),
    ],
)
def test_a_number_that_rounds_to_nothing_has_no_sign(
    value: float | None, plain: str, signed: str
) -> None:
    assert (percent(value), percent(value, signed=True)) == (plain, signed)
