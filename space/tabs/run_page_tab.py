"""The tab with one run's page, where its submitter can withdraw it and a maintainer can flag it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gradio as gr

from dataset_builder.errors import InputError
from space.base.login import visitor
from space.base.markup import notice
from space.base.tiers import FLAGGED, SELF_REPORTED, WITHDRAWN
from space.base.visitors import Visitor
from space.board.board import Entry
from space.html.run_page import missing, run_page
from space.services import Services
from space.submissions.moderation import MAX_REASON, flag, may_withdraw, restore, status, withdraw
from space.submissions.store import Submission
from space.tabs.explore_tab import OPEN_TASK


@dataclass(frozen=True)
class RunTab:
    """The parts of the tab that others wire to."""

    run: gr.State
    """Id of the run that is shown; empty at first."""
    page: gr.HTML
    actions: gr.Accordion
    withdraw: gr.Button
    flag: gr.Button
    restore: gr.Button
    reason: gr.Textbox
    said: gr.HTML

    @property
    def shown(self) -> tuple[gr.components.Component | gr.Accordion, ...]:
        """What `show_run` fills."""
        return (
            self.run,
            self.page,
            self.actions,
            self.withdraw,
            self.flag,
            self.restore,
            self.said,
        )


def run_page_tab() -> RunTab:
    """Build the tab's content; `wire_run` brings it to life."""
    run = gr.State("")
    page = gr.HTML("", elem_classes="ctb", apply_default_css=False, js_on_load=OPEN_TASK)
    with gr.Accordion("Withdraw or flag this run", open=False, visible=False) as actions:
        reason = gr.Textbox(
            label="Reason", info="It is shown on this page.", max_length=MAX_REASON, lines=2
        )
        with gr.Row(elem_classes="filters"):
            out = gr.Button("Withdraw for good", visible=False, min_width=160)
            doubt = gr.Button("Flag", visible=False, min_width=160)
            back = gr.Button("Take the flag back", visible=False, min_width=160)
    said = gr.HTML("", elem_classes="ctb", apply_default_css=False, js_on_load=None)
    return RunTab(run, page, actions, out, doubt, back, reason, said)


def show_run(services: Services, name: str, who: Visitor) -> tuple[Any, ...]:
    """What stands in the tab's `shown` components for a run and a visitor."""
    board = services.board.current()
    entry = board.find(name)
    hidden = gr.update(visible=False)
    if entry is None:
        return name, missing(name), hidden, hidden, hidden, hidden, ""
    submission = submission_of(services, entry)
    notes = tuple(dict(note) for note in submission.notes) if submission else ()
    page = run_page(board, entry, services.settings.suite, notes)
    may = [False, False, False]
    if submission is not None and status(submission)[0] != WITHDRAWN:
        is_flagged = status(submission)[0] == FLAGGED
        may = [
            may_withdraw(submission, who),
            who.is_maintainer and not is_flagged,
            who.is_maintainer and is_flagged,
        ]
    return name, page, gr.update(visible=any(may)), *(gr.update(visible=m) for m in may), ""


def submission_of(services: Services, entry: Entry) -> Submission | None:
    """The submission that an entry of the board comes from; None for a run made here."""
    return services.store.get(entry.id.partition(".")[0]) if entry.tier == SELF_REPORTED else None


def wire_run(tab: RunTab, services: Services) -> list[gr.events.Dependency]:
    """What the buttons do; the events after which the board has changed."""

    def act(
        change: Callable[..., Submission],
    ) -> Callable[..., tuple[Any, ...]]:
        def done(
            name: str, reason: str, request: gr.Request, profile: gr.OAuthProfile | None
        ) -> tuple[Any, ...]:
            try:
                who = visitor(services.settings, request, profile)
                services.publications.take(who)
                change(name.partition(".")[0], who, reason, services.store)
            except InputError as error:
                kept = (gr.update(),) * (len(tab.shown) - 1)
                return *kept, notice(str(error), "problem"), reason
            shown = show_run(services, name, who)
            return *shown[:-1], notice("Done; the reason is on this page now.", "done"), ""

        return done

    changes = ((tab.withdraw, withdraw), (tab.flag, flag), (tab.restore, restore))
    return [
        button.click(
            act(change),
            [tab.run, tab.reason],
            [*tab.shown, tab.reason],
            api_visibility="private",
            concurrency_limit=4,
        )
        for button, change in changes
    ]
