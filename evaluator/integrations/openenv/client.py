"""The client of the environment: `reset` opens a task, `call_tool` makes a call.

with CompositionClient(base_url="http://localhost:8000").sync() as client:
    opened = client.reset(seed=3).observation       # task 3 of the server's stream
    client.list_tools()
    result = client.step(CallToolAction(tool_name="get_weather", arguments={"city": "Berlin"}))
    result.reward                                    # what the call has added to the step score
"""

# mypy: disable-error-code="import-untyped, misc, no-any-return"

from typing import Any

from evaluator.integrations.openenv.models import Opened

# After the models, whose import says in a sentence what is missing.
from openenv.core.client_types import StepResult  # isort: skip
from openenv.core.mcp_client import MCPToolClient  # isort: skip


class CompositionClient(MCPToolClient):
    """A session, which is an environment of its own on the server."""

    async def reset(self, **how: Any) -> Any:
        """Open a task: ``seed`` is its index, without one the next is opened."""
        self._tools_cache = None  # each task has tools of its own
        return await super().reset(**how)

    def _parse_result(self, payload: dict[str, Any]) -> Any:
        told = payload.get("observation", {})
        if "prompt" not in told:
            return super()._parse_result(payload)
        done, reward = payload.get("done", False), payload.get("reward")
        fields = {name: told[name] for name in ("task_id", "system", "prompt", "most_turns")}
        return StepResult(observation=Opened(**fields, done=done), reward=reward, done=done)
