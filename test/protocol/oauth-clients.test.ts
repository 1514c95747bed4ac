import { describe, expect, it, vi } from "vitest";
import { newHome } from "./home.ts";
import { allow, createFlow, resource } from "./oauth-flow.ts";
import { type Send, browser, lookAtPage, secrets, startSignIn } from "./oauth-host.ts";
import { runProgram } from "./program.ts";

const accepted = 406;

/** Signs an approver in on the page, and returns how the page is seen then. */
async function personAt(mcpUrl: string, secret: string) {
  const { cookie } = await lookAtPage(mcpUrl, "/approvals/sign-in", {}, { secret });
  return {
    show: () => lookAtPage(mcpUrl, "/approvals/access", { cookie }),
    post: (form: Record<string, string>) =>
      lookAtPage(mcpUrl, "/approvals/access", { cookie }, form),
  };
}

function formIn(html: string): Record<string, string> {
  const fields = html.matchAll(/name="(nonce|client|principal)"\s+value="([^"]+)"/g);
  // The nonce before the fields of the client is that of its own form.
  const found: Record<string, string> = { do: "revoke" };
  for (const [, name = "", value = ""] of fields) {
    if (name === "nonce" && "client" in found) break;
    found[name] = value;
  }
  return found;
}

/** Opens the stream of a 2025 session, and that of a 2026 client that listens. */
async function openStreams(send: Send, authorization: string): Promise<Response[]> {
  const headers = {
    authorization,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const clientInfo = { name: "streams", version: "1" };
  const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const post = (body: object, more = {}) =>
    send(resource, {
      method: "POST",
      headers: { ...headers, ...more },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
    });
  const opened = await post({ method: "initialize", params: initialize });
  await opened.text();
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  const listening = await send(resource, { headers: { ...headers, ...session } });
  const params = {
    notifications: { toolsListChanged: true },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": clientInfo,
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  };
  const method = "subscriptions/listen";
  const modern = { "mcp-protocol-version": "2026-07-28", "mcp-method": method };
  const subscribed = await post({ method, params }, modern);
  expect([listening.status, subscribed.status]).toEqual([200, 200]);
  return [listening, subscribed];
}

/** Resolves when the stream ends, whether cleanly or not. */
const lastOf = (stream: Response): Promise<string> =>
  stream.text().then(
    () => "ended",
    () => "ended",
  );

describe.concurrent("the clients with access on the approval page", () => {
  it("are shown to their approver alone, with the last call, and lose access immediately", async (t) => {
    const home = newHome(t);
    const { at, send } = await startSignIn(home);
    const url = await at.url;
    const flow = createFlow(send);
    const { clientId, granted } = await flow.tokens();
    const [alice, bob] = [await personAt(url, secrets.alice), await personAt(url, secrets.bob)];
    expect((await alice.show()).text).toContain("none yet");
    expect(await flow.call(granted.body["access_token"])).toBe(accepted);
    await vi.waitFor(async () => {
      expect((await alice.show()).text).not.toContain("none yet");
    }, 20_000);
    const { stdout } = await runProgram(home, ["clients", "list", "--json"]);
    expect(stdout).toMatch(/"seenAt":"20\d\d-/);

    const form = formIn((await alice.show()).text);
    expect(form).toMatchObject({ client: clientId, principal: "alice" });
    expect((await bob.show()).text).toContain("No client has access.");
    expect((await bob.post(form)).status).toBe(403);
    expect((await alice.post({ ...form, client: "other" })).status).toBe(403);
    expect(await flow.call(granted.body["access_token"])).toBe(accepted);

    expect((await alice.post(form)).status).toBe(303);
    expect(await flow.call(granted.body["access_token"])).toBe(401);
    expect((await flow.refresh(clientId, granted.body["refresh_token"])).status).toBe(400);
    expect((await alice.show()).text).toContain("No client has access.");
    const events = await home.sql(
      "SELECT principal, outcome FROM audit WHERE tool = 'oauth' ORDER BY seq DESC LIMIT 1",
    );
    expect(events[0]).toMatchObject({ principal: "alice", outcome: "revoked" });
  });

  // Streams stayed open for hours after the access of their client had ended.
  it("lose their open streams with their access, in both eras", async (t) => {
    const home = newHome(t);
    const { send } = await startSignIn(home);
    const [flow, other] = [createFlow(send), createFlow(send)];
    const { clientId, granted } = await flow.tokens();
    const stays = await other.tokens();
    const open = async (token: unknown) => await openStreams(send, `Bearer ${String(token)}`);
    const ending = await open(granted.body["access_token"]);
    const staying = await open(stays.granted.body["access_token"]);
    expect((await runProgram(home, ["clients", "revoke", clientId])).code).toBe(0);
    for (const stream of ending) await expect(lastOf(stream)).resolves.toBe("ended");
    const read = staying.map((stream) => Promise.race([lastOf(stream), Promise.resolve("open")]));
    expect(await Promise.all(read)).toEqual(["open", "open"]);
  });

  it("have one grant when the form is posted twice", async (t) => {
    const home = newHome(t);
    const { send } = await startSignIn(home);
    const flow = createFlow(send);
    const clientId = await flow.client();
    const person = browser(flow.send);
    const page = await person.open(flow.authorizeUrl(clientId));
    const posted = await Promise.all([person.look(page, allow), person.look(page, allow)]);
    expect(posted.map(({ status }) => status)).toEqual([303, 303]);
    const grants = "SELECT 1 FROM oauth_records WHERE model = 'Grant' AND client_id = ?";
    expect(await home.sql(grants, [clientId])).toHaveLength(1);
    const { location } = await person.look(posted[1].location);
    const code = new URL(location).searchParams.get("code");
    const { body } = await flow.exchange(clientId, code);
    expect(await flow.call(body["access_token"])).toBe(accepted);
    expect((await person.look(page, allow)).status).toBe(400);
  });

  it("keep the access that another approver granted", async (t) => {
    const { at, send } = await startSignIn(newHome(t));
    const flow = createFlow(send);
    const { clientId, granted } = await flow.tokens();
    const form = { verdict: "allow", scope: "mcp", secret: secrets.bob };
    const code = (await flow.signIn(clientId, {}, form)).searchParams.get("code");
    const { body } = await flow.exchange(clientId, code);
    const alice = await personAt(await at.url, secrets.alice);
    await alice.post(formIn((await alice.show()).text));
    expect(await flow.call(granted.body["access_token"])).toBe(401);
    expect(await flow.call(body["access_token"])).toBe(accepted);
  });
});
