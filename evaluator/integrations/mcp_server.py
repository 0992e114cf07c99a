"""Tasks for any client of the Model Context Protocol: tools, prompt and calls of an episode."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from dataset_builder.errors import InputError, why
from evaluator.integrations.mcp_episode import Episode

try:
    import anyio
    import uvicorn  # noqa: F401  # the other half of the extra, which HTTP needs
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server
    from mcp.server.stdio import stdio_server
    from mcp.shared.exceptions import MCPError
    from mcp_types import (
        INTERNAL_ERROR,
        INVALID_REQUEST,
        CallToolRequestParams,
        CallToolResult,
        GetPromptRequestParams,
        GetPromptResult,
        ListPromptsResult,
        ListToolsResult,
        PaginatedRequestParams,
        Prompt,
        PromptMessage,
        TextContent,
        Tool,
    )
except ImportError:
    raise InputError(
        "serving the Model Context Protocol needs mcp and uvicorn: pip install 'comptoolbench[mcp]'"
    ) from None

Context = ServerRequestContext[Any, Any]


def serve_stdio(episode: Episode) -> None:
    """One episode, over standard input and output, until the client closes them.

    InputError and OSError where it cannot begin.
    """
    episode.begin()
    server = episode_server(lambda _: episode)

    async def serve() -> None:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(serve)


def episode_server(episode_of: Callable[[Context], Episode]) -> Server[Any]:
    """A server of episodes; ``episode_of`` finds that of a request.

    Tools are those of the episode, under our schemas. Its one prompt, ``task/ID``, gives the system
    prompt and the task. Looking at either begins the episode.
    """
    answers = _Answers(episode_of)
    return Server(
        "comptoolbench",
        on_list_tools=answers.list_tools,
        on_call_tool=answers.call_tool,
        on_list_prompts=answers.list_prompts,
        on_get_prompt=answers.get_prompt,
    )


class _Answers:
    """What the requests of a session are answered."""

    def __init__(self, episode_of: Callable[[Context], Episode]) -> None:
        self._episode_of = episode_of

    @contextmanager
    def _begun(self, context: Context) -> Iterator[Episode]:
        """The episode; what is not the model's fault becomes an error that stops whoever measures it."""
        try:
            episode = self._episode_of(context)
            episode.begin()
            yield episode
        except InputError as error:
            raise MCPError(INVALID_REQUEST, str(error)) from None
        except OSError as error:
            message = f"{error.filename}: cannot be written ({why(error)})"
            raise MCPError(INTERNAL_ERROR, message) from None

    async def list_tools(
        self, context: Context, params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        with self._begun(context) as episode:
            return ListToolsResult(tools=tools_of(episode))

    async def call_tool(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        with self._begun(context) as episode:
            shown = episode.call(params.name, params.arguments)
        text = TextContent(type="text", text=shown.text)
        return CallToolResult(content=[text], is_error=shown.is_error)

    async def list_prompts(
        self, context: Context, params: PaginatedRequestParams | None
    ) -> ListPromptsResult:
        with self._begun(context) as episode:
            return ListPromptsResult(prompts=[Prompt(name=prompt_name(episode))])

    async def get_prompt(self, context: Context, params: GetPromptRequestParams) -> GetPromptResult:
        with self._begun(context) as episode:
            if params.name != prompt_name(episode):
                raise InputError(f"the prompt of this session is {prompt_name(episode)!r}")
            return prompt_of(episode)


def tools_of(episode: Episode) -> list[Tool]:
    """The tools that are offered, each with the schema that a model is sent in a run."""
    functions = [tool["function"] for tool in episode.opening.tools]
    return [
        Tool(name=each["name"], description=each["description"], input_schema=each["parameters"])
        for each in functions
    ]


def prompt_name(episode: Episode) -> str:
    """What the prompt of an episode is called."""
    return f"task/{episode.opening.task_id}"


def prompt_of(episode: Episode) -> GetPromptResult:
    """System prompt and task, in this order; the protocol knows no role of a system's."""
    texts = (episode.opening.system, episode.opening.prompt)
    return GetPromptResult(
        messages=[
            PromptMessage(role="user", content=TextContent(type="text", text=text))
            for text in texts
        ]
    )
