import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { newHome } from "./home.ts";
import { startHttp } from "./http-server.ts";
import { origin, secrets, sendTo, startSignInWith } from "./oauth-host.ts";

const NODE_OPTIONS = `--import ${fileURLToPath(new URL("../servers/log-modules.mjs", import.meta.url))}`;

/** The parts of the bundle with our authorization server, and with the check of another issuer's tokens. */
const own = /bundle\/sign-in-\w+\.js/;
const other = /bundle\/other-issuer-\w+\.js/;

// A token with all rights was printed, although every client signs in.
it("creates no token with OAUTH=on, and keeps one that was created before [http.first-token]", async (t) => {
  const fresh = newHome(t);
  const { at } = await startSignInWith(startHttp, fresh, { HTTP_TOKENS: "" });
  t.expect(at.said.stderr).not.toContain("a token was made");
  t.expect(existsSync(join(fresh.dir, "http-token.sha256"))).toBe(false);
  const home = newHome(t);
  const before = startHttp(home, { env: { HTTP_TOKENS: "" } });
  await before.url;
  const token = /^ {2}([\w-]{43})$/m.exec(before.said.stderr)?.[1];
  await before.stop();
  const { send } = await startSignInWith(startHttp, home, { HTTP_TOKENS: "" });
  const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
  t.expect((await send(`${origin}/mcp`, { headers })).status).toBe(400);
});

describe.concurrent("the modules of serve --http", () => {
  it("leave out the authorization server when OAUTH is off", async (t) => {
    const at = startHttp(newHome(t), {
      env: { NODE_OPTIONS, PUBLIC_URL: origin, APPROVERS: `alice:${secrets.alice}` },
    });
    await sendTo(await at.url)(`${origin}/mcp`);
    expect(at.said.stderr).toContain("loaded file:");
    expect(at.said.stderr).not.toMatch(own);
    expect(at.said.stderr).not.toMatch(other);
  });

  it("contain it with OAUTH=on", async (t) => {
    const { at } = await startSignInWith(startHttp, newHome(t), { NODE_OPTIONS });
    expect(at.said.stderr).toMatch(own);
    expect(at.said.stderr).not.toMatch(other);
  });
});
