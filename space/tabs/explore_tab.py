"""Explore: the tasks, and for each what any run answered and why that is worth what it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import gradio as gr
from markupsafe import Markup

from dataset_builder.errors import InputError
from space.base.markup import join, notice
from space.base.sanitize import clean
from space.base.signature_text import signature_text
from space.base.tiers import BASELINE
from space.board.board import Board, Entry
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

OPEN_TASK = """
element.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-task]');
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  trigger('select', {task: link.dataset.task, run: link.dataset.run || ''});
});
"""
"""A task's page opens without loading anew; with a key held, or without script, the link does."""
NO_RUN = "none: the task alone"


@dataclass(frozen=True)
class ExploreTab:
    """The parts of the tab that others wire to."""

    run: gr.Dropdown
    filters: tuple[gr.Dropdown, ...]
    search: gr.Textbox
    order: gr.Dropdown
    listing: gr.Column
    tasks: gr.HTML
    detail: gr.Column
    sample: gr.Dropdown
    page: gr.HTML
    task: gr.State
    """Id of the task that is shown; empty while the list is."""
    back: gr.Button
    before: gr.Button
    after: gr.Button

    @property
    def controls(self) -> list[gr.components.Component]:
        """What the list is set with."""
        return [*self.filters, self.search, self.order]

    @property
    def inputs(self) -> list[Any]:
        """What tells what is shown: the task, the run, the sample, and the list's controls."""
        return [self.task, self.run, self.sample, *self.controls]

    @property
    def shown(self) -> list[Any]:
        """What `show_explore` fills."""
        return [
            self.run, *self.filters, self.listing, self.tasks, self.detail, self.sample, self.page, self.task,
        ]  # fmt: skip


def explore_tab() -> ExploreTab:
    """Build the tab's content; `wire_explore` brings it to life."""
    run = gr.Dropdown([(NO_RUN, "")], value="", label="Run", min_width=260)
    with gr.Column() as listing:
        with gr.Row(elem_classes="filters"):
            search = gr.Textbox(
                label="Search",
                placeholder="words of the prompt",
                max_length=MAX_TEXT,
                min_width=200,
            )
            order = gr.Dropdown(
                [(label, name) for name, label in ORDERS.items()],
                value="id",
                label="Order",
                min_width=160,
            )
        with gr.Row(elem_classes="filters"):
            filters = tuple(
                gr.Dropdown([], value=[], multiselect=True, label=name.capitalize(), min_width=150)
                for name in FILTERS
            )
        tasks = gr.HTML("", elem_classes="ctb", apply_default_css=False, js_on_load=OPEN_TASK)
    with gr.Column(visible=False) as detail:
        with gr.Row():
            back = gr.Button("All tasks", size="sm", min_width=100)
            before = gr.Button("Previous", size="sm", min_width=100)
            after = gr.Button("Next", size="sm", min_width=100)
        sample = gr.Dropdown([0], value=0, label="Sample", visible=False, min_width=100)
        page = gr.HTML("", elem_classes="ctb", apply_default_css=False, js_on_load=None)
    task = gr.State("")
    return ExploreTab(
        run, filters, search, order, listing, tasks, detail, sample, page, task, back, before, after
    )


def run_choices(board: Board) -> list[tuple[str, str]]:
    """The runs to choose from, models first: a name that tells them apart, and the id."""
    entries = sorted(board.entries, key=lambda entry: entry.tier == BASELINE)
    return [(run_label(entry), entry.id) for entry in entries]


def run_label(entry: Entry) -> str:
    """Model, tier and setting of a run."""
    setting = signature_text(entry.result.signature)
    return f"{entry.about['model'] or 'unnamed'} · {entry.tier} · {setting} · {entry.id}"


def show_explore(
    services: Services, asked: Mapping[str, str], query: TaskQuery | None = None
) -> tuple[Any, ...]:
    """What stands in the tab's `shown` components for a task, a run and a sample of an address."""
    query = query or TaskQuery()
    board, suite = services.board.current(), services.settings.suite
    name, entry = asked.get("run", ""), board.find(asked.get("run", ""))
    rows = task_rows(board, suite, entry)
    options = zip(choices(rows), query.filters, strict=True)
    lists = [gr.update(choices=sorted({*own, *set_}), value=list(set_)) for own, set_ in options]
    runs = gr.update(choices=[(NO_RUN, ""), *run_choices(board)], value=entry.id if entry else "")
    table = task_table(select(rows, query), entry)
    task_id = asked.get("task", "")
    sample, page = _detail(services, board, task_id, name, asked.get("sample", "0"))
    return (
        runs,
        *lists,
        gr.update(visible=not task_id),
        table,
        gr.update(visible=bool(task_id)),
        sample,
        page,
        task_id,
    )


def _detail(
    services: Services, board: Board, task_id: str, run: str, sample: str
) -> tuple[Any, Markup]:
    """The choice of samples and the page of a task."""
    hidden = gr.update(visible=False, choices=[0], value=0)
    if not task_id:
        return hidden, Markup("")
    task = services.settings.suite.by_id.get(task_id)
    if task is None:
        return hidden, notice(f"This suite has no task {clean(task_id, 40)!r}.", "problem")
    if not run:
        return hidden, task_page(task)
    entry = board.find(run)
    if entry is None:
        return hidden, join(
            [notice(f"There is no run {clean(run, 40)!r} here.", "problem"), task_page(task)]
        )
    numbers = samples(entry, task)
    chosen = _number(sample)
    chosen = chosen if chosen in numbers else next(iter(numbers), 0)
    options = gr.update(visible=len(numbers) > 1, choices=numbers or [0], value=chosen)
    try:
        found = explain(entry, task, chosen, services.settings.suite)
    except InputError as error:
        return options, join([notice(str(error).splitlines()[0]), task_page(task)])
    return options, answer_page(found, entry.about["model"] or "an unnamed model")


def wire_explore(tab: ExploreTab, services: Services, address: gr.Textbox) -> None:
    """What controls and links do to the list, to the page and to the address."""
    inputs = tab.inputs
    outputs = [*tab.shown, address]

    def shown(asked: dict[str, str], values: tuple[Any, ...]) -> tuple[Any, ...]:
        return *show_explore(services, asked, read_query(values)), explore_address(asked)

    def listed(_: str, run: str, __: int, *values: Any) -> tuple[Any, ...]:
        return shown({"run": run or ""}, values)

    def opened(event: gr.EventData, _: str, run: str, sample: int, *values: Any) -> tuple[Any, ...]:
        asked = {name: str(event._data.get(name, "")) for name in ("task", "run")}
        return shown(asked, values)

    def changed(task: str, run: str, sample: int, *values: Any) -> tuple[Any, ...]:
        return shown({"task": task, "run": run or "", "sample": str(sample or 0)}, values)

    def moved(by: int) -> Any:
        def to(task: str, run: str, sample: int, *values: Any) -> tuple[Any, ...]:
            board, suite = services.board.current(), services.settings.suite
            rows = select(task_rows(board, suite, board.find(run or "")), read_query(values))
            ids = [row.task.task_id for row in rows] or [task]
            place = ids.index(task) + by if task in ids else 0
            return shown({"task": ids[place % len(ids)], "run": run or ""}, values)

        return to

    quick: dict[str, Any] = {
        "concurrency_limit": None,
        "api_visibility": "private",
        "show_progress": "hidden",
    }
    tab.tasks.select(opened, inputs, outputs, **quick)
    for control in (tab.run, tab.sample):
        control.input(changed, inputs, outputs, **quick)
    for control in tab.controls:
        control.input(listed, inputs, outputs, trigger_mode="always_last", **quick)
    tab.back.click(listed, inputs, outputs, **quick)
    tab.before.click(moved(-1), inputs, outputs, **quick)
    tab.after.click(moved(1), inputs, outputs, **quick)


def read_query(values: tuple[Any, ...]) -> TaskQuery:
    """What the `controls` are set to, in their order."""
    *filters, search, order = values
    chosen = tuple(tuple(map(str, own or ())) for own in filters)
    return TaskQuery(chosen, (search or "")[:MAX_TEXT], order if order in ORDERS else "id")


def explore_address(asked: Mapping[str, str]) -> str:
    """The address of what is shown, as a query string."""
    task, run, sample = (asked.get(name, "") for name in ("task", "run", "sample"))
    if not task:
        # A run alone is the address of the run's own page.
        return urlencode({"tab": "explore", **({"of": run} if run else {})})
    return urlencode(task_query(task, run, _number(sample)))


def _number(text: str) -> int:
    """A sample's number as an address has it; 0 for what is none."""
    return int(text) if text.isdecimal() and len(text) < 9 else 0
