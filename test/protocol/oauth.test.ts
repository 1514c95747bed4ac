import { describe, expect, it } from "vitest";
import { answerOf, approvalOf } from "./answer.ts";
import { newHome, storedFile } from "./home.ts";
import { bearer, startHttpHere } from "./http-server.ts";
import { runHere } from "./program.ts";
import {
  browser,
  connectHost,
  createHost,
  lookAtPage,
  origin,
  secrets,
  sendTo,
  startSignIn,
} from "./oauth-host.ts";

const asJson = async (response: Response) => (await response.json()) as Record<string, unknown>;

describe.concurrent("OAUTH=on", () => {
  it.for(["legacy", "auto"] as const)(
    "lets the official client (%s) register, sign in and call",
    async (mode, t) => {
      const home = newHome(t);
      const { send } = await startSignIn(home);
      const host = createHost();
      const client = await connectHost(home, send, host, { mode });
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain("write_file");
      const written = { name: "write_file", arguments: { key: "a.md", content: "hello" } };
      expect(answerOf(await client.callTool(written)).error).toBeUndefined();
      expect(host.known.tokens).toMatchObject({
        token_type: "Bearer",
        expires_in: 3600,
        scope: "mcp:read mcp",
      });
      const [event] = await home.sql(
        "SELECT principal FROM audit WHERE tool = 'write_file' LIMIT 1",
      );
      expect(event?.["principal"]).toBe("alice");
      // A copy of the database opens nothing.
      const records = JSON.stringify(await home.sql("SELECT * FROM oauth_records"));
      expect(records).toContain("AccessToken");
      expect(records).not.toContain(host.known.tokens?.access_token);
      expect(records).not.toContain(host.known.tokens?.refresh_token);
    },
  );

  it("names the authorization server in every place where clients look", async (t) => {
    const { send } = await startSignIn(newHome(t));
    const refused = await send(`${origin}/mcp`, { method: "POST" });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toContain(
      `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
    );
    for (const path of ["oauth-protected-resource/mcp", "oauth-protected-resource"]) {
      expect(await asJson(await send(`${origin}/.well-known/${path}`))).toMatchObject({
        resource: `${origin}/mcp`,
        authorization_servers: [origin],
        scopes_supported: ["mcp", "mcp:read"],
      });
    }
    for (const path of ["oauth-authorization-server", "openid-configuration"]) {
      const metadata = await asJson(await send(`${origin}/.well-known/${path}`));
      expect(metadata).toMatchObject({
        issuer: origin,
        authorization_endpoint: `${origin}/oauth/authorize`,
        token_endpoint: `${origin}/oauth/token`,
        registration_endpoint: `${origin}/oauth/register`,
        revocation_endpoint: `${origin}/oauth/revoke`,
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
        response_types_supported: ["code"],
        response_modes_supported: ["query"],
        client_id_metadata_document_supported: true,
        authorization_response_iss_parameter_supported: true,
      });
    }
  });

  it("rotates refresh tokens, and a reused one ends the grant", async (t) => {
    const home = newHome(t);
    const { send } = await startSignIn(home);
    const host = createHost();
    await connectHost(home, send, host);
    const refresh = async (token: unknown) =>
      await send(`${origin}/oauth/token`, {
        method: "POST",
        body: new URLSearchParams({
          grant_type: "refresh_token",
          refresh_token: String(token),
          client_id: host.known.client?.client_id ?? "",
        }),
      });
    const call = async (token: unknown) =>
      (
        await send(`${origin}/mcp`, {
          method: "GET",
          headers: { authorization: `Bearer ${String(token)}`, accept: "text/event-stream" },
        })
      ).status;
    const first = host.known.tokens?.refresh_token;
    const second = await asJson(await refresh(first));
    expect(second["refresh_token"]).not.toBe(first);
    expect(await call(second["access_token"])).not.toBe(401);
    const reused = await refresh(first);
    expect([reused.status, (await asJson(reused))["error"]]).toEqual([400, "invalid_grant"]);
    expect(await call(second["access_token"])).toBe(401);
    expect((await refresh(second["refresh_token"])).status).toBe(400);
  });

  it("revokes a token on request", async (t) => {
    const home = newHome(t);
    const { send } = await startSignIn(home);
    const host = createHost();
    await connectHost(home, send, host);
    const token = host.known.tokens?.access_token ?? "";
    const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
    expect((await send(`${origin}/mcp`, { headers })).status).not.toBe(401);
    const client_id = host.known.client?.client_id ?? "";
    const body = new URLSearchParams({ token, client_id });
    expect((await send(`${origin}/oauth/revoke`, { method: "POST", body })).status).toBe(200);
    expect((await send(`${origin}/mcp`, { headers })).status).toBe(401);
  });

  it("registers public clients only, with https or loopback addresses, at a limited rate", async (t) => {
    const { send } = await startSignIn(newHome(t));
    const register = (metadata: Record<string, unknown>) =>
      send(`${origin}/oauth/register`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ client_name: "x", ...metadata }),
      });
    const status = async (uri: string, more = {}) =>
      (await register({ redirect_uris: [uri], ...more })).status;
    expect(await status("https://claude.ai/api/mcp/auth_callback")).toBe(201);
    expect(await status("http://127.0.0.1:4321/callback")).toBe(201);
    expect(await status("http://localhost/callback")).toBe(201);
    // The library's sentence named kinds of clients and schemes that a person here does not know.
    for (const uris of [["http://example.com/callback"], ["javascript:alert(1)"], [7]]) {
      expect(await asJson(await register({ redirect_uris: uris }))).toMatchObject({
        error: "invalid_redirect_uri",
        error_description: "redirect_uris must be https or a loopback address",
      });
    }
    expect(await status("http://example.com/callback")).toBe(400);
    expect(await status("cursor://anysphere/callback")).toBe(400);
    expect(await status("https://user@example.com/callback")).toBe(400);
    // claude.ai asks for a secret, and follows the response (anthropics/claude-ai-mcp #1043).
    const secret = { token_endpoint_auth_method: "client_secret_post" };
    const registered = await register({ redirect_uris: ["https://a.example/c"], ...secret });
    const answer = await asJson(registered);
    expect([registered.status, answer["token_endpoint_auth_method"]]).toEqual([201, "none"]);
    expect(answer).not.toHaveProperty("client_secret");
    let answered = await register({ redirect_uris: ["https://a.example/c"] });
    for (let tries = 0; tries < 40 && answered.status === 201; tries += 1) {
      answered = await register({ redirect_uris: ["https://a.example/c"] });
    }
    expect(answered.status).toBe(429);
    expect(Number(answered.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("requires the secret for a grant, and pauses after five wrong ones", async (t) => {
    const home = newHome(t);
    const { send } = await startSignIn(home);
    const host = createHost();
    const refused = { verdict: "deny" };
    await expect(connectHost(home, send, host, { form: refused })).rejects.toThrow(
      "The user refused access.",
    );

    const [event] = await home.sql("SELECT outcome FROM audit WHERE tool = 'oauth'");
    expect(event?.["outcome"]).toBe("denied");

    const person = browser(send);
    const page = await person.open(host.known.authorize ?? "");
    const shown = await person.look(page);
    expect(shown.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(shown.headers.get("content-security-policy")).not.toContain("script-src");
    expect(shown.text).toContain("host.example.com");
    expect(shown.text).toContain("not verified");
    const allow = (secret: string) => person.look(page, { verdict: "allow", scope: "mcp", secret });
    for (let tries = 0; tries < 5; tries += 1) expect((await allow("wrong")).status).toBe(403);
    expect((await allow(secrets.alice)).status).toBe(429);
    expect(await home.sql("SELECT 1 FROM oauth_records WHERE model = 'Grant'")).toEqual([]);
  });

  // Other browsers of the same network locked a known browser out of this page, though not out of the approval page.
  it("lets a browser in that signed in before, while others guess [http.browser]", async (t) => {
    const home = newHome(t);
    const { at, send } = await startSignIn(home);
    const url = await at.url;
    const signedIn = await lookAtPage(url, "/approvals/sign-in", {}, { secret: secrets.alice });
    const { cookie } = await lookAtPage(url, "/approvals", { cookie: signedIn.cookie });
    const mine = browser(send);
    for (const each of cookie.split("; "))
      mine.cookies.set(...(each.split("=") as [string, string]));
    const host = createHost();
    const refused = { verdict: "deny" };
    await expect(connectHost(home, send, host, { form: refused })).rejects.toThrow(
      "refused access",
    );
    const stranger = browser(send);
    const theirs = await stranger.open(host.known.authorize ?? "");
    const form = { verdict: "allow", scope: "mcp" };
    const guess = async () => (await stranger.look(theirs, { ...form, secret: "wrong" })).status;
    while ((await guess()) === 403);
    const page = await mine.open(host.known.authorize ?? "");
    const answer = async (secret: string) => (await mine.look(page, { ...form, secret })).status;
    expect(await answer(secrets.bob)).toBe(403);
    expect(await answer(secrets.alice)).toBe(303);
    expect((await stranger.look(theirs, { ...form, secret: secrets.alice })).status).toBe(429);
  });

  it("limits a host with the smaller scope to tools of low risk", async (t) => {
    const home = newHome(t);
    const { send } = await startSignIn(home);
    const form = { verdict: "allow", scope: "mcp:read", secret: secrets.alice };
    const host = createHost();
    for (const mode of ["auto", "legacy"] as const) {
      const client = await connectHost(home, send, host, { mode, form });
      expect(host.known.tokens?.scope).toBe("mcp:read");
      const names = (await client.listTools()).tools.map(({ name }) => name);
      expect(names).toContain("read_file");
      expect(names).not.toContain("write_file");
      expect(names).not.toContain("delete_file");
      const written = { name: "write_file", arguments: { key: "a.md", content: "hello" } };
      expect(answerOf(await client.callTool(written)).error?.kind).toBe("not_found");
      const listed = answerOf(await client.callTool({ name: "list_files", arguments: {} }));
      expect(listed.error).toBeUndefined();
    }
  });

  it("lets a grant call, but never approve", async (t) => {
    const home = newHome(t);
    const { at, send } = await startSignIn(home);
    const url = await at.url;
    const host = createHost();
    const client = await connectHost(home, send, host);
    const key = "a.md";
    await client.callTool({ name: "write_file", arguments: { key, content: "hello" } });
    const deleted = await client.callTool({ name: "delete_file", arguments: { key } });
    const asked = approvalOf(answerOf(deleted));
    const token = host.known.tokens?.access_token ?? "";
    const authorization = `Bearer ${token}`;
    const page = await lookAtPage(url, "/approvals", { authorization });
    expect(page.text).toContain("Sign in to decide");
    expect(page.text).not.toContain(asked.id);
    const asSecret = await lookAtPage(url, "/approvals/sign-in", {}, { secret: token });
    expect(asSecret.status).toBe(403);
    // The cookies of a sign-in to a host open no session of the approval page.
    const person = browser(send);
    const path = await person.open(host.known.authorize ?? "");
    await person.decide(path, { verdict: "allow", scope: "mcp", secret: secrets.alice });
    const cookie = [...person.cookies].map((each) => each.join("=")).join("; ");
    expect(cookie).toContain("__Host-countersign-oauth");
    expect((await lookAtPage(url, "/approvals", { cookie })).text).toContain("Sign in to decide");
    const decided = { request: asked.id, verdict: "approve", nonce: token };
    expect((await lookAtPage(url, "/approvals/decide", { cookie }, decided)).status).toBe(403);
    expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
  });

  it("lists and revokes clients at the terminal, and records each step", async (t) => {
    const home = newHome(t);
    const { send } = await startSignIn(home);
    const host = createHost();
    const client = await connectHost(home, send, host);
    const { stdout } = await runHere(home, ["clients", "list", "--json"]);
    const clientId = host.known.client?.client_id ?? "";
    expect(JSON.parse(stdout)).toMatchObject({
      clientId,
      clientName: "Test host",
      principal: "alice",
    });
    expect((await runHere(home, ["clients", "revoke", "unknown"])).code).not.toBe(0);
    expect((await runHere(home, ["clients", "revoke", clientId])).code).toBe(0);
    const headers = {
      authorization: `Bearer ${host.known.tokens?.access_token}`,
      accept: "text/event-stream",
    };
    expect((await send(`${origin}/mcp`, { headers })).status).toBe(401);
    expect((await runHere(home, ["clients", "list"])).stdout).toBe("No client has access.\n");
    const events = await home.sql("SELECT outcome FROM audit WHERE tool = 'oauth' ORDER BY seq");
    expect(events.map(({ outcome }) => outcome)).toEqual(["granted", "revoked"]);
    await client.close();
  });

  it("writes nothing but its own messages to stderr", async (t) => {
    const { at, send } = await startSignIn(newHome(t));
    await send(`${origin}/oauth/authorize`);
    await at.stop();
    expect(
      at.said.stderr.split("\n").filter((line) => !/^(?:MCP over HTTP|\{|$)/.test(line)),
    ).toEqual([]);
    expect(at.said.stdout).toBe("");
  });

  it("is absent without OAUTH", async (t) => {
    const at = startHttpHere(newHome(t));
    const send = sendTo(await at.url);
    for (const path of [".well-known/oauth-protected-resource", "oauth/token"]) {
      expect((await send(`${origin}/${path}`)).status).toBe(404);
    }
    const refused = await send(`${origin}/mcp`, { method: "POST" });
    expect(refused.headers.get("www-authenticate")).not.toContain("resource_metadata");
    const known = { ...bearer("alice"), accept: "text/event-stream" };
    expect((await send(`${origin}/mcp`, { headers: known })).status).not.toBe(401);
  });
});
