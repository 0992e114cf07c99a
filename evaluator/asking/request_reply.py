"""What is sent to a model and what comes back: Request, Reply, and how asking can fail."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from dataset_builder.tasks.task import Task
from evaluator.traces.error_kinds import FATAL

Message = Mapping[str, Any]


def compact(value: Any) -> str:
    """JSON without spaces, as it stands in messages; what JSON has no form for as its text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


@dataclass(frozen=True)
class Request:
    """One request: the conversation so far and the tools that the model may call.

    ``tools`` are the schemas sent natively; with ``calls`` "json" they stand in the system prompt
    instead and ``response_format`` constrains the answer. ``task`` is for the built-in agents that
    know the answer; no prompt is ever made of it here.
    """

    task: Task
    sample: int
    protocol: str
    messages: Sequence[Message]
    tools: Sequence[Mapping[str, Any]]
    calls: str = "native"
    response_format: Mapping[str, Any] | None = None
    made_up: Mapping[str, str] | None = None
    """Tool → what it is called in ``tools`` where names are scrambled, for the same agents."""
    withheld: frozenset[str] = frozenset()
    """Tools that the task needs and that are not offered, for the same agents."""


@dataclass(frozen=True)
class Reply:
    """What came back: the message in OpenAI form as it was received, and what it cost.

    ``message`` is None where the provider sent no choice at all but counted tokens of an answer.
    ``cost_usd`` is None where the price is not known. ``schema_refused``: the provider takes no
    ``response_format``, and was asked without.
    """

    message: Message | None
    finish_reason: str | None = None
    usage: Mapping[str, int] = field(default_factory=dict)
    cost_usd: float | None = None
    model: str | None = None
    fingerprint: str | None = None
    schema_refused: bool = False


class Answerer(Protocol):
    """Whatever answers a request: a model behind a provider, or a built-in agent."""

    async def __call__(self, request: Request) -> Reply:
        """The answer. Raises Infrastructure or ModelFault."""
        ...


class Infrastructure(Exception):
    """The request got no answer, and the model is not to blame.

    ``kind`` is one of `INFRASTRUCTURE_ERRORS`. ``retry_after`` is in seconds, where the provider
    named a time.
    """

    def __init__(self, kind: str, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.retry_after = retry_after

    @property
    def ends_run(self) -> bool:
        """Whether every other request would fail in the same way."""
        return self.kind in FATAL


class ModelFault(Exception):
    """The model's own failure, one of `MODEL_ERRORS`: scored as it stands and never asked again.

    ``generation`` is what the model wrote, where the provider refused it and quoted it.
    """

    def __init__(self, kind: str, message: str, generation: str | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.generation = generation
