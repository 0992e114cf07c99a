"""The tab with one run's page, where its submitter can withdraw it and a maintainer can flag it."""

from collections.abc import Callable
from typing import Any

import gradio as gr

from dataset_builder.errors import InputError
from space.base.login import visitor
from space.base.markup import notice
from space.base.tiers import FLAGGED, SELF_REPORTED, WITHDRAWN
from space.base.visitors import Visitor
from space.board.entry import Entry
from space.html.run_page import missing, run_page
from space.services import Services
from space.submissions.moderation import MAX_REASON, flag, may_withdraw, restore, status, withdraw
from space.submissions.store import Store, Submission
from space.tabs.components import OPEN_TASK, PRIVATE, Updates, Values, markup, shown_if
from space.tabs.scripts import COPY

Change = Callable[[str, Visitor, str, Store], Submission]
"""Something that happens to a submission: its id, who wants it, the reason."""


class RunPageTab:
    """One run, and what may be done to it. `wire` says what the buttons do."""

    def __init__(self, services: Services) -> None:
        """Build the tab's content."""
        self._services = services
        # Id of the run that is shown; empty at first.
        self.run = gr.State("")
        self.page = markup(on_load=OPEN_TASK + COPY)
        with gr.Accordion("Withdraw or flag this run", open=False, visible=False) as self.actions:
            self.reason = gr.Textbox(
                label="Reason", info="It is shown on this page.", max_length=MAX_REASON, lines=2
            )
            with gr.Row(elem_classes="filters"):
                self.withdraw = gr.Button("Withdraw for good", visible=False, min_width=160)
                self.flag = gr.Button("Flag", visible=False, min_width=160)
                self.restore = gr.Button("Take the flag back", visible=False, min_width=160)
        self.message = markup()

    @property
    def shown(self) -> list[Any]:
        """What `show` fills."""
        return [
            *(self.run, self.page, self.actions, self.withdraw, self.flag, self.restore),
            self.message,
        ]

    def show(self, name: str, who: Visitor) -> Updates:
        """A run as a visitor sees it."""
        board = self._services.board.current()
        entry = board.find(name)
        if entry is None:
            page, submission = missing(name), None
        else:
            submission = self._submission(entry)
            notes = tuple(dict(note) for note in submission.notes) if submission else ()
            page = run_page(board, entry, self._services.settings.suite, notes)
        allowed = _allowed(submission, who)
        return {
            self.run: name,
            self.page: page,
            self.actions: shown_if(bool(allowed)),
            self.withdraw: shown_if(withdraw in allowed),
            self.flag: shown_if(flag in allowed),
            self.restore: shown_if(restore in allowed),
            self.message: "",
        }

    def _submission(self, entry: Entry) -> Submission | None:
        """The submission that an entry of the board comes from; None for a run made here."""
        if entry.tier != SELF_REPORTED:
            return None
        return self._services.store.get(entry.id.partition(".")[0])

    def wire(self) -> list[gr.events.Dependency]:
        """Bring the buttons to life; the events after which the board has changed."""
        changes = ((self.withdraw, withdraw), (self.flag, flag), (self.restore, restore))
        return [
            button.click(
                self._action(change),
                {self.run, self.reason},
                [*self.shown, self.reason],
                concurrency_limit=4,
                **PRIVATE,
            )
            for button, change in changes
        ]

    def _action(self, change: Change) -> Callable[..., Updates]:
        def done(values: Values, request: gr.Request, profile: gr.OAuthProfile | None) -> Updates:
            services, name, reason = self._services, values[self.run], values[self.reason]
            try:
                who = visitor(services.settings, request, profile)
                services.publications.take(who)
                change(name.partition(".")[0], who, reason, services.store)
            except InputError as error:
                return {self.message: notice(str(error), "problem")}
            message = notice("Done; the reason is on this page now.", "done")
            return self.show(name, who) | {self.message: message, self.reason: ""}

        return done


def _allowed(submission: Submission | None, who: Visitor) -> set[Change]:
    """What a visitor may do to a submission."""
    if submission is None or (current := status(submission)[0]) == WITHDRAWN:
        return set()
    actions: set[Change] = {withdraw} if may_withdraw(submission, who) else set()
    if who.is_maintainer:
        actions.add(restore if current == FLAGGED else flag)
    return actions
