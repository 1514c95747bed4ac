import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { newHome } from "./home.ts";
import { startHttp } from "./http-server.ts";
import { origin, secrets, sendTo, startSignIn } from "./oauth-host.ts";

const NODE_OPTIONS = `--import ${fileURLToPath(new URL("../servers/log-modules.mjs", import.meta.url))}`;

/** The parts of the bundle with our authorization server, and with the check of another issuer's tokens. */
const own = /bundle\/sign-in-\w+\.js/;
const other = /bundle\/other-issuer-\w+\.js/;

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
    const { at } = await startSignIn(newHome(t), { NODE_OPTIONS });
    expect(at.said.stderr).toMatch(own);
    expect(at.said.stderr).not.toMatch(other);
  });
});
