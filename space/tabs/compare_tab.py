"""Compare: two or more runs on the same tasks, and which tasks only one of them solves."""

from collections.abc import Sequence
from typing import Any

import gradio as gr
from markupsafe import Markup

from dataset_builder.errors import InputError
from space.base.markup import notice
from space.base.sanitize import clean
from space.base.tiers import WITHDRAWN
from space.board.board import Board
from space.html.compare_page import compare_address, compare_page
from space.services import Services
from space.tabs.components import COMPARE, OPEN_TASK, QUICK, Frame, Updates, markup
from space.tabs.run_choices import run_choices

MOST = 6
"""Runs at once: fifteen pairs are as many as anybody reads."""
_APART = {
    "horizon": "is of procedures; horizons stand side by side under Figures",
    "irrelevance": "is of requests without a call, whose false calls stand on its own page",
}
_EMPTY = "Choose two runs or more: the differences, their intervals and the tasks appear here."


class CompareTab:
    """A choice of runs, and their comparison. `wire` says what the choice does."""

    def __init__(self, services: Services, frame: Frame) -> None:
        """Build the tab's content."""
        self._services, self._frame = services, frame
        self.runs = gr.Dropdown(
            [],
            value=[],
            multiselect=True,
            max_choices=MOST,
            label=f"Runs (two to {MOST})",
            info="Search by model, setting or id.",
        )
        self.page = markup(notice(_EMPTY), OPEN_TASK)
        # What an address or the choice asked for; no choice of runs can hold those that are not there.
        self.asked = gr.State([])

    @property
    def shown(self) -> list[Any]:
        """What `show` fills."""
        return [self.runs, self.page, self.asked]

    def show(self, names: Sequence[str]) -> Updates:
        """The comparison of runs by their ids, those of an address or of the choice."""
        board = self._services.board.current()
        names = list(dict.fromkeys(names))
        comparable = [entry for entry in board.entries if entry.result.apart is None]
        ids = {entry.id for entry in comparable}
        chosen = [name for name in names if name in ids][:MOST]
        return {
            self.runs: gr.update(choices=run_choices(comparable), value=chosen),
            self.page: self._comparison(board, names),
            self.asked: names[: MOST + 1],
        }

    def wire(self) -> None:
        """A choice of runs shows the comparison, and puts itself into the address."""
        address = self._frame.address
        place = self._frame.places[COMPARE]
        inputs = [self._frame.has_started, self.asked]
        place.select(self._open, inputs, [*self.shown, address], **QUICK)
        self.runs.input(
            self._choose,
            self.runs,
            [self.page, self.asked, address],
            trigger_mode="always_last",
            **(QUICK | {"concurrency_limit": 4}),
        )

    def _open(self, has_started: bool, asked: list[str]) -> Updates:
        shown = self.show(asked)
        return shown | {self._frame.address: compare_address(asked)} if has_started else shown

    def _choose(self, names: list[str] | None) -> Updates:
        names = [str(name) for name in names or []]
        page = self._comparison(self._services.board.current(), names)
        return {self.page: page, self.asked: names, self._frame.address: compare_address(names)}

    def _comparison(self, board: Board, names: Sequence[str]) -> Markup:
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
            if entry.result.apart is not None:
                why = _APART[entry.result.apart]
                return notice(f"The run {clean(name, 40)!r} {why}.", "problem")
            entries.append(entry)
        try:
            return compare_page(entries, self._services.settings.suite)
        except InputError as error:
            return notice(str(error), "problem")
