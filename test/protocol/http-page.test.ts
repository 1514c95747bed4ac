import { type IncomingHttpHeaders, request } from "node:http";
import { type TestContext, describe, expect, it, vi } from "vitest";
import { approvalOf } from "./answer.ts";
import { connect } from "./clients.ts";
import { newHome, storedFile } from "./home.ts";
import { startHttpHere } from "./http-server.ts";
import { nodeServer, writeServers } from "./upstream-home.ts";

const host = "countersign.example.org";
const secrets = {
  alice: "alice-approves-1",
  bob: "bob-approves-222",
  operator: "operator-approves",
};
const key = "shared.md";

interface Shown {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Returns the headers that a browser sends through a proxy with https. */
function visitor(mcpUrl: string) {
  const { port } = new URL(mcpUrl);
  let cookie = "";
  const send = (
    path: string,
    form?: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Shown> =>
    new Promise((resolve, reject) => {
      const sent = request(
        {
          port,
          host: "127.0.0.1",
          path,
          method: form === undefined ? "GET" : "POST",
          headers: {
            host,
            cookie,
            ...(form && {
              origin: `https://${host}`,
              "content-type": "application/x-www-form-urlencoded",
            }),
            ...headers,
          },
        },
        (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
          response.on("end", () => {
            const given = response.headers["set-cookie"]?.[0]?.split(";", 1)[0];
            if (given !== undefined) cookie = given;
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
          });
        },
      );
      sent.on("error", reject);
      sent.end(form && new URLSearchParams(form).toString());
    });
  return {
    send,
    signIn: (secret: string) => send("/approvals/sign-in", { secret }),
    /** The form on a request's card. */
    nonceOf: async (ticketId: string) =>
      new RegExp(
        `value="${ticketId}" />\\s*<input type="hidden" name="nonce" value="([^"]+)"`,
      ).exec((await send("/approvals")).text)?.[1],
  };
}

async function setUp(t: TestContext) {
  const approvers = Object.entries(secrets).map((entry) => entry.join(":"));
  const home = newHome(t, { APPROVERS: approvers.join(","), PUBLIC_URL: `https://${host}` });
  const at = startHttpHere(home);
  const url = await at.url;
  const alice = await connect(home, "v2 auto", {
    over: "HTTP",
    at,
    as: "alice",
  });
  await alice.call("write_file", { key, content: "a plan" });
  return { home, at, url, alice };
}

describe.concurrent("the approval page beside /mcp", () => {
  it("lets the approver sign in, and an approved call runs once [page.over-http]", async (t) => {
    const { home, url, alice } = await setUp(t);
    const asked = approvalOf(await alice.call("delete_file", { key }));
    expect(asked.url).toBe(`https://${host}/approvals`);

    const page = visitor(url);
    expect((await page.send("/approvals")).text).not.toContain(asked.id);
    expect((await page.signIn("not-a-secret")).status).toBe(403);
    const entered = await page.signIn(secrets.alice);
    expect(entered.status).toBe(303);
    expect(entered.headers["set-cookie"]?.[0]).toMatch(/^__Host-.*; Path=\/; Secure; HttpOnly/);
    const nonce = await page.nonceOf(asked.id);
    const decide = { request: asked.id, verdict: "approve", nonce: nonce ?? "" };
    expect(
      (await page.send("/approvals/decide", decide, { origin: "https://evil.example" })).status,
    ).toBe(403);
    expect((await page.send("/approvals/decide", { ...decide, nonce: "x" })).status).toBe(403);
    expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });

    expect((await page.send("/approvals/decide", decide)).status).toBe(303);
    await vi.waitFor(async () => {
      const { output } = await alice.call("check_approval", { approvalId: asked.id });
      expect(output?.["status"]).toBe("done");
    }, 30_000);
    expect((await alice.call("delete_file", { key })).output).toMatchObject({ deleted: true });
    expect(await storedFile(home, key)).toEqual({ there: false, undoCopies: 1 });
  });

  it("shows an approver only their own requests, and the operator all", async (t) => {
    const { home, url, alice } = await setUp(t);
    const { id } = approvalOf(await alice.call("delete_file", { key }));
    const [bob, operator] = [visitor(url), visitor(url)];
    await bob.signIn(secrets.bob);
    expect((await bob.send("/approvals")).text).not.toContain(id);
    await operator.signIn(secrets.operator);
    const nonce = (await operator.nonceOf(id)) ?? "";
    // Another's nonce is no proof, and the request is not there for him.
    const stolen = await bob.send("/approvals/decide", { request: id, verdict: "approve", nonce });
    expect(stolen.status).toBe(403);
    expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
    const denied = await operator.send("/approvals/decide", {
      request: id,
      verdict: "deny",
      nonce,
    });
    expect(denied.status).toBe(303);
    expect((await alice.call("delete_file", { key })).error?.kind).toBe("denied");
  });

  it("shows the servers only to an approver who decides for every caller", async (t) => {
    const approvers = Object.entries(secrets).map((entry) => entry.join(":"));
    const home = newHome(t, { APPROVERS: approvers.join(","), PUBLIC_URL: `https://${host}` });
    writeServers(home, { notes: nodeServer("notes-server.mjs") });
    const url = await startHttpHere(home).url;
    const [alice, operator] = [visitor(url), visitor(url)];
    await operator.signIn(secrets.operator);
    const { text } = await operator.send("/approvals/servers");
    expect(text).toContain("Its tools have not been reviewed yet.");
    const nonce = /name="nonce" value="([^"]+)"/.exec(text)?.[1] ?? "";
    const look = { server: "notes", verdict: "look", nonce };
    await alice.signIn(secrets.alice);
    expect((await alice.send("/approvals")).text).not.toContain("Servers with tools");
    const hidden = await alice.send("/approvals/servers");
    expect(hidden.status).toBe(403);
    expect(hidden.text).not.toContain("notes");
    expect((await alice.send("/approvals/servers", look)).status).toBe(403);
    expect((await operator.send("/approvals/servers", look)).status).toBe(303);
    expect((await operator.send("/approvals/servers")).text).toContain("notes__search_notes");
  });

  // Only the process that got the sign-out remembered it. After a restart the cookie worked again.
  it("keeps a copied cookie signed out at every replica and after a restart", async (t) => {
    const { home, url } = await setUp(t);
    const page = visitor(url);
    await page.signIn(secrets.alice);
    const shown = await page.send("/approvals");
    const cookie = shown.headers["set-cookie"]?.[0]?.split(";", 1)[0] ?? "";
    const other = visitor(await startHttpHere(home).url);
    expect((await other.send("/approvals", undefined, { cookie })).text).toContain("You decide as");
    const [, nonce = ""] =
      /leave">\s*<input type="hidden" name="nonce" value="([^"]+)/.exec(shown.text) ?? [];
    expect((await page.send("/approvals/leave", { nonce })).status).toBe(303);
    const copied = await other.send("/approvals", undefined, { cookie });
    expect(copied.text).toContain("Sign in to decide");
    expect(copied.headers["set-cookie"]).toBeUndefined();
  });

  it("answers no other host name, and pauses after five wrong secrets", async (t) => {
    const { url } = await setUp(t);
    const page = visitor(url);
    expect((await page.send("/approvals", undefined, { host: "evil.example" })).status).toBe(403);
    expect((await page.send("/approvals", undefined, { host: "localhost" })).status).toBe(421);
    for (let tries = 0; tries < 5; tries += 1) await page.signIn(`wrong-${tries}`);
    const paused = await page.signIn(secrets.alice);
    expect(paused.status).toBe(429);
    expect(Number(paused.headers["retry-after"])).toBeGreaterThan(0);
    // The pause is for one sender, whom the proxy names.
    const other = await page.send(
      "/approvals/sign-in",
      { secret: secrets.alice },
      { "x-forwarded-for": "203.0.113.7" },
    );
    expect(other.status).toBe(303);
  });

  it("is absent without an address of its own", async (t) => {
    const home = newHome(t, { APPROVERS: `operator:${secrets.operator}` });
    const at = startHttpHere(home);
    const shown = await visitor(await at.url).send("/approvals", undefined, { host: "localhost" });
    expect(shown.status).toBe(404);
    // The notice is printed after the address, for which the start waits.
    await t.expect.poll(() => at.said.stderr).toContain("PUBLIC_URL");
  });
});
