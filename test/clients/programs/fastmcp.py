"""FastMCP's client. Prints each result as a JSON line."""

import asyncio
import json
import os
import urllib.request

from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport

url = os.environ.get("SERVER_URL")


def server():
    if os.environ.get("SIGN_IN"):
        return StreamableHttpTransport(url, auth="oauth")
    if url:
        return StreamableHttpTransport(url, headers={"Authorization": f"Bearer {os.environ['TOKEN']}"})
    return StdioTransport(os.environ["COMMAND"], json.loads(os.environ["ARGS"]), env=dict(os.environ))


async def main():
    async with Client(server()) as client:
        print(json.dumps({"tools": [tool.name for tool in await client.list_tools()]}))
        for step in json.loads(os.environ["STEPS"]):
            if step.get("decide"):
                urllib.request.urlopen(os.environ["DECIDE_URL"] + step["decide"]).read()
            result = await client.call_tool(step["call"], step["args"], raise_on_error=False)
            text = "\n".join(part.text for part in result.content)
            print(json.dumps({"text": text, "structured": result.structured_content}))


asyncio.run(main())
