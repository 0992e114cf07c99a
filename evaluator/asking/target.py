"""Target: one model and how it is asked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from evaluator.models import ENDPOINT, LOCAL
from evaluator.traces.protocols import CHAT

TIMEOUT_S = 60.0


@dataclass(frozen=True)
class Target:
    """One model and how it is asked.

    ``id`` is LiteLLM's, ``label`` what traces call it. ``temperature`` None: the model's own.
    ``parameters`` go into the request as they are.
    """

    id: str
    label: str
    provider: str
    api_base: str | None = None
    api_key: str | None = field(default=None, repr=False)
    temperature: float | None = 0.0
    context: int | None = None
    takes_schema: bool = True
    is_free: bool = False
    timeout_s: float = TIMEOUT_S
    endpoint: str = CHAT
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def settings(self) -> dict[str, Any]:
        """What a run's record says of it; no secret. Where it is served is no part of it."""
        return {
            "temperature": self.temperature,
            "timeout_s": self.timeout_s,
            **self.parameters,
        }

    @property
    def is_own_endpoint(self) -> bool:
        """Whether it is an OpenAI-compatible endpoint, and not a provider that LiteLLM knows."""
        return self.provider in (ENDPOINT, LOCAL)

    @property
    def address(self) -> str | None:
        """Where it is served, fit to be shown."""
        return None if self.api_base is None else without_secrets(self.api_base)


def without_secrets(url: str) -> str:
    """An address without user, password, query and fragment."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
