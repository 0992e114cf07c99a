"""Run a model: order a run; see the job live, cancel it, resume it, publish it."""

from typing import Any

import gradio as gr

from dataset_builder.errors import InputError
from space.base.login import visitor
from space.base.markup import notice
from space.base.sanitize import clean
from space.html.job_page import job_page, job_scores
from space.jobs.job_publish import can_be_verified, looks_leaky, publish_job, results_repo
from space.jobs.job_status import COMPLETE, RUNNING, STOPPED, WAITING, Look
from space.jobs.jobs import KEPT_DAYS
from space.services import Services
from space.tabs.components import (
    MODEL,
    OPEN_RUN,
    OPEN_TASK,
    PRIVATE,
    QUICK,
    Frame,
    Updates,
    Values,
    markup,
    shown_if,
)
from space.tabs.order_form import (
    FOCUS_MODEL,
    OrderForm,
    access_to,
    estimated,
    key_field,
    takes_key,
)
from space.tabs.own_jobs import OwnJobs

_TICK_S = 1.0
_ABOUT = f"""A run goes on when you close this tab, and its link leads back to it. Answers that are there stay
when it is cancelled or the page restarts, and it can be resumed; {KEPT_DAYS} days after its last answer it is
deleted."""
_VERIFIED = """A run over all tasks answers 60 fresh ones as well, of a secret seed. Once it is complete it
can be published as *verified*."""


class RunModelTab:
    """The form, and in its place the job that it started. `wire` says what the buttons do."""

    def __init__(self, services: Services, frame: Frame) -> None:
        """Build the tab's content."""
        self._services, self._frame = services, frame
        with gr.Column() as self.form:
            about = f"{_ABOUT} {_VERIFIED}" if services.settings.secret else _ABOUT
            gr.Markdown(about, elem_classes="reading")
            self.order = OrderForm(services.settings)
            with gr.Row():
                self.ask = gr.Button("Estimate", scale=0, min_width=140)
                self.start = gr.Button("Start", variant="primary", scale=0, min_width=140)
        self.message = markup()
        # Id of the job that is shown; empty while the form is.
        self.job = gr.State("")
        # The run that a job was published as last, for the board to show.
        self.published = gr.State("")
        self.page = markup(on_load=OPEN_RUN)
        with gr.Row(visible=False, elem_classes="filters") as self.resuming:
            self.key_again = key_field("Your key again")
            self.resume = gr.Button("Resume", variant="primary", scale=0, min_width=160)
        with gr.Row(visible=False, elem_classes="filters") as self.publishing:
            self.accepts = gr.Checkbox(
                label="What resembles a key in its answers is none, and may become public",
                value=False,
            )
            self.publish = gr.Button("Publish this run", variant="primary", scale=0, min_width=180)
        with gr.Row():
            self.cancel = gr.Button("Cancel", visible=False, scale=0, min_width=160)
            self.another = gr.Button("Run another", visible=False, scale=0, min_width=160)
        self.scores = markup(on_load=OPEN_TASK)
        self.own = OwnJobs(services.jobs)
        self.timer = gr.Timer(_TICK_S, active=False)

    # What is shown ------------------------------------------------------------------------

    def show_form(self, page: str = "") -> Updates:
        """The form, and no job; ``page``: what stands below it."""
        return {
            self.job: "",
            self.form: shown_if(True),
            self.page: page,
            self.scores: "",
            self.cancel: shown_if(False),
            self.resuming: shown_if(False),
            self.key_again: "",
            self.publishing: shown_if(False),
            self.accepts: shown_if(False),
            self.another: shown_if(False),
            self.timer: gr.Timer(active=False),
        }

    def show_job(self, name: str) -> Updates:
        """A job in place of the form, and the form where the name is empty or no job's."""
        if not name:
            return self.show_form()
        jobs, suite = self._services.jobs, self._services.settings.suite
        try:
            look, folder = jobs.look(name), jobs.folder(name)
        except InputError as error:
            return self.show_form(notice(clean(error, 300), "problem"))
        is_under_way = look.state in (WAITING, RUNNING)
        may_publish = self._may_publish(look)
        return {
            self.job: name,
            self.form: shown_if(False),
            self.page: job_page(look, suite),
            self.scores: job_scores(folder, suite) if look.state == COMPLETE else "",
            self.cancel: shown_if(is_under_way and not look.is_ending),
            self.resuming: shown_if(look.state == STOPPED),
            self.key_again: shown_if(takes_key(look.record.order.source)),
            self.publishing: shown_if(may_publish),
            self.accepts: shown_if(may_publish and looks_leaky(folder)),
            self.another: shown_if(not is_under_way),
            self.timer: gr.Timer(active=is_under_way),
        }

    def _may_publish(self, look: Look) -> bool:
        is_new = look.state == COMPLETE and not look.record.published
        return is_new and (can_be_verified(look) or not self._services.settings.is_hosted)

    # What the buttons do ------------------------------------------------------------------

    def wire(self) -> gr.events.Dependency:
        """Bring the tab to life; the event after which the board may have changed."""
        actions: dict[str, Any] = {**PRIVATE, "concurrency_limit": 8}
        shown = [self.message, *self.show_form()]
        form, key, address = self.order, self.order.key, self._frame.address
        source = form.fields["source"]
        source.input(form.follow_source, source, [*form.follow_source(source.value)], **QUICK)
        asked = self.ask.click(self._estimate, form.ordered, self.message, **actions)
        started = self.start.click(
            self._start, {key, *form.ordered}, [key, address, *shown], **actions
        )
        self.own.wire(self._frame, started, self.job)
        for done in (asked, started):
            done.then(None, form.fields["model"], None, js=FOCUS_MODEL, **QUICK)
        self.resume.click(self._resume, {self.job, self.key_again}, shown, **actions)
        self.cancel.click(self._cancel, self.job, shown, **QUICK)
        self.timer.tick(self.show_job, self.job, [*self.show_form()], **QUICK)
        self.another.click(self._leave_job, None, [address, *shown], **QUICK)
        self._frame.page.load(self._open, None, [*self.show_form(), *self._frame.rows], **QUICK)
        self._frame.places[MODEL].select(
            self._select, [self._frame.has_started, self.job], address, **QUICK
        )
        return self.publish.click(
            self._publish, {self.job, self.accepts}, [self.published, *shown], **actions
        )

    def _open(self, request: gr.Request) -> Any:
        """The job that the page's address asks for."""
        name = request.query_params.get("job", "")
        if not name and request.query_params.get("tab") != MODEL:
            return gr.skip()
        return self.show_job(name) | self._frame.opened(MODEL)

    def _select(self, has_started: bool, name: str) -> Any:
        """The tab's own address."""
        return _address(name) if has_started else gr.skip()

    def _leave_job(self) -> Updates:
        """The form again, for another job."""
        return {self.message: "", self._frame.address: _address(""), **self.show_form()}

    def _estimate(self, values: Values) -> str:
        """What an order would take."""
        settings = self._services.settings
        try:
            order = self.order.read(values)
            # No key is needed to ask what a run will take.
            access_to(order, settings, "none", "none")
            return estimated(order, settings.suite, self._services.board.current().entries)
        except InputError as error:
            return _problem(error)

    def _start(
        self,
        values: Values,
        request: gr.Request,
        profile: gr.OAuthProfile | None,
        token: gr.OAuthToken | None,
    ) -> Updates:
        """A new job, shown, and its address."""
        services = self._services
        try:
            who = visitor(services.settings, request, profile)
            order = self.order.read(values)
            key = values[self.order.key]
            access = access_to(order, services.settings, key, token and token.token)
            services.starts.take(who)
            name = services.jobs.start(order, access, who)
        except InputError as error:
            # The key stays in its field, so that a slip elsewhere does not cost typing it again.
            return {self.message: _problem(error)}
        done = {self.message: "", self.order.key: "", self._frame.address: _address(name)}
        return done | self.show_job(name)

    def _resume(
        self,
        values: Values,
        request: gr.Request,
        profile: gr.OAuthProfile | None,
        token: gr.OAuthToken | None,
    ) -> Updates:
        """A stopped job under way again."""
        services, name = self._services, values[self.job]
        try:
            who = visitor(services.settings, request, profile)
            order = services.jobs.look(name).record.order
            key = values[self.key_again]
            access = access_to(order, services.settings, key, token and token.token)
            services.starts.take(who)
            services.jobs.resume(name, access, who)
        except InputError as error:
            return {self.message: _problem(error)}
        return self.show_job(name) | {self.message: "", self.key_again: ""}

    def _cancel(self, name: str) -> Updates:
        """A job ending; what it has stays."""
        try:
            self._services.jobs.cancel(name)
        except InputError as error:
            return {self.message: _problem(error)}
        return {self.message: "", **self.show_job(name)}

    def _publish(
        self, values: Values, request: gr.Request, profile: gr.OAuthProfile | None
    ) -> Updates:
        """A complete job as a run of the board."""
        services, name = self._services, values[self.job]
        settings = services.settings
        try:
            who = visitor(settings, request, profile)
            services.publications.take(who)
            repo, accepts = results_repo(settings), values[self.accepts]
            run = publish_job(services.jobs, name, settings, who, repo, accepts)
        except InputError as error:
            return {self.message: _problem(error), self.published: ""}
        return {self.message: "", self.published: run, **self.show_job(name)}


def _address(name: str) -> str:
    """The address of a job, or of the form, as a query string."""
    return f"job={name}" if name else f"tab={MODEL}"


def _problem(error: InputError) -> str:
    return notice(clean(error, 400), "problem")
