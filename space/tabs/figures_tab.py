"""Figures: the report's charts of the runs on the board, to be read point by point."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any
from urllib.parse import urlencode

import gradio as gr
from markupsafe import Markup

from evaluator.report.content import Figure, Section
from evaluator.scoring.metrics import SOLVED
from space.base.markup import join, notice, tag
from space.base.tiers import BASELINE, FLAGGED, VIEWS, WITHDRAWN
from space.board.board import Board, first_view
from space.board.figure_sections import KeptSections
from space.board.horizons import may_be_drawn
from space.html.board_html import VIEW_LABELS
from space.services import Services
from space.tabs.components import FIGURES, QUICK, Frame, Updates, markup, shown_if

MOST_RUNS = 60
"""With more runs than this a figure with a row for each cannot be read; the best ones are shown."""
SLOTS = 9
"""As many figures as a section of the report can have."""
_KEPT = KeptSections()
_LOADING = "The figures are being drawn …"


class FiguresTab:
    """View and setting, and the figures of these. `wire` says what the choices do."""

    def __init__(self, services: Services, frame: Frame) -> None:
        """Build the tab's content."""
        self._services, self._frame = services, frame
        with gr.Row(elem_classes="filters"):
            self.view = gr.Radio(
                [(VIEW_LABELS[name], name) for name in VIEWS],
                value=VIEWS[0],
                label="Runs",
                min_width=320,
            )
            self.setting = gr.Dropdown([], label="Setting", min_width=300)
        self.words = markup(notice(_LOADING))
        with gr.Column(elem_classes="charts"):
            self.slots = [_slot() for _ in range(SLOTS)]

    @property
    def shown(self) -> list[Any]:
        """What `show` fills."""
        parts = (part for slot in self.slots for part in slot)
        return [self.view, self.setting, self.words, *parts]

    def show(self, address: Mapping[str, str]) -> Updates:
        """The figures for a view and a setting of an address."""
        board = self._services.board.current()
        view = address.get("view", "")
        view = view if view in VIEWS else first_view(board)
        drawn, left_out = sections(board, view)
        by_name = {section.name: section for section in drawn}
        chosen = by_name.get(address.get("setting", ""), drawn[0] if drawn else None)
        options = gr.update(
            choices=[(section.title, section.name) for section in drawn],
            value=chosen.name if chosen else None,
            visible=len(drawn) > 0,
        )
        words = _words(chosen, view, left_out)
        figures = self._figures(chosen.figures if chosen else ())
        return {self.view: view, self.setting: options, self.words: words, **figures}

    def _figures(self, figures: Sequence[Figure]) -> Updates:
        """A slot for each figure; those without one are hidden."""
        updates: Updates = {}
        for (box, title, plot, caption), figure in zip_longest(self.slots, figures[:SLOTS]):
            if figure is None:
                updates |= {box: shown_if(False), title: "", plot: None, caption: ""}
            else:
                updates |= {box: shown_if(True), title: tag("h3", figure.title)}
                updates |= {plot: figure.chart, caption: _caption(figure)}
        return updates

    def wire(self) -> None:
        """View and setting redraw the figures, and stand in the address."""
        chosen = [self.view, self.setting]
        outputs = [*self.shown, self._frame.address]
        self._frame.places[FIGURES].select(self._open, chosen, outputs, **QUICK)
        for control in chosen:
            control.input(
                self._choose,
                chosen,
                outputs,
                trigger_mode="always_last",
                **(QUICK | {"concurrency_limit": 2}),
            )

    def _open(self, view: str, setting: str | None) -> Updates:
        address = self._frame.address
        if setting:
            # They are drawn already.
            return {address: figures_address(view, setting)}
        return self.show({}) | {address: urlencode({"tab": FIGURES})}

    def _choose(self, view: str, setting: str | None) -> Updates:
        shown = self.show({"view": view, "setting": setting or ""})
        return shown | {self._frame.address: figures_address(view, setting)}


def _slot() -> tuple[gr.Column, gr.HTML, gr.Plot, gr.HTML]:
    """The place of a figure: column, title, plot and caption."""
    with gr.Column(visible=False, elem_classes="chart") as box:
        return box, markup(), gr.Plot(show_label=False, container=False), markup()


def _caption(figure: Figure) -> Markup:
    """What is seen, and how it is to be read."""
    return join(tag("p", text, class_="fine") for text in (figure.alt, figure.note) if text)


def sections(board: Board, view: str) -> tuple[list[Section], int]:
    """The report's sections with figures for the runs of a view, and how many runs are left out."""
    horizons = [entry for entry in board.horizons if may_be_drawn(entry, view)]
    entries = [
        entry
        for entry in board.entries
        if entry.tier in (view, BASELINE)
        and entry.status not in (WITHDRAWN, FLAGGED)
        and entry.result.apart is None
    ]
    runs = [entry for entry in entries if entry.tier == view]
    runs.sort(key=lambda entry: (-float(entry.result.scores[SOLVED.total] or 0), entry.id))
    drawn = runs[:MOST_RUNS]
    settings = {entry.result.signature for entry in drawn}
    references = [
        entry for entry in entries if entry.tier == BASELINE and entry.result.signature in settings
    ]
    if not drawn and not horizons:
        return [], 0
    return list(_KEPT.of([*drawn, *references, *horizons])), len(runs) - len(drawn)


def _words(section: Section | None, view: str, left_out: int) -> Markup:
    """What is drawn and what is not."""
    if section is None:
        return notice(f"There is no run to draw under “{VIEW_LABELS[view]}”.")
    said = [*section.intro, *section.findings]
    parts = [tag("p", line) for line in said[:1]]
    if left_out:
        words = f"Only the {MOST_RUNS} best runs are drawn; {left_out} more are on the board."
        parts.append(tag("p", words))
    more = [tag("p", line) for line in said[1:]]
    more.append(tag("p", "Why a run is not ranked stands on its own page."))
    if section.signature:
        more.append(tag("p", tag("code", section.signature)))
    parts.append(tag("details", tag("summary", "What else they show"), *more))
    missing = [tag("li", line) for line in section.left_out]
    if missing:
        parts.append(tag("details", tag("summary", "Not drawn, and why"), tag("ul", *missing)))
    return join(parts)


def figures_address(view: str, setting: str | None) -> str:
    """The address of some figures, as a query string."""
    return urlencode({"tab": FIGURES, "view": view, **({"setting": setting} if setting else {})})
