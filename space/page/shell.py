"""What stands on the page: its head, five tabs and the sections of some; nothing does anything yet."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import gradio as gr
from markupsafe import Markup

from evaluator.traces.signature import suite_label
from space.base.markup import tag
from space.html.hero import hero
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
    RUN,
    SECTION_TITLES,
    SUBMIT,
    TAB_OF,
    TAB_TITLES,
    VALIDATE,
    Frame,
    markup,
)
from space.tabs.explore_tab import ExploreTab
from space.tabs.figures_tab import FiguresTab
from space.tabs.leaderboard_tab import LeaderboardTab
from space.tabs.paper_tab import paper_tab
from space.tabs.run_model_tab import RunModelTab
from space.tabs.run_page_tab import RunPageTab
from space.tabs.submit_tab import SubmitTab
from space.tabs.validate_tab import ValidateTab


@dataclass(frozen=True)
class Tabs:
    """The tabs that do something."""

    board: LeaderboardTab
    run: RunPageTab
    model: RunModelTab
    explore: ExploreTab
    compare: CompareTab
    figures: FiguresTab
    validate: ValidateTab
    submit: SubmitTab


def assemble(services: Services, page: gr.Blocks) -> tuple[Frame, Tabs]:
    """Everything on the page."""
    with gr.Row(elem_id="masthead"):
        gr.HTML(_masthead(services), apply_default_css=False, js_on_load=None)
        if services.settings.is_hosted:
            gr.LoginButton("Log in with Hugging Face", size="sm", scale=0, min_width=220)
    frame = Frame(
        page=page,
        address=gr.Textbox(visible="hidden", show_label=False, container=False),
        has_started=gr.Checkbox(False, visible="hidden"),
        title=gr.Textbox(visible="hidden", show_label=False, container=False),
        wrong=markup(kind="wrong-link"),
        visited=gr.State({}),
        tabs=gr.Tabs(),
    )
    with frame.tabs:
        with _tab(frame, LEADERBOARD):
            markup(hero(services.settings.suite))
            board = LeaderboardTab(services, frame)
        with _tab(frame, RUN, visible=False):
            run = RunPageTab(services)
        with _tab(frame, EXPLORE):
            explore = ExploreTab(services, frame)
        with _sections(frame, COMPARE):
            with _section(frame, COMPARE):
                compare = CompareTab(services, frame)
            with _section(frame, FIGURES):
                figures = FiguresTab(services, frame)
        with _sections(frame, MODEL):
            with _section(frame, MODEL):
                model = RunModelTab(services, frame)
            with _section(frame, SUBMIT):
                submit = SubmitTab(services)
        with _sections(frame, ABOUT):
            with _section(frame, ABOUT):
                about_tab(services.settings.suite)
            with _section(frame, PAPER):
                paper_tab()
            with _section(frame, VALIDATE):
                validate = ValidateTab(services, frame)
    return frame, Tabs(board, run, model, explore, compare, figures, validate, submit)


@contextmanager
def _tab(frame: Frame, name: str, visible: bool = True) -> Iterator[None]:
    """A tab without sections."""
    with gr.Tab(TAB_TITLES[name], id=name, visible=visible) as frame.places[name]:
        yield


@contextmanager
def _sections(frame: Frame, name: str) -> Iterator[None]:
    """A tab with sections."""
    with gr.Tab(TAB_TITLES[name], id=name) as frame.outer[name], gr.Tabs() as frame.sections[name]:
        yield


@contextmanager
def _section(frame: Frame, name: str) -> Iterator[None]:
    """A section of a tab."""
    title = SECTION_TITLES[TAB_OF[name]][name]
    with gr.Tab(title, id=name) as frame.places[name]:
        yield


def _masthead(services: Services) -> Markup:
    suite = services.settings.suite
    return tag(
        "header",
        tag("h1", "CompToolBench"),
        tag("p", "Can a language model compose tools?"),
        tag("p", f"Suite {suite_label(suite)}, {len(suite.tasks)} tasks.", class_="fine"),
    )
