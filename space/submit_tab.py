"""Submit: upload or paste traces, see every problem or the whole scorecard, then publish."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gradio as gr
from markupsafe import Markup

from dataset_builder.errors import InputError
from evaluator.protocol import PROTOCOLS
from space.draft import Draft, read_upload
from space.draft_page import draft_page, nothing_yet, problems, published
from space.guard import MAX_TEXT, MAX_UPLOAD_BYTES, clean
from space.leaderboard_tab import OPEN_RUN
from space.login import visitor
from space.markup import notice
from space.site import Site
from space.submission import OPEN_WEIGHTS, REGIMES, About, publish

_ANY = "as the rows say"
_UNKNOWN = "not stated"
_CATALOGUES = ("full", "task")
_HOW = """One JSON object a line: `task_id`, `model`, `calls`; `protocol` and `catalogue` for a score that can
be ranked. Outputs in the file are ignored, since the calls are executed again here. **Nothing is public
before you publish it**, and what is not published is deleted within an hour."""
_LOGIN = """Publishing needs your Hugging Face name, which stands on the run's page: log in above before you
begin, since logging in loads the page anew. Scoring needs no login."""


@dataclass(frozen=True)
class SubmitTab:
    """The parts of the tab that others wire to."""

    said: gr.HTML
    """What became of a publication, with a link to its run."""
    event: gr.events.Dependency
    """After it the board may have changed."""


def submit_tab(site: Site) -> SubmitTab:
    """Build the tab's content."""
    with gr.Column(elem_classes="reading"):
        gr.Markdown(f"### 1. Your traces\n{_HOW}")
        if site.settings.is_hosted:
            gr.Markdown(_LOGIN)
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
    outcome = gr.HTML(nothing_yet(), elem_classes="ctb", apply_default_css=False, js_on_load=None)
    with gr.Column(visible=False) as publishing:
        gr.Markdown(
            "### 2. Publish\nThe file becomes public as it is, and the run appears under *Self-reported*. "
            "You can withdraw it later, with a reason: then it has no rank and no download here."
        )
        with gr.Row():
            model = gr.Textbox(label="Model", max_length=MAX_TEXT, min_width=220)
            organisation = gr.Textbox(label="Organisation", max_length=MAX_TEXT, min_width=220)
            address = gr.Textbox(
                label="Link", placeholder="https://", max_length=300, min_width=220
            )
        with gr.Row():
            provider = gr.Textbox(
                label="Provider",
                info="who served it",
                max_length=MAX_TEXT,
                min_width=220,
            )
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
        accepts = gr.Checkbox(
            label="I looked at what resembles a key: none of it is one, and it may become public",
            visible=False,
        )
        send = gr.Button("Publish", variant="primary")
    said = gr.HTML("", elem_classes="ctb", apply_default_css=False, js_on_load=OPEN_RUN)
    # Which content the scorecard on screen is of; the content itself is not kept.
    checked = gr.State("", time_to_live=3600)

    def scored(
        path: str | None,
        pasted: str,
        protocol: str,
        catalogue: str,
        request: gr.Request,
        profile: gr.OAuthProfile | None,
    ) -> tuple[Any, ...]:
        hidden = (gr.update(visible=False), gr.update(), gr.update(visible=False), "", "")
        if not path and not pasted.strip():
            return nothing_yet(), *hidden
        try:
            site.scorings.take(visitor(site.settings, request, profile))
            draft = read_upload(_source(path, pasted), site.settings.suite, protocol, catalogue)
        except InputError as error:
            return problems(error), *hidden
        return (
            draft_page(draft, site.settings.suite),
            gr.update(visible=True),
            gr.update(value=_name(draft), interactive=len(draft.runs) == 1),
            gr.update(visible=bool(draft.secrets), value=False),
            draft.id,
            "",
        )

    def send_it(
        known: str,
        path: str | None,
        pasted: str,
        protocol: str,
        catalogue: str,
        accepts: bool,
        model: str,
        organisation: str,
        address: str,
        provider: str,
        regime: str,
        weights: str,
        request: gr.Request,
        profile: gr.OAuthProfile | None,
    ) -> Markup:
        about = About(model, organisation, address, provider, regime, weights)
        try:
            who = visitor(site.settings, request, profile)
            site.publications.take(who)
            draft = read_upload(_source(path, pasted), site.settings.suite, protocol, catalogue)
            if draft.id != known:
                raise InputError("the traces have changed since they were scored: score them again")
            submission, is_new = publish(
                draft,
                about,
                who,
                site.store,
                site.cache,
                needs_login=site.settings.is_hosted,
                accepts_secrets=accepts,
            )
        except InputError as error:
            return notice(str(error), "problem")
        return published(submission.id, is_new)

    sources = [file, text, protocol, catalogue]
    shown = [outcome, publishing, model, accepts, checked, said]
    for trigger in (file.upload, check.click):
        trigger(
            scored,
            sources,
            shown,
            api_visibility="private",
            concurrency_limit=2,
            concurrency_id="score",
            scroll_to_output=False,
        )
    file.clear(lambda: None, None, None, api_visibility="private")
    fields = [model, organisation, address, provider, regime, weights]
    event = send.click(
        send_it,
        [checked, *sources, accepts, *fields],
        said,
        api_visibility="private",
        concurrency_limit=2,
        concurrency_id="score",
    )
    return SubmitTab(said, event)


def _source(path: str | None, pasted: str) -> Path | str:
    """A file is scored rather than what stands beside it."""
    return Path(path) if path else pasted


def _name(draft: Draft) -> str:
    """What the field for the model begins with; names of several models come from the rows."""
    if len(draft.runs) > 1:
        return f"{len(draft.runs)} models, named by the rows"
    return clean(draft.runs[0].scores["model"], MAX_TEXT)
