"""Submit: upload or paste traces, see every problem or the whole scorecard, then publish."""

from pathlib import Path
from typing import Any

import gradio as gr
from markupsafe import Markup

from dataset_builder.errors import InputError
from evaluator.traces.protocols import PROTOCOLS
from space.base.limits import MAX_UPLOAD_BYTES
from space.base.login import visitor
from space.base.markup import notice
from space.base.sanitize import MAX_TEXT, clean
from space.html.upload_check_page import draft_page, example, nothing_yet, problems, published
from space.services import Services
from space.submissions.about import OPEN_WEIGHTS, REGIMES, About
from space.submissions.upload_check import Draft, read_upload
from space.tabs.components import OPEN_RUN, OPEN_TASK, PRIVATE, Updates, Values, markup, shown_if

_ANY = "as the rows say"
_UNKNOWN = "not stated"
_CATALOGUES = ("full", "task")
_HOW = """One JSON object a line: `task_id`, `model` and `calls` (or OpenAI's `tool_calls`); `protocol` and
`catalogue` for a score that can be ranked. The calls are executed here, so outputs in the file are ignored.
**Nothing is public before you publish it**, and what is not published is deleted within an hour."""
_LOGIN = """Publishing needs your Hugging Face name, which stands on the run's page: log in above before you
begin, since logging in loads the page anew. Scoring needs no login."""
_PUBLISH = """### 2. Publish
The file becomes public as it is, and the run appears under *Self-reported*. You can withdraw it later, with a
reason: then it has no rank and no download here."""


class SubmitTab:
    """The traces and their scorecard, then what is said of them. `wire` says what the buttons do."""

    def __init__(self, services: Services) -> None:
        """Build the tab's content."""
        self._services = services
        with gr.Column(elem_classes="reading"):
            gr.Markdown(f"### 1. Your traces\n{_HOW}")
            if services.settings.is_hosted:
                gr.Markdown(_LOGIN)
            markup(example(services.settings.suite))
        self._add_trace_fields()
        self.outcome = markup(nothing_yet(), OPEN_TASK)
        with gr.Column(visible=False) as self.publishing:
            gr.Markdown(_PUBLISH)
            # By the names of `About`.
            self.about = _about_fields()
            self.accepts = gr.Checkbox(
                label="I looked at what resembles a key: none of it is one, and it may become public",
                visible=False,
            )
            self.send = gr.Button("Publish", variant="primary")
        # What became of a publication, with a link to its run.
        self.message = markup(on_load=OPEN_RUN)
        # The run that was published last, for the board to show.
        self.published = gr.State("")
        # Which content the scorecard on screen is of; the content itself is not kept.
        self.scored = gr.State("", time_to_live=3600)

    def _add_trace_fields(self) -> None:
        """What holds the traces, what they declare, and the button that scores them."""
        with gr.Row():
            with gr.Column(min_width=300):
                self.file = gr.File(
                    label=f"Trace file (.jsonl, at most {MAX_UPLOAD_BYTES // 2**20} MB)",
                    file_types=[".jsonl", ".json", ".txt"],
                    height=170,
                )
            with gr.Column(min_width=300):
                self.pasted = gr.Textbox(
                    label="or paste the lines", lines=6, max_lines=6, elem_classes="mono"
                )
        with gr.Row(elem_classes="filters"):
            self.protocol = gr.Dropdown(
                label="Protocol", choices=[(_ANY, ""), *PROTOCOLS], value="", min_width=180
            )
            self.catalogue = gr.Dropdown(
                label="Catalogue offered (or a number of tools)",
                choices=[(_ANY, ""), *_CATALOGUES],
                value="",
                allow_custom_value=True,
                min_width=180,
            )
            self.check = gr.Button("Check and score", variant="primary", min_width=180)

    def wire(self) -> gr.events.Dependency:
        """Bring the tab to life; the event after which the board may have changed."""
        heavy: dict[str, Any] = {**PRIVATE, "concurrency_limit": 2, "concurrency_id": "score"}
        traces = {self.file, self.pasted, self.protocol, self.catalogue}
        scored = [*self._unscored(nothing_yet())]
        for trigger in (self.file.upload, self.check.click):
            trigger(self._score, traces, scored, scroll_to_output=False, **heavy)
        self.file.clear(lambda: None, None, None, **PRIVATE)
        sent = {*traces, *self.about.values(), self.accepts, self.scored}
        return self.send.click(self._publish, sent, [self.message, self.published], **heavy)

    def _unscored(self, outcome: Markup) -> Updates:
        """Nothing to publish; ``outcome``: why."""
        return {
            self.outcome: outcome,
            self.publishing: shown_if(False),
            self.about["model"]: gr.skip(),
            self.accepts: shown_if(False),
            self.message: "",
            self.scored: "",
        }

    def _score(
        self, values: Values, request: gr.Request, profile: gr.OAuthProfile | None
    ) -> Updates:
        """The scorecard of the traces, or every problem with them."""
        if not values[self.file] and not values[self.pasted].strip():
            return self._unscored(nothing_yet())
        try:
            who = visitor(self._services.settings, request, profile)
            self._services.scorings.take(who)
            draft = self._read(values)
            links = self._services.private.keep(draft, who)
        except InputError as error:
            return self._unscored(problems(error))
        return {
            self.outcome: draft_page(draft, self._services.settings.suite, links),
            self.publishing: shown_if(True),
            self.about["model"]: gr.update(value=_name(draft), interactive=len(draft.runs) == 1),
            self.accepts: gr.update(visible=bool(draft.secrets), value=False),
            self.message: "",
            self.scored: draft.id,
        }

    def _publish(
        self, values: Values, request: gr.Request, profile: gr.OAuthProfile | None
    ) -> Updates:
        """What became of the publication, and the run that it is now."""
        services = self._services
        about = About(**{name: values[field] for name, field in self.about.items()})
        try:
            who = visitor(services.settings, request, profile)
            services.publications.take(who)
            draft = self._read(values)
            if draft.id != values[self.scored]:
                raise InputError("the traces have changed since they were scored: score them again")
            submission, is_new = services.publish(draft, about, who, values[self.accepts])
        except InputError as error:
            return {self.message: notice(str(error), "problem"), self.published: ""}
        entry = services.board.current().find(submission.id)
        told = published(submission.id, is_new, entry.same_as if entry else "")
        run = submission.id if len(draft.runs) == 1 else f"{submission.id}.1"
        return {self.message: told, self.published: run}

    def _read(self, values: Values) -> Draft:
        """The traces, scored; a file rather than what is pasted beside it."""
        path, suite = values[self.file], self._services.settings.suite
        source = Path(path) if path else values[self.pasted]
        return read_upload(source, suite, values[self.protocol], values[self.catalogue])


def _about_fields() -> dict[str, Any]:
    """What the board says of the model beside its scores."""
    text: dict[str, Any] = {"max_length": MAX_TEXT, "min_width": 220}
    fields: dict[str, Any] = {}
    with gr.Row():
        fields["model"] = gr.Textbox(label="Model", **text)
        fields["organisation"] = gr.Textbox(label="Organisation", **text)
        fields["link"] = gr.Textbox(
            label="Link", placeholder="https://", max_length=300, min_width=220
        )
    with gr.Row():
        fields["provider"] = gr.Textbox(label="Provider", info="who served it", **text)
        fields["regime"] = gr.Dropdown(
            label="Regime",
            info="where it runs",
            choices=[(_UNKNOWN, ""), *((name.replace("_", " "), name) for name in REGIMES)],
            value="",
            min_width=220,
        )
        fields["open_weights"] = gr.Dropdown(
            label="Open weights",
            info="can anybody download them?",
            choices=[(_UNKNOWN, ""), *OPEN_WEIGHTS],
            value="",
            min_width=220,
        )
    return fields


def _name(draft: Draft) -> str:
    """What the field for the model begins with; names of several models come from the rows."""
    if len(draft.runs) > 1:
        return f"{len(draft.runs)} models, named by the rows"
    return clean(draft.runs[0].scores["model"], MAX_TEXT)
