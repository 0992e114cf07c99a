"""A harness of verifiers' that runs in this process: a chat loop over the tools of the MCP servers."""

# verifiers ships no types.
# mypy: disable-error-code="import-untyped, union-attr"

import json
from typing import Any

import httpx
import verifiers.v1 as vf
from mcp import Client
from verifiers.v1.clients import ModelContext

__all__ = ["ChatLoop"]


class ChatLoop(vf.Harness[vf.HarnessConfig]):
    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_MCP = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        system, prompt = self.resolve_prompt(data)
        messages: list[dict[str, Any]] = [
            {"role": "system", "content": system},
            {"role": "user", "content": prompt},
        ]
        [url] = mcp_urls.values()
        headers = {"Authorization": f"Bearer {secret}"}
        async with Client(url) as tools, httpx.AsyncClient(headers=headers, timeout=60) as model:
            functions = [
                {"name": t.name, "description": t.description, "parameters": t.input_schema}
                for t in (await tools.list_tools()).tools
            ]
            body = {
                "model": ctx.model,
                "tools": [{"type": "function", "function": function} for function in functions],
            }
            while True:
                answer = await model.post(
                    f"{endpoint}/chat/completions", json={**body, "messages": messages}
                )
                if answer.status_code != 200:  # the rollout was stopped
                    break
                reply = answer.json()["choices"][0]["message"]
                messages.append(reply)
                for call in reply.get("tool_calls") or ():
                    function = call["function"]
                    result = await tools.call_tool(
                        function["name"], json.loads(function["arguments"])
                    )
                    messages.append(
                        {
                            "role": "tool",
                            "tool_call_id": call["id"],
                            "content": result.content[0].text,
                        }
                    )
                if not reply.get("tool_calls"):
                    break
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")
