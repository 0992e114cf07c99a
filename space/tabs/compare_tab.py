"""Compare: two or more runs on the same tasks, and which tasks only one of them solves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import gradio as gr
from markupsafe import Markup

from dataset_builder.errors import InputError
from space.base.markup import notice
from space.base.sanitize import clean
from space.base.tiers import WITHDRAWN
from space.board.board import Board
from space.html.compare_page import compare_page
from space.services import Services
from space.tabs.explore_tab import OPEN_TASK, run_choices

MOST = 6
"""Runs at once: fifteen pairs are as many as anybody reads."""
_EMPTY = "Choose two runs or more: the differences, their intervals and the tasks appear here."


@dataclass(frozen=True)
class CompareTab:
    """The parts of the tab that others wire to."""

    runs: gr.Dropdown
    page: gr.HTML

    @property
    def shown(self) -> list[Any]:
        """What `show_compare` fills."""
        return [self.runs, self.page]


def compare_tab() -> CompareTab:
    """Build the tab's content; `wire_compare` brings it to life."""
    runs = gr.Dropdown(
        [],
        value=[],
        multiselect=True,
        max_choices=MOST,
        label=f"Runs (two to {MOST})",
        info="Search by model, setting or id.",
    )
    page = gr.HTML(
        notice(_EMPTY), elem_classes="ctb", apply_default_css=False, js_on_load=OPEN_TASK
    )
    return CompareTab(runs, page)


def show_compare(services: Services, names: Sequence[str]) -> tuple[Any, ...]:
    """What stands in the tab's `shown` components for the ids of some runs."""
    board = services.board.current()
    known = [name for name in dict.fromkeys(names) if board.find(name)][:MOST]
    options = run_choices(board)
    return gr.update(choices=options, value=known), _page(
        services, board, list(dict.fromkeys(names))
    )


def _page(services: Services, board: Board, names: Sequence[str]) -> Markup:
    if len(names) < 2:
        return notice(_EMPTY)
    if len(names) > MOST:
        return notice(f"At most {MOST} runs can be compared at once.", "problem")
    entries = []
    for name in names:
        entry = board.find(name)
        if entry is None or entry.status == WITHDRAWN:
            why = "is not on this page" if entry is None else "was withdrawn"
            return notice(f"The run {clean(name, 40)!r} {why}.", "problem")
        entries.append(entry)
    try:
        return compare_page(entries, services.settings.suite)
    except InputError as error:
        return notice(str(error), "problem")


def wire_compare(tab: CompareTab, services: Services, address: gr.Textbox) -> None:
    """A choice of runs shows the comparison, and puts itself into the address."""

    def chosen(names: list[str] | None) -> tuple[Any, ...]:
        asked = [str(name) for name in names or []]
        board = services.board.current()
        return _page(services, board, asked), compare_address(asked)

    tab.runs.input(
        chosen,
        tab.runs,
        [tab.page, address],
        trigger_mode="always_last",
        concurrency_limit=4,
        api_visibility="private",
        show_progress="hidden",
    )


def compare_address(names: Sequence[str]) -> str:
    """The address of a comparison, as a query string."""
    return urlencode({"tab": "compare", "with": list(names)}, doseq=True)
