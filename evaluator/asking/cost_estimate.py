"""What a run will take before it begins: requests, tokens, and US dollars where a price is known."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dataset_builder.tasks.task import Level, Task
from dataset_builder.tools.tool import Tool
from evaluator.asking.prompts import opening, schemas
from evaluator.traces.protocols import MULTI_TURN, offered_tools

Price = Callable[[int, int], float | None]
"""US dollars of so many tokens in and out; None where no price is known."""
_TOKENS_A_CALL = 60


@dataclass(frozen=True)
class Estimate:
    """About what some answers take."""

    answers: int
    requests: float
    tokens_in: int
    tokens_out: int
    cost_usd: float | None
    """None where the price is not known."""


def estimate(
    tasks: Sequence[Task],
    answers: int,
    protocol: str,
    catalogue: str,
    tools: Mapping[str, Tool],
    price: Price,
) -> Estimate:
    """About what ``answers`` to tasks like these take: 60 tokens for each call, four letters a token.

    In several turns a task takes a request a call and one more, each as long as the first. Those of a
    procedure grow by each call and its result, which in so many turns are most of what is read.
    """
    if not tasks:
        return Estimate(answers, 0, 0, 0, 0.0)
    steps = sum(len(task.steps) for task in tasks) / len(tasks)
    requests = steps + 1 if protocol == MULTI_TURN else 1
    tokens_in = round(first_request_tokens(tasks[0], protocol, catalogue, tools) * requests)
    if protocol == MULTI_TURN and tasks[0].level is Level.PROCEDURE:
        tokens_in += round(2 * _TOKENS_A_CALL * steps * (steps + 1) / 2)
    tokens_out = round(_TOKENS_A_CALL * steps)
    cost = price(tokens_in, tokens_out)
    return Estimate(
        answers,
        requests * answers,
        tokens_in * answers,
        tokens_out * answers,
        None if cost is None else cost * answers,
    )


def first_request_tokens(
    task: Task, protocol: str, catalogue: str, tools: Mapping[str, Tool]
) -> int:
    """About how many tokens the first request of a task has."""
    names = offered_tools(task, catalogue, tools)
    sent = schemas(task, names, protocol, tools)
    messages = opening(task, protocol, "json", sent)
    return sum(len(str(message["content"])) for message in messages) // 4


def price_of(model: str) -> Price:
    """The price of a provider's model by LiteLLM's table; loads LiteLLM (seconds).

    InputError where its provider is not known.
    """
    from evaluator.asking.client import Client
    from evaluator.asking.find_target import find_target

    # No request is made, so no key is needed.
    return Client(find_target(model, environment={}, api_key="none")).price
