"""The Python SDK by itself. Prints each result as a JSON line."""

import asyncio
import json
import os
import socket
import urllib.request
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

url = os.environ.get("SERVER_URL")


class Memory:
    """Keeps what the sign-in brought."""

    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


def signing_in():
    """Prints the address of the sign-in, and takes the code at a port of this machine."""
    answer = asyncio.get_running_loop().create_future()

    async def take(reader, writer):
        query = parse_qs(urlsplit((await reader.readline()).split()[1].decode()).query)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        writer.close()
        answer.set_result({name: values[0] for name, values in query.items()})

    async def redirect(address):
        print(f"Sign in: {address}\n", flush=True)

    async def callback():
        given = await answer
        return AuthorizationCodeResult(code=given["code"], state=given.get("state"), iss=given.get("iss"))

    listener = socket.create_server(("127.0.0.1", 0))
    asyncio.get_running_loop().create_task(asyncio.start_server(take, sock=listener))
    redirect_uri = f"http://127.0.0.1:{listener.getsockname()[1]}/callback"
    metadata = OAuthClientMetadata(client_name="Python SDK", redirect_uris=[redirect_uri])
    return OAuthClientProvider(url, metadata, Memory(), redirect, callback)


def server():
    if os.environ.get("SIGN_IN"):
        client = httpx2.AsyncClient(auth=signing_in(), timeout=60)
        return streamable_http_client(url, http_client=client)
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
