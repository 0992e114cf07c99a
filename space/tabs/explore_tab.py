"""Explore: the tasks, and for each what any run answered and why that is worth what it is."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gradio as gr
from markupsafe import Markup

from dataset_builder.errors import InputError
from space.base.markup import Child, join, notice, tag
from space.base.sanitize import MAX_TEXT, clean
from space.board.entry import Entry
from space.board.explain_answer import explain, samples
from space.html.answer_page import answer_page
from space.html.task_list import part_of, rows_of, task_rows, task_table
from space.html.task_page import task_page
from space.html.task_query import (
    FILTERS,
    ORDERS,
    TaskAddress,
    TaskQuery,
    TaskRow,
    choices,
    next_failure,
    read_task_address,
    select,
)
from space.services import Services
from space.tabs.components import (
    EXPLORE,
    OPEN_TASK,
    QUICK,
    Frame,
    Updates,
    Values,
    focus_after,
    link_query,
    markup,
    shown_if,
)
from space.tabs.run_choices import run_choices
from space.tabs.scripts import NEXT_KEY

NO_RUN = "none: the task alone"
NEXT_ID = "next-failure"
_PRIVATE = "Private: only who has this link sees it, and it is listed nowhere."


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
                self.next = gr.Button("", size="sm", min_width=200, visible=False, elem_id=NEXT_ID)
            self.sample = gr.Dropdown([0], value=0, label="Sample", visible=False, min_width=100)
            self.page = markup(on_load=NEXT_KEY % NEXT_ID)
        # Id of the task that is shown; empty while the list is.
        self.task = gr.State("")
        # A run that the address asked for and that is not there; no choice of runs can hold it.
        self.absent = gr.State("")
        # Which part of the list is shown, or was.
        self.part = gr.State(1)

    def _add_list_controls(self) -> None:
        with gr.Row(elem_classes="filters"):
            self.search = gr.Textbox(
                label="Search",
                placeholder="words of the prompt",
                max_length=MAX_TEXT,
                min_width=140,
            )
            self.order = gr.Dropdown(
                [(label, name) for name, label in ORDERS.items()],
                value="id",
                label="Order",
                min_width=120,
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
            *(self.run, *self.filters, self.search, self.order, self.listing, self.tasks),
            *(self.detail, self.sample, self.page, self.next, self.task, self.absent, self.part),
        ]

    # What is shown ------------------------------------------------------------------------

    def show(self, pairs: Sequence[tuple[str, str]]) -> Updates:
        """The list, or the page of a task, as the fields of an address ask for it."""
        return self._show(read_task_address(pairs))

    def _show(self, address: TaskAddress) -> Updates:
        query, entry = address.query, self._services.find(address.run)
        rows = self._rows(address, entry)
        sample, page = self._page(address, entry)
        options = zip(self.filters, choices(rows), query.filters, strict=True)
        filters = {
            part: gr.update(choices=sorted({*values, *chosen}), value=list(chosen))
            for part, values, chosen in options
        }
        is_list = not address.task
        return filters | {
            self.run: self._run_choice(entry),
            self.search: query.search,
            self.order: query.order,
            self.listing: shown_if(is_list),
            self.tasks: self._list(address, entry, rows) if is_list else "",
            self.detail: shown_if(not is_list),
            self.sample: sample,
            self.page: page,
            self.next: self._next_button(address, rows),
            self.task: address.task,
            self.absent: "" if entry else address.run,
            self.part: address.part,
        }

    def _rows(self, address: TaskAddress, entry: Entry | None) -> list[TaskRow]:
        suite = self._services.settings.suite
        # How many runs fail each task is seen in the list alone, and needed where that orders it.
        if entry is not None and address.task and address.query.order != "failed":
            return rows_of(suite, entry.result)
        return task_rows(self._services.board.current(), suite, entry)

    def _listed(self, address: TaskAddress) -> list[TaskRow]:
        return select(self._rows(address, self._services.find(address.run)), address.query)

    def _run_choice(self, entry: Entry | None) -> Any:
        """The runs of the board, and the private one for whom its link brought here."""
        entries = self._services.board.current().entries
        runs = run_choices(entries)
        if entry is not None and all(entry.id != name for _, name in runs):
            runs.insert(0, (f"{_model(entry)} · private", entry.id))
        return gr.update(choices=[(NO_RUN, ""), *runs], value=entry.id if entry else "")

    def _list(self, address: TaskAddress, entry: Entry | None, rows: Sequence[TaskRow]) -> Markup:
        parts: list[Child] = [tag("h2", f"Answers of {_model(entry)}" if entry else "Tasks")]
        if address.run and entry is None:
            parts.append(notice(_no_run(address.run), "problem"))
        parts += self._privacy(entry)
        parts.append(task_table(select(rows, address.query), entry, address))
        return join(parts)

    def _privacy(self, entry: Entry | None) -> list[Child]:
        if entry is None or self._services.board.current().find(entry.id) is not None:
            return []
        return [notice(_PRIVATE)]

    def _page(self, address: TaskAddress, entry: Entry | None) -> tuple[Any, Markup]:
        """The choice of samples and the page of a task."""
        no_choice = gr.update(visible=False, choices=[0], value=0)
        suite = self._services.settings.suite
        if not address.task:
            return no_choice, Markup("")
        task = suite.by_id.get(address.task)
        if task is None:
            sentence = f"This suite has no task {clean(address.task, 40)!r}."
            return no_choice, notice(sentence, "problem")
        if not address.run:
            return no_choice, task_page(task)
        if entry is None:
            return no_choice, join([notice(_no_run(address.run), "problem"), task_page(task)])
        numbers = samples(entry, task)
        chosen = address.sample if address.sample in numbers else next(iter(numbers), 0)
        options = gr.update(visible=len(numbers) > 1, choices=numbers or [0], value=chosen)
        try:
            page = answer_page(explain(entry, task, chosen, suite), _model(entry))
        except InputError as error:
            page = join([notice(str(error).splitlines()[0]), task_page(task)])
        return options, join([*self._privacy(entry), page])

    def _next_button(self, address: TaskAddress, rows: Sequence[TaskRow]) -> Any:
        """What the button of the next failure says; it is hidden where there is none."""
        found = next_failure(rows, select(rows, address.query), address.task)
        if not address.task or found is None:
            return shown_if(False)
        here = next((row for row in rows if row.task.task_id == address.task), None)
        what = found.outcome if here and here.outcome == found.outcome else "failure"
        return gr.update(visible=True, value=f"Next {what} (key N)")

    # What controls and links do -----------------------------------------------------------

    def wire(self) -> None:
        """What controls and links do to the list, to the page and to the address."""
        controls = [*self.filters, self.search, self.order]
        inputs = {self.task, self.absent, self.part, self.run, self.sample, *controls}
        outputs = [*self.shown, self._frame.address]
        self._frame.places[EXPLORE].select(self._again, inputs, outputs, **QUICK)
        for control in (self.run, self.sample):
            control.input(self._change, inputs, outputs, **QUICK)
        for control in controls:
            control.input(self._filter, inputs, outputs, trigger_mode="always_last", **QUICK)
        moves = (
            (self.back, self._to_list),
            (self.before, lambda values: self._move(values, -1)),
            (self.after, lambda values: self._move(values, 1)),
            (self.next, self._next_failure),
        )
        for button, function in moves:
            focus_after(button.click(function, inputs, outputs, **QUICK))
        focus_after(self.tasks.select(self._follow, None, outputs, **QUICK))

    def wire_links(self, page: gr.HTML) -> None:
        """Links to tasks on another part of the page lead here."""

        def opened(event: gr.EventData) -> Updates:
            return self._follow(event) | {self._frame.tabs: gr.Tabs(selected=EXPLORE)}

        outputs = [*self.shown, self._frame.tabs, self._frame.address]
        focus_after(page.select(opened, None, outputs, **QUICK))

    def _show_at(self, address: TaskAddress) -> Updates:
        """As `show`, and the address."""
        return self._show(address) | {self._frame.address: address.to_query()}

    def _follow(self, event: gr.EventData) -> Updates:
        return self._show_at(read_task_address(link_query(event)))

    def _set(self, values: Values) -> TaskAddress:
        """What the controls are set to."""
        filters = tuple(tuple(map(str, values[part] or ())) for part in self.filters)
        order = values[self.order] if values[self.order] in ORDERS else "id"
        query = TaskQuery(filters, (values[self.search] or "")[:MAX_TEXT], order)
        run = values[self.run] or values[self.absent]
        sample, part = int(values[self.sample] or 0), int(values[self.part])
        return TaskAddress(values[self.task], run, sample, query, part)

    def _again(self, values: Values) -> Updates:
        return self._show_at(self._set(values))

    def _change(self, values: Values) -> Updates:
        """Another run, or another sample of a task."""
        return self._show_at(replace(self._set(values), run=values[self.run] or "", part=1))

    def _filter(self, values: Values) -> Updates:
        address = replace(self._set(values), task="", sample=0, part=1)
        # What is being typed stays as it is.
        return self._show_at(address) | {self.search: gr.skip()}

    def _to_list(self, values: Values) -> Updates:
        """The list again, where the task stands in it."""
        address = self._set(values)
        part = part_of(self._listed(address), address.task)
        return self._show_at(replace(address, task="", sample=0, part=part))

    def _move(self, values: Values, by: int) -> Updates:
        """Another task of the list."""
        address = self._set(values)
        rows = self._listed(address)
        ids = [row.task.task_id for row in rows] or [address.task]
        place = (ids.index(address.task) + by if address.task in ids else 0) % len(ids)
        return self._show_at(address.of_task(ids[place], rows[place].sample if rows else 0))

    def _next_failure(self, values: Values) -> Updates:
        """The next failure of the same class in the list."""
        address = self._set(values)
        rows = self._rows(address, self._services.find(address.run))
        found = next_failure(rows, select(rows, address.query), address.task)
        if found is None:
            return self._show_at(address)
        return self._show_at(address.of_task(found.task.task_id, found.sample))


def _model(entry: Entry) -> str:
    return entry.about["model"] or "an unnamed model"


def _no_run(run: str) -> str:
    return (
        f"There is no run {clean(run, 40)!r} here. A private link holds as long as its upload or job is "
        "kept."
    )
