"""The Agents SDK with a scripted model."""

import asyncio
import json
import os

from agents import Agent, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from agents.mcp import MCPServerStdio, MCPServerStreamableHttp
from openai import AsyncOpenAI

set_tracing_disabled(True)
url = os.environ.get("SERVER_URL")


def server():
    if url:
        headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
        return MCPServerStreamableHttp(
            params={"url": url, "headers": headers}, client_session_timeout_seconds=60
        )
    params = {
        "command": os.environ["COMMAND"],
        "args": json.loads(os.environ["ARGS"]),
        "env": dict(os.environ),
    }
    return MCPServerStdio(params=params, client_session_timeout_seconds=60)


async def main():
    model = OpenAIChatCompletionsModel(
        model="stub-model",
        openai_client=AsyncOpenAI(base_url=os.environ["MODEL_URL"] + "/v1", api_key="x"),
    )
    async with server() as mcp_server:
        agent = Agent(name="A", model=model, mcp_servers=[mcp_server])
        result = await Runner.run(agent, "Tidy", max_turns=30)
        print(result.final_output)


asyncio.run(main())
