"""Submit: upload or paste traces, see every problem or the whole scorecard, then publish."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gradio as gr
from markupsafe import Markup

from dataset_builder.errors import InputError
from space.base.login import visitor
from space.base.markup import notice
from space.base.sanitize import MAX_TEXT, clean
from space.board.publish_run import publish
from space.html.upload_check_page import draft_page, nothing_yet, problems, published
from space.services import Services
from space.submissions.about import About
from space.submissions.upload_check import Draft, read_upload
from space.tabs.submit_form import SubmitTab


def wire_submit(tab: SubmitTab, services: Services) -> gr.events.Dependency:
    """What the buttons do; the event after which the board may have changed."""
    actions = _Actions(services)
    private: dict[str, Any] = {"api_visibility": "private"}
    heavy: dict[str, Any] = {**private, "concurrency_limit": 2, "concurrency_id": "score"}
    file, *_ = tab.traces
    for trigger in (file.upload, tab.check.click):
        trigger(actions.score, [*tab.traces], tab.shown, scroll_to_output=False, **heavy)
    file.clear(lambda: None, None, None, **private)
    return tab.send.click(
        actions.publish, [tab.checked, *tab.traces, tab.accepts, *tab.about], tab.said, **heavy
    )


@dataclass(frozen=True)
class _Actions:
    """What a visitor does in the tab; arguments are the values of its fields."""

    services: Services

    def score(
        self,
        path: str | None,
        pasted: str,
        protocol: str,
        catalogue: str,
        request: gr.Request,
        profile: gr.OAuthProfile | None,
    ) -> tuple[Any, ...]:
        """What stands in the tab's `shown` components for these traces."""
        hidden = (gr.update(visible=False), gr.update(), gr.update(visible=False), "", "")
        if not path and not pasted.strip():
            return nothing_yet(), *hidden
        settings = self.services.settings
        try:
            self.services.scorings.take(visitor(settings, request, profile))
            draft = read_upload(_source(path, pasted), settings.suite, protocol, catalogue)
        except InputError as error:
            return problems(error), *hidden
        return (
            draft_page(draft, settings.suite),
            gr.update(visible=True),
            gr.update(value=_name(draft), interactive=len(draft.runs) == 1),
            gr.update(visible=bool(draft.secrets), value=False),
            draft.id,
            "",
        )

    def publish(
        self,
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
        """What became of the publication; ``known``: the content that was scored."""
        about = About(model, organisation, address, provider, regime, weights)
        settings = self.services.settings
        try:
            who = visitor(settings, request, profile)
            self.services.publications.take(who)
            draft = read_upload(_source(path, pasted), settings.suite, protocol, catalogue)
            if draft.id != known:
                raise InputError("the traces have changed since they were scored: score them again")
            submission, is_new = publish(
                draft,
                about,
                who,
                self.services.store,
                self.services.cache,
                needs_login=settings.is_hosted,
                accepts_secrets=accepts,
                board=self.services.board.current().entries,
            )
        except InputError as error:
            return notice(str(error), "problem")
        entry = self.services.board.current().find(submission.id)
        return published(submission.id, is_new, entry.same_as if entry else "")


def _source(path: str | None, pasted: str) -> Path | str:
    """A file is scored rather than what stands beside it."""
    return Path(path) if path else pasted


def _name(draft: Draft) -> str:
    """What the field for the model begins with; names of several models come from the rows."""
    if len(draft.runs) > 1:
        return f"{len(draft.runs)} models, named by the rows"
    return clean(draft.runs[0].scores["model"], MAX_TEXT)
