"""Strands Agents with a scripted model."""

import json
import os

import httpx2
from mcp import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from strands import Agent
from strands.models.openai import OpenAIModel
from strands.tools.mcp import MCPClient

url = os.environ.get("SERVER_URL")


def transport():
    if url:
        headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
        return streamable_http_client(url, http_client=httpx2.AsyncClient(headers=headers, timeout=60))
    return stdio_client(
        StdioServerParameters(
            command=os.environ["COMMAND"], args=json.loads(os.environ["ARGS"]), env=dict(os.environ)
        )
    )


model = OpenAIModel(
    client_args={"base_url": os.environ["MODEL_URL"] + "/v1", "api_key": "x"}, model_id="stub-model"
)
with MCPClient(transport, startup_timeout=60) as client:
    agent = Agent(model=model, tools=client.list_tools_sync(), callback_handler=None)
    print(agent("Tidy"))
