import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { connectHere } from "./clients.ts";
import { newestTicket, operatorSecret } from "./home.ts";
import { leaveRules, policyRule, rewrite } from "./policy-home.ts";
import { decideHere, runHere, runProgram } from "./program.ts";
import {
  callsOf,
  homeWithServers,
  nodeServer,
  openHere,
  review,
  reviewed,
  writeServers,
} from "./upstream-home.ts";

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

// The policy was invalid without the tool, so the next start ended with an error.
describe("a rule for a tool of an upstream server that is gone", () => {
  async function withRule(t: Parameters<typeof homeWithServers>[0]) {
    const home = homeWithServers(t, { notes }, { POLICY_FILE: "policy.json" });
    rewrite(home, {});
    await reviewed(home, "notes");
    const when = { title: { in: "drafts/" } };
    rewrite(home, { rules: [policyRule({ id: "drafts", tool: "notes__delete_note", when })] });
    return home;
  }

  it("stops no start, and is named by remove, check, list and doctor", async (t) => {
    const home = await withRule(t);
    const removed = await runHere(home, ["servers", "remove", "notes"]);
    expect(removed.stdout).toContain(
      "policy.json name its tools and approve nothing now: drafts. Delete them, because they would apply to a new server of this name.",
    );
    const client = await openHere(home);
    expect((await client.list()).map(({ name }) => name)).toContain("write_file");
    const why = 'approves nothing: there is no tool "notes__delete_note"';
    expect(client.log()).toContain(`The rule drafts (line 3) ${why}.`);
    const checked = await runHere(home, ["policy", "check"]);
    expect([checked.code, checked.stderr]).toEqual([1, expect.stringContaining(why)]);
    expect((await runHere(home, ["policy", "list"])).stdout).toContain(`drafts  (file)  ${why}`);
    const { stdout } = await runHere(home, ["doctor"]);
    expect(stdout).toContain(`policy file: works. The rule drafts (line 3) ${why}.`);
  });

  it("is named by the review of a new server of that name, also for scripts", async (t) => {
    const home = homeWithServers(t, { notes }, { POLICY_FILE: "policy.json" });
    leaveRules(home);
    const asJson = await review(home, "notes");
    const tools = asJson.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { name: string; rules?: string[] });
    expect(tools.find(({ name }) => name === "notes__delete_note")?.rules).toEqual(["drafts"]);
    expect(tools.find(({ name }) => name === "notes__add_note")).not.toHaveProperty("rules");
    const words = ["servers", "review", "notes", "--accept-proposed", "--secret-stdin"];
    const { stdout } = await runHere(home, words, { input: `${operatorSecret}\n` });
    expect(stdout).toContain(
      "Rules that will approve calls of these tools without asking you:\n  drafts: notes__delete_note: ",
    );
    rewrite(home, "{");
    expect((await runHere(home, words, { input: `${operatorSecret}\n` })).stdout).toMatch(
      /\n  The policy file has a fault, which hides its rules: \S+policy\.json:1:2 /,
    );
  });

  // Each change of an upstream server would ask again about a file that the person knows.
  it("is no reason to ask again about a wider file", async (t) => {
    const home = homeWithServers(t, { notes }, { POLICY_FILE: "policy.json" });
    rewrite(home, { deny: ["write_file"] });
    await reviewed(home, "notes");
    const client = await openHere(home);
    const names = async () => (await client.list()).map(({ name }) => name);
    expect(await names()).toContain("notes__search_notes");
    rewrite(home, {});
    await expect.poll(() => client.log(), { timeout: 30_000 }).toContain("allows more");
    await runHere(home, ["servers", "remove", "notes"]);
    await expect.poll(names, { timeout: 30_000 }).not.toContain("notes__search_notes");
    expect(client.log().split("allows more")).toHaveLength(2);
  });

  it("applies to a new server of that name only after a person agrees", async (t) => {
    const home = await withRule(t);
    const client = await openHere(home);
    await client.call("notes__search_notes", { query: "x" });
    await runHere(home, ["servers", "remove", "notes"]);
    await expect.poll(() => client.log(), { timeout: 30_000 }).toContain("approves nothing");
    writeServers(home, { notes: nodeServer("notes-server.mjs", { env: { OTHER: "1" } }) });
    await review(home, "notes");
    const asked = await vi.waitFor(() => newestTicket(home), { timeout: 30_000 });
    const remove = async (title: string) => await client.call("notes__delete_note", { title });
    expect((await remove("drafts/a")).error).toMatchObject({ kind: "approval_required" });
    await decideHere(home, "approve", asked);
    await expect
      .poll(() => client.log(), { timeout: 30_000 })
      .toContain("the wider policy was approved and applies");
    await expect
      .poll(async () => (await remove("drafts/b")).isError, { timeout: 30_000 })
      .toBe(false);
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
