"""Explore: the tasks, and for each what any run answered and why that is worth what it is."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import gradio as gr
from markupsafe import Markup

from dataset_builder.errors import InputError
from space.base.markup import join, notice
from space.base.sanitize import clean
from space.board.board import Board
from space.board.explain_answer import explain, samples
from space.board.page_address import MAX_TEXT
from space.html.answer_page import answer_page
from space.html.task_list import (
    FILTERS,
    ORDERS,
    TaskQuery,
    choices,
    select,
    task_query,
    task_rows,
    task_table,
)
from space.html.task_page import task_page
from space.services import Services
from space.tabs.components import (
    EXPLORE,
    OPEN_TASK,
    QUICK,
    Frame,
    Updates,
    Values,
    link_target,
    markup,
    shown_if,
)
from space.tabs.run_choices import run_choices

NO_RUN = "none: the task alone"


class ExploreTab:
    """The list of tasks, and in its place the page of one. `wire` says what the controls do."""

    def __init__(self, services: Services, frame: Frame) -> None:
        """Build the tab's content."""
        self._services, self._frame = services, frame
        self.run = gr.Dropdown([(NO_RUN, "")], value="", label="Run", min_width=260)
        with gr.Column() as self.listing:
            self._add_list_controls()
            self.tasks = markup(on_load=OPEN_TASK)
        with gr.Column(visible=False) as self.detail:
            with gr.Row():
                self.back = gr.Button("All tasks", size="sm", min_width=100)
                self.before = gr.Button("Previous", size="sm", min_width=100)
                self.after = gr.Button("Next", size="sm", min_width=100)
            self.sample = gr.Dropdown([0], value=0, label="Sample", visible=False, min_width=100)
            self.page = markup()
        # Id of the task that is shown; empty while the list is.
        self.task = gr.State("")

    def _add_list_controls(self) -> None:
        with gr.Row(elem_classes="filters"):
            self.search = gr.Textbox(
                label="Search",
                placeholder="words of the prompt",
                max_length=MAX_TEXT,
                min_width=200,
            )
            self.order = gr.Dropdown(
                [(label, name) for name, label in ORDERS.items()],
                value="id",
                label="Order",
                min_width=160,
            )
        with gr.Row(elem_classes="filters"):
            self.filters = tuple(
                gr.Dropdown([], value=[], multiselect=True, label=name.capitalize(), min_width=150)
                for name in FILTERS
            )

    @property
    def shown(self) -> list[Any]:
        """What `show` fills."""
        return [
            *(self.run, *self.filters, self.listing, self.tasks, self.detail, self.sample),
            *(self.page, self.task),
        ]

    def show(self, address: Mapping[str, str], query: TaskQuery | None = None) -> Updates:
        """The list, or the page of a task, for the task, run and sample of an address."""
        query = query or TaskQuery()
        board, suite = self._services.board.current(), self._services.settings.suite
        task_id, run = address.get("task", ""), address.get("run", "")
        entry = board.find(run)
        rows = task_rows(board, suite, entry)
        sample, page = self._page(board, task_id, run, address.get("sample", "0"))
        options = zip(self.filters, choices(rows), query.filters, strict=True)
        filters = {
            part: gr.update(choices=sorted({*values, *chosen}), value=list(chosen))
            for part, values, chosen in options
        }
        runs = [(NO_RUN, ""), *run_choices(board.entries)]
        return filters | {
            self.run: gr.update(choices=runs, value=entry.id if entry else ""),
            self.listing: shown_if(not task_id),
            self.tasks: task_table(select(rows, query), entry),
            self.detail: shown_if(bool(task_id)),
            self.sample: sample,
            self.page: page,
            self.task: task_id,
        }

    def _page(self, board: Board, task_id: str, run: str, sample: str) -> tuple[Any, Markup]:
        """The choice of samples and the page of a task."""
        no_choice = gr.update(visible=False, choices=[0], value=0)
        suite = self._services.settings.suite
        if not task_id:
            return no_choice, Markup("")
        task = suite.by_id.get(task_id)
        if task is None:
            return no_choice, notice(f"This suite has no task {clean(task_id, 40)!r}.", "problem")
        if not run:
            return no_choice, task_page(task)
        entry = board.find(run)
        if entry is None:
            problem = notice(f"There is no run {clean(run, 40)!r} here.", "problem")
            return no_choice, join([problem, task_page(task)])
        numbers = samples(entry, task)
        chosen = _number(sample)
        chosen = chosen if chosen in numbers else next(iter(numbers), 0)
        options = gr.update(visible=len(numbers) > 1, choices=numbers or [0], value=chosen)
        try:
            explanation = explain(entry, task, chosen, suite)
        except InputError as error:
            return options, join([notice(str(error).splitlines()[0]), task_page(task)])
        return options, answer_page(explanation, entry.about["model"] or "an unnamed model")

    def wire(self) -> None:
        """What controls and links do to the list, to the page and to the address."""
        controls = [*self.filters, self.search, self.order]
        inputs = {self.task, self.run, self.sample, *controls}
        outputs = [*self.shown, self._frame.address]
        self._frame.places[EXPLORE].select(self._change, inputs, outputs, **QUICK)
        self.tasks.select(self._open_task, inputs, outputs, **QUICK)
        for control in (self.run, self.sample):
            control.input(self._change, inputs, outputs, **QUICK)
        for control in controls:
            control.input(self._list, inputs, outputs, trigger_mode="always_last", **QUICK)
        self.back.click(self._list, inputs, outputs, **QUICK)
        self.before.click(lambda values: self._move(values, -1), inputs, outputs, **QUICK)
        self.after.click(lambda values: self._move(values, 1), inputs, outputs, **QUICK)

    def wire_links(self, page: gr.HTML) -> None:
        """Links to tasks on another part of the page lead here."""

        def opened(event: gr.EventData) -> Updates:
            address = link_target(event)
            shown = self.show(address)
            shown[self._frame.tabs] = gr.Tabs(selected=EXPLORE)
            shown[self._frame.address] = explore_address(address)
            return shown

        outputs = [*self.shown, self._frame.tabs, self._frame.address]
        page.select(opened, None, outputs, **QUICK)

    def _show_as_set(self, address: Mapping[str, str], values: Values) -> Updates:
        """As `show`, with the list as its controls are set, and the address."""
        shown = self.show(address, self._query(values))
        return shown | {self._frame.address: explore_address(address)}

    def _query(self, values: Values) -> TaskQuery:
        """What the list's controls are set to."""
        filters = tuple(tuple(map(str, values[part] or ())) for part in self.filters)
        order = values[self.order] if values[self.order] in ORDERS else "id"
        return TaskQuery(filters, (values[self.search] or "")[:MAX_TEXT], order)

    def _list(self, values: Values) -> Updates:
        return self._show_as_set({"run": values[self.run] or ""}, values)

    def _open_task(self, values: Values, event: gr.EventData) -> Updates:
        return self._show_as_set(link_target(event), values)

    def _change(self, values: Values) -> Updates:
        address = {
            "task": values[self.task],
            "run": values[self.run] or "",
            "sample": str(values[self.sample] or 0),
        }
        return self._show_as_set(address, values)

    def _move(self, values: Values, by: int) -> Updates:
        """Another task of the list."""
        task, run = values[self.task], values[self.run] or ""
        board, suite = self._services.board.current(), self._services.settings.suite
        rows = select(task_rows(board, suite, board.find(run)), self._query(values))
        ids = [row.task.task_id for row in rows] or [task]
        place = ids.index(task) + by if task in ids else 0
        return self._show_as_set({"task": ids[place % len(ids)], "run": run}, values)


def explore_address(address: Mapping[str, str]) -> str:
    """The address of the list, or of a task, as a query string."""
    task, run, sample = (address.get(name, "") for name in ("task", "run", "sample"))
    if not task:
        # A run alone is the address of the run's own page.
        return urlencode({"tab": EXPLORE, **({"of": run} if run else {})})
    return urlencode(task_query(task, run, _number(sample)))


def _number(text: str) -> int:
    """A sample's number as an address has it; 0 for what is none."""
    return int(text) if text.isdecimal() and len(text) < 9 else 0
