"""The application: `uvicorn evaluator.integrations.openenv.server.app:app`.

COMPTOOLBENCH_SEED names the stream (0 where nothing is said), COMPTOOLBENCH_MIX its kinds of task, such as
{"L0": 1, "P8": 1}, COMPTOOLBENCH_CATALOGUE what is offered (task).
"""

# mypy: disable-error-code="import-untyped"

import json
import os
from collections.abc import Mapping

from dataset_builder.errors import InputError
from evaluator.integrations.openenv.server.episodes import StreamEpisodes
from evaluator.integrations.task_stream import EVEN, TaskStream

# After the episodes, whose import says in a sentence what is missing.
from openenv.core.env_server.http_server import create_app  # isort: skip
from openenv.core.env_server.mcp_types import CallToolAction, CallToolObservation  # isort: skip

MOST_SESSIONS = 64


def stream_of(settings: Mapping[str, str]) -> TaskStream:
    """The stream that the environment's variables name; InputError where there is none such."""
    seed, mix = settings.get("COMPTOOLBENCH_SEED", "0"), settings.get("COMPTOOLBENCH_MIX")
    if not seed.isascii() or not seed.isdigit():
        raise InputError(f"COMPTOOLBENCH_SEED: expected a whole number, got {seed[:20]!r}")
    try:
        kinds = EVEN if mix is None else json.loads(mix)
        weights = {str(name): float(weight) for name, weight in kinds.items()}
    except (ValueError, TypeError, AttributeError):
        raise InputError('COMPTOOLBENCH_MIX: expected JSON such as {"L0": 1, "P8": 1}') from None
    return TaskStream(int(seed), weights)


_stream = stream_of(os.environ)
_catalogue = os.environ.get("COMPTOOLBENCH_CATALOGUE", "task")


def episodes() -> StreamEpisodes:
    """The episodes of one session."""
    return StreamEpisodes(_stream, _catalogue)


app = create_app(
    episodes,
    CallToolAction,
    CallToolObservation,
    env_name="comptoolbench",
    max_concurrent_envs=MOST_SESSIONS,
)
