"""The Python SDK by itself. Prints each result as a JSON line."""

import asyncio
import json
import os
import urllib.request

import httpx2
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

url = os.environ.get("SERVER_URL")


def server():
    if url:
        headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
        return streamable_http_client(url, http_client=httpx2.AsyncClient(headers=headers, timeout=60))
    args = json.loads(os.environ["ARGS"])
    return stdio_client(
        StdioServerParameters(command=os.environ["COMMAND"], args=args, env=dict(os.environ))
    )


async def main():
    async with Client(server()) as client:
        tools = (await client.list_tools()).tools
        print(json.dumps({"tools": [tool.name for tool in tools]}))
        for step in json.loads(os.environ["STEPS"]):
            if step.get("decide"):
                urllib.request.urlopen(os.environ["DECIDE_URL"] + step["decide"]).read()
            result = await client.call_tool(step["call"], step["args"])
            text = "\n".join(part.text for part in result.content)
            print(json.dumps({"text": text, "structured": result.structured_content}))


asyncio.run(main())
