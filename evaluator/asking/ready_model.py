"""A model that a user names, ready to be asked: its answerer, and what a run records of it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from dataset_builder.did_you_mean import did_you_mean
from dataset_builder.errors import InputError
from evaluator.asking.baselines import BASELINES, baseline
from evaluator.asking.baselines.noisy import NOISY, accuracy
from evaluator.asking.request_reply import Answerer
from evaluator.asking.run_options import RunOptions
from evaluator.asking.target import Target
from evaluator.models import LOCAL, is_baseline
from evaluator.traces.model_name import MAX_NAME, is_reserved, name_problem
from evaluator.traces.protocols import CHAT, RESPONSES

# Requests at once, unless told otherwise.
CONCURRENCY = 8
# Enough for six calls; a small model that goes on longer repeats itself.
LOCAL_TOKENS = 256
# Without it so small a model, asked for its likeliest words, says the same ones again and again.
LOCAL_SAMPLING = {"repeat_penalty": 1.1}
# How long it takes hangs on this machine more than on the model.
LOCAL_TIMEOUT_S = 300.0


@dataclass(frozen=True)
class Ready:
    """A model that can be options."""

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
def ready_model(options: RunOptions, environment: Mapping[str, str]) -> Iterator[Ready]:
    """The model, ready to be asked; what it needs runs while the body does.

    InputError for a name that no reader of traces would take, or take for another's.
    """
    if problem := name_problem(options.model):
        raise InputError(f"{options.model[:MAX_NAME]!r} is no name of a model: {problem}")
    is_local = options.model.startswith("local:")
    if options.api_key is not None and (is_local or is_baseline(options.model)):
        raise InputError(f"{options.model} takes no key: leave out --api-key-stdin")
    if options.endpoint != CHAT and (is_local or is_baseline(options.model)):
        raise InputError(f"{options.model} runs here and has no endpoint: leave out --endpoint")
    if is_baseline(options.model):
        yield _baseline(options)
    elif is_local:
        with _local(options) as served:
            yield served
    else:
        yield _provided(options, environment)


def _baseline(options: RunOptions) -> Ready:
    """An agent that is no model."""
    if options.model not in BASELINES and accuracy(options.model) is None:
        raise InputError(
            f"{options.model}: expected one of {', '.join(BASELINES)}, {NOISY}P with P such as 0.99"
            f"{did_you_mean(options.model, BASELINES)}"
        )
    return Ready(
        label=options.model,
        provider="built-in",
        calls=options.calls or "native",
        concurrency=CONCURRENCY,
        settings={},
        answerer=lambda: baseline(options.model),
    )


def _provided(options: RunOptions, environment: Mapping[str, str]) -> Ready:
    """A model of a provider, or behind an address that the user gives."""
    from evaluator.asking.client import Client
    from evaluator.asking.find_target import find_target

    target = find_target(
        options.model,
        options.api_base,
        options.key_variable,
        environment,
        api_key=options.api_key,
        own_temperature=options.own_temperature,
    )
    if options.endpoint == RESPONSES:
        _check_responses(options, target)
        target = replace(target, endpoint=RESPONSES)
    if is_reserved(target.label):
        raise InputError(
            f"{target.label}: is what a built-in agent is called; name yours otherwise"
        )
    if problem := name_problem(target.label):
        raise InputError(f"{target.label!r} is no name of a model: {problem}")
    client = Client(target)
    if options.max_cost is not None and client.price(1000, 1000) is None:
        raise InputError(
            f"{options.model}: its price is not known, so --max-cost could not be kept"
        )
    return Ready(
        label=target.label,
        provider=target.provider,
        calls=options.calls or "native",
        concurrency=CONCURRENCY,
        settings=target.settings(),
        address=target.address,
        answerer=lambda: client,
        context=target.context,
        constrains=target.takes_schema,
        price=client.price,
    )


def _check_responses(options: RunOptions, target: Target) -> None:
    """Refuse what cannot be asked through Responses; elsewhere LiteLLM would ask through chat instead."""
    from evaluator.asking.client import has_responses

    if options.calls == "json":
        raise InputError("--endpoint responses: makes native calls; leave out --calls json")
    if not has_responses(target.id):
        raise InputError(
            f"{target.label}: {target.provider} is not known to have Responses; leave out "
            "--endpoint responses"
        )


@contextmanager
def _local(options: RunOptions) -> Iterator[Ready]:
    """A model that runs here, behind a server that lives as long as the run."""
    from evaluator.asking.client import Client
    from evaluator.asking.local_model import local_server

    if options.calls == "native":
        raise InputError(f"{options.model} cannot call tools natively: leave out --calls native")
    with local_server(options.model.removeprefix("local:")) as served:
        target = Target(
            id=f"openai/{served.name}",
            label=options.model,
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
