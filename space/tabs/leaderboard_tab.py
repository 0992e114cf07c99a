"""The leaderboard: its controls, and what they do to the board and to the address."""

from dataclasses import dataclass
from typing import Any

import gradio as gr
from markupsafe import Markup

from evaluator.scoring.metrics import BY_OPTION, SOLVED
from space.base.markup import link, tag
from space.base.tiers import VIEWS
from space.board.board import Board
from space.board.board_table import COLUMNS, FILTERS, choices
from space.board.page_address import MAX_TEXT, BoardQuery
from space.html.board_html import PAGE_ROWS, VIEW_LABELS, board_html, skeleton
from space.services import Services

_FILTER_LABELS = {"open_weights": "Open weights"}
OPEN_RUN = """
element.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-run]');
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  trigger('select', {run: link.dataset.run});
});
"""
"""A run's page opens without loading anew; with a key held, or without script, the link does."""


@dataclass(frozen=True)
class LeaderboardTab:
    """The parts of the tab that others wire to."""

    controls: tuple[gr.components.Component, ...]
    """View, ranking score, search, a list for each filter, columns."""
    board: gr.HTML
    more: gr.Button
    rows: gr.State
    csv: gr.HTML

    @property
    def shown(self) -> tuple[gr.components.Component, ...]:
        """What `show` fills."""
        return (self.board, self.more, self.rows, self.csv)


def leaderboard_tab() -> LeaderboardTab:
    """Build the tab's content; `wire` brings it to life."""
    with gr.Row(elem_classes="filters"):
        view = gr.Radio(
            [(VIEW_LABELS[name], name) for name in VIEWS],
            value=VIEWS[0],
            label="View",
            min_width=320,
            scale=2,
        )
        rank_by = gr.Dropdown(
            [(metric.name, option) for option, metric in BY_OPTION.items()],
            value=SOLVED.option,
            label="Rank by",
            min_width=160,
        )
        search = gr.Textbox(
            label="Search",
            placeholder="model, organisation, provider",
            max_length=MAX_TEXT,
            min_width=200,
            scale=2,
        )
    with gr.Accordion("Filters and columns", open=False):
        with gr.Row(elem_classes="filters"):
            filters = [
                gr.Dropdown(
                    [],
                    value=[],
                    multiselect=True,
                    label=_FILTER_LABELS.get(name, name.capitalize()),
                    min_width=160,
                )
                for name in FILTERS
            ]
        columns = gr.Dropdown(
            [(column.label, name) for name, column in COLUMNS.items()],
            value=list(BoardQuery().columns),
            multiselect=True,
            label="Columns",
        )
    board = gr.HTML(skeleton(), elem_classes="ctb", apply_default_css=False, js_on_load=OPEN_RUN)
    with gr.Row():
        more = gr.Button("Show more rows", visible=False, min_width=160)
        csv = gr.HTML("", elem_classes="ctb", apply_default_css=False, js_on_load=None)
    rows = gr.State(PAGE_ROWS)
    return LeaderboardTab((view, rank_by, search, *filters, columns), board, more, rows, csv)


def read_controls(*values: Any) -> BoardQuery:
    """The setting that the controls stand for, in their order."""
    view, rank_by, search, *filters, columns = values
    chosen = {name: tuple(found) for name, found in zip(FILTERS, filters, strict=True) if found}
    return BoardQuery(
        view=view,
        rank_by=rank_by,
        search=(search or "")[:MAX_TEXT],
        filters=chosen,
        columns=tuple(name for name in COLUMNS if name in (columns or ())) or BoardQuery().columns,
    )


def set_controls(board: Board, query: BoardQuery) -> tuple[Any, ...]:
    """The controls as a setting has them, with the filters' choices."""
    options: dict[str, dict[str, None]] = {name: {} for name in FILTERS}
    for signature in board.signatures(query.view):
        for name, values in choices(board, query.view, signature).items():
            options[name] |= dict.fromkeys(values)
    lists = (
        gr.update(
            choices=sorted({*options[name], *query.filters.get(name, ())}),
            value=list(query.filters.get(name, ())),
        )
        for name in FILTERS
    )
    return (query.view, query.rank_by, query.search, *lists, list(query.columns))


def show(services: Services, query: BoardQuery, rows: int = PAGE_ROWS) -> tuple[Any, ...]:
    """What stands in the tab's `shown` components."""
    page, total = board_html(services.board.current(), query, rows)
    left = max(0, total - rows)
    label = f"Show {min(left, PAGE_ROWS)} more of {left} rows"
    return page, gr.update(visible=left > 0, value=label), rows, _csv(query)


def _csv(query: BoardQuery) -> Markup:
    address = f"download/leaderboard.csv?{query.to_query()}"
    return tag("div", link("Download this table (CSV)", address, download=""), class_="actions")


def wire(tab: LeaderboardTab, services: Services, address: gr.Textbox) -> None:
    """Every control shows the board as it is set, and puts the setting into the address."""
    controls, shown = list(tab.controls), list(tab.shown)

    def changed(*values: Any) -> tuple[Any, ...]:
        query = read_controls(*values)
        return *show(services, query), query.to_query()

    def turned(*values: Any) -> tuple[Any, ...]:
        # Another view has other values to filter by.
        query = read_controls(*values)
        return (
            *set_controls(services.board.current(), query),
            *show(services, query),
            query.to_query(),
        )

    def grown(rows: int, *values: Any) -> tuple[Any, ...]:
        return show(services, read_controls(*values), rows + PAGE_ROWS)

    quick = {"concurrency_limit": None, "api_visibility": "private", "show_progress": "hidden"}
    view, *others = tab.controls
    view.input(turned, controls, [*controls, *shown, address], **quick)
    for control in others:
        # A text box tells of typing as input, but not of pasting; both are changes.
        event = control.change if isinstance(control, gr.Textbox) else control.input
        event(changed, controls, [*shown, address], trigger_mode="always_last", **quick)
    tab.more.click(grown, [tab.rows, *controls], shown, **quick)
