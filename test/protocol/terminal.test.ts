import { userInfo } from "node:os";
import { type TestContext, describe, expect, inject, it } from "vitest";
import { afterRun, approvalOf } from "./answer.ts";
import { connect } from "./clients.ts";
import { newHome, runsOf, storedFile, storedStatus } from "./home.ts";
import { homeWithPolicy, policyRule } from "./policy-home.ts";
import { runProgram } from "./program.ts";
import { type Typing, keys, runAtTerminal, shownFingerprint } from "./terminal.ts";

const key = "plan.md";

/** Types the text on the screen as a person reads it. Small letters are accepted too. */
const typesIt: Typing = (shown) => shownFingerprint(shown).toLowerCase() + keys.enter;
const typesAnother: Typing = () => `AAAA-AAAA${keys.enter}`;

/** Creates a home without approver's secrets, in which the person at the machine decides. */
async function setUp(t: TestContext) {
  const home = newHome(t, { APPROVERS: "" });
  const client = await connect(home, "v2 legacy");
  await client.call("write_file", { key, content: "a plan" });
  const ask = () => client.call("delete_file", { key });
  const { id, fingerprint } = approvalOf(await ask());
  return { home, client, ask, id, fingerprint };
}

const isHere = !inject("missingServers").includes("script");

describe.skipIf(!isHere).concurrent("a person at a terminal", () => {
  it("approves with the typed fingerprint, and records the approver's name", async (t) => {
    const { home, ask, id, fingerprint } = await setUp(t);
    const { code, stdout } = await runAtTerminal(home, ["approvals", "approve", id], typesIt);
    expect(code).toBe(0);
    expect(stdout).toContain("Delete the file");
    expect(stdout).toContain(fingerprint);
    expect(stdout).toContain("Approved");
    expect((await afterRun(ask)).output).toMatchObject({ key, deleted: true });
    const [decided] = await home.sql("SELECT outcome FROM audit WHERE type = 'decided'");
    expect(decided?.["outcome"]).toBe(`approve (terminal, ${userInfo().username})`);
  });

  it.for([
    ["another fingerprint", typesAnother],
    ["nothing", () => keys.enter],
    // The answer was "The fingerprint does not match.", with code 1.
    ["Ctrl-C", () => keys.interrupt, 130],
    ["Ctrl-D", () => keys.endOfInput, 130],
  ] satisfies [string, Typing, number?][])(
    "decides nothing with %s",
    async ([, typing, wanted = 1], t) => {
      const { home, id } = await setUp(t);
      const { code, stdout } = await runAtTerminal(home, ["approvals", "approve", id], typing);
      expect(code).toBe(wanted);
      const reason = wanted === 130 ? "Cancelled." : "The fingerprint does not match.";
      expect(stdout).toContain(`${reason} Nothing was decided.`);
      expect(await storedStatus(home, id)).toBe("pending");
      expect(await storedFile(home, key)).toMatchObject({ there: true });
      expect(await runsOf(home, "delete_file")).toBe(0);
    },
  );

  // The terminal began the rest of a long value in the first column, where it looked like a line of its own.
  it("sees the rest of a long value indented, on a narrow screen", async (t) => {
    const { home, client } = await setUp(t);
    const long = `${"x".repeat(200)}.md`;
    await client.call("write_file", { key: long, content: "a plan" });
    const { id } = approvalOf(await client.call("delete_file", { key: long }));
    for (const args of [["list"], ["show", id]]) {
      const command = ["approvals", ...args];
      const typing = (): string => "";
      const { stdout } = await runAtTerminal(home, command, typing, undefined, "stty cols 60; ");
      const rows = stdout.split(/\r?\n/);
      const rest = rows.filter((row) => /^\s*x+/.test(row));
      expect(rest.length).toBeGreaterThan(0);
      for (const row of rest) expect(row).toMatch(/^ {4}\S/);
      for (const row of rows) expect(row.length).toBeLessThan(60);
    }
  });

  it("denies with the fingerprint, too", async (t) => {
    const { home, id } = await setUp(t);
    expect((await runAtTerminal(home, ["approvals", "deny", id], typesIt)).code).toBe(0);
    expect(await storedStatus(home, id)).toBe("denied");
  });

  it("pauses and resumes only with the fingerprint", async (t) => {
    const { home } = await setUp(t);
    const unproven = await runAtTerminal(home, ["approvals", "pause"], typesAnother);
    expect(unproven.stdout).toContain("The fingerprint does not match. Nothing was changed.");
    expect((await runProgram(home, ["approvals", "list"])).stdout).not.toContain("Paused");
    expect((await runAtTerminal(home, ["approvals", "pause"], typesIt)).stdout).toContain("Paused");
    const resumed = await runAtTerminal(home, ["approvals", "resume"], typesIt);
    expect(resumed.stdout).toContain("Nothing is paused.");
  });

  it("undoes a change only with the fingerprint", async (t) => {
    const { home, client } = await setUp(t);
    await client.call("write_file", { key, content: "another plan" });
    const { stdout } = await runProgram(home, ["undo", "list", "--json"]);
    const { undo } = JSON.parse(stdout.split("\n")[0] ?? "") as { undo: { undoId: string } };
    const content = async () => (await client.call("read_file", { key })).output?.["content"];
    const unproven = await runAtTerminal(home, ["undo", undo.undoId], typesAnother);
    expect(unproven.stdout).toContain("The fingerprint does not match. Nothing was undone.");
    expect(await content()).toBe("another plan");
    const undone = await runAtTerminal(home, ["undo", undo.undoId], typesIt);
    expect(undone.stdout).toContain(`Restored ${key}.`);
    expect(await content()).toBe("a plan");
  });

  it("revokes a rule only with the fingerprint", async (t) => {
    const home = homeWithPolicy(t, { rules: [policyRule()] }, { APPROVERS: "" });
    const revoke = ["policy", "revoke", "tidy"];
    const unproven = await runAtTerminal(home, revoke, typesAnother);
    expect(unproven.stdout).toContain("The fingerprint does not match. Nothing was revoked.");
    expect((await runProgram(home, ["policy", "list"])).stdout).not.toContain("revoked");
    expect((await runAtTerminal(home, revoke, typesIt)).code).toBe(0);
    expect((await runProgram(home, ["policy", "list"])).stdout).toContain("it was revoked");
  });
});
