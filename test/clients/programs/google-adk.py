"""Google's Agent Development Kit with a scripted model."""

import asyncio
import json
import os

from google.adk.agents import LlmAgent
from google.adk.models.lite_llm import LiteLlm
from google.adk.runners import InMemoryRunner
from google.adk.tools.mcp_tool import McpToolset, StdioConnectionParams, StreamableHTTPConnectionParams
from google.genai import types
from mcp import StdioServerParameters

url = os.environ.get("SERVER_URL")


def server():
    if url:
        headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
        return StreamableHTTPConnectionParams(url=url, headers=headers, timeout=60)
    params = StdioServerParameters(
        command=os.environ["COMMAND"], args=json.loads(os.environ["ARGS"]), env=dict(os.environ)
    )
    return StdioConnectionParams(server_params=params, timeout=60)


async def main():
    base = os.environ["MODEL_URL"] + "/v1"
    model = LiteLlm(model="openai/stub-model", api_base=base, api_key="x")
    toolset = McpToolset(connection_params=server())
    agent = LlmAgent(name="tidier", model=model, instruction="Tidy", tools=[toolset])
    runner = InMemoryRunner(agent=agent, app_name="tidier")
    session = await runner.session_service.create_session(app_name="tidier", user_id="alice")
    message = types.Content(role="user", parts=[types.Part(text="Tidy my files")])
    async for event in runner.run_async(
        user_id="alice", session_id=session.id, new_message=message
    ):
        if event.is_final_response():
            print(event.content.parts[0].text)
    await toolset.close()


asyncio.run(main())
