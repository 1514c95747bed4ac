"""Pydantic AI with a scripted model."""

import asyncio
import json
import os

from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from mcp.types import Implementation
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

url = os.environ.get("SERVER_URL")


def server():
    if url:
        headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
        return StreamableHttpTransport(url, headers=headers)
    return StdioTransport(
        os.environ["COMMAND"], json.loads(os.environ["ARGS"]), env=dict(os.environ)
    )


async def main():
    provider = OpenAIProvider(base_url=os.environ["MODEL_URL"] + "/v1", api_key="x")
    model = OpenAIChatModel("stub-model", provider=provider)
    # An error of a tool is a retry here, and more than these end the run.
    # Its own name is that of every program on the Python SDK. With this one its results are text alone.
    info = Implementation(name="pydantic-ai", version="2")
    agent = Agent(model, toolsets=[MCPToolset(server(), max_retries=5, client_info=info)])
    result = await agent.run("Tidy")
    print(result.output)


asyncio.run(main())
