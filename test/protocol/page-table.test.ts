import { type TestContext, describe, expect, it, vi } from "vitest";
import { type Answer, approvalOf } from "./answer.ts";
import { connect, connectHere } from "./clients.ts";
import { type Home, newestTicket, runsOf, storedFile, storedStatus } from "./home.ts";
import { homeWithBrowser, openPage } from "./opened-page.ts";
import { decideAtTerminal, decideHere } from "./program.ts";

const key = "plan.md";
const minute = 60_000;

/** Connects a client without a dialog, writes a file, and opens the page that comes with the first request. */
async function setUp(t: TestContext, env?: Record<string, string>, open = connectHere) {
  const home = homeWithBrowser(t, env);
  const client = await open(home, "v2 legacy");
  await client.call("write_file", { key, content: "a plan" });
  const ask = (): Promise<Answer> => client.call("delete_file", { key });
  return { home, client, ask };
}

async function asked(t: TestContext, open = connectHere) {
  const world = await setUp(t, {}, open);
  const { id } = approvalOf(await world.ask());
  const page = await openPage(world.home);
  const check = async () => (await world.client.call("check_approval", { approvalId: id })).output;
  return { ...world, id, page, check };
}

/** Lets time pass for the rows of requests. */
async function age(home: Home, column: string, byMs: number): Promise<void> {
  await home.sql(`UPDATE tickets SET ${column} = ${column} - ?`, [byMs]);
}

describe.concurrent("a request at the page", () => {
  it("that is approved while its caller waits completes that call", async (t) => {
    const { home, ask } = await setUp(t, { APPROVAL_WAIT_MS: "30000" });
    const waiting = ask();
    const page = await openPage(home);
    const id = await newestTicket(home);
    expect(await page.decide(id, "approve")).toContain("Approved");
    expect((await waiting).output).toMatchObject({ key, deleted: true });
    expect(await storedFile(home, key)).toEqual({ there: false, undoCopies: 1 });
    expect(await page.history()).toMatch(/Done, .*Approved by .* on the approval page/s);
  });

  it("that is denied while its caller waits ends that call, and nothing happens", async (t) => {
    const { home, ask } = await setUp(t, { APPROVAL_WAIT_MS: "30000" });
    const waiting = ask();
    const page = await openPage(home);
    expect(await page.decide(await newestTicket(home), "deny")).toContain("Nothing was done");
    expect((await waiting).error).toMatchObject({ kind: "denied", sideEffects: "none" });
    expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
  });

  it("that is pending shows the same as the client: fingerprint, caller and effect", async (t) => {
    const { ask, page, id } = await asked(t);
    const { fingerprint } = approvalOf(await ask());
    const html = await page.list();
    for (const text of [fingerprint, "protocol-test", "Delete the file", "6 bytes", "23 h"]) {
      expect(html).toContain(text);
    }
    expect(html.split(`id="${id}"`)).toHaveLength(2);
  });

  it("that is approved later is run by the asking process, and the next identical call gets the result once", async (t) => {
    const { home, client, ask, page, id, check } = await asked(t);
    await page.decide(id, "approve");
    await vi.waitFor(async () => expect(await check()).toMatchObject({ status: "done" }), 30_000);
    expect((await ask()).output).toMatchObject({ key, deleted: true });
    expect(await runsOf(home, "delete_file")).toBe(1);

    await client.call("write_file", { key, content: "a second plan" });
    const again = await ask();
    expect(approvalOf(again).id).not.toBe(id);
    expect(await page.list()).toMatch(/note<\/dt>\s*<dd><bdi>done once at/);
  });

  it("that is approved after its process ended is run by the next identical call of another process", async (t) => {
    const { home, client, page, id } = await asked(t, connect);
    // The client's process goes between the decision and its next look: the row is what another process finds.
    await client.close();
    await home.sql(
      `UPDATE tickets SET status = 'approved', verdict = 'approve', channel = 'page',
       decided_by = 'maria', decided_at = created_at, run_before = created_at + 600000`,
    );
    expect(await storedStatus(home, id)).toBe("approved");
    const later = await connect(home, "v1");
    expect((await later.call("delete_file", { key })).output).toMatchObject({ deleted: true });
    expect(await runsOf(home, "delete_file")).toBe(1);
    await expect(page.list()).rejects.toThrow("fetch failed");
  });

  it("that is running cannot be decided, and is shown as running", async (t) => {
    const { home, page, id } = await asked(t);
    const press = await page.load(id);
    await home.sql(`UPDATE tickets SET status = 'running', verdict = 'approve', channel = 'terminal',
      decided_by = 'operator', decided_at = created_at, holder = 'another process',
      lease_until = created_at + 600000`);
    const html = await page.list();
    expect(html).toContain("It is running now");
    expect(html).not.toContain(`value="${id}"`);
    expect(await press("deny")).toContain("your decision did not count");
    expect(await storedStatus(home, id)).toBe("running");
  });

  it("that failed is in the history with its error", async (t) => {
    const { home, client, page, id, check } = await asked(t);
    await client.call("write_file", { key, content: "changed meanwhile" });
    await page.decide(id, "approve");
    await vi.waitFor(async () => expect(await check()).toMatchObject({ status: "failed" }), 30_000);
    expect(await page.history()).toContain("Approved, but the call failed.");
    expect((await storedFile(home, key)).there).toBe(true);
  });

  it("that was denied stays denied for 15 minutes and is not shown again", async (t) => {
    const { home, ask, page, id } = await asked(t);
    await page.decide(id, "deny");
    expect((await ask()).error).toMatchObject({ kind: "denied", retryable: false });
    expect(await page.list()).toContain("No requests are waiting");
    await age(home, "decided_at", 16 * minute);
    expect(approvalOf(await ask()).id).not.toBe(id);
    expect(await page.list()).toContain("Waiting for you: 1");
  });

  it("that expired before the press is not approved", async (t) => {
    const { home, ask, page, id } = await asked(t);
    const press = await page.load(id);
    await age(home, "expires_at", 25 * 60 * minute);
    const told = await press("approve");
    expect(told).toContain("your decision did not count");
    expect(await page.history()).toContain("The request expired");
    expect(approvalOf(await ask()).id).not.toBe(id);
    expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
  });

  it("whose run did not report its end is marked as unknown, and so is the next request", async (t) => {
    const { home, ask, page } = await asked(t);
    await home.sql(`UPDATE tickets SET status = 'running', verdict = 'approve', channel = 'page',
      decided_by = 'maria', decided_at = created_at, holder = 'a killed process',
      lease_until = created_at`);
    expect(await page.history()).toContain("It may or may not have happened");
    await ask();
    expect(await page.list()).toMatch(/note<\/dt>\s*<dd><bdi>may already have happened/);
    expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
  });

  it("that another channel decided first stays decided, and the person is notified", async (t) => {
    const { home, page, id } = await asked(t);
    const press = await page.load(id);
    await decideHere(home, "deny", id);
    expect(await press("approve")).toContain("your decision did not count");
    expect(await storedStatus(home, id)).toBe("denied");
    expect(await page.history()).toContain("Denied by operator at the terminal");
  });

  it("is refused during a pause, even for a later process, until it is resumed", async (t) => {
    const { home, client, ask, page, id } = await asked(t);
    await page.pressPause();
    expect((await ask()).error).toMatchObject({ kind: "forbidden", sideEffects: "none" });
    expect((await client.call("read_file", { key })).isError).toBe(false);
    const other = await connect(home, "v1");
    expect((await other.call("delete_file", { key })).error?.kind).toBe("forbidden");
    const refused = await decideAtTerminal(home, "approve", id);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("paused");

    await page.pressPause();
    await page.decide(id, "approve");
    await vi.waitFor(async () => expect((await storedFile(home, key)).there).toBe(false), 30_000);
  });
});
