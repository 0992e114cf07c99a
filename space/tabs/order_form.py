"""Run a model: the form and the parts of the tab; `space.tabs.run_model_tab` says what they do."""

from dataclasses import dataclass
from typing import Any

import gradio as gr
from gradio.components.textbox import InputHTMLAttributes

from evaluator.traces.protocols import CALLS, PROTOCOLS, SINGLE_TURN
from space.base.settings import Settings
from space.jobs.job import MAX_SAMPLES
from space.jobs.jobs import KEPT_DAYS
from space.jobs.providers import (
    ENDPOINT,
    HUB,
    LOCAL,
    MAX_KEY,
    SOURCES,
    offered_providers,
    sources,
    suggestions,
)
from space.services import Services
from space.tabs.leaderboard_tab import OPEN_RUN

MODEL = "model"
"""The tab's name in an address."""
_TICK_S = 1.0
_KEY_NOTE = (
    "It goes to the provider and nowhere else: the run's process has it in memory, and nothing is "
    "written down. To resume a run it is typed again."
)
_ABOUT = f"""A run goes on when you close this tab, and its link leads back to it. Answers that are there stay
when it is cancelled or the page restarts, and it can be resumed; {KEPT_DAYS} days after its last answer it is
deleted."""
_VERIFIED = """A run over all tasks answers 60 fresh ones as well, of a secret seed. Once it is complete it
can be published as *verified*."""


@dataclass(frozen=True)
class ModelTab:
    """The parts of the tab that others wire to."""

    source: gr.Radio
    model: gr.Dropdown
    address: gr.Textbox
    key: gr.Textbox
    protocol: gr.Dropdown
    catalogue: gr.Dropdown
    calls: gr.Dropdown
    limit: gr.Number
    samples: gr.Number
    max_cost: gr.Number
    ask: gr.Button
    start: gr.Button
    form: gr.Column
    said: gr.HTML
    job: gr.State
    """Id of the job that is shown; empty while the form is."""
    page: gr.HTML
    scores: gr.HTML
    cancel: gr.Button
    resuming: gr.Row
    again: gr.Textbox
    resume: gr.Button
    publishing: gr.Row
    accepts: gr.Checkbox
    publish: gr.Button
    other: gr.Button
    timer: gr.Timer

    @property
    def order(self) -> list[Any]:
        """What is ordered; the key is no part of it."""
        return [
            self.source, self.model, self.address, self.protocol, self.catalogue, self.calls,
            self.limit, self.samples, self.max_cost,
        ]  # fmt: skip

    @property
    def shown(self) -> list[Any]:
        """What `show_job` fills."""
        return [
            self.job, self.form, self.page, self.scores, self.cancel, self.resuming, self.again,
            self.publishing, self.accepts, self.other, self.timer,
        ]  # fmt: skip


def run_tab(services: Services) -> ModelTab:
    """Build the tab's content; `wire_run_tab` brings it to life."""
    settings = services.settings
    with gr.Column() as form:
        about = f"{_ABOUT} {_VERIFIED}" if settings.secret else _ABOUT
        gr.Markdown(about, elem_classes="reading")
        source, model, address, key = _model_fields(settings)
        protocol, catalogue, calls = _setting_fields()
        limit, samples, max_cost = _bound_fields()
        with gr.Row():
            ask = gr.Button("Estimate", scale=0, min_width=140)
            start = gr.Button("Start", variant="primary", scale=0, min_width=140)
    said = gr.HTML("", elem_classes="ctb", apply_default_css=False, js_on_load=None)
    job = gr.State("")
    page = gr.HTML("", elem_classes="ctb", apply_default_css=False, js_on_load=OPEN_RUN)
    with gr.Row(visible=False, elem_classes="filters") as resuming:
        again = _key_field("Your key again", visible=True)
        resume = gr.Button("Resume", variant="primary", scale=0, min_width=160)
    with gr.Row(visible=False, elem_classes="filters") as publishing:
        accepts = gr.Checkbox(
            label="What resembles a key in its answers is none, and may become public", value=False
        )
        publish = gr.Button("Publish this run", variant="primary", scale=0, min_width=180)
    with gr.Row():
        cancel = gr.Button("Cancel", visible=False, scale=0, min_width=160)
        other = gr.Button("Run another", visible=False, scale=0, min_width=160)
    scores = gr.HTML("", elem_classes="ctb", apply_default_css=False, js_on_load=None)
    timer = gr.Timer(_TICK_S, active=False)
    return ModelTab(
        source, model, address, key, protocol, catalogue, calls, limit, samples, max_cost, ask, start,
        form, said, job, page, scores, cancel, resuming, again, resume, publishing, accepts, publish,
        other, timer,
    )  # fmt: skip


def _model_fields(settings: Settings) -> tuple[Any, ...]:
    """Where a model runs, its name, its address and the key."""
    offered = sources(settings)
    first = offered[0]
    source = gr.Radio(
        [(SOURCES[name], name) for name in offered], value=first, label="Where it runs"
    )
    with gr.Row(elem_classes="filters"):
        model = gr.Dropdown(
            suggestions(settings, first),
            value=None,
            label="Model",
            info=model_info(settings, first),
            allow_custom_value=True,
            min_width=280,
        )
        address = gr.Textbox(
            label="Address",
            info="up to and with /v1",
            placeholder="http://127.0.0.1:8000/v1",
            max_length=500,
            visible=False,
            min_width=280,
        )
        key = _key_field("Your key", visible=True)
    return source, model, address, key


def _setting_fields() -> tuple[Any, ...]:
    """What its score will be of: protocol, catalogue, form of the calls."""
    with gr.Row(elem_classes="filters"):
        protocol = gr.Dropdown(list(PROTOCOLS), value=SINGLE_TURN, label="Protocol", min_width=150)
        catalogue = gr.Dropdown(
            [("full, all tools", "full"), ("task, each task's own", "task")],
            value="full",
            label="Tools offered (or a number)",
            allow_custom_value=True,
            min_width=190,
        )
        calls = gr.Dropdown(
            [("natively", CALLS[0]), ("as JSON, for models that cannot", CALLS[1])],
            value=CALLS[0],
            label="Calls are made",
            min_width=190,
        )
    return protocol, catalogue, calls


def _bound_fields() -> tuple[Any, ...]:
    """How much is asked, and what it may cost."""
    # A field for numbers shows an empty value as 0.
    with gr.Row(elem_classes="filters"):
        limit = gr.Number(
            value=0,
            label="Tasks",
            info="so many, of each level in proportion; 0: all",
            precision=0,
            minimum=0,
            min_width=150,
        )
        samples = gr.Number(
            value=1,
            label="Answers a task",
            info=f"1 to {MAX_SAMPLES}",
            precision=0,
            minimum=1,
            maximum=MAX_SAMPLES,
            min_width=150,
        )
        max_cost = gr.Number(
            value=0,
            label="Stop at, US dollars",
            info="0: no ceiling",
            minimum=0,
            min_width=150,
        )
    return limit, samples, max_cost


def _key_field(label: str, visible: bool) -> gr.Textbox:
    return gr.Textbox(
        label=label,
        type="password",
        info=_KEY_NOTE,
        max_length=MAX_KEY,
        visible=visible,
        min_width=280,
        html_attributes=InputHTMLAttributes(autocomplete="off", spellcheck=False),
    )


def model_info(settings: Settings, source: str) -> str:
    """What to choose or type as the model."""
    if source == HUB:
        return "a model of the Hub that an inference provider serves, as ORG/NAME"
    if source == ENDPOINT:
        return "as the endpoint calls it"
    if source == LOCAL:
        return "SmolLM2 135M; it takes each task's own tools only"
    return (
        f"choose one, or type PROVIDER/MODEL; providers: {', '.join(offered_providers(settings))}"
    )
