import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, it, vi } from "vitest";
import type { ClientKind } from "./clients.ts";
import { type Home, newHome } from "./home.ts";
import { type Send, connectHost, createHost, origin, secrets, startSignIn } from "./oauth-host.ts";

type Host = ReturnType<typeof createHost>;

/** Longer than a token is remembered. Milliseconds. */
const waitMs = 20_000;
const list = { name: "list_files", arguments: {} };
const modes = {
  "v2 legacy": "legacy",
  "v2 auto": "auto",
  "v2 pinned": { pin: "2026-07-28" },
} as const;

/** Connects an official client with the tokens of a host. Returns one call. */
async function connectAs(kind: ClientKind, home: Home, send: Send, host: Host) {
  const info = { name: "protocol-test", version: "1.0.0" };
  const settings = { authProvider: host.provider, fetch: send };
  const url = new URL(`${origin}/mcp`);
  if (kind === "v1") {
    const client = new ClientV1(info);
    // The two packages declare the same interface.
    const provider = host.provider as unknown as NonNullable<
      ConstructorParameters<typeof TransportV1>[1]
    >["authProvider"];
    const transport = new TransportV1(url, {
      ...settings,
      ...(provider && { authProvider: provider }),
    });
    await client.connect(transport as Parameters<ClientV1["connect"]>[0]);
    home.later(() => client.close());
    return () => client.callTool(list);
  }
  const client = new ClientV2(info, { versionNegotiation: { mode: modes[kind] } });
  await client.connect(new TransportV2(url, settings));
  home.later(() => client.close());
  return () => client.callTool(list);
}

async function statusOf(send: Send, token: string | undefined): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
  const response = await send(`${origin}/mcp`, { headers });
  await response.body?.cancel();
  return response.status;
}

describe.concurrent("a live session", { timeout: 120_000 }, () => {
  it.for(["v1", "v2 legacy", "v2 auto", "v2 pinned"] as const)(
    "of a %s client continues after its access token expired",
    async (kind, t) => {
      const home = newHome(t);
      const { send } = await startSignIn(home);
      const host = createHost();
      await connectHost(home, send, host);
      const call = await connectAs(kind, home, send, host);
      expect((await call()).isError).not.toBe(true);
      const before = host.known.tokens?.access_token;
      await home.sql("UPDATE oauth_records SET ends_at = 1 WHERE model = 'AccessToken'");
      await vi.waitFor(async () => expect(await statusOf(send, before)).toBe(401), waitMs);
      expect((await call()).isError).not.toBe(true);
      expect(host.known.tokens?.access_token).not.toBe(before);
      // The person was not asked again, and the session is the same.
      expect((await call()).isError).not.toBe(true);
      const grants = await home.sql("SELECT 1 FROM oauth_records WHERE model = 'Grant'");
      expect(grants).toHaveLength(1);
    },
  );

  it("of one person is absent for another, in both directions", async (t) => {
    const home = newHome(t);
    const { send } = await startSignIn(home);
    const [alice, bob] = [createHost(), createHost()];
    let session = "";
    const seen: Send = async (url, init) => {
      const response = await send(url, init);
      session = response.headers.get("mcp-session-id") ?? session;
      return response;
    };
    await connectHost(home, seen, alice, { mode: "legacy" });
    await connectHost(home, send, bob, {
      mode: "legacy",
      form: { verdict: "allow", scope: "mcp", secret: secrets.bob },
    });
    const statusWith = async (token: string | undefined, method: string): Promise<number> => {
      const response = await send(`${origin}/mcp`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
          "mcp-session-id": session,
          "mcp-protocol-version": "2025-11-25",
        },
        ...(method === "POST" && {
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
        }),
      });
      await response.body?.cancel();
      return response.status;
    };
    expect(session).not.toBe("");
    for (const method of ["POST", "GET", "DELETE"])
      expect(await statusWith(bob.known.tokens?.access_token, method), method).toBe(404);
    expect(await statusWith(alice.known.tokens?.access_token, "POST")).toBe(200);
  });

  it("of the 2026 era is refused with the address to sign in, without a token", async (t) => {
    const { send } = await startSignIn(newHome(t));
    for (const authorization of [undefined, "Bearer invented"]) {
      const response = await send(`${origin}/mcp`, {
        method: "POST",
        headers: {
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "tools/list",
          ...(authorization !== undefined && { authorization }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });
      expect(response.status).toBe(401);
      const challenge = response.headers.get("www-authenticate");
      expect(challenge).toContain(`${origin}/.well-known/oauth-protected-resource/mcp`);
      expect(challenge?.includes("invalid_token")).toBe(authorization !== undefined);
    }
  });
});
