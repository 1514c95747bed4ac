"""LangChain's adapters with a scripted model."""

import asyncio
import json
import os

from langchain.agents import create_agent
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_openai import ChatOpenAI

url = os.environ.get("SERVER_URL")


def server():
    if url:
        headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
        return {"transport": "streamable_http", "url": url, "headers": headers}
    return {
        "transport": "stdio",
        "command": os.environ["COMMAND"],
        "args": json.loads(os.environ["ARGS"]),
        "env": dict(os.environ),
    }


async def main():
    tools = await MultiServerMCPClient({"countersign": server()}).get_tools()
    # Without this an error of a tool ends the run instead of reaching the model.
    for tool in tools:
        tool.handle_tool_error = True
    model = ChatOpenAI(
        model="stub-model", api_key="x", base_url=os.environ["MODEL_URL"] + "/v1"
    )
    agent = create_agent(model, tools)
    result = await agent.ainvoke(
        {"messages": [{"role": "user", "content": "Tidy"}]}, {"recursion_limit": 60}
    )
    print(result["messages"][-1].content)


asyncio.run(main())
