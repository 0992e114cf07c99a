"""Submit: the fields and the parts of the tab; `space.tabs.submit_tab` says what they do."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from evaluator.traces.protocols import PROTOCOLS
from space.base.sanitize import MAX_TEXT, MAX_UPLOAD_BYTES
from space.html.upload_check_page import nothing_yet
from space.services import Services
from space.submissions.about import OPEN_WEIGHTS, REGIMES
from space.tabs.leaderboard_tab import OPEN_RUN

_ANY = "as the rows say"
_UNKNOWN = "not stated"
_CATALOGUES = ("full", "task")
_HOW = """One JSON object a line: `task_id`, `model`, `calls`; `protocol` and `catalogue` for a score that can
be ranked. Outputs in the file are ignored, since the calls are executed again here. **Nothing is public
before you publish it**, and what is not published is deleted within an hour."""
_LOGIN = """Publishing needs your Hugging Face name, which stands on the run's page: log in above before you
begin, since logging in loads the page anew. Scoring needs no login."""
_PUBLISH = """### 2. Publish
The file becomes public as it is, and the run appears under *Self-reported*. You can withdraw it later, with a
reason: then it has no rank and no download here."""


@dataclass(frozen=True)
class SubmitTab:
    """The parts of the tab that others wire to."""

    traces: tuple[gr.components.Component, ...]
    """A file, pasted lines, the protocol and the catalogue where the rows do not say."""
    check: gr.Button
    outcome: gr.HTML
    publishing: gr.Column
    about: tuple[gr.components.Component, ...]
    """The fields of `About`, the model's name first."""
    accepts: gr.Checkbox
    send: gr.Button
    said: gr.HTML
    """What became of a publication, with a link to its run."""
    checked: gr.State
    """Which content the scorecard on screen is of; the content itself is not kept."""

    @property
    def shown(self) -> list[Any]:
        """What scoring fills."""
        name, *_ = self.about
        return [self.outcome, self.publishing, name, self.accepts, self.checked, self.said]


def submit_tab(services: Services) -> SubmitTab:
    """Build the tab's content; `wire_submit` brings it to life."""
    with gr.Column(elem_classes="reading"):
        gr.Markdown(f"### 1. Your traces\n{_HOW}")
        if services.settings.is_hosted:
            gr.Markdown(_LOGIN)
    *traces, check = _trace_fields()
    outcome = gr.HTML(nothing_yet(), elem_classes="ctb", apply_default_css=False, js_on_load=None)
    with gr.Column(visible=False) as publishing:
        gr.Markdown(_PUBLISH)
        about = _about_fields()
        accepts = gr.Checkbox(
            label="I looked at what resembles a key: none of it is one, and it may become public",
            visible=False,
        )
        send = gr.Button("Publish", variant="primary")
    said = gr.HTML("", elem_classes="ctb", apply_default_css=False, js_on_load=OPEN_RUN)
    checked = gr.State("", time_to_live=3600)
    return SubmitTab(tuple(traces), check, outcome, publishing, about, accepts, send, said, checked)


def _trace_fields() -> tuple[Any, ...]:
    """What holds the traces, what they declare, and the button that scores them."""
    with gr.Row():
        with gr.Column(min_width=300):
            file = gr.File(
                label=f"Trace file (.jsonl, at most {MAX_UPLOAD_BYTES // 2**20} MB)",
                file_types=[".jsonl", ".json", ".txt"],
                height=170,
            )
        with gr.Column(min_width=300):
            text = gr.Textbox(label="or paste the lines", lines=6, max_lines=6, elem_classes="mono")
    with gr.Row(elem_classes="filters"):
        protocol = gr.Dropdown(
            label="Protocol", choices=[(_ANY, ""), *PROTOCOLS], value="", min_width=180
        )
        catalogue = gr.Dropdown(
            label="Catalogue offered (or a number of tools)",
            choices=[(_ANY, ""), *_CATALOGUES],
            value="",
            allow_custom_value=True,
            min_width=180,
        )
        check = gr.Button("Check and score", variant="primary", min_width=180)
    return file, text, protocol, catalogue, check


def _about_fields() -> tuple[gr.components.Component, ...]:
    """What the board says of the model beside its scores, in the order of `About`."""
    text: dict[str, Any] = {"max_length": MAX_TEXT, "min_width": 220}
    with gr.Row():
        model = gr.Textbox(label="Model", **text)
        organisation = gr.Textbox(label="Organisation", **text)
        address = gr.Textbox(label="Link", placeholder="https://", max_length=300, min_width=220)
    with gr.Row():
        provider = gr.Textbox(label="Provider", info="who served it", **text)
        regime = gr.Dropdown(
            label="Regime",
            info="where it runs",
            choices=[(_UNKNOWN, ""), *((name.replace("_", " "), name) for name in REGIMES)],
            value="",
            min_width=220,
        )
        weights = gr.Dropdown(
            label="Open weights",
            info="can anybody download them?",
            choices=[(_UNKNOWN, ""), *OPEN_WEIGHTS],
            value="",
            min_width=220,
        )
    return model, organisation, address, provider, regime, weights
