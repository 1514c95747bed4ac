"""Microsoft's Agent Framework with a scripted model."""

import asyncio
import json
import os

import httpx2
from agent_framework import Agent, MCPStdioTool, MCPStreamableHTTPTool
from agent_framework.openai import OpenAIChatCompletionClient

url = os.environ.get("SERVER_URL")
# Its default gives the model the structured content alone.
common = {"name": "countersign", "tool_result_content": "content_only", "load_prompts": False}

# Its default hides the text of an error from the model, also that of a denial, and ends the run after three.
errors = {"include_detailed_errors": True, "max_consecutive_errors_per_request": 20}


def server():
    if url:
        headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
        client = httpx2.AsyncClient(headers=headers, timeout=60)
        return MCPStreamableHTTPTool(url=url, http_client=client, **common)
    return MCPStdioTool(
        command=os.environ["COMMAND"],
        args=json.loads(os.environ["ARGS"]),
        env=dict(os.environ),
        **common,
    )


async def main():
    model = OpenAIChatCompletionClient(
        model="stub-model",
        base_url=os.environ["MODEL_URL"] + "/v1",
        api_key="x",
        function_invocation_configuration=errors,
    )
    async with server() as tools, Agent(client=model, tools=tools) as agent:
        print(await agent.run("Tidy"))


asyncio.run(main())
