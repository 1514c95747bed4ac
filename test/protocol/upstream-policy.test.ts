import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectHere } from "./clients.ts";
import { policyRule, rewrite } from "./policy-home.ts";
import { runProgram } from "./program.ts";
import { callsOf, homeWithServers, nodeServer, reviewed } from "./upstream-home.ts";

const notes = nodeServer("notes-server.mjs");

describe("the policy and the budgets", () => {
  it("apply to tools of upstream servers as to every other", async (t) => {
    const home = homeWithServers(
      t,
      { notes },
      { POLICY_FILE: "policy.json", HIGH_RISK_CALLS_PER_TURN: "2" },
    );
    rewrite(home, {});
    await reviewed(home, "notes");
    const when = { title: { in: "drafts/" } };
    rewrite(home, {
      deny: ["notes__fails"],
      rules: [policyRule({ tool: "notes__delete_note", when, uses: 1 })],
    });
    const client = await connectHere(home, "v2 legacy");
    const remove = async (title: string) => await client.call("notes__delete_note", { title });
    expect((await remove("drafts/a")).isError).toBe(false);
    expect(callsOf(home, "notes")).toContain("delete drafts/a");
    // The rule has one use, and a turn two calls of high risk.
    expect((await remove("drafts/b")).error).toMatchObject({ kind: "approval_required" });
    expect((await remove("kept")).error).toMatchObject({ kind: "budget_exceeded" });
    expect((await client.call("notes__fails")).error).toMatchObject({ kind: "not_found" });
    expect(callsOf(home, "notes").filter((line) => line.startsWith("delete"))).toHaveLength(1);
  });
});

describe("a variable of servers.json", () => {
  it("comes from the environment or from .env of the data directory, and from no other file", async (t) => {
    const env = { A: "${env:FROM_FILE}", B: "${env:FROM_ENVIRONMENT}" };
    const home = homeWithServers(
      t,
      { good: { command: "x", env }, bad: { command: "x", env: { A: "${env:FROM_ELSEWHERE}" } } },
      { FROM_ENVIRONMENT: "1" },
    );
    writeFileSync(join(home.dir, ".env"), "FROM_FILE=1\n", { mode: 0o600 });
    const cwd = mkdtempSync(join(home.dir, "project-"));
    writeFileSync(join(cwd, ".env"), "FROM_ELSEWHERE=1\n", { mode: 0o600 });
    const { stdout } = await runProgram(home, ["servers", "list", "--json"], { cwd });
    const [good, bad] = stdout.trim().split("\n");
    expect(good).not.toContain("problem");
    expect(bad).toContain("mcpServers.bad.env.A: FROM_ELSEWHERE is not set");
  });
});
