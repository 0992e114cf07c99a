"""The form of an order: where a model runs and which, what is asked of it, and what that would take."""

from collections.abc import Iterable, Mapping
from typing import Any

import gradio as gr
from gradio.components.textbox import InputHTMLAttributes
from markupsafe import Markup

from dataset_builder.errors import InputError
from dataset_builder.tasks.stratified_sample import limited
from dataset_builder.tasks.task import Suite
from dataset_builder.tools import catalogue as benchmark_tools
from evaluator.asking.cost_estimate import Price, estimate, price_of
from evaluator.asking.pace import Pace, pace
from evaluator.asking.ready_model import CONCURRENCY
from evaluator.models import find_model, providers
from evaluator.traces.protocols import CALLS, PROTOCOLS, SINGLE_TURN
from space.base.limits import MAX_SAMPLES
from space.base.settings import Settings
from space.base.tiers import MADE_HERE, VERIFIED
from space.board.entry import Entry
from space.html.job_page import estimate_text
from space.jobs.job import Order
from space.jobs.providers import (
    ENDPOINT,
    HUB,
    LOCAL,
    LOCAL_MODEL,
    MAX_KEY,
    MAX_MODEL,
    OPENAI,
    PROVIDER,
    SOURCES,
    Access,
    access,
    offered_providers,
    sources,
    suggestions,
)
from space.tabs.components import Updates, Values

_KEY_NOTE = (
    "It goes to the provider and nowhere else: the run's process has it in memory, and nothing is "
    "written down. To resume a run it is typed again."
)
_MODEL_FIELD = "order-model"
FOCUS_MODEL = f"""(model) => {{
  if (!model) document.querySelector("#{_MODEL_FIELD} input").focus();
  return [];
}}"""
"""A script that leads to the field of the model where it is empty."""


class OrderForm:
    """The fields, in the order in which they stand on the page."""

    def __init__(self, settings: Settings) -> None:
        """``fields``: by the names that `read_order` knows, and the key, which is no part of an order."""
        self._settings = settings
        self.fields: dict[str, Any] = {
            **_model_fields(settings),
            **_setting_fields(),
            **_bound_fields(),
        }

    @property
    def key(self) -> gr.Textbox:
        """The field of the key."""
        return self.fields["key"]

    @property
    def ordered(self) -> set[Any]:
        """The fields that an order is read from."""
        return {*self.fields.values()} - {self.key}

    def read(self, values: Values) -> Order:
        """The order; InputError for what is none."""
        by_name = {name: values[field] for name, field in self.fields.items() if name != "key"}
        return read_order(len(self._settings.suite.tasks), by_name)

    def follow_source(self, source: str) -> Updates:
        """The fields that fit where the model runs."""
        is_local = source == LOCAL
        updates = {
            "model": gr.update(
                choices=suggestions(self._settings, source),
                value=LOCAL_MODEL if is_local else None,
                info=_model_info(self._settings, source),
            ),
            "address": gr.update(visible=source == ENDPOINT, value=""),
            "key": gr.update(visible=takes_key(source), value=""),
            "catalogue": "task" if is_local else gr.skip(),
            "calls": gr.update(value=CALLS[1] if is_local else CALLS[0], interactive=not is_local),
        }
        return {self.fields[name]: update for name, update in updates.items()}


def read_order(tasks: int, form: Mapping[str, Any]) -> Order:
    """What the form says, of a suite of so many tasks; InputError for what is no order."""
    source, limit, max_cost = form["source"], form["limit"], form["max_cost"]
    try:
        order = Order(
            source=str(source),
            model=str(form["model"] or "").strip()[: MAX_MODEL + 1],
            protocol=str(form["protocol"]),
            catalogue=str(form["catalogue"]),
            # The model that runs here has no other way.
            calls="json" if source == LOCAL else str(form["calls"]),
            samples=int(form["samples"] or 1),
            limit=int(limit) if limit and limit < tasks else None,
            max_cost=float(max_cost) if max_cost else None,
            api_base=str(form["address"] or "").strip()[:500] or None,
        )
    except (TypeError, ValueError, OverflowError):
        raise InputError("tasks, answers and dollars: expected numbers") from None
    return order.checked()


def access_to(order: Order, settings: Settings, key: str, login_token: str | None) -> Access:
    """How the model of an order is reached; InputError as for `access`."""
    address = order.api_base or ""
    return access(settings, order.source, order.model, address, key, login_token)


def takes_key(source: str) -> bool:
    """Whether a model there may be asked with a key that the visitor types."""
    return source in (PROVIDER, ENDPOINT)


def estimated(order: Order, suite: Suite, entries: Iterable[Entry]) -> Markup:
    """What an order would take, in words; ``entries``: of the board, which may have run that model."""
    tasks = limited(suite.tasks, order.limit)
    answers = len(tasks) * order.samples
    return estimate_text(
        estimate(tasks, answers, order.protocol, order.catalogue, benchmark_tools(), _price(order)),
        known_pace(order, entries),
    )


def known_pace(order: Order, entries: Iterable[Entry]) -> Pace | None:
    """How fast an order's model answered in the runs that were made here by the same protocol.

    What strangers say of their own runs is not asked.
    """
    is_local = order.source == LOCAL
    known = find_model(order.model)
    named = {order.model, f"{OPENAI}{order.model}", LOCAL_MODEL if is_local else ""}
    named |= {known.id} if known else set()
    took = [
        entry.result.scores["diagnostics"]["latency_ms"] / 1000
        for entry in entries
        if entry.tier in (VERIFIED, MADE_HERE)
        and entry.result.model in named
        and entry.result.scores["protocol"] == order.protocol
        and entry.result.scores["diagnostics"].get("latency_ms") is not None
    ]
    return pace(took, 1 if is_local else CONCURRENCY)


def _price(order: Order) -> Price:
    """The price of an order's model, as far as it is known."""
    provider = providers().get(order.model.partition("/")[0])
    needs_no_key = provider is not None and provider.key is None
    if order.source == LOCAL or (order.source == PROVIDER and needs_no_key):
        return lambda tokens_in, tokens_out: 0.0
    if order.source != PROVIDER:
        return lambda tokens_in, tokens_out: None
    return price_of(order.model)


# The fields -------------------------------------------------------------------------------


def _model_fields(settings: Settings) -> dict[str, Any]:
    """Where a model runs, its name, its address and the key."""
    offered = sources(settings)
    first = offered[0]
    fields: dict[str, Any] = {
        "source": gr.Radio(
            [(SOURCES[name], name) for name in offered], value=first, label="Where it runs"
        )
    }
    with gr.Row(elem_classes="filters"):
        fields["model"] = gr.Dropdown(
            suggestions(settings, first),
            value=None,
            label="Model",
            info=_model_info(settings, first),
            allow_custom_value=True,
            min_width=280,
            elem_id=_MODEL_FIELD,
        )
        fields["address"] = gr.Textbox(
            label="Address",
            info="up to and with /v1",
            placeholder="http://127.0.0.1:8000/v1",
            max_length=500,
            visible=False,
            min_width=280,
        )
        fields["key"] = key_field("Your key")
    return fields


def _setting_fields() -> dict[str, Any]:
    """What its score will be of: protocol, catalogue, form of the calls."""
    with gr.Row(elem_classes="filters"):
        return {
            "protocol": gr.Dropdown(
                list(PROTOCOLS), value=SINGLE_TURN, label="Protocol", min_width=150
            ),
            "catalogue": gr.Dropdown(
                [("full, all tools", "full"), ("task, each task's own", "task")],
                value="full",
                label="Tools offered (or a number)",
                allow_custom_value=True,
                min_width=190,
            ),
            "calls": gr.Dropdown(
                [("natively", CALLS[0]), ("as JSON, for models that cannot", CALLS[1])],
                value=CALLS[0],
                label="Calls are made",
                min_width=190,
            ),
        }


def _bound_fields() -> dict[str, Any]:
    """How much is asked, and what it may cost."""
    # A field for numbers shows an empty value as 0.
    with gr.Row(elem_classes="filters"):
        return {
            "limit": gr.Number(
                value=0,
                label="Tasks",
                info="so many, of each level in proportion; 0: all",
                precision=0,
                minimum=0,
                min_width=150,
            ),
            "samples": gr.Number(
                value=1,
                label="Answers a task",
                info=f"1 to {MAX_SAMPLES}",
                precision=0,
                minimum=1,
                maximum=MAX_SAMPLES,
                min_width=150,
            ),
            "max_cost": gr.Number(
                value=0,
                label="Stop at, US dollars",
                info="0: no ceiling",
                minimum=0,
                min_width=150,
            ),
        }


def key_field(label: str) -> gr.Textbox:
    """A field whose content no browser keeps."""
    return gr.Textbox(
        label=label,
        type="password",
        info=_KEY_NOTE,
        max_length=MAX_KEY,
        min_width=280,
        html_attributes=InputHTMLAttributes(autocomplete="off", spellcheck=False),
    )


def _model_info(settings: Settings, source: str) -> str:
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
