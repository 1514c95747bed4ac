import { describe, expect, it, vi } from "vitest";
import { newHome } from "./home.ts";
import { createFlow } from "./oauth-flow.ts";
import { lookAtPage, secrets, startSignIn } from "./oauth-host.ts";
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

describe.concurrent("the programs with access on the approval page", () => {
  it("are shown to their approver alone, with the last call, and lose access at once", async (t) => {
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
    expect((await bob.show()).text).toContain("No program has access.");
    expect((await bob.post(form)).status).toBe(403);
    expect((await alice.post({ ...form, client: "other" })).status).toBe(403);
    expect(await flow.call(granted.body["access_token"])).toBe(accepted);

    expect((await alice.post(form)).status).toBe(303);
    expect(await flow.call(granted.body["access_token"])).toBe(401);
    expect((await flow.refresh(clientId, granted.body["refresh_token"])).status).toBe(400);
    expect((await alice.show()).text).toContain("No program has access.");
    const events = await home.sql(
      "SELECT principal, outcome FROM audit WHERE tool = 'oauth' ORDER BY seq DESC LIMIT 1",
    );
    expect(events[0]).toMatchObject({ principal: "alice", outcome: "revoked" });
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
