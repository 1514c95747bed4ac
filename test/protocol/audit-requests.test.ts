import { cpSync } from "node:fs";
import { type TestContext, beforeAll, describe, expect, it } from "vitest";
import { approvalOf } from "./answer.ts";
import { connect } from "./clients.ts";
import { killedAt } from "./filled-home.ts";
import { type Home, newHome, newSuiteHome, operatorSecret } from "./home.ts";
import { decideAtTerminal, runHere } from "./program.ts";

/** The copied start of every test: a server with a request in each state, which has ended. */
const origin = newSuiteHome();
const ids: Record<string, string> = {};

beforeAll(async () => {
  const client = await connect(origin, "v2 pinned");
  for (const key of ["done", "denied", "pending", "approved"]) {
    await client.call("write_file", { key, content: "one" });
    ids[key] = approvalOf(await client.call("delete_file", { key })).id;
  }
  const decide = async (verdict: "approve" | "deny", key: string): Promise<void> => {
    expect(await decideAtTerminal(origin, verdict, ids[key] ?? "")).toMatchObject({ code: 0 });
  };
  await decide("approve", "done");
  await decide("deny", "denied");
  const { isError } = await client.call("delete_file", { key: "done" });
  expect(isError).not.toBe(true);
  await client.close();
  await decide("approve", "approved");
}, 60_000);

function copyOf(t: TestContext): Home {
  const home = newHome(t);
  cpSync(origin.dir, home.dir, { recursive: true });
  return home;
}

const verify = (home: Home, ...more: string[]) => runHere(home, ["audit", "verify", ...more]);

describe.concurrent("audit verify of approval requests", () => {
  it("finds nothing if each request is as the record says [audit.requests]", async (t) => {
    const { code, stdout } = await verify(copyOf(t), "--json");
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { complete: true, requests: { checked: 4, differences: [] } },
    ]);
  });

  // Each was unnoticed: only the chain of events was checked.
  const changes: readonly [name: string, key: string, sql: string, what: string][] = [
    [
      "was approved by hand",
      "pending",
      `UPDATE tickets SET status = 'approved', verdict = 'approve', channel = 'page', decided_by = 'operator',
        decided_at = created_at, run_before = expires_at WHERE ticket_id = ?`,
      "the record does not contain its decision approve (page, operator)",
    ],
    [
      "was approved instead of denied",
      "denied",
      "UPDATE tickets SET status = 'approved', verdict = 'approve', run_before = expires_at WHERE ticket_id = ?",
      "its row says approve (terminal, operator), and the record says deny (terminal, operator)",
    ],
    [
      "shall run again",
      "done",
      "UPDATE tickets SET status = 'approved', run_before = expires_at WHERE ticket_id = ?",
      "its row says approved, and the record says that it ran",
    ],
    [
      "shall be decided again",
      "denied",
      "UPDATE tickets SET status = 'pending' WHERE ticket_id = ?",
      "its row says pending, and the record says deny (terminal, operator)",
    ],
    [
      "got other arguments",
      "approved",
      `UPDATE tickets SET args = '{"key":"done"}' WHERE ticket_id = ?`,
      "its arguments, target or text for the person were changed",
    ],
    [
      "got another text for the person",
      "pending",
      "UPDATE tickets SET effect = replace(effect, 'Delete', 'Read') WHERE ticket_id = ?",
      "its arguments, target or text for the person were changed",
    ],
    [
      "got another caller",
      "pending",
      "UPDATE tickets SET principal = 'alice' WHERE ticket_id = ?",
      "its caller is alice, and the record says local",
    ],
    [
      "got another result",
      "done",
      `UPDATE tickets SET output = '{"key":"other","deleted":true}' WHERE ticket_id = ?`,
      "its result was changed",
    ],
    [
      "is said to have failed",
      "done",
      `UPDATE tickets SET status = 'failed', output = NULL,
        error = '{"kind":"timeout","message":"x","retryable":true,"sideEffects":"none"}' WHERE ticket_id = ?`,
      "its row says timeout, and the record says ok",
    ],
    [
      "cannot be read any more",
      "done",
      "UPDATE tickets SET args = 'x' WHERE ticket_id = ?",
      "its row was changed and cannot be read",
    ],
    ["was removed", "done", "DELETE FROM tickets WHERE ticket_id = ?", "its row is missing"],
    [
      "was inserted",
      "approved",
      `UPDATE tickets SET ticket_id = 'ap_new' WHERE ticket_id = ?`,
      "the record does not contain that it was asked",
    ],
  ];
  it.for(changes)("finds a request that %s [audit.requests]", async ([, key, sql, what], t) => {
    const home = copyOf(t);
    await home.sql(sql, [ids[key] ?? ""]);
    const { code, stdout, stderr } = await verify(home);
    expect(stderr).toContain(what);
    expect(stderr).toMatch(/^BROKEN: the approval request ap_\w+: /m);
    expect(stderr).toContain("events is complete, but approval requests were changed or removed");
    expect([code, stdout]).toEqual([1, ""]);
  });

  // The decision is stored before its event, so a process can end between the two.
  // It starts two programs for each step at which one can be killed.
  it(
    "does not report a decision as forged if its process was killed before it recorded it",
    { timeout: 300_000 },
    async (t) => {
      const said: string[] = [];
      let wasKilled = true;
      for (let boundary = 1; wasKilled; boundary += 1) {
        const home = copyOf(t);
        const decide = ["approvals", "approve", ids["pending"] ?? "", "--secret-stdin"];
        wasKilled = await killedAt(home, decide, boundary, `${operatorSecret}\n`);
        const { code, stdout, stderr } = await verify(home);
        expect(code, stdout + stderr).toBe(0);
        said.push(stderr);
      }
      expect(said.join("")).toMatch(
        /^not recorded: the approval request ap_\w+: a process ended before it could record its decision approve \(terminal, operator\)\.$/m,
      );
      expect(said.at(-1)).toBe("");
    },
  );

  it("finds a request that was forgotten with all its events [audit.requests]", async (t) => {
    const home = copyOf(t);
    await home.sql("DELETE FROM tickets WHERE ticket_id = ?", [ids["denied"] ?? ""]);
    await home.sql("DELETE FROM audit WHERE ticket_id = ?", [ids["denied"] ?? ""]);
    const { code, stderr } = await verify(home);
    expect(stderr).toMatch(/^BROKEN: event \d+ is missing/m);
    expect(code).toBe(1);
  });
});
