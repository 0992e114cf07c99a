"""The report of horizons: one line a model, what was limited or lies beyond the ladder said in words."""

import csv
import io
from pathlib import Path

import pytest

from evaluator.comparing.results import Result
from evaluator.horizon.outcome import Outcome
from evaluator.report.build import compose, render, write
from evaluator.report.content import Section
from evaluator.report.horizon_charts import MOST_LINES
from evaluator.report.horizon_frames import independent_frame, solved_frame, survival_frame
from evaluator.report.horizon_section import HORIZON_LIMITS, horizon_sections
from tests.horizon.coverage import doubling, independent_errors
from tests.samples.horizon_runs import AGENTS, agents, horizon_result, result_of

LIMITED = horizon_result("short of context", independent_errors(0.999), 2, limited_from=128)


def section(*results: Result) -> Section:
    (only,) = horizon_sections(results)
    return only


def rows(drawn: Section, table: str) -> dict[str, list[str]]:
    """The cells of a table by the first of each row."""
    (named,) = (each for each in drawn.tables if each.name == table)
    return {row[0]: row[1:] for row in named.cells()}


def test_a_row_for_each_agent() -> None:
    lengths = rows(section(*agents(), LIMITED), "horizon-lengths")
    assert lengths.keys() == {*AGENTS, "short of context"}
    assert lengths["never wrong"][:3] == ["> 256", "> 256", "–"]
    assert lengths["never right"][:3] == ["< 4", "< 4", "–"]
    assert lengths["short of context"][0] == "> 64"
    assert lengths["short of context"][-1] == "limited by context at 128"
    # The longest first.
    first, *_, last = lengths
    assert (first, last) == ("never wrong", "never right")


def test_what_was_solved_at_each_length() -> None:
    drawn = section(*agents(), LIMITED)
    solved, right = rows(drawn, "horizon-solved"), rows(drawn, "horizon-calls")
    assert solved["never wrong"] == ["100 [76, 100]"] * 7
    assert solved["never right"] == ["0 [0, 24]", *["–"] * 6]
    assert solved["short of context"][-2:] == ["–", "–"]
    assert right["never wrong"] == ["100.0"] * 7


def test_effects_have_a_column_for_each_model() -> None:
    drawn = section(*agents())
    (table,) = (each for each in drawn.tables if each.name == "horizon-effects")
    head, *body = csv.reader(io.StringIO(table.to_csv()))
    assert head[:5] == ["dial", "value", "never wrong", "never wrong_low", "never wrong_high"]
    assert [row[:2] for row in body if row[0] == "order"] == [
        ["order", "executed"],
        ["order", "shuffled"],
    ]
    assert drawn.left_out == ["Where it breaks: only the first 5 models."]


def test_the_frames_of_the_figures() -> None:
    ladders = {"a": agents()[0].scores["horizon"], "limited": LIMITED.scores["horizon"]}
    solved, dotted = solved_frame(ladders), independent_frame(ladders)
    assert set(solved.loc[solved["model"] == "limited", "calls"]) == {4, 8, 16, 32, 64}
    assert all(solved[name].between(0, 100).all() for name in ("solved", "low", "high"))
    p = ladders["a"]["independent"]["p"]
    ends = dotted[dotted["model"] == "a"].iloc[[0, -1]]
    assert list(ends["calls"]) == pytest.approx([4, 64])
    assert list(ends["share"]) == pytest.approx([100 * p**4, 100 * p**64])
    survival = survival_frame(ladders)
    assert (survival.groupby("model")["share"].diff().dropna() <= 1e-9).all()
    assert survival["calls"].min() == 1


@pytest.mark.parametrize(
    ("rates", "seed", "expected"),
    [
        (independent_errors(1), 1, ["solves more than half of the procedures of 256 calls"]),
        (independent_errors(0), 1, ["solves fewer than half of the procedures of 4 calls"]),
        (
            independent_errors(0.97),
            1,
            [
                "solves half of the procedures of",
                "shows no sign that length itself makes calls worse",
            ],
        ),
        (
            doubling(0.003),
            1,
            [
                "solves half of the procedures of",
                "makes more errors in a call the longer the procedure is",
                "has 97.5 % of calls right in the last quarter",
            ],
        ),
    ],
)
def test_findings_are_as_strong_as_their_intervals(
    rates: object, seed: int, expected: list[str]
) -> None:
    lines = section(horizon_result("X", rates, seed)).findings  # type: ignore[arg-type]
    assert len(lines) == len(expected)
    for line, words in zip(lines, expected, strict=True):
        assert line.startswith(f"X {words}")


def test_failures_in_some_procedures_are_told_from_length() -> None:
    # Half of the procedures go wrong at once, the others never.
    answered = [
        Outcome((False,) * n if i % 2 else (True,) * n, i % 2 == 0, float(i % 2 == 0))
        for n in (4, 8, 16, 32, 64, 128, 256)
        for i in range(12)
    ]
    lines = section(result_of("X", answered)).findings
    assert any("fails in some procedures rather than with length" in line for line in lines)


def test_settings_have_sections_of_their_own_whatever_the_number_of_tasks() -> None:
    results = [
        horizon_result("a", independent_errors(0.9)),
        horizon_result("b", independent_errors(1)),
        horizon_result("a", independent_errors(0.9), protocol="multi-turn"),
    ]
    multi, single = horizon_sections(results)
    assert (multi.name, single.name) == ("horizon", "horizon-2")
    assert single.title == "The horizon: single-turn, all tools offered"
    assert rows(single, "horizon-2-lengths").keys() == {"a", "b"}
    assert "|n:" not in single.signature


def test_more_models_than_colours() -> None:
    many = [horizon_result(f"m{i}", independent_errors(0.9), i) for i in range(MOST_LINES + 2)]
    drawn = section(*many)
    assert len(rows(drawn, "horizon-lengths")) == MOST_LINES + 2
    assert "Only the first 7 of 9 models are drawn; the tables have all." in drawn.left_out
    for figure in drawn.figures:
        render(figure)


def test_nothing_answered_is_no_error() -> None:
    drawn = section(horizon_result("X", independent_errors(1), limited_from=4))
    assert drawn.figures == []
    assert drawn.findings == ["X answered no procedure within its limits."]


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    names = ["<script>alert(1)</script>", "=cmd()", "a", "a_low", "a\u202eb", "a"]
    results = [horizon_result(name, independent_errors(0.97), i) for i, name in enumerate(names)]
    report = compose(results)
    write(report, tmp_path / "out")
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "\u202e" not in page
    head = (tmp_path / "out" / "tables" / "horizon-effects.csv").read_text().splitlines()[0]
    assert not any(cell.startswith("=") for cell in head.split(","))
    assert len(set(head.split(","))) == len(head.split(","))


def test_a_report_of_horizons_alone(tmp_path: Path) -> None:
    report = compose(agents())
    assert [each.name for each in report.sections] == ["horizon"]
    assert [*report.limits] == [*HORIZON_LIMITS]
    write(report, tmp_path / "out")
    names = {file.name for file in (tmp_path / "out" / "figures").iterdir()}
    assert {"horizon-solved.svg", "horizon-survival.png"} <= names
