"""Figures: the report's charts of the runs on the board, to be read point by point."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import gradio as gr
from markupsafe import Markup

from evaluator.report.build import compose
from evaluator.report.content import Figure, Section
from evaluator.scoring.metrics import SOLVED
from space.base.markup import join, notice, tag
from space.base.tiers import BASELINE, FLAGGED, VIEWS, WITHDRAWN
from space.board.board import Board, first_view
from space.html.board_html import VIEW_LABELS
from space.services import Services

MOST_RUNS = 60
"""With more runs than this a figure with a row for each cannot be read; the best ones are shown."""
SLOTS = 9
"""As many figures as a section of the report can have."""
_LOADING = "The figures are being drawn …"


@dataclass(frozen=True)
class FiguresTab:
    """The parts of the tab that others wire to."""

    view: gr.Radio
    setting: gr.Dropdown
    said: gr.HTML
    boxes: tuple[gr.Column, ...]
    titles: tuple[gr.HTML, ...]
    plots: tuple[gr.Plot, ...]

    @property
    def shown(self) -> list[Any]:
        """What `show_figures` fills."""
        slots = zip(self.boxes, self.titles, self.plots, strict=True)
        return [self.view, self.setting, self.said, *(part for slot in slots for part in slot)]


def figures_tab() -> FiguresTab:
    """Build the tab's content; `wire_figures` brings it to life."""
    with gr.Row(elem_classes="filters"):
        view = gr.Radio(
            [(VIEW_LABELS[name], name) for name in VIEWS],
            value=VIEWS[0],
            label="Runs",
            min_width=320,
        )
        setting = gr.Dropdown([], label="Setting", min_width=300)
    said = gr.HTML(notice(_LOADING), elem_classes="ctb", apply_default_css=False, js_on_load=None)
    boxes, titles, plots = [], [], []
    with gr.Row(elem_classes="charts"):
        for _ in range(SLOTS):
            with gr.Column(visible=False, min_width=360, elem_classes="chart") as box:
                titles.append(
                    gr.HTML("", elem_classes="ctb", apply_default_css=False, js_on_load=None)
                )
                plots.append(gr.Plot(show_label=False, container=False))
            boxes.append(box)
    return FiguresTab(view, setting, said, tuple(boxes), tuple(titles), tuple(plots))


def sections(board: Board, view: str) -> tuple[list[Section], int]:
    """The report's sections with figures for the runs of a view, and how many runs are left out."""
    entries = [
        entry
        for entry in board.entries
        if entry.tier in (view, BASELINE) and entry.status not in (WITHDRAWN, FLAGGED)
    ]
    own = [entry for entry in entries if entry.tier == view]
    own.sort(key=lambda entry: (-float(entry.result.scores[SOLVED.total] or 0), entry.id))
    kept = own[:MOST_RUNS]
    settings = {entry.result.signature for entry in kept}
    references = [
        entry for entry in entries if entry.tier == BASELINE and entry.result.signature in settings
    ]
    if not kept:
        return [], 0
    report = compose([entry.result for entry in (*kept, *references)])
    return [section for section in report.sections if section.figures], len(own) - len(kept)


def show_figures(services: Services, asked: Mapping[str, str]) -> tuple[Any, ...]:
    """What stands in the tab's `shown` components for a view and a setting of an address."""
    board = services.board.current()
    view = asked.get("view", "")
    view = view if view in VIEWS else first_view(board)
    found, left_out = sections(board, view)
    names = [section.name for section in found]
    chosen = next((section for section in found if section.name == asked.get("setting")), None)
    chosen = chosen or (found[0] if found else None)
    options = gr.update(
        choices=[(section.title, section.name) for section in found],
        value=chosen.name if chosen else None,
        visible=len(names) > 0,
    )
    figures = chosen.figures if chosen else ()
    said = _said(chosen, view, left_out)
    return view, options, said, *_slots(figures)


def _said(section: Section | None, view: str, left_out: int) -> Markup:
    if section is None:
        return notice(f"There is no run to draw under “{VIEW_LABELS[view]}”.")
    lines = [*section.intro, *section.findings, "Why a run is not ranked stands on its own page."]
    if left_out:
        lines.append(f"Only the {MOST_RUNS} best runs are drawn; {left_out} more are on the board.")
    parts = [tag("p", line) for line in lines]
    if section.signature:
        parts.append(tag("p", tag("code", section.signature)))
    missing = [tag("li", line) for line in section.left_out]
    if missing:
        parts.append(tag("details", tag("summary", "Not drawn, and why"), tag("ul", *missing)))
    return join(parts)


def _slots(figures: Sequence[Figure]) -> list[Any]:
    """Column, title and plot of each slot, those without a figure hidden."""
    found: list[Any] = []
    for figure in figures[:SLOTS]:
        words = [tag("h3", figure.title), tag("p", figure.alt, class_="fine")]
        words += [tag("p", figure.note, class_="fine")] if figure.note else []
        found += [gr.update(visible=True), join(words), figure.chart]
    for _ in range(SLOTS - min(SLOTS, len(figures))):
        found += [gr.update(visible=False), Markup(""), None]
    return found


def wire_figures(tab: FiguresTab, services: Services, address: gr.Textbox) -> None:
    """View and setting redraw the figures, and stand in the address."""

    def changed(view: str, setting: str | None) -> tuple[Any, ...]:
        return *show_figures(services, {"view": view, "setting": setting or ""}), figures_address(
            view, setting
        )

    for control in (tab.view, tab.setting):
        control.input(
            changed,
            [tab.view, tab.setting],
            [*tab.shown, address],
            trigger_mode="always_last",
            concurrency_limit=2,
            api_visibility="private",
            show_progress="hidden",
        )


def figures_address(view: str, setting: str | None) -> str:
    """The address of some figures, as a query string."""
    return urlencode({"tab": "figures", "view": view, **({"setting": setting} if setting else {})})
