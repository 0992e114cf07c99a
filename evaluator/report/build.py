"""The report's folder: the page, its figures as SVG and PNG, its tables as CSV, Markdown and LaTeX."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dataset_builder.errors import InputError
from dataset_builder.read_files import read_plain
from dataset_builder.write_files import scratch_beside
from evaluator.comparing.leaderboard import ranked
from evaluator.comparing.results import Result
from evaluator.comparing.statistics import score_intervals
from evaluator.report.content import Figure, Section
from evaluator.report.data_frames import run_frame
from evaluator.report.experiment_sections import control_section, provider_section, sweep_section
from evaluator.report.false_calls_section import (
    REQUESTS_LIMIT,
    REQUESTS_ONLY,
    false_calls_sections,
)
from evaluator.report.horizon_section import HORIZON_LIMITS, HORIZONS_ONLY, horizon_sections
from evaluator.report.overview import PAPER_LIMIT, limits, measured, runs_table
from evaluator.report.page import page
from evaluator.report.paper_section import paper_section
from evaluator.report.setting_section import setting_section
from evaluator.report.settings import stems, sweeps
from evaluator.report.style import REFERENCE
from evaluator.scoring.metrics import SOLVED, Metric

if TYPE_CHECKING:
    import pandas as pd

PAGE = "index.html"
_MARK = 'content="comptoolbench report"'
_PIXELS_PER_INCH = 300


@dataclass(frozen=True)
class Report:
    """What a report says, before it is rendered."""

    title: str
    measured: Sequence[str]
    sections: Sequence[Section]
    limits: Sequence[str]


def compose(
    results: Sequence[Result],
    with_paper: bool = False,
    metric: Metric = SOLVED,
    *,
    with_tables: bool = True,
) -> Report:
    """The report of some results (of one suite and scorer), and of the paper's rows if asked for.

    ``metric``: the score that models are ranked by. Without the tables of its settings it takes half
    the time.
    """
    sections: list[Section] = []
    about = ["The paper's published results; no run of this suite."]
    cannot = [PAPER_LIMIT]
    horizons = [result for result in results if result.is_horizon]
    requests = [result for result in results if result.apart == "irrelevance"]
    if of_suite := [result for result in results if result.apart is None]:
        runs = run_frame(of_suite, score_intervals(of_suite), metric)
        group = {result.name: result for result in of_suite}
        sections = _sections(runs, group, metric, with_tables=with_tables)
        about, cannot = measured(runs), limits(runs, with_paper)
    elif results:
        about = [HORIZONS_ONLY] * bool(horizons) + [REQUESTS_ONLY] * bool(requests)
        cannot = [PAPER_LIMIT] if with_paper else []
    if horizons:
        sections += horizon_sections(horizons)
        cannot = [*cannot, *HORIZON_LIMITS]
    if requests:
        sections += false_calls_sections(requests, of_suite)
        cannot = [*cannot, REQUESTS_LIMIT]
    if with_paper:
        sections.append(paper_section())
    return Report("CompToolBench report", about, sections, cannot)


def _sections(
    runs: "pd.DataFrame", group: Mapping[str, Result], metric: Metric, *, with_tables: bool
) -> list[Section]:
    as_worded = runs[runs["wording"].isna()]
    plain = as_worded[~as_worded["varied"]]
    swept = sweeps(plain)
    # What was run for a sweep only is reported there.
    arms = as_worded["run"].isin(swept["run"]) & as_worded["catalogue"].str.isdigit()
    shown = as_worded[~arms | ~as_worded["signature"].isin(as_worded.loc[arms, "signature"])]
    models = shown[shown["regime"] != REFERENCE]
    boards = ranked([group[name] for name in models["run"]], metric)
    # The settings in which most models were run come first.
    signatures: list[str] = sorted(shown["signature"].unique())
    order = sorted(signatures, key=lambda signature: -len(boards.get(signature, ())))
    names = stems(order)
    settings = [
        setting_section(
            names[signature],
            signature,
            shown[shown["signature"] == signature],
            group,
            boards.get(signature, []),
            metric,
            with_tables=with_tables,
        )
        for signature in order
    ]
    compared = {
        "How many tools are offered: no model was asked with several numbers of tools "
        "(comptoolbench sweep).": sweep_section(plain, group),
        "The same weights on several providers: no model is here from two providers in one "
        "setting.": provider_section(as_worded, group),
        "Level 0 in three wordings: no model was asked in several wordings "
        "(comptoolbench control).": control_section(runs, group),
    }
    missing = [line for line, section in compared.items() if section is None]
    about = Section("runs", "What was measured", tables=[runs_table(runs)], left_out=missing)
    return [*settings, *(section for section in compared.values() if section is not None), about]


def write(report: Report, folder: Path) -> None:
    """Write the report's folder whole, or nothing; an earlier report at that place is replaced.

    InputError where something else stands there.
    """
    if folder.exists() and not _is_ours(folder):
        raise InputError(f"{folder} exists and is no report: choose another --out")
    with scratch_beside(folder) as scratch:
        new = scratch / "new"
        _fill(new, report)
        if folder.exists():
            folder.rename(scratch / "old")
        new.rename(folder)


def _is_ours(folder: Path) -> bool:
    if not folder.is_dir():
        return False
    try:
        return _MARK in read_plain(folder / PAGE).decode()[:1000]
    except (OSError, ValueError):
        return not any(folder.iterdir())


def _fill(folder: Path, report: Report) -> None:
    (folder / "tables").mkdir(parents=True)
    (folder / "figures").mkdir()
    images = {}
    for section in report.sections:
        for table in section.tables:
            _text(folder / "tables" / f"{table.name}.csv", table.to_csv())
            _text(folder / "tables" / f"{table.name}.md", table.to_markdown())
            _text(folder / "tables" / f"{table.name}.tex", table.to_latex())
        for figure in section.figures:
            images[figure.name], png = render(figure)
            _text(folder / "figures" / f"{figure.name}.svg", images[figure.name])
            (folder / "figures" / f"{figure.name}.png").write_bytes(png)
    _text(
        folder / PAGE,
        page(report.title, report.measured, report.sections, report.limits, images),
    )


def render(figure: Figure) -> tuple[str, bytes]:
    """A figure as SVG and as PNG at 300 pixels an inch."""
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(figure.chart.to_dict())
    return svg, vl_convert.svg_to_png(svg, ppi=_PIXELS_PER_INCH)


def _text(path: Path, content: str) -> None:
    path.write_text(content, encoding="utf-8", newline="\n")
