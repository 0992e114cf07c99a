"""The page: assembles the tabs, and reads from its address what to show first."""

import os
from collections.abc import Mapping
from functools import partial
from importlib import resources
from typing import Any
from urllib.parse import parse_qsl, urlencode

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

import gradio as gr
from starlette.middleware import Middleware

from space.base.limits import MAX_FORM_BYTES
from space.base.login import visitor
from space.base.markup import notice
from space.base.visitors import Visitor
from space.board.page_address import read_board_query
from space.html.board_html import failed
from space.page.address_words import address_words, tab_of, wrong_link
from space.page.api import api
from space.page.http_routes import middleware, routes
from space.page.own_head import OwnHead
from space.page.preview import preview_route
from space.page.shell import Tabs, assemble
from space.page.silent_blocks import SilentBlocks
from space.page.upload_folder import KEPT_S
from space.services import Services
from space.tabs.components import (
    ABOUT,
    COMPARE,
    EXPLORE,
    FIGURES,
    LEADERBOARD,
    PAPER,
    QUICK,
    RUN,
    SUBMIT,
    VALIDATE,
    Frame,
    Updates,
    Values,
    focus_after,
    link_target,
)

# What these show hangs on no address.
_STEADY = (SUBMIT, PAPER, ABOUT)
_STYLES = ("page.css", "first_view.css", "explore.css", "job.css")
_HISTORY = """<script>
addEventListener("popstate", () => { if (location.search !== window.shownSearch) location.reload(); });
window.shownSearch = location.search;
</script>"""
_TITLE = "(title) => { if (title) document.title = title; return []; }"


def build(services: Services) -> gr.Blocks:
    """The page over services."""
    script = resources.files("space.page").joinpath("page.js").read_text("utf-8")
    title = address_words({}, services).title
    with SilentBlocks(title=title, delete_cache=(KEPT_S, KEPT_S)) as page:
        frame, tabs = assemble(services, page)
        api(services)
        _wire_start(frame, tabs, services)
        _wire_links(frame, tabs, services)
        for tab in (tabs.board, tabs.explore, tabs.compare, tabs.figures, tabs.validate):
            tab.wire()
        _wire_changes(frame, tabs)
        _wire_places(frame, tabs)
        frame.address.change(None, frame.address, None, js=script, **QUICK)
        _wire_words(frame, services)
    return page


def _wire_start(frame: Frame, tabs: Tabs, services: Services) -> None:
    """Show the page as its address asks for it."""

    def start(request: gr.Request, profile: gr.OAuthProfile | None) -> Updates:
        pairs = request.query_params.multi_items()
        query = read_board_query(pairs)
        who = visitor(services.settings, request, profile)
        selected, opened = _asked_for(tabs, pairs, who)
        shown = tabs.board.set_controls(query) | tabs.board.show(query) | opened
        # Where it asks for none, whoever has gone to another tab by now stays there.
        if selected:
            shown |= frame.opened(selected)
        address, words = _without_theme(pairs), dict(reversed(pairs))
        return shown | {
            frame.places[RUN]: gr.Tab(visible=selected == RUN),
            frame.address: address,
            frame.visited: {tab_of(words): address},
            frame.has_started: True,
        }

    filled = (tabs.board, tabs.run, tabs.explore, tabs.compare, tabs.figures, tabs.validate)
    outputs = [
        *tabs.board.controls,
        *(part for tab in filled for part in tab.shown),
        *(*frame.rows, frame.places[RUN], frame.address, frame.visited, frame.has_started),
    ]
    started = frame.page.load(start, None, outputs, **QUICK)
    started.failure(failed, None, tabs.board.board, **QUICK)


def _asked_for(tabs: Tabs, pairs: list[tuple[str, str]], who: Visitor) -> tuple[str, Updates]:
    """The tab that an address asks for and what stands in it; empty where that is the board."""
    address = dict(reversed(pairs))
    tab, run = address.get("tab", ""), address.get("run", "")
    if "job" in address:
        # The tab itself looks for it.
        return "", {}
    if tab == EXPLORE or "task" in address:
        return EXPLORE, tabs.explore.show(pairs)
    if tab == COMPARE:
        return tab, tabs.compare.show([value for name, value in pairs if name == "with"])
    if tab == FIGURES:
        return tab, tabs.figures.show(address)
    if tab == VALIDATE:
        return tab, tabs.validate.show(who.name)
    if run:
        return RUN, tabs.run.show(run, who)
    return tab if tab in _STEADY else "", {}


def _wire_links(frame: Frame, tabs: Tabs, services: Services) -> None:
    """A link to a run or to a task opens its page without loading anew."""

    def open_run(
        event: gr.EventData, request: gr.Request, profile: gr.OAuthProfile | None
    ) -> Updates:
        name = link_target(event)
        return tabs.run.show(name, visitor(services.settings, request, profile)) | {
            frame.tabs: gr.Tabs(selected=RUN),
            frame.places[RUN]: gr.Tab(visible=True),
            frame.address: urlencode({"run": name}),
        }

    outputs = [*tabs.run.shown, frame.tabs, frame.places[RUN], frame.address]
    for links in (tabs.board.board, tabs.board.chart, tabs.submit.message, tabs.model.page):
        focus_after(links.select(open_run, None, outputs, **QUICK))
    for links in (tabs.compare.page, tabs.run.page, tabs.submit.outcome, tabs.model.scores):
        tabs.explore.wire_links(links)


def _wire_changes(frame: Frame, tabs: Tabs) -> None:
    """After what may have changed the board, show it again; whoever published lands on his row."""
    for change in tabs.run.wire():
        change.then(tabs.board.refresh, set(tabs.board.controls), tabs.board.shown, **QUICK)

    def land(published: gr.State, values: Values) -> Updates:
        run = values[published]
        return tabs.board.show_marked(run) if run else tabs.board.refresh(values)

    outputs = [*tabs.board.controls, *tabs.board.shown, frame.tabs, frame.address]
    for tab in (tabs.submit, tabs.model):
        inputs = {tab.published, *tabs.board.controls}
        tab.wire().then(partial(land, tab.published), inputs, outputs, **QUICK)


def _wire_places(frame: Frame, tabs: Tabs) -> None:
    """A tab that is selected puts its address into the address bar."""

    def selected(tab: str, values: Values) -> Any:
        if not values[frame.has_started]:
            return gr.skip()
        if tab == LEADERBOARD:
            return tabs.board.query(values).to_query()
        return urlencode({"run": values[tabs.run.run]} if tab == RUN else {"tab": tab})

    inputs = {frame.has_started, tabs.run.run, *tabs.board.controls}
    for name in (LEADERBOARD, RUN, *_STEADY):
        place = frame.places[name]
        place.select(partial(selected, name), inputs, frame.address, **QUICK)

    def returned(tab: str, has_started: bool, visited: Mapping[str, str]) -> Any:
        return visited.get(tab, urlencode({"tab": tab})) if has_started else gr.skip()

    for name, outer in frame.outer.items():
        # Of its sections the one that was open stays so, and does not say anew that it was selected.
        outer.select(
            partial(returned, name), [frame.has_started, frame.visited], frame.address, **QUICK
        )


def _wire_words(frame: Frame, services: Services) -> None:
    """A new address has a title, may be wrong, and is where its tab is found again."""

    def told(query: str, visited: Mapping[str, str]) -> Updates:
        address = dict(reversed(parse_qsl(query, keep_blank_values=True)))
        wrong = wrong_link(address)
        return {
            frame.title: address_words(address, services).title,
            frame.wrong: notice(wrong, "problem") if wrong else "",
            frame.visited: {**visited, tab_of(address): query},
        }

    outputs = [frame.title, frame.wrong, frame.visited]
    frame.address.change(
        told, [frame.address, frame.visited], outputs, trigger_mode="always_last", **QUICK
    )
    frame.title.change(None, frame.title, None, js=_TITLE, **QUICK)


def _without_theme(pairs: list[tuple[str, str]]) -> str:
    """An address as the page writes it: `page.js` adds the theme."""
    return urlencode([(name, value) for name, value in pairs if name != "__theme"])


def launch(services: Services, port: int, address: str = "127.0.0.1") -> gr.Blocks:
    """Serve the page without blocking; OSError where the port is taken."""
    page = build(services)
    font = ["system-ui", "sans-serif"]
    page.launch(
        server_name=address,
        server_port=port,
        theme=gr.themes.Default(font=font, font_mono=["ui-monospace", "monospace"]),
        css="".join(
            resources.files("space.page").joinpath(name).read_text("utf-8") for name in _STYLES
        ),
        head=_HISTORY,
        # Not smaller than what a request may bring, so that the one who refuses is always the same.
        max_file_size=MAX_FORM_BYTES,
        app_kwargs={
            "routes": [*routes(services), preview_route(services.settings.suite)],
            # Innermost, so that what is sent is compressed after it was changed.
            "middleware": [*middleware(services.settings), Middleware(OwnHead, services=services)],
        },
        favicon_path=str(resources.files("space.page").joinpath("favicon.svg")),
        footer_links=[],
        run_history=False,
        ssr_mode=False,
        quiet=True,
        prevent_thread_lock=True,
    )
    return page
