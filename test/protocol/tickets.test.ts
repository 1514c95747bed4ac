import { type TestContext, describe, expect, it, vi } from "vitest";
import { type Answer, approvalOf } from "./answer.ts";
import { type TestClient, connectHere } from "./clients.ts";
import { type Home, newHome, runsOf, storedFile } from "./home.ts";
import { decideAtTerminal, decideHere } from "./program.ts";

const key = "plan.md";

/** Connects a client without elicitation, which has called for a deletion. */
async function setUp(t: TestContext) {
  const home = newHome(t);
  const client = await connectHere(home, "v2 legacy");
  await client.call("write_file", { key, content: "a plan" });
  const ask = (): Promise<Answer> => client.call("delete_file", { key });
  const { id, fingerprint } = approvalOf(await ask());
  const check = async (approvalId = id) => await client.call("check_approval", { approvalId });
  return { home, client, ask, check, id, fingerprint };
}

/** Lets time pass for the rows of requests. Their clock is the database's, which a test cannot change. */
async function age(home: Home, column: string, byMs: number): Promise<void> {
  await home.sql(`UPDATE tickets SET ${column} = ${column} - ?`, [byMs]);
}

/** Connects another client, whose process knows nothing of the open requests. */
async function laterClient(home: Home, earlier: TestClient): Promise<TestClient> {
  await earlier.close();
  return await connectHere(home, "v2 legacy");
}

const minute = 60_000;

describe.concurrent("a request for approval", () => {
  it("that is pending is joined only by identical calls of any process [tickets.pending-joins]", async (t) => {
    const { home, client, ask, check, id, fingerprint } = await setUp(t);
    const second = await connectHere(home, "v1");
    const joined = [await ask(), await second.call("delete_file", { key })];
    for (const answer of joined) {
      expect(approvalOf(answer)).toMatchObject({ id, fingerprint, status: "pending" });
    }
    await client.call("write_file", { key: "other.md", content: "another" });
    const unlike = await client.call("delete_file", { key: "other.md" });
    expect(approvalOf(unlike).id).not.toBe(id);
    const { output, text } = await check();
    expect(output).toMatchObject({ id, tool: "delete_file", status: "pending" });
    expect(output?.["expiresAt"]).toBe(approvalOf(joined[0]!).expiresAt);
    expect(text).toContain("has not decided yet");
  });

  it("that was approved is claimed and run by the next identical call, in any process [tickets.approved-runs]", async (t) => {
    const { home, client, id } = await setUp(t);
    const later = await laterClient(home, client);
    expect((await decideAtTerminal(home, "approve", id)).stdout).toContain("Approved");
    const status = await later.call("check_approval", { approvalId: id });
    expect(status.output).toMatchObject({ status: "approved" });
    expect(status.text).toContain("Call the tool again with the same arguments to run it");
    expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
    const run = await later.call("delete_file", { key });
    expect(run.output).toMatchObject({ key, deleted: true });
    expect(await storedFile(home, key)).toEqual({ there: false, undoCopies: 1 });
  });

  it("that was approved is run once, however many processes arrive at the same time [tickets.once]", async (t) => {
    const { home, client, id } = await setUp(t);
    const first = await laterClient(home, client);
    const others = [first, await connectHere(home, "v1"), await connectHere(home, "v2 pinned")];
    await decideHere(home, "approve", id);
    const answers = await Promise.all(others.map((each) => each.call("delete_file", { key })));
    expect(answers.filter(({ isError }) => !isError).length).toBeGreaterThanOrEqual(1);
    for (const { error } of answers.filter(({ isError }) => isError)) {
      expect(error?.sideEffects).toBe("none");
    }
    expect(await storedFile(home, key)).toEqual({ there: false, undoCopies: 1 });
    expect(await runsOf(home, "delete_file")).toBe(1);
  });

  it("that is running makes an identical call wait, and then is reported as running [tickets.running-waits]", async (t) => {
    const { home, ask, check, id } = await setUp(t);
    await home.sql(`UPDATE tickets SET status = 'running', verdict = 'approve', channel = 'terminal',
      decided_by = 'operator', decided_at = created_at, holder = 'another process',
      lease_until = created_at + 600000`);
    const answer = await ask();
    expect(answer.error).toMatchObject({ kind: "approval_required", sideEffects: "none" });
    expect(approvalOf(answer)).toMatchObject({ id, status: "running" });
    expect((await check()).output).toMatchObject({ status: "running" });
    expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
  });

  it("that is done is delivered once, and then an identical call is a new request that says so [tickets.done-then-new]", async (t) => {
    const { home, client, ask, check, id } = await setUp(t);
    await decideHere(home, "approve", id);
    // The process that asked is still there and runs it.
    await t.expect
      .poll(async () => (await check()).output)
      .toMatchObject({ status: "done", result: { key, deleted: true } });
    expect((await ask()).output).toMatchObject({ key, deleted: true });
    expect(await runsOf(home, "delete_file")).toBe(1);

    await client.call("write_file", { key, content: "a second plan" });
    const again = await ask();
    expect(again.error?.kind).toBe("approval_required");
    expect(approvalOf(again).id).not.toBe(id);
    expect(again.text).toMatch(/done once at \d\d:\d\d UTC/);
    expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 1 });
    expect((await check()).output).toMatchObject({ status: "done", result: { deleted: true } });
  });

  it("that failed, because the file changed after the person saw it, is followed by a new one [tickets.failed-opens]", async (t) => {
    const { home, client, id } = await setUp(t);
    const later = await laterClient(home, client);
    await decideHere(home, "approve", id);
    await later.call("write_file", { key, content: "changed meanwhile" });
    const failed = await later.call("delete_file", { key });
    expect(failed.error).toMatchObject({ kind: "conflict", sideEffects: "none" });
    expect(approvalOf(failed)).toMatchObject({ id, status: "failed" });
    const check = await later.call("check_approval", { approvalId: id });
    expect(check.isError).toBe(false);
    expect(check.output).toMatchObject({ status: "failed", error: { kind: "conflict" } });
    const next = await later.call("delete_file", { key });
    expect(next.error?.kind).toBe("approval_required");
    expect(approvalOf(next).id).not.toBe(id);
    // One copy: of the file that was replaced.
    expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 1 });
  });

  it("that was denied stays so for 15 minutes, then an identical call is a new request [tickets.denied-stands]", async (t) => {
    const { home, ask, check, id } = await setUp(t);
    await decideHere(home, "deny", id);
    expect((await ask()).error).toMatchObject({ kind: "denied", retryable: false });
    const { output, text } = await check();
    expect(output).toMatchObject({ status: "denied" });
    expect(text).toMatch(/Denied at \d{4}-\d\d-\d\dT[\d:.]+Z \(terminal\)/);
    await age(home, "decided_at", 14 * minute);
    expect((await ask()).error).toMatchObject({ kind: "denied", approval: { id } });
    await age(home, "decided_at", 2 * minute);
    const next = await ask();
    expect(next.error?.kind).toBe("approval_required");
    expect(approvalOf(next).id).not.toBe(id);
  });

  it("without a decision expires, cannot be approved any more, and is followed by a new one [tickets.ttl]", async (t) => {
    const { home, ask, check, id } = await setUp(t);
    await age(home, "expires_at", 24 * 60 * minute + minute);
    expect((await check()).output).toMatchObject({ status: "expired" });
    const late = await decideAtTerminal(home, "approve", id);
    expect(late).toMatchObject({ code: 1, stdout: "" });
    expect(late.stderr).toContain(
      "Your decision did not count. The request expired before the call ran.",
    );
    const next = await ask();
    expect(next.error?.kind).toBe("approval_required");
    expect(approvalOf(next).id).not.toBe(id);
    expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
  });

  it("has a day for a decision, 10 minutes for an answer in the client and 10 to run [tickets.ttl] [tickets.run-within]", async (t) => {
    const { home, client, id } = await setUp(t);
    const between = async (from: string, to: string): Promise<unknown> => {
      const [row] = await home.sql(`SELECT ${to} - ${from} AS ms FROM tickets`);
      return row?.["ms"];
    };
    expect(await between("created_at", "expires_at")).toBe(24 * 60 * minute);
    await client.close();
    const asking = await connectHere(home, "v2 pinned", { elicitation: "nothing" });
    asking.call("delete_file", { key }).catch(() => undefined);
    await vi.waitFor(() => expect(asking.dialogs).toHaveLength(1), 30_000);
    expect(await between("question_put_at", "question_expires_at")).toBe(10 * minute);
    await asking.close();
    // No process can run it.
    await decideHere(home, "approve", id);
    expect(await between("decided_at", "run_before")).toBe(10 * minute);
  });

  it("that was approved expires if it is not run within 10 minutes [tickets.run-within]", async (t) => {
    const { home, client, id } = await setUp(t);
    const later = await laterClient(home, client);
    await decideHere(home, "approve", id);
    await age(home, "run_before", 11 * minute);
    const answer = await later.call("delete_file", { key });
    expect(answer.error?.kind).toBe("approval_required");
    expect(approvalOf(answer)).toMatchObject({ status: "pending" });
    expect(approvalOf(answer).id).not.toBe(id);
    expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
  });

  it("without a report after its start is unknown, never repeated, and the new request says so [tickets.unknown-leads]", async (t) => {
    const { home, ask, check, id } = await setUp(t);
    await home.sql(`UPDATE tickets SET status = 'running', verdict = 'approve', channel = 'terminal',
      decided_by = 'operator', decided_at = created_at, holder = 'a killed process',
      lease_until = created_at`);
    const { output, text } = await check();
    expect(output).toMatchObject({ status: "unknown" });
    expect(text).toContain("may or may not have happened");
    const next = await ask();
    expect(next.error).toMatchObject({ kind: "approval_required", sideEffects: "none" });
    expect(approvalOf(next).id).not.toBe(id);
    expect(next.text).toContain("may already have happened");
    expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
  });

  it("of another principal counts as absent [tickets.foreign-absent]", async (t) => {
    const { home, ask, check, id } = await setUp(t);
    await home.sql("UPDATE tickets SET principal = 'alice'");
    const foreign = await check();
    expect(foreign.error).toMatchObject({ kind: "not_found", sideEffects: "none" });
    expect(await check("ap_aaaaaaaaaaaaaaaaaaaaaaaaaa")).toEqual(foreign);
    expect(await check("")).toEqual(foreign);
    expect(approvalOf(await ask()).id).not.toBe(id);
  });
});
