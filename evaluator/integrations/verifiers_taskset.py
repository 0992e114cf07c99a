"""The stream of tasks as a taskset of verifiers 0.4: tools over MCP, the step score as the reward.

verifiers finds a taskset by the name of a module, so a file of one's own makes this one known:

# composition.py, for `vf-eval composition --env.taskset.seed 7`
from evaluator.integrations.verifiers_taskset import CompositionTaskset
__all__ = ["CompositionTaskset"]
"""

# verifiers ships no types.
# mypy: disable-error-code="import-untyped, misc, untyped-decorator, no-any-return"

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dataset_builder.errors import InputError
from evaluator.asking.request_reply import Message
from evaluator.integrations.environment import Environment
from evaluator.integrations.rewards import step_score
from evaluator.integrations.task_stream import EVEN, TaskStream
from evaluator.traces.protocols import MULTI_TURN

try:
    import verifiers.v1 as vf
    from mcp.server.mcpserver import Context
    from mcp_types import CallToolResult, TextContent, Tool
except ImportError:
    raise InputError(
        "training with verifiers needs verifiers 0.4: pip install 'comptoolbench[verifiers]'"
    ) from None
if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

__all__ = ["CompositionTaskset"]


class CompositionConfig(vf.TasksetConfig):
    """Which stream is trained on, and from which index on (`TaskStream`)."""

    seed: int = 0
    mix: Mapping[str, float] = EVEN
    held_out: bool = False
    start: int = 0
    worker: int = 0
    workers: int = 1
    catalogue: str = "task"
    """What is offered: ``task`` (a task's own tools), ``full`` or a number of tools."""


class CompositionData(vf.TaskData):
    """What finds the task again, in whatever process."""

    seed: int
    mix: Mapping[str, float]
    held_out: bool
    catalogue: str
    most_turns: int


class CompositionTools(vf.Toolset[vf.ToolsetConfig, vf.State]):
    """The tools of one episode, under the schemas that a run sends, carried out by the environment."""

    # Tools bear their own names: the prompt and the score know no others.
    TOOL_PREFIX = None

    async def setup_task(self, task: CompositionData) -> None:
        """Open the task that the server is started for."""
        self._environment = Environment(catalogue=task.catalogue, turns_known=False)
        self._opening = self._environment.reset(_stream_of(task).task(str(task.id)))

    def register(self, mcp: "MCPServer[Any]") -> None:
        """Answer for all tools; arguments come as they were written, and the replay judges them.

        Tools that are added to the server have theirs read and refused by a model of pydantic's.
        """
        functions = [tool["function"] for tool in self._opening.tools]

        async def list_tools() -> list[Tool]:
            return [
                Tool(name=f["name"], description=f["description"], input_schema=f["parameters"])
                for f in functions
            ]

        async def call_tool(
            name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
        ) -> CallToolResult:
            shown = self._environment.call(name, arguments)
            text = "" if shown is None else shown.text
            return CallToolResult(
                content=[TextContent(type="text", text=text)],
                is_error=shown is not None and shown.is_error,
            )

        mcp.list_tools, mcp.call_tool = list_tools, call_tool  # type: ignore[method-assign]


class CompositionTask(vf.Task[CompositionData]):
    """A task of the stream; what it is worth is read off the replies of the trace."""

    @property
    def key(self) -> str:
        """The id, which bears the seed."""
        return str(self.data.id)

    @classmethod
    def toolsets(cls, config: vf.TaskConfig) -> list[vf.Toolset[Any, Any]]:
        """A server for each episode, since each has tools and a state of its own."""
        return [CompositionTools(vf.ToolsetConfig())]

    @vf.stop
    async def replies_used(self, trace: vf.Trace) -> bool:
        """Whether all replies of the protocol were given."""
        return trace.num_turns >= self.data.most_turns

    @vf.reward
    async def step(self, trace: vf.Trace) -> float:
        """The share of calls that are fully right."""
        task = _stream_of(self.data).task(self.key)
        return step_score(task, _messages(trace), MULTI_TURN, self.data.catalogue)


class CompositionTaskset(vf.Taskset[CompositionTask, CompositionConfig]):
    """The tasks of a stream, without end."""

    INFINITE = True

    def load(self) -> Iterator[CompositionTask]:
        """The tasks from the configured index on; InputError for a seed that is published."""
        config = self.config
        stream = TaskStream(config.seed, config.mix, config.held_out)
        environment = Environment(catalogue=config.catalogue)
        for task in stream.tasks(config.start, config.worker, config.workers):
            opening = environment.reset(task)
            data = CompositionData(
                id=task.task_id,
                system_prompt=opening.system,
                prompt=opening.prompt,
                seed=config.seed,
                mix=config.mix,
                held_out=config.held_out,
                catalogue=environment.catalogue,
                most_turns=opening.most_turns,
            )
            yield CompositionTask(data, config.task)


def _stream_of(data: CompositionData) -> TaskStream:
    """The stream of a task; one object for all tasks of a stream, since it keeps what it made."""
    return _stream(data.seed, tuple(data.mix.items()), data.held_out)


@lru_cache(maxsize=8)
def _stream(seed: int, mix: tuple[tuple[str, float], ...], held_out: bool) -> TaskStream:
    return TaskStream(seed, dict(mix), held_out)


def _messages(trace: vf.Trace) -> list[Message]:
    """The model's replies in OpenAI form."""
    return [
        {
            "role": "assistant",
            "content": message.content,
            "tool_calls": [
                {"function": {"name": call.name, "arguments": call.arguments}}
                for call in message.tool_calls or ()
            ],
        }
        for message in trace.assistant_messages
    ]


if __name__ == "__main__":  # so verifiers starts a tool server
    CompositionTools.run()
