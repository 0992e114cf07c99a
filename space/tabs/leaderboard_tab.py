"""The leaderboard: its controls, and what they do to the board and to the address."""

from dataclasses import replace
from importlib import resources
from typing import Any

import gradio as gr
from markupsafe import Markup

from evaluator.scoring.metrics import BY_OPTION, SOLVED
from space.base.markup import link, tag
from space.base.tiers import VIEWS
from space.board.board_columns import CHOICES, COLUMNS
from space.board.board_table import choices
from space.board.page_address import (
    FILTERS,
    MAX_TEXT,
    SWITCHES,
    BoardQuery,
    chosen_columns,
    read_board_query,
)
from space.html.board_chart import board_chart, chart_skeleton, chart_switch
from space.html.board_html import PAGE_ROWS, VIEW_LABELS, board_html, skeleton
from space.services import Services
from space.tabs.components import LEADERBOARD, OPEN_RUN, QUICK, Frame, Updates, Values, markup

_FILTER_LABELS = {"open_weights": "Open weights"}


class LeaderboardTab:
    """The board and its controls: tier, ranking score, search, switches, filters, columns."""

    def __init__(self, services: Services, frame: Frame) -> None:
        """Build the tab's content; `wire` says what the controls do."""
        self._services, self._frame = services, frame
        markup(chart_switch(), kind="chart-switch")
        self.chart = markup(chart_skeleton(), OPEN_RUN, "chart-place")
        self._add_first_controls()
        with gr.Accordion("Filters and columns", open=False):
            self._add_filters()
        script = resources.files("space.tabs").joinpath("board.js").read_text("utf-8")
        self.board = markup(skeleton(), script)
        with gr.Row():
            self.more = gr.Button("Show more rows", visible=False, min_width=160)
            self.files = markup()
        # How many are shown.
        self.rows = gr.State(PAGE_ROWS)
        # What of the setting is no control: the column that was clicked, and the run that is marked.
        self.order, self.mark = gr.State(""), gr.State("")

    def _add_first_controls(self) -> None:
        with gr.Row(elem_classes="filters"):
            self.view = gr.Radio(
                [("All", ""), *((VIEW_LABELS[name], name) for name in VIEWS)],
                value="",
                label="Tier",
                min_width=440,
            )
            self.rank_by = gr.Dropdown(
                [(metric.name, option) for option, metric in BY_OPTION.items()],
                value=SOLVED.option,
                label="Rank by",
                min_width=150,
            )
            self.search = gr.Textbox(
                label="Search",
                placeholder="model, organisation, provider",
                max_length=MAX_TEXT,
                min_width=250,
            )
            self.switches = gr.CheckboxGroup(
                [("References", "references"), ("Incomplete runs", "incomplete")],
                value=[],
                label="Show",
                min_width=320,
            )

    def _add_filters(self) -> None:
        with gr.Row(elem_classes="filters"):
            self.filters = {
                name: gr.Dropdown(
                    [],
                    value=[],
                    multiselect=True,
                    label=_FILTER_LABELS.get(name, name.capitalize()),
                    min_width=160,
                )
                for name in FILTERS
            }
        self.columns = gr.Dropdown(
            [(COLUMNS[name].label, name) for name in CHOICES],
            value=list(BoardQuery().columns),
            multiselect=True,
            label="Columns",
        )

    @property
    def controls(self) -> list[Any]:
        """What the board is set with, in the order of the page."""
        return [
            *(self.view, self.rank_by, self.search, self.switches),
            *(*self.filters.values(), self.columns, self.order, self.mark),
        ]

    @property
    def shown(self) -> list[Any]:
        """What `show` fills."""
        return [self.chart, self.board, self.more, self.rows, self.files]

    def query(self, values: Values) -> BoardQuery:
        """The setting that the controls stand for; a program may have sent anything."""
        texts = {
            "view": values[self.view],
            "rank_by": values[self.rank_by],
            "order": values[self.order],
            "mark": values[self.mark],
            "search": values[self.search],
            **dict.fromkeys(map(str, values[self.switches] or ()), "1"),
        }
        pairs = [(name, str(text)) for name, text in texts.items() if text]
        pairs += [
            (name, str(text)) for name, part in self.filters.items() for text in values[part] or ()
        ]
        query = read_board_query(pairs)
        return replace(query, columns=chosen_columns(values[self.columns] or ()))

    def set_controls(self, query: BoardQuery) -> Updates:
        """The controls as a setting has them, with the filters' choices."""
        board = self._services.board.current()
        options: dict[str, dict[str, None]] = {name: {} for name in FILTERS}
        for tier, signature in board.tables(query.view):
            for name, values in choices(board, tier, signature).items():
                options[name] |= dict.fromkeys(values)
        updates: Updates = {
            self.view: query.view,
            self.rank_by: query.rank_by,
            self.order: query.order,
            self.mark: query.mark,
            self.search: query.search,
            self.switches: [name for name in SWITCHES if getattr(query, name)],
            self.columns: list(query.columns),
        }
        for name, part in self.filters.items():
            chosen = query.filters.get(name, ())
            part_choices = sorted({*options[name], *chosen})
            updates[part] = gr.update(choices=part_choices, value=list(chosen))
        return updates

    def show(self, query: BoardQuery, rows: int = PAGE_ROWS) -> Updates:
        """The board in a setting, at most so many rows of it."""
        board = self._services.board.current()
        page, total = board_html(board, query, rows)
        left = max(0, total - rows)
        label = f"Show {min(left, PAGE_ROWS)} more of {left} rows"
        return {
            self.chart: board_chart(board, query),
            self.board: page,
            self.more: gr.update(visible=left > 0, value=label),
            self.rows: rows,
            self.files: _files(query),
        }

    def refresh(self, values: Values) -> Updates:
        """The board anew, as it is set."""
        return self.show(self.query(values))

    def show_marked(self, run: str) -> Updates:
        """The whole board with a run's row marked and in view, as whoever published it lands there.

        Fills `controls`, `shown`, and the frame's ``tabs`` and ``address``.
        """
        query = BoardQuery(mark=run)
        return {
            **self.set_controls(query),
            **self.show(query),
            self._frame.tabs: gr.Tabs(selected=LEADERBOARD),
            self._frame.address: query.to_query(),
        }

    def wire(self) -> None:
        """Every control shows the board as it is set, and puts the setting into the address."""
        inputs, address = set(self.controls), self._frame.address
        outputs = [*self.shown, address]
        self.view.input(self._turn, inputs, [*self.controls, *outputs], **QUICK)
        self.board.apply(self._sort, inputs, [self.order, *outputs], **QUICK)
        for control in self.controls[1:-2]:
            # A text box tells of typing as input, but not of pasting; both are changes.
            event = control.change if isinstance(control, gr.Textbox) else control.input
            event(self._change, inputs, outputs, trigger_mode="always_last", **QUICK)
        self.more.click(self._grow, {self.rows, *inputs}, self.shown, **QUICK)

    def _change(self, values: Values) -> Updates:
        query = self.query(values)
        return self.show(query) | {self._frame.address: query.to_query()}

    def _turn(self, values: Values) -> Updates:
        """Another tier, which has other values to filter by."""
        return self.set_controls(self.query(values)) | self._change(values)

    def _sort(self, values: Values, event: gr.EventData) -> Updates:
        """By the column whose header was clicked."""
        order = str(event._data.get("order", ""))
        return self._change({**values, self.order: order}) | {self.order: order}

    def _grow(self, values: Values) -> Updates:
        return self.show(self.query(values), values[self.rows] + PAGE_ROWS)


def _files(query: BoardQuery) -> Markup:
    """The table as files."""
    links = [
        link(
            f"Download this table ({kind.upper()})",
            f"download/leaderboard.{kind}?{query.to_query()}",
            download="",
        )
        for kind in ("csv", "json")
    ]
    return tag("div", *links, class_="actions")
