"""The page: assembles the tabs, and reads from its address what to show first."""

import os
from dataclasses import replace
from functools import partial
from importlib import resources
from typing import Any
from urllib.parse import urlencode

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

import gradio as gr
from markupsafe import Markup

from evaluator.signature import suite_label
from space.about_tab import about_tab
from space.address import read_board_query
from space.api import api
from space.blocks import Page
from space.board_html import failed
from space.guard import MAX_UPLOAD_BYTES
from space.insight_tabs import insight_tabs, wire_insight
from space.leaderboard_tab import (
    leaderboard_tab,
    read_controls,
    set_controls,
    show,
    wire,
)
from space.login import visitor
from space.markup import tag
from space.paper_tab import paper_tab
from space.run_form import MODEL, run_tab
from space.run_page_tab import run_page_tab, show_run, wire_run
from space.run_tab import job_routes, open_run_tab, wire_run_tab
from space.site import Site
from space.submit_tab import submit_tab
from space.web import first_view, middleware, routes

LEADERBOARD, SUBMIT, PAPER, ABOUT, RUN = "leaderboard", "submit", "paper", "about", "run"
_TABS = (SUBMIT, PAPER, ABOUT)
_KEPT_S = 3600
"""For how long what a visitor uploaded and did not publish stays on disk."""
_HISTORY = """<script>
addEventListener("popstate", () => { if (location.search !== window.shownSearch) location.reload(); });
window.shownSearch = location.search;
</script>"""


def build(site: Site) -> gr.Blocks:
    """The page over a site."""
    script = resources.files("space").joinpath("page.js").read_text("utf-8")
    with Page(title="CompToolBench", delete_cache=(_KEPT_S, _KEPT_S)) as page:
        with gr.Row(elem_id="masthead"):
            gr.HTML(_masthead(site), apply_default_css=False, js_on_load=None)
            if site.settings.is_hosted:
                gr.LoginButton("Log in with Hugging Face", size="sm", scale=0, min_width=220)
        # What the address bar shall say; the script carries it there.
        address = gr.Textbox(visible="hidden", show_label=False, container=False)
        # A tab says that it was selected when the page is made, too; that must not change the address.
        has_started = gr.Checkbox(False, visible="hidden")
        with gr.Tabs() as tabs:
            with gr.Tab("Leaderboard", id=LEADERBOARD) as at_leaderboard:
                board = leaderboard_tab()
            with gr.Tab("Run", id=RUN, visible=False) as at_run:
                run = run_page_tab()
            with gr.Tab("Run a model", id=MODEL) as at_model:
                model = run_tab(site)
            insight = insight_tabs(site)
            with gr.Tab("Submit", id=SUBMIT) as at_submit:
                published = submit_tab(site)
            with gr.Tab("Paper's results", id=PAPER) as at_paper:
                paper_tab()
            with gr.Tab("About", id=ABOUT) as at_about:
                about_tab(site.settings.suite)
        api(site)

        quick: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}

        def start(request: gr.Request, profile: gr.OAuthProfile | None) -> tuple[Any, ...]:
            """The page as its address asks for it."""
            asked = dict(request.query_params)
            pairs = request.query_params.multi_items()
            query = read_board_query(pairs)
            found = site.board.current()
            query = replace(query, view=query.view or first_view(found))
            tab = asked.get("tab", "")
            who = visitor(site.settings, request, profile)
            insight_tab, insights = insight.start(site, pairs, who)
            opened: tuple[Any, ...] = (gr.skip(),) * len(run.shown)
            name = "" if insight_tab else asked.get("run", "")
            if name:
                opened = show_run(site, name, who)
            selected = insight_tab or (RUN if name else tab if tab in _TABS else "")
            return (
                *set_controls(found, query),
                *show(site, query),
                *opened,
                *insights,
                # Whoever has gone to another tab by now stays there.
                gr.Tabs(selected=selected) if selected else gr.skip(),
                gr.Tab(visible=bool(name)),
                True,
            )

        page.load(
            start,
            None,
            [*board.controls, *board.shown, *run.shown, *insight.shown, tabs, at_run, has_started],
            concurrency_limit=None,
            **quick,
        ).failure(failed, None, board.board, **quick)

        def open_run(
            event: gr.EventData, request: gr.Request, profile: gr.OAuthProfile | None
        ) -> tuple[Any, ...]:
            name = str(event._data.get("run", ""))
            shown = show_run(site, name, visitor(site.settings, request, profile))
            where = urlencode({"run": name})
            return *shown, gr.Tabs(selected=RUN), gr.Tab(visible=True), where

        for links in (board.board, published.said, model.page):
            links.select(
                open_run, None, [*run.shown, tabs, at_run, address], concurrency_limit=None, **quick
            )
        wire(board, site, address)
        wire_insight(insight, site, address, tabs, run.page)
        open_run_tab(model, site, page, tabs, at_model, has_started, address)

        def refreshed(*values: Any) -> tuple[Any, ...]:
            return show(site, read_controls(*values))

        for event in (*wire_run(run, site), published.event, wire_run_tab(model, site, address)):
            event.then(refreshed, [*board.controls], [*board.shown], **quick)

        def selected(tab: str, started: bool, name: str, *values: Any) -> Any:
            if not started:
                return gr.skip()
            if tab == LEADERBOARD:
                return read_controls(*values).to_query()
            return urlencode({"run": name} if tab == RUN else {"tab": tab})

        places = {
            LEADERBOARD: at_leaderboard,
            RUN: at_run,
            SUBMIT: at_submit,
            PAPER: at_paper,
            ABOUT: at_about,
        }
        for tab_name, tab in places.items():
            tab.select(
                partial(selected, tab_name),
                [has_started, run.run, *board.controls],
                address,
                **quick,
            )
        address.change(None, address, None, js=script, **quick)
    return page


def _masthead(site: Site) -> Markup:
    suite = site.settings.suite
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


def launch(site: Site, port: int, address: str = "127.0.0.1") -> gr.Blocks:
    """Serve the page without blocking; OSError where the port is taken."""
    page = build(site)
    font = ["system-ui", "sans-serif"]
    page.launch(
        server_name=address,
        server_port=port,
        theme=gr.themes.Default(font=font, font_mono=["ui-monospace", "monospace"]),
        css="".join(
            resources.files("space").joinpath(name).read_text("utf-8")
            for name in ("page.css", "insight.css", "run.css")
        ),
        head=_HISTORY,
        max_file_size=MAX_UPLOAD_BYTES,
        app_kwargs={"routes": [*routes(site), *job_routes(site)], "middleware": middleware()},
        footer_links=[],
        run_history=False,
        ssr_mode=False,
        quiet=True,
        prevent_thread_lock=True,
    )
    return page
