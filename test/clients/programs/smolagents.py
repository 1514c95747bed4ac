"""smolagents with a scripted model."""

import json
import os

from mcp import StdioServerParameters
from smolagents import MCPClient, OpenAIServerModel, ToolCallingAgent

url = os.environ.get("SERVER_URL")


def server():
    if url:
        headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
        return {"url": url, "transport": "streamable-http", "headers": headers}
    return StdioServerParameters(
        command=os.environ["COMMAND"], args=json.loads(os.environ["ARGS"]), env=dict(os.environ)
    )


with MCPClient(server(), structured_output=False) as tools:
    # It takes every argument for required, unless a schema says this.
    for tool in tools:
        for schema in tool.inputs.values():
            schema["nullable"] = True
    model = OpenAIServerModel(
        model_id="stub-model", api_base=os.environ["MODEL_URL"] + "/v1", api_key="x"
    )
    agent = ToolCallingAgent(tools=tools, model=model, max_steps=30, verbosity_level=0)
    print(agent.run("Tidy"))
