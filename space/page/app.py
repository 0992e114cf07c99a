"""The page: assembles the tabs, and reads from its address what to show first."""

import os
from dataclasses import dataclass
from functools import partial
from importlib import resources
from typing import Any
from urllib.parse import urlencode

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

import gradio as gr
from markupsafe import Markup

from evaluator.traces.signature import suite_label
from space.base.limits import MAX_FORM_BYTES
from space.base.login import visitor
from space.base.markup import tag
from space.base.visitors import Visitor
from space.board.page_address import read_board_query
from space.html.board_html import failed
from space.page.api import api
from space.page.http_routes import middleware, routes
from space.page.silent_blocks import SilentBlocks
from space.page.upload_folder import KEPT_S
from space.services import Services
from space.tabs.about_tab import about_tab
from space.tabs.compare_tab import CompareTab
from space.tabs.components import (
    ABOUT,
    COMPARE,
    EXPLORE,
    FIGURES,
    LEADERBOARD,
    MODEL,
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
from space.tabs.explore_tab import ExploreTab
from space.tabs.figures_tab import FiguresTab
from space.tabs.leaderboard_tab import LeaderboardTab
from space.tabs.paper_tab import paper_tab
from space.tabs.run_model_tab import RunModelTab
from space.tabs.run_page_tab import RunPageTab
from space.tabs.submit_tab import SubmitTab
from space.tabs.validate_tab import ValidateTab

# What these show hangs on no address.
_STEADY = (SUBMIT, PAPER, ABOUT)
_HISTORY = """<script>
addEventListener("popstate", () => { if (location.search !== window.shownSearch) location.reload(); });
window.shownSearch = location.search;
</script>"""


@dataclass(frozen=True)
class _Tabs:
    """The tabs that do something."""

    board: LeaderboardTab
    run: RunPageTab
    model: RunModelTab
    explore: ExploreTab
    compare: CompareTab
    figures: FiguresTab
    validate: ValidateTab
    submit: SubmitTab


def build(services: Services) -> gr.Blocks:
    """The page over services."""
    script = resources.files("space.page").joinpath("page.js").read_text("utf-8")
    with SilentBlocks(title="CompToolBench", delete_cache=(KEPT_S, KEPT_S)) as page:
        frame, tabs = _assemble(services, page)
        api(services)
        _wire_start(frame, tabs, services)
        _wire_links(frame, tabs, services)
        for tab in (tabs.board, tabs.explore, tabs.compare, tabs.figures, tabs.validate):
            tab.wire()
        _wire_changes(tabs)
        _wire_places(frame, tabs)
        frame.address.change(None, frame.address, None, js=script, **QUICK)
    return page


def _assemble(services: Services, page: gr.Blocks) -> tuple[Frame, _Tabs]:
    """All that stands on the page, and does nothing yet."""
    with gr.Row(elem_id="masthead"):
        gr.HTML(_masthead(services), apply_default_css=False, js_on_load=None)
        if services.settings.is_hosted:
            gr.LoginButton("Log in with Hugging Face", size="sm", scale=0, min_width=220)
    address = gr.Textbox(visible="hidden", show_label=False, container=False)
    has_started = gr.Checkbox(False, visible="hidden")
    places: dict[str, gr.Tab] = {}
    with gr.Tabs() as row:
        frame = Frame(page, address, has_started, row, places)
        with gr.Tab("Leaderboard", id=LEADERBOARD) as places[LEADERBOARD]:
            board = LeaderboardTab(services, frame)
        with gr.Tab("Run", id=RUN, visible=False) as places[RUN]:
            run = RunPageTab(services)
        with gr.Tab("Run a model", id=MODEL) as places[MODEL]:
            model = RunModelTab(services, frame)
        with gr.Tab("Explore", id=EXPLORE) as places[EXPLORE]:
            explore = ExploreTab(services, frame)
        with gr.Tab("Compare", id=COMPARE) as places[COMPARE]:
            compare = CompareTab(services, frame)
        with gr.Tab("Figures", id=FIGURES) as places[FIGURES]:
            figures = FiguresTab(services, frame)
        with gr.Tab("Validate", id=VALIDATE) as places[VALIDATE]:
            validate = ValidateTab(services, frame)
        with gr.Tab("Submit", id=SUBMIT) as places[SUBMIT]:
            submit = SubmitTab(services)
        with gr.Tab("Paper's results", id=PAPER) as places[PAPER]:
            paper_tab()
        with gr.Tab("About", id=ABOUT) as places[ABOUT]:
            about_tab(services.settings.suite)
    return frame, _Tabs(board, run, model, explore, compare, figures, validate, submit)


def _wire_start(frame: Frame, tabs: _Tabs, services: Services) -> None:
    """Show the page as its address asks for it."""

    def start(request: gr.Request, profile: gr.OAuthProfile | None) -> Updates:
        pairs = request.query_params.multi_items()
        query = read_board_query(pairs)
        who = visitor(services.settings, request, profile)
        selected, opened = _asked_for(tabs, pairs, who)
        shown = tabs.board.set_controls(query) | tabs.board.show(query) | opened
        # Where it asks for none, whoever has gone to another tab by now stays there.
        if selected:
            shown[frame.tabs] = gr.Tabs(selected=selected)
        return shown | {
            frame.places[RUN]: gr.Tab(visible=selected == RUN),
            frame.has_started: True,
        }

    filled = (tabs.board, tabs.run, tabs.explore, tabs.compare, tabs.figures, tabs.validate)
    outputs = [
        *tabs.board.controls,
        *(part for tab in filled for part in tab.shown),
        *(frame.tabs, frame.places[RUN], frame.has_started),
    ]
    started = frame.page.load(start, None, outputs, **QUICK)
    started.failure(failed, None, tabs.board.board, **QUICK)


def _asked_for(tabs: _Tabs, pairs: list[tuple[str, str]], who: Visitor) -> tuple[str, Updates]:
    """The tab that an address asks for and what stands in it; empty where that is the board."""
    address = dict(reversed(pairs))
    tab, run = address.get("tab", ""), address.get("run", "")
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


def _wire_links(frame: Frame, tabs: _Tabs, services: Services) -> None:
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
    for links in (tabs.board.board, tabs.submit.message, tabs.model.page):
        focus_after(links.select(open_run, None, outputs, **QUICK))
    for links in (tabs.compare.page, tabs.run.page, tabs.submit.outcome, tabs.model.scores):
        tabs.explore.wire_links(links)


def _wire_changes(tabs: _Tabs) -> None:
    """After what may have changed the board, show it again."""
    for change in (*tabs.run.wire(), tabs.submit.wire(), tabs.model.wire()):
        change.then(tabs.board.refresh, set(tabs.board.controls), tabs.board.shown, **QUICK)


def _wire_places(frame: Frame, tabs: _Tabs) -> None:
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
            for name in ("page.css", "explore.css", "job.css")
        ),
        head=_HISTORY,
        # Not smaller than what a request may bring, so that the one who refuses is always the same.
        max_file_size=MAX_FORM_BYTES,
        app_kwargs={
            "routes": routes(services),
            "middleware": middleware(services.settings),
        },
        footer_links=[],
        run_history=False,
        ssr_mode=False,
        quiet=True,
        prevent_thread_lock=True,
    )
    return page
