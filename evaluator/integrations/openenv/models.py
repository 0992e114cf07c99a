"""What an episode tells beside what tools give: the task that it opens with."""

# mypy: disable-error-code="import-untyped, misc"

from dataset_builder.errors import InputError

try:
    from openenv.core.env_server.types import Observation
except ImportError:
    raise InputError(
        "OpenEnv needs openenv-core 0.3: pip install 'comptoolbench[openenv]'"
    ) from None


class Opened(Observation):
    """The answer to a reset: what a model is given before its first reply."""

    task_id: str
    system: str
    prompt: str
    most_turns: int
    """How many replies a run gives a model at most; the server sees single calls."""
