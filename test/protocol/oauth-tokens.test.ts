import { randomBytes } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { newHome } from "./home.ts";
import { bearer } from "./http-server.ts";
import { runHere } from "./program.ts";
import { type Send, connectHost, createHost, origin, startSignIn } from "./oauth-host.ts";

/** More than the wrong tokens that one network may send in a minute. */
const manyTries = 12;
/** Longer than a token is remembered. Milliseconds. */
const waitMs = 20_000;

async function tryToken(send: Send, token: string) {
  const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
  const response = await send(`${origin}/mcp`, { headers });
  return {
    status: response.status,
    challenge: response.headers.get("www-authenticate") ?? "",
    text: await response.text(),
  };
}

const endings: readonly { ending: string; statement?: string }[] = [
  {
    ending: "has expired",
    statement: "UPDATE oauth_records SET ends_at = 1 WHERE model = 'AccessToken'",
  },
  {
    ending: "has expired and was cleaned up",
    statement: "DELETE FROM oauth_records WHERE model = 'AccessToken'",
  },
  { ending: "was revoked" },
];

describe.concurrent("a token that was valid once", () => {
  // A client with an expired token sent ten calls. Then its whole network was refused, with correct tokens too.
  it.for(endings)(
    "does not count as a guess when it $ending, and the client is asked to renew it",
    async ({ statement }, t) => {
      const home = newHome(t);
      const { send } = await startSignIn(home);
      const host = createHost();
      await connectHost(home, send, host);
      const token = host.known.tokens?.access_token ?? "";
      expect((await tryToken(send, token)).status).not.toBe(401);
      if (statement !== undefined) await home.sql(statement);
      else {
        await runHere(home, ["clients", "revoke", host.known.client?.client_id ?? ""]);
        expect((await tryToken(send, token)).status).toBe(401);
      }
      await vi.waitFor(async () => expect((await tryToken(send, token)).status).toBe(401), waitMs);
      for (let tries = 0; tries < manyTries; tries += 1) {
        const { status, challenge, text } = await tryToken(send, token);
        expect(status).toBe(401);
        expect(challenge).toContain('error="invalid_token"');
        expect(challenge).toContain("resource_metadata=");
        expect(text).toContain("has expired, was revoked, or is not for this server");
      }
      const known = { ...bearer("alice"), accept: "text/event-stream" };
      expect((await send(`${origin}/mcp`, { headers: known })).status).not.toBe(429);
    },
  );

  it("is not confused with an invented token, which counts as a guess", async (t) => {
    const home = newHome(t);
    const { send } = await startSignIn(home);
    const host = createHost();
    await connectHost(home, send, host);
    const [random = "", signature = ""] = (host.known.tokens?.access_token ?? "").split(".");
    const other = randomBytes(32).toString("base64url");
    const statuses: number[] = [];
    for (let tries = 0; tries < manyTries; tries += 1) {
      const invented = [`${other}.${signature}`, `${random}.`, random, `${random}.${other}`];
      statuses.push((await tryToken(send, invented[tries % invented.length] ?? "")).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
  });
});
