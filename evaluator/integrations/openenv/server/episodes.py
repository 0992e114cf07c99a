"""Episodes on the server: the tools of a task, and what each call adds to the step score."""

# mypy: disable-error-code="import-untyped, misc, type-arg"

from itertools import count
from typing import Any

from dataset_builder.errors import InputError
from evaluator.integrations.environment import Environment
from evaluator.integrations.openenv.models import Opened
from evaluator.integrations.task_stream import TaskStream

# After the models, whose import says in a sentence what is missing.
from openenv.core.env_server import interfaces, mcp_types  # isort: skip
from openenv.core.env_server.types import Action, Observation, State  # isort: skip


class StreamEpisodes(interfaces.Environment):
    """The tasks of a stream, one after another; the rewards of an episode add up to the step score."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, stream: TaskStream, catalogue: str = "task") -> None:
        """``catalogue``: what is offered (`Environment`)."""
        super().__init__()
        self._stream = stream
        self._environment = Environment(catalogue=catalogue, turns_known=False)
        self._next = count()
        self._tools: list[mcp_types.Tool] = []
        self._state = State()
        self._worth = 0.0

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **_: Any
    ) -> Observation:
        """Open the task at the index ``seed``, or the next one; InputError for none below 0."""
        index = next(self._next) if seed is None else seed
        opening = self._environment.reset(self._stream[index])
        self._next = count(index + 1)
        self._tools = [
            mcp_types.Tool(
                name=tool["function"]["name"],
                description=tool["function"]["description"],
                input_schema=tool["function"]["parameters"],
            )
            for tool in opening.tools
        ]
        self._state = State(episode_id=episode_id or opening.task_id, step_count=0)
        self._worth = 0.0
        return Opened(
            task_id=opening.task_id,
            system=opening.system,
            prompt=opening.prompt,
            most_turns=opening.most_turns,
        )

    def step(self, action: Action, timeout_s: float | None = None, **_: Any) -> Observation:
        """List the tools, or make a call; InputError for another action, or before a reset."""
        if self._state.episode_id is None:
            raise InputError("no task is open: reset comes first")
        if isinstance(action, mcp_types.ListToolsAction):
            return mcp_types.ListToolsObservation(tools=self._tools)
        if not isinstance(action, mcp_types.CallToolAction):
            raise InputError("expected an action that lists tools or calls one")
        shown = self._environment.call(action.tool_name, action.arguments)
        self._state.step_count += 1
        before, self._worth = self._worth, self._environment.score().step or 0.0
        return mcp_types.CallToolObservation(
            tool_name=action.tool_name,
            result="" if shown is None else shown.text,
            reward=self._worth - before,
            done=self._environment.is_over,
        )

    @property
    def state(self) -> State:
        """The episode's id and how many calls were made; what they are worth is the trainer's."""
        return self._state
