"""The page: assembles the tabs, and reads from its address what to show first."""

import os
from dataclasses import dataclass, replace
from functools import partial
from importlib import resources
from typing import Any
from urllib.parse import urlencode

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

import gradio as gr
from markupsafe import Markup

from evaluator.traces.signature import suite_label
from space.base.login import visitor
from space.base.markup import tag
from space.base.sanitize import MAX_UPLOAD_BYTES
from space.board.board import first_view
from space.board.page_address import read_board_query
from space.html.board_html import failed
from space.page.api import api
from space.page.http_routes import middleware, routes
from space.page.quiet_blocks import Page
from space.page.upload_folder import KEPT_S
from space.services import Services
from space.tabs.about_tab import about_tab
from space.tabs.insight_tabs import InsightTabs, insight_tabs, wire_insight
from space.tabs.leaderboard_tab import (
    LeaderboardTab,
    leaderboard_tab,
    read_controls,
    set_controls,
    show,
    wire,
)
from space.tabs.paper_tab import paper_tab
from space.tabs.order_form import MODEL, ModelTab, run_tab
from space.tabs.run_page_tab import RunTab, run_page_tab, show_run, wire_run
from space.tabs.run_model_tab import job_routes, open_run_tab, wire_run_tab
from space.tabs.submit_form import SubmitTab, submit_tab
from space.tabs.submit_tab import wire_submit

LEADERBOARD, SUBMIT, PAPER, ABOUT, RUN = "leaderboard", "submit", "paper", "about", "run"
_TABS = (SUBMIT, PAPER, ABOUT)
_QUICK: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
_HISTORY = """<script>
addEventListener("popstate", () => { if (location.search !== window.shownSearch) location.reload(); });
window.shownSearch = location.search;
</script>"""


@dataclass(frozen=True)
class _Parts:
    """The parts of the page that more than one tab has to do with."""

    address: gr.Textbox
    """What the address bar shall say; the script carries it there."""
    has_started: gr.Checkbox
    """A tab says that it was selected when the page is made, too; that must not change the address."""
    tabs: gr.Tabs
    places: dict[str, gr.Tab]
    board: LeaderboardTab
    run: RunTab
    model: ModelTab
    insight: InsightTabs
    submit: SubmitTab


def build(services: Services) -> gr.Blocks:
    """The page over a services."""
    script = resources.files("space.page").joinpath("page.js").read_text("utf-8")
    with Page(title="CompToolBench", delete_cache=(KEPT_S, KEPT_S)) as page:
        parts = _assemble(services)
        api(services)
        _wire_start(parts, services, page)
        _wire_links(parts, services)
        wire(parts.board, services, parts.address)
        wire_insight(parts.insight, services, parts.address, parts.tabs, parts.run.page)
        open_run_tab(
            parts.model,
            services,
            page,
            parts.tabs,
            parts.places[MODEL],
            parts.has_started,
            parts.address,
        )
        _wire_changes(parts, services)
        _wire_places(parts)
        parts.address.change(None, parts.address, None, js=script, **_QUICK)
    return page


def _assemble(services: Services) -> _Parts:
    """All that stands on the page, and does nothing yet."""
    with gr.Row(elem_id="masthead"):
        gr.HTML(_masthead(services), apply_default_css=False, js_on_load=None)
        if services.settings.is_hosted:
            gr.LoginButton("Log in with Hugging Face", size="sm", scale=0, min_width=220)
    address = gr.Textbox(visible="hidden", show_label=False, container=False)
    has_started = gr.Checkbox(False, visible="hidden")
    places: dict[str, gr.Tab] = {}
    with gr.Tabs() as tabs:
        with gr.Tab("Leaderboard", id=LEADERBOARD) as places[LEADERBOARD]:
            board = leaderboard_tab()
        with gr.Tab("Run", id=RUN, visible=False) as places[RUN]:
            run = run_page_tab()
        with gr.Tab("Run a model", id=MODEL) as places[MODEL]:
            model = run_tab(services)
        insight = insight_tabs(services)
        with gr.Tab("Submit", id=SUBMIT) as places[SUBMIT]:
            submit = submit_tab(services)
        with gr.Tab("Paper's results", id=PAPER) as places[PAPER]:
            paper_tab()
        with gr.Tab("About", id=ABOUT) as places[ABOUT]:
            about_tab(services.settings.suite)
    return _Parts(address, has_started, tabs, places, board, run, model, insight, submit)


def _wire_start(parts: _Parts, services: Services, page: gr.Blocks) -> None:
    """Show the page as its address asks for it."""
    board, run, insight = parts.board, parts.run, parts.insight

    def start(request: gr.Request, profile: gr.OAuthProfile | None) -> tuple[Any, ...]:
        asked = dict(request.query_params)
        pairs = request.query_params.multi_items()
        query = read_board_query(pairs)
        found = services.board.current()
        query = replace(query, view=query.view or first_view(found))
        tab = asked.get("tab", "")
        who = visitor(services.settings, request, profile)
        insight_tab, insights = insight.start(services, pairs, who)
        opened: tuple[Any, ...] = (gr.skip(),) * len(run.shown)
        name = "" if insight_tab else asked.get("run", "")
        if name:
            opened = show_run(services, name, who)
        selected = insight_tab or (RUN if name else tab if tab in _TABS else "")
        return (
            *set_controls(found, query),
            *show(services, query),
            *opened,
            *insights,
            # Whoever has gone to another tab by now stays there.
            gr.Tabs(selected=selected) if selected else gr.skip(),
            gr.Tab(visible=bool(name)),
            True,
        )

    shown = [*board.controls, *board.shown, *run.shown, *insight.shown]
    where = [parts.tabs, parts.places[RUN], parts.has_started]
    started = page.load(start, None, [*shown, *where], concurrency_limit=None, **_QUICK)
    started.failure(failed, None, board.board, **_QUICK)


def _wire_links(parts: _Parts, services: Services) -> None:
    """A link to a run opens its page without loading anew."""

    def open_run(
        event: gr.EventData, request: gr.Request, profile: gr.OAuthProfile | None
    ) -> tuple[Any, ...]:
        name = str(event._data.get("run", ""))
        shown = show_run(services, name, visitor(services.settings, request, profile))
        where = urlencode({"run": name})
        return *shown, gr.Tabs(selected=RUN), gr.Tab(visible=True), where

    opened = [*parts.run.shown, parts.tabs, parts.places[RUN], parts.address]
    for links in (parts.board.board, parts.submit.said, parts.model.page):
        links.select(open_run, None, opened, concurrency_limit=None, **_QUICK)


def _wire_changes(parts: _Parts, services: Services) -> None:
    """After what may have changed the board, show it again."""

    def refreshed(*values: Any) -> tuple[Any, ...]:
        return show(services, read_controls(*values))

    changes = (
        *wire_run(parts.run, services),
        wire_submit(parts.submit, services),
        wire_run_tab(parts.model, services, parts.address),
    )
    for change in changes:
        change.then(refreshed, [*parts.board.controls], [*parts.board.shown], **_QUICK)


def _wire_places(parts: _Parts) -> None:
    """A tab that is selected puts its address into the address bar."""

    def selected(tab: str, started: bool, name: str, *values: Any) -> Any:
        if not started:
            return gr.skip()
        if tab == LEADERBOARD:
            return read_controls(*values).to_query()
        return urlencode({"run": name} if tab == RUN else {"tab": tab})

    for name in (LEADERBOARD, RUN, *_TABS):
        parts.places[name].select(
            partial(selected, name),
            [parts.has_started, parts.run.run, *parts.board.controls],
            parts.address,
            **_QUICK,
        )


def _masthead(services: Services) -> Markup:
    suite = services.settings.suite
    return tag(
        "header",
        tag("h1", "CompToolBench"),
        tag(
            "p",
            "Can a language model compose tools: call one, chain two, fan out and join, run a graph? "
            "Every score here is computed from the calls themselves and can be computed again.",
        ),
        tag("p", f"Suite {suite_label(suite)}, {len(suite.tasks)} tasks.", class_="fine"),
    )


def launch(services: Services, port: int, address: str = "127.0.0.1") -> gr.Blocks:
    """Serve the page without blocking; OSError where the port is taken."""
    page = build(services)
    font = ["system-ui", "sans-serif"]
    page.launch(
        server_name=address,
        server_port=port,
        theme=gr.themes.Default(font=font, font_mono=["ui-monospace", "monospace"]),
        css="".join(
            resources.files("space.page").joinpath(name).read_text("utf-8")
            for name in ("page.css", "insight.css", "run.css")
        ),
        head=_HISTORY,
        max_file_size=MAX_UPLOAD_BYTES,
        app_kwargs={
            "routes": [*routes(services), *job_routes(services)],
            "middleware": middleware(services.settings),
        },
        footer_links=[],
        run_history=False,
        ssr_mode=False,
        quiet=True,
        prevent_thread_lock=True,
    )
    return page
