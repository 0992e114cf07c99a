"""What the tabs' components have in common: names in an address, markup, links, events, updates."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

import gradio as gr

from space.tabs.scripts import FOCUS_HEADING

LEADERBOARD, RUN, MODEL, EXPLORE = "leaderboard", "run", "model", "explore"
COMPARE, FIGURES, VALIDATE = "compare", "figures", "validate"
SUBMIT, PAPER, ABOUT = "submit", "paper", "about"
"""The names in an address of the tabs, and of the sections that some of them have."""
TAB_TITLES: Mapping[str, str] = {
    LEADERBOARD: "Leaderboard",
    RUN: "Run",
    EXPLORE: "Explore",
    COMPARE: "Compare",
    MODEL: "Run or submit",
    ABOUT: "About",
}
"""The tabs in their order, as people read them; each is called by its first section, if it has any."""
SECTION_TITLES: Mapping[str, Mapping[str, str]] = {
    COMPARE: {COMPARE: "Runs side by side", FIGURES: "Figures"},
    MODEL: {MODEL: "Run a model", SUBMIT: "Submit"},
    ABOUT: {ABOUT: "The benchmark", PAPER: "Paper's results", VALIDATE: "Validate"},
}
"""The sections of the tabs that have some."""
TAB_OF: Mapping[str, str] = {tab: tab for tab in TAB_TITLES} | {
    section: tab for tab, sections in SECTION_TITLES.items() for section in sections
}
"""The tab in which what an address names stands."""

Values = Mapping[Any, Any]
"""Component → what it holds, as Gradio hands it to a function whose inputs are a set."""
Updates = dict[Any, Any]
"""Component → its new value or properties; outputs that are not in it stay as they are."""

PRIVATE: dict[str, Any] = {"api_visibility": "private"}
"""An event that is no endpoint for programs."""
QUICK: dict[str, Any] = {**PRIVATE, "show_progress": "hidden", "concurrency_limit": None}
"""One that is answered at once."""

_MAX_QUERY = 4_000
_OPEN = """
element.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-%s]');
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  trigger('select', {run: link.dataset.run || '', query: link.search.slice(1)});
});
"""
OPEN_RUN, OPEN_TASK = _OPEN % "run", _OPEN % "task"
"""Its page opens without loading anew; with a key held, or without script, the link does."""


@dataclass(frozen=True)
class Frame:
    """What of the page more than one tab has to do with."""

    page: gr.Blocks
    address: gr.Textbox
    """What the address bar shall say; the script carries it there."""
    has_started: gr.Checkbox
    """A tab says that it was selected when the page is made, too; that must not change the address."""
    title: gr.Textbox
    """What the browser's tab shall be called."""
    wrong: gr.HTML
    """What is wrong with the address, if anything."""
    visited: gr.State
    """By tab, the address that it had last."""
    tabs: gr.Tabs
    places: dict[str, gr.Tab] = field(default_factory=dict)
    """By the names in an address: a tab, or the section of one."""
    sections: dict[str, gr.Tabs] = field(default_factory=dict)
    """By tab, the row of its sections."""
    outer: dict[str, gr.Tab] = field(default_factory=dict)
    """The tabs that have sections."""

    @property
    def rows(self) -> list[gr.Tabs]:
        """What `opened` fills."""
        return [self.tabs, *self.sections.values()]

    def opened(self, name: str) -> Updates:
        """The update that goes to a tab, or to a section of one."""
        tab = TAB_OF[name]
        row = self.sections.get(tab)
        inside = {} if row is None else {row: gr.Tabs(selected=name)}
        return {self.tabs: gr.Tabs(selected=tab), **inside}


def markup(value: str = "", on_load: str | None = None, kind: str = "") -> gr.HTML:
    """A place for HTML of `space.html`. ``on_load``: a script, such as `OPEN_RUN`; ``kind``: its style."""
    classes = f"ctb {kind}".split()
    return gr.HTML(value, elem_classes=classes, apply_default_css=False, js_on_load=on_load)


def focus_after(event: gr.events.Dependency) -> None:
    """After an event has opened another page, its heading has the focus: keyboard and reader go on there."""
    event.then(None, None, None, js=FOCUS_HEADING, **QUICK)


def link_target(event: gr.EventData) -> str:
    """The run that a link of `OPEN_RUN` leads to."""
    return str(event._data.get("run", ""))


def link_query(event: gr.EventData) -> list[tuple[str, str]]:
    """The fields of the address that a link of `OPEN_RUN` or `OPEN_TASK` leads to; none of a strange one."""
    try:
        return parse_qsl(str(event._data.get("query", ""))[:_MAX_QUERY], max_num_fields=100)
    except ValueError:
        return []


def shown_if(condition: bool) -> Any:
    """The update that shows a component or hides it."""
    return gr.update(visible=condition)
