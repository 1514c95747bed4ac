import { describe, expect, it } from "vitest";
import { newHome } from "./home.ts";
import { bearer, startHttpHere } from "./http-server.ts";
import { allow, callback, createFlow, resource } from "./oauth-flow.ts";
import { type Send, origin, sendTo, startSignIn } from "./oauth-host.ts";

const page = "http://localhost:6274";
const stranger = "https://tools.example.net";

/** Asks as a browser does before a request that is more than a form. */
const preflight = (send: Send, path: string, from: string) =>
  send(`${origin}${path}`, {
    method: "OPTIONS",
    headers: {
      origin: from,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type,mcp-protocol-version",
    },
  });

const post = (send: Send, from: string, headers: Record<string, string> = {}) =>
  send(resource, {
    method: "POST",
    headers: { origin: from, "content-type": "application/json", ...headers },
    body: "{}",
  });

const forEveryPage = [
  "/.well-known/oauth-protected-resource/mcp",
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-authorization-server",
  "/.well-known/openid-configuration",
  "/oauth/register",
  "/oauth/token",
  "/oauth/revoke",
  "/oauth/jwks",
];

describe.concurrent("a host that runs in a web page", () => {
  it("reads metadata from any origin, before and after a preflight request", async (t) => {
    const { send } = await startSignIn(newHome(t));
    for (const path of forEveryPage) {
      const { status, headers } = await preflight(send, path, stranger);
      expect([path, status]).toEqual([path, 204]);
      expect(headers.get("access-control-allow-origin")).toBe(stranger);
      expect(headers.get("access-control-allow-headers")).toMatch(/mcp-protocol-version/i);
      expect(headers.get("access-control-allow-credentials")).toBeNull();
      if (!path.startsWith("/.well-known")) continue;
      const read = await send(`${origin}${path}`, { headers: { origin: stranger } });
      expect([read.status, read.headers.get("access-control-allow-origin")]).toEqual([
        200,
        stranger,
      ]);
      for (const method of ["POST", "DELETE"]) {
        expect([404, 405]).toContain((await send(`${origin}${path}`, { method })).status);
      }
    }
  });

  it("registers, signs in, calls and ends its access", async (t) => {
    const { send } = await startSignIn(newHome(t));
    const flow = createFlow((url, init) => {
      const headers = new Headers(init?.headers);
      if (!String(url).includes("/consent/")) headers.set("origin", page);
      if (String(url).includes("/oauth/authorize")) headers.delete("origin");
      return send(url, { ...init, headers });
    });
    const { clientId, granted } = await flow.tokens();
    expect(granted.status).toBe(200);
    expect((await preflight(send, "/mcp", page)).status).toBe(204);
    const authorization = `Bearer ${String(granted.body["access_token"])}`;
    const called = await post(send, page, { authorization });
    expect(called.status).toBe(400);
    expect(called.headers.get("access-control-allow-origin")).toBe(page);
    expect(called.headers.get("access-control-expose-headers")).toContain("Mcp-Session-Id");
    const ended = { token: String(granted.body["refresh_token"]), client_id: clientId };
    expect((await flow.post("/oauth/revoke", ended)).status).toBe(200);
    const refused = await post(send, page, { authorization });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
  });

  // ChatGPT names its page, and was refused before it could sign in (chrisdoc/hevy-mcp #720).
  it("is let in when it is claude.ai or ChatGPT, and refused elsewhere", async (t) => {
    const { send } = await startSignIn(newHome(t));
    for (const from of ["https://claude.ai", "https://claude.com", "https://chatgpt.com"]) {
      const { status, headers } = await post(send, from);
      expect([from, status]).toEqual([from, 401]);
      expect(headers.get("www-authenticate")).toContain("resource_metadata=");
      expect(headers.get("access-control-allow-origin")).toBe(from);
    }
    for (const from of [stranger, "null", "http://claude.ai", "https://claude.ai.evil.example"]) {
      const { status, headers } = await post(send, from);
      expect([from, status]).toEqual([from, 403]);
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect((await preflight(send, "/mcp", from)).status).toBe(403);
    }
  });

  it("never reaches the pages on which a person decides", async (t) => {
    const { send } = await startSignIn(newHome(t));
    for (const path of [
      "/oauth/authorize",
      "/oauth/consent/x",
      "/approvals",
      "/approvals/sign-in",
    ]) {
      for (const from of [stranger, "https://claude.ai"]) {
        const answered = await preflight(send, path, from);
        expect(answered.headers.get("access-control-allow-origin")).toBeNull();
        const body = new URLSearchParams({ secret: allow.secret, redirect_uri: callback });
        const sent = { method: "POST", headers: { origin: from }, body };
        expect((await send(`${origin}${path}`, sent)).status, path).toBeGreaterThanOrEqual(400);
      }
    }
  });

  it("answers the pages of ALLOWED_ORIGINS, with static tokens too", async (t) => {
    const at = startHttpHere(newHome(t), {
      env: { PUBLIC_URL: origin, ALLOWED_ORIGINS: stranger },
    });
    const send = sendTo(await at.url);
    expect((await preflight(send, "/mcp", stranger)).status).toBe(204);
    expect((await post(send, stranger, bearer("alice"))).status).toBe(400);
    expect((await post(send, "https://claude.ai", bearer("alice"))).status).toBe(403);
  });

  it("may add a slash to the address", async (t) => {
    const { send } = await startSignIn(newHome(t));
    const refused = await send(`${resource}/`, { method: "POST" });
    expect(refused.status).toBe(401);
    for (const path of forEveryPage.filter((each) => each.includes("oauth-"))) {
      expect((await send(`${origin}${path}/`)).status, path).toBe(200);
    }
    const plain = startHttpHere(newHome(t));
    expect((await sendTo(await plain.url)(`${origin}/mcp/`, { method: "POST" })).status).toBe(404);
  });
});
