import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, describe, expect, inject, it } from "vitest";
import { newHome } from "./home.ts";
import { runProgram } from "./program.ts";
import { converseAtTerminal, keys, runAtTerminal } from "./terminal.ts";

/** Creates a home in which the program never ran. */
function freshHome(t: TestContext) {
  const home = newHome(t);
  const dataDir = join(home.dir, "data");
  return { ...home, dataDir, env: { COUNTERSIGN_DATA_DIR: dataDir } };
}

const question = /\(y\/N\) /g;
const noQuestion = () => {
  throw new Error("Something was asked.");
};

describe
  .skipIf(inject("missingServers").includes("script"))
  .concurrent("the bare name at a terminal", () => {
    it.for([
      ["n and Enter", `n${keys.enter}`],
      ["Enter", keys.enter],
      ["Ctrl-C", keys.interrupt],
      ["Ctrl-D", keys.endOfInput],
    ])("says what it is, and creates nothing after %s", async ([, typed], t) => {
      const home = freshHome(t);
      const { code, stdout } = await runAtTerminal(home, [], () => typed ?? "", question);
      expect(code).toBe(0);
      expect(stdout).toContain("is an MCP server that you host yourself.");
      expect(stdout).toContain("Configured: nothing yet");
      expect(stdout).toContain("Nothing is configured. Run init now? (y/N)");
      expect(stdout.trim().split("\n").length).toBeLessThanOrEqual(14);
      expect(existsSync(home.dataDir)).toBe(false);
    });

    it("continues with init after y", async (t) => {
      const home = freshHome(t);
      const { stdout } = await converseAtTerminal(
        home,
        [],
        [
          ["(y/N)", `y${keys.enter}`],
          ["What do you want to set up?", keys.interrupt],
        ],
      );
      expect(stdout).toContain("Cancelled. Only the changes");
    });

    it("lists what is configured, and asks nothing", async (t) => {
      const home = newHome(t);
      const env = { COUNTERSIGN_DATA_DIR: home.dir };
      writeFileSync(join(home.dir, ".env"), "TAVILY_API_KEY=tvly-canary-secret\n", { mode: 0o600 });
      const { code, stdout } = await runAtTerminal({ ...home, env }, [], noQuestion, question);
      expect(code).toBe(0);
      expect(stdout).toContain(`Settings: ${join(home.dir, ".env")}`);
      expect(stdout).toContain("Configured: web search\n");
      expect(stdout).not.toContain("canary");
    });
  });

it("serves over stdio by its bare name in a pipe", async (t) => {
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "pipe", version: "1" },
  };
  const request = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  const { code, stdout } = await runProgram(newHome(t), [], { input: `${request}\n` });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    id: 1,
    result: { serverInfo: { name: "countersign" } },
  });
});
