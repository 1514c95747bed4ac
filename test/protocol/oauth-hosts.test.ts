import { describe, expect, it } from "vitest";
import { type Home, newHome } from "./home.ts";
import { allow, createFlow, resource } from "./oauth-flow.ts";
import { type Send, browser, origin, startSignIn } from "./oauth-host.ts";
import { runHere } from "./program.ts";

type Json = Record<string, unknown>;

/** A hosted client as its users and developers describe its requests. */
interface Hosted {
  name: string;
  agent: string;
  callback: string;
  registration: Json;
  scope: string;
  /** The order in which it looks for metadata. */
  metadata: readonly string[];
  registersTwice: boolean;
}

const hosts: readonly Hosted[] = [
  {
    // anthropics/claude-ai-mcp #966 (two registrations) and #1043 (asks for a secret), #124 (scope), #313 (its callback takes GET only).
    name: "claude.ai",
    agent: "python-httpx/0.28.1",
    callback: "https://claude.ai/api/mcp/auth_callback",
    registration: {
      client_name: "Claude",
      token_endpoint_auth_method: "client_secret_post",
      grant_types: [
        "authorization_code",
        "refresh_token",
        "urn:ietf:params:oauth:grant-type:jwt-bearer",
      ],
    },
    scope: "claudeai",
    metadata: ["oauth-protected-resource/mcp", "oauth-authorization-server"],
    registersTwice: true,
  },
  {
    name: "ChatGPT",
    agent: "Python/3.12 aiohttp/3.9.5",
    callback: "https://chatgpt.com/connector/oauth/OUbdUMlL15Ct",
    registration: { client_name: "ChatGPT", token_endpoint_auth_method: "none" },
    scope: "mcp mcp:read offline_access",
    metadata: ["oauth-protected-resource", "openid-configuration"],
    registersTwice: false,
  },
];

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "hosted", version: "1.0.0" },
  },
};

/** Connects in the host's own order of requests, and returns its tokens. */
async function connect(host: Hosted, plain: Send) {
  const send: Send = (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set("user-agent", host.agent);
    return plain(url, { ...init, headers });
  };
  const json = async (response: Response) => (await response.json()) as Json;
  const rpc = (body: Json, headers: Record<string, string> = {}) =>
    send(resource, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify(body),
    });
  const refused = await rpc(initialize);
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toContain("resource_metadata=");
  const found: Json = {};
  for (const path of host.metadata) {
    const answer = await send(`${origin}/.well-known/${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
    Object.assign(found, await json(answer));
  }
  const flow = createFlow(send);
  const metadata = {
    redirect_uris: [host.callback],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    scope: "mcp mcp:read offline_access",
    ...host.registration,
  };
  const ids: string[] = [];
  for (let times = host.registersTwice ? 2 : 1; times > 0; times -= 1) {
    const { status, body } = await flow.register(metadata);
    expect([status, body["token_endpoint_auth_method"]]).toEqual([201, "none"]);
    ids.push(String(body["client_id"]));
  }
  const clientId = ids.at(-1) ?? "";
  const person = browser(plain);
  const params = { redirect_uri: host.callback, scope: host.scope, ui_locales: "zh-CN" };
  const page = await person.open(flow.authorizeUrl(clientId, params));
  // The host's callback takes GET only, so no redirect may repeat the POST.
  const posted = await person.look(page, allow);
  expect(posted.status).toBe(303);
  const answer = await person.look(posted.location);
  expect(answer.status).toBe(303);
  const back = new URL(answer.location);
  expect(back.origin + back.pathname).toBe(host.callback);
  const code = back.searchParams.get("code");
  const granted = await flow.exchange(clientId, code, { redirect_uri: host.callback });
  expect(granted.body).toMatchObject({ token_type: "Bearer", expires_in: 3600 });
  return { flow, rpc, clientId, ids, tokens: granted.body };
}

async function callTools(
  rpc: (body: Json, headers?: Record<string, string>) => Promise<Response>,
  token: unknown,
) {
  const authorization = `Bearer ${String(token)}`;
  const opened = await rpc(initialize, { authorization });
  const session = { authorization, "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  await opened.text();
  await rpc({ jsonrpc: "2.0", method: "notifications/initialized" }, session);
  const listed = await rpc({ jsonrpc: "2.0", id: 2, method: "tools/list" }, session);
  return [opened.status, listed.status, (await listed.text()).includes("read_file")];
}

describe.concurrent.for(hosts)("$name", (host) => {
  it("connects in its own order of requests, and renews its token", async (t) => {
    const { send } = await startSignIn(newHome(t));
    const { flow, rpc, clientId, tokens } = await connect(host, send);
    expect(await callTools(rpc, tokens["access_token"])).toEqual([200, 200, true]);
    const renewed = await flow.refresh(clientId, tokens["refresh_token"], { resource });
    expect(await callTools(rpc, renewed.body["access_token"])).toEqual([200, 200, true]);
  });

  it("learns from the token endpoint that its access was revoked", async (t) => {
    const home: Home = newHome(t);
    const { send } = await startSignIn(home);
    const { flow, rpc, clientId, tokens } = await connect(host, send);
    expect((await runHere(home, ["clients", "revoke", clientId])).code).toBe(0);
    expect((await callTools(rpc, tokens["access_token"]))[0]).toBe(401);
    // claude.ai registers again after this response (RFC 6749, section 5.2).
    const { status, body } = await flow.refresh(clientId, tokens["refresh_token"]);
    expect([status, body["error"]]).toEqual([401, "invalid_client"]);
  });
});
