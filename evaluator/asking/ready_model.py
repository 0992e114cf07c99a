"""A model that a user names, ready to be asked: its answerer, and what a run records of it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dataset_builder.did_you_mean import did_you_mean
from dataset_builder.errors import InputError
from evaluator.asking.agents import BASELINES, baseline
from evaluator.asking.request_reply import Answerer
from evaluator.asking.target import Target
from evaluator.models import LOCAL, is_baseline
from evaluator.traces.model_name import MAX_NAME, is_reserved, name_problem

if TYPE_CHECKING:
    from evaluator.asking.ask_suite import Asked

# Enough for six calls; a small model that goes on longer repeats itself.
LOCAL_TOKENS = 256
# Without it so small a model, asked for its likeliest words, says the same ones again and again.
LOCAL_SAMPLING = {"repeat_penalty": 1.1}
# How long it takes hangs on this machine more than on the model.
LOCAL_TIMEOUT_S = 300.0


@dataclass(frozen=True)
class Ready:
    """A model that can be asked."""

    label: str
    provider: str
    calls: str
    concurrency: int
    settings: dict[str, Any]
    answerer: Callable[[], Answerer]
    context: int | None = None
    constrains: bool = True
    price: Callable[[int, int], float | None] = lambda tokens_in, tokens_out: 0.0
    address: str | None = None
    more: dict[str, Any] | None = None


@contextmanager
def ready_model(asked: "Asked", environment: Mapping[str, str]) -> Iterator[Ready]:
    """The model, ready to be asked; what it needs runs while the body does.

    InputError for a name that no reader of traces would take, or take for another's.
    """
    if said := name_problem(asked.model):
        raise InputError(f"{asked.model[:MAX_NAME]!r} is no name of a model: {said}")
    is_built_in = is_baseline(asked.model) or asked.model.startswith("local:")
    if asked.api_key is not None and is_built_in:
        raise InputError(f"{asked.model} takes no key: leave out --api-key-stdin")
    if asked.model in BASELINES:
        yield Ready(
            label=asked.model,
            provider="built-in",
            calls=asked.calls or "native",
            concurrency=8,
            settings={},
            answerer=lambda: baseline(asked.model),
        )
        return
    if is_baseline(asked.model):
        raise InputError(
            f"{asked.model}: expected one of {', '.join(BASELINES)}"
            f"{did_you_mean(asked.model, BASELINES)}"
        )
    if asked.model.startswith("local:"):
        with _local(asked) as served:
            yield served
        return
    from evaluator.asking.client import Client
    from evaluator.asking.find_target import find_target

    target = find_target(
        asked.model,
        asked.api_base,
        asked.key_variable,
        environment,
        api_key=asked.api_key,
        own_temperature=asked.own_temperature,
    )
    if is_reserved(target.label):
        raise InputError(
            f"{target.label}: is what a built-in agent is called; name yours otherwise"
        )
    if said := name_problem(target.label):
        raise InputError(f"{target.label!r} is no name of a model: {said}")
    client = Client(target)
    if asked.max_cost is not None and client.price(1000, 1000) is None:
        raise InputError(f"{asked.model}: its price is not known, so --max-cost could not be kept")
    yield Ready(
        label=target.label,
        provider=target.provider,
        calls=asked.calls or "native",
        concurrency=8,
        settings=target.settings(),
        address=target.address,
        answerer=lambda: client,
        context=target.context,
        constrains=target.takes_schema,
        price=client.price,
    )


@contextmanager
def _local(asked: "Asked") -> Iterator[Ready]:
    """A model that runs here, behind a server that lives as long as the run."""
    from evaluator.asking.agents.local_model import local_server
    from evaluator.asking.client import Client

    if asked.calls == "native":
        raise InputError(f"{asked.model} cannot call tools natively: leave out --calls native")
    with local_server(asked.model.removeprefix("local:")) as served:
        target = Target(
            id=f"openai/{served.name}",
            label=asked.model,
            provider=LOCAL,
            api_base=served.api_base,
            api_key="none",
            is_free=True,
            timeout_s=LOCAL_TIMEOUT_S,
            parameters={"max_tokens": LOCAL_TOKENS, "extra_body": LOCAL_SAMPLING},
        )
        yield Ready(
            label=target.label,
            provider=target.provider,
            calls="json",
            concurrency=1,
            settings=target.settings(),
            address=target.address,
            answerer=lambda: Client(target),
            context=served.context_tokens,
            more={
                "weights": {
                    "sha256": served.weights_sha256,
                    "quantisation": served.quantisation,
                    "context": served.context_tokens,
                    "server": served.server_version,
                }
            },
        )
