"""Run a model: what the form and the buttons do; the job live, cancelled, resumed, published."""

from dataclasses import dataclass
from typing import Any

import gradio as gr
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from dataset_builder.errors import InputError
from dataset_builder.tools import catalogue as benchmark_tools
from evaluator.asking.cost_estimate import Price, estimate, price_of
from evaluator.asking.runner import stratified
from evaluator.models import providers
from evaluator.traces.protocols import CALLS
from space.base.login import visitor
from space.base.markup import notice
from space.base.sanitize import clean
from space.html.job_page import estimate_text, job_page, job_scores
from space.jobs.job import Order
from space.jobs.job_progress import finished_lines
from space.jobs.job_publish import can_be_verified, looks_leaky, publish_job, results_repo
from space.jobs.jobs import COMPLETE, RUNNING, STOPPED, WAITING
from space.jobs.providers import (
    ENDPOINT,
    LOCAL,
    LOCAL_MODEL,
    MAX_MODEL,
    PROVIDER,
    Access,
    access,
    suggestions,
)
from space.services import Services
from space.tabs.order_form import MODEL, ModelTab, model_info


def read_order(tasks: int, *values: Any) -> Order:
    """What the form says, of a suite of so many tasks; InputError for what is no order."""
    source, model, address, protocol, catalogue, calls, limit, samples, max_cost = values
    try:
        order = Order(
            source=str(source),
            model=str(model or "").strip()[: MAX_MODEL + 1],
            protocol=str(protocol),
            catalogue=str(catalogue),
            # The model that runs here has no other way.
            calls="json" if source == LOCAL else str(calls),
            samples=int(samples or 1),
            limit=int(limit) if limit and limit < tasks else None,
            max_cost=float(max_cost) if max_cost else None,
            api_base=str(address or "").strip()[:500] or None,
        )
    except (TypeError, ValueError, OverflowError):
        raise InputError("tasks, answers and dollars: expected numbers") from None
    return order.checked()


def show_job(services: Services, name: str) -> tuple[Any, ...]:
    """What stands in the tab's `shown` components for a job; the form where the name is empty."""
    hidden = gr.update(visible=False)
    said: str | Markup = ""
    try:
        look = services.jobs.look(name) if name else None
        folder = services.jobs.folder(name) if name else None
    except InputError as error:
        look, folder, said = None, None, notice(clean(error, 300), "problem")
    if look is None or folder is None:
        form = gr.update(visible=True)
        return (
            "",
            form,
            said,
            "",
            hidden,
            hidden,
            "",
            hidden,
            hidden,
            hidden,
            gr.Timer(active=False),
        )
    is_under_way = look.state in (WAITING, RUNNING)
    is_complete = look.state == COMPLETE
    may_publish = is_complete and not look.record.published
    may_publish = may_publish and (can_be_verified(look) or not services.settings.is_hosted)
    takes_key = look.record.order.source in (PROVIDER, ENDPOINT)
    return (
        name,
        hidden,
        job_page(look, services.settings.suite),
        job_scores(folder, services.settings.suite) if is_complete else "",
        gr.update(visible=is_under_way and not look.is_ending),
        gr.update(visible=look.state == STOPPED),
        gr.update(visible=takes_key),
        gr.update(visible=may_publish),
        gr.update(visible=may_publish and looks_leaky(folder)),
        gr.update(visible=not is_under_way),
        gr.Timer(active=is_under_way),
    )


def wire_run_tab(tab: ModelTab, services: Services, address: gr.Textbox) -> gr.events.Dependency:
    """What the form and the buttons do; the event after which the board may have changed."""
    actions = _Actions(services, kept=(gr.skip(),) * len(tab.shown))
    private: dict[str, Any] = {"api_visibility": "private", "concurrency_limit": 8}
    quick: dict[str, Any] = {**private, "concurrency_limit": None, "show_progress": "hidden"}
    choosing = [tab.model, tab.address, tab.key, tab.catalogue, tab.calls]
    tab.source.input(actions.choose, tab.source, choosing, **quick)
    tab.ask.click(actions.estimate, tab.order, tab.said, **private)
    tab.start.click(
        actions.start, [tab.key, *tab.order], [tab.said, tab.key, address, *tab.shown], **private
    )
    tab.resume.click(
        actions.resume, [tab.job, tab.again], [tab.said, tab.again, *tab.shown], **private
    )
    tab.cancel.click(actions.cancel, tab.job, [tab.said, *tab.shown], **quick)
    tab.timer.tick(lambda name: show_job(services, name), tab.job, tab.shown, **quick)
    tab.other.click(
        lambda: ("", f"tab={MODEL}", *show_job(services, "")),
        None,
        [tab.said, address, *tab.shown],
        **quick,
    )
    return tab.publish.click(
        actions.publish, [tab.job, tab.accepts], [tab.said, *tab.shown], **private
    )


@dataclass(frozen=True)
class _Actions:
    """What a visitor does in the tab; arguments are the values of its fields.

    ``kept`` leaves the tab's `shown` components as they are.
    """

    services: Services
    kept: tuple[Any, ...]

    def choose(self, source: str) -> tuple[Any, ...]:
        """The fields that fit where the model runs: model, address, key, catalogue, calls."""
        settings, is_local = self.services.settings, source == LOCAL
        return (
            gr.update(
                choices=suggestions(settings, source),
                value=LOCAL_MODEL if is_local else None,
                info=model_info(settings, source),
            ),
            gr.update(visible=source == ENDPOINT, value=""),
            gr.update(visible=source in (PROVIDER, ENDPOINT), value=""),
            "task" if is_local else gr.skip(),
            gr.update(value=CALLS[1] if is_local else CALLS[0], interactive=not is_local),
        )

    def estimate(self, *values: Any) -> Markup:
        """What an order would take."""
        suite = self.services.settings.suite
        try:
            order = read_order(len(suite.tasks), *values)
            # No key is needed to ask what a run will take.
            self._reach(order, "none", "none")
            tasks = stratified(suite.tasks, order.limit)
            found = estimate(
                tasks, len(tasks) * order.samples, order.protocol, order.catalogue, benchmark_tools(),
                _price(order),
            )  # fmt: skip
        except InputError as error:
            return _problem(error)
        return estimate_text(found)

    def start(
        self,
        request: gr.Request,
        profile: gr.OAuthProfile | None,
        token: gr.OAuthToken | None,
        key: str,
        *values: Any,
    ) -> tuple[Any, ...]:
        """A new job, shown, and its address."""
        try:
            who = visitor(self.services.settings, request, profile)
            order = read_order(len(self.services.settings.suite.tasks), *values)
            reached = self._reach(order, key, token and token.token)
            self.services.starts.take(who)
            name = self.services.jobs.start(order, reached, who)
        except InputError as error:
            # The key stays in its field, so that a slip elsewhere does not cost typing it again.
            return _problem(error), gr.skip(), gr.skip(), *self.kept
        return "", "", f"job={name}", *show_job(self.services, name)

    def resume(
        self,
        name: str,
        key: str,
        request: gr.Request,
        profile: gr.OAuthProfile | None,
        token: gr.OAuthToken | None,
    ) -> tuple[Any, ...]:
        """A stopped job under way again."""
        try:
            who = visitor(self.services.settings, request, profile)
            order = self.services.jobs.look(name).record.order
            reached = self._reach(order, key, token and token.token)
            self.services.starts.take(who)
            self.services.jobs.resume(name, reached, who)
        except InputError as error:
            return _problem(error), gr.skip(), *self.kept
        return "", "", *show_job(self.services, name)

    def cancel(self, name: str) -> tuple[Any, ...]:
        """A job ending; what it has stays."""
        try:
            self.services.jobs.cancel(name)
        except InputError as error:
            return _problem(error), *self.kept
        return "", *show_job(self.services, name)

    def publish(
        self, name: str, accepts: bool, request: gr.Request, profile: gr.OAuthProfile | None
    ) -> tuple[Any, ...]:
        """A complete job as a run of the board."""
        settings = self.services.settings
        try:
            who = visitor(settings, request, profile)
            self.services.publications.take(who)
            publish_job(self.services.jobs, name, settings, who, results_repo(settings), accepts)
        except InputError as error:
            return _problem(error), *self.kept
        return "", *show_job(self.services, name)

    def _reach(self, order: Order, key: str, login_token: str | None) -> Access:
        address = order.api_base or ""
        return access(self.services.settings, order.source, order.model, address, key, login_token)


def open_run_tab(
    tab: ModelTab,
    services: Services,
    page: gr.Blocks,
    tabs: gr.Tabs,
    place: gr.Tab,
    has_started: gr.Checkbox,
    address: gr.Textbox,
) -> None:
    """Show the job that the page's address asks for, and put the tab's own address there."""
    quick: dict[str, Any] = {
        "api_visibility": "private",
        "show_progress": "hidden",
        "concurrency_limit": None,
    }

    def asked(request: gr.Request) -> tuple[Any, ...]:
        query = request.query_params
        name = query.get("job", "")
        if not name and query.get("tab") != MODEL:
            return (gr.skip(),) * (len(tab.shown) + 1)
        return *show_job(services, name), gr.Tabs(selected=MODEL)

    def selected(started: bool, name: str) -> Any:
        if not started:
            return gr.skip()
        return f"job={name}" if name else f"tab={MODEL}"

    page.load(asked, None, [*tab.shown, tabs], **quick)
    place.select(selected, [has_started, tab.job], address, **quick)


def _price(order: Order) -> Price:
    """The price of an order's model, as far as it is known."""
    provider = order.model.partition("/")[0]
    known = providers().get(provider)
    if order.source == LOCAL or (order.source == PROVIDER and known and known.key is None):
        return lambda tokens_in, tokens_out: 0.0
    if order.source != PROVIDER:
        return lambda tokens_in, tokens_out: None
    return price_of(order.model)


def _problem(error: InputError) -> Markup:
    return notice(clean(error, 400), "problem")


def job_routes(services: Services) -> list[Route]:
    """The download of a job's traces so far, for who has its link."""

    def traces(request: Request) -> Response:
        try:
            folder = services.jobs.folder(request.path_params["name"])
        except InputError as error:
            return PlainTextResponse(f"{error}\n", 404)
        headers = {
            "Content-Disposition": 'attachment; filename="traces.jsonl"',
            "Cache-Control": "no-store",
        }
        content = finished_lines(folder.run / "traces.jsonl")
        return Response(content, media_type="application/x-ndjson", headers=headers)

    return [Route("/download/job/{name}/traces.jsonl", traces)]
