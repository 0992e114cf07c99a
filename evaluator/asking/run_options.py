"""What a user asks for of a run, before the model is looked up."""

from dataclasses import dataclass, field

from evaluator.traces.protocols import CHAT
from evaluator.traces.variations import PLAIN, Variation


@dataclass(frozen=True)
class RunOptions:
    """The options of a run; None where the default hangs on the model."""

    model: str
    protocol: str = "single-turn"
    catalogue: str = "full"
    suite: str | None = None
    calls: str | None = None
    samples: int = 1
    limit: int | None = None
    concurrency: int | None = None
    rpm: int | None = None
    tpm: int | None = None
    max_cost: float | None = None
    api_base: str | None = None
    key_variable: str | None = None
    api_key: str | None = field(default=None, repr=False)
    """The key itself, for this run only; no other is used then."""
    own_temperature: bool = False
    variation: Variation = PLAIN
    endpoint: str = CHAT
    config: str = "default"
    """Which of the dataset's suites is asked."""
