import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, describe, expect, it } from "vitest";
import { afterRun, approvalOf } from "./answer.ts";
import { type Home, newHome, newestTicket, operatorSecret, storedFile } from "./home.ts";
import { decideAtTerminal, decideHere, runHere } from "./program.ts";
import type { RawServer } from "./raw-message.ts";
import {
  answering,
  approve,
  dialogOf,
  questionOf,
  raw2025Here,
  raw2026Here,
} from "./raw-server.ts";

const key = "diary.bin";
const canaries = ["canary-content", "canary-media", "canary-fact", "canary-version"];
/** The size of the file in words: for the person and for an elicitation, and for no result. */
const size = "4.2 kB";

/** Writes a file of which every fact is a canary, with a process that is not under test. */
async function plant(home: Home): Promise<void> {
  const planter = await raw2025Here(home, { elicitation: false });
  await planter.answer("write_file", {
    key,
    content: "canary-content".padEnd(4_242, "."),
    mediaType: "application/canary-media",
  });
  planter.hangUp();
  await planter.ended;
}

/** Replaces the facts that `prepare` found by canaries in the stored request. */
async function plantInTicket(home: Home, clientMayRead: boolean): Promise<void> {
  const facts = [{ label: "canary-fact", value: "canary-fact" }];
  const found = JSON.stringify({ headline: "canary-fact", facts });
  await home.sql(
    clientMayRead
      ? `UPDATE tickets SET effect = json_set(effect, '$.forPerson', json(?1), '$.forDialog', json(?1))`
      : `UPDATE tickets SET effect =
          json_set(effect, '$.forPerson', json(?), '$.forDialog', json_extract(effect, '$.forModel'))`,
    [found],
  );
}

function expectNoCanary(server: RawServer, ...more: string[]): void {
  expect(server.messages.length).toBeGreaterThan(0);
  for (const canary of [...canaries, ...more]) {
    expect(server.said.stdout).not.toContain(canary);
    expect(server.said.stderr).not.toContain(canary);
  }
}

describe.concurrent("facts that only the person may see", () => {
  it("stay hidden from clients without elicitation, whatever the request's outcome [effect.model-sees-no-facts]", async (t) => {
    const home = newHome(t, { LOG_LEVEL: "debug" });
    await plant(home);
    const server = await raw2025Here(home, { elicitation: false });
    const call = (args: Record<string, unknown> = { key }) => server.answer("delete_file", args);
    await call({ key, unknown: 1 });
    const { id } = approvalOf(await call());
    const check = () => server.answer("check_approval", { approvalId: id });
    await home.sql("UPDATE tickets SET target = 'canary-version'");
    await plantInTicket(home, true);
    await call();
    await check();
    // The target is not the canary's version, so the run fails with a conflict.
    await decideHere(home, "approve", id);
    // Either this call runs it, or the server has already run it.
    await call();
    await t.expect
      .poll(async () => (await check()).output)
      .toMatchObject({ status: "failed", error: { kind: "conflict" } });
    // The next one is denied, and the one after that is done.
    const second = approvalOf(await call()).id;
    await plantInTicket(home, true);
    await decideHere(home, "deny", second);
    expect((await call()).error?.kind).toBe("denied");
    await home.sql("UPDATE tickets SET decided_at = 0 WHERE status = 'denied'");
    const third = approvalOf(await call()).id;
    await plantInTicket(home, true);
    await decideHere(home, "approve", third);
    expect((await afterRun(() => call())).output).toMatchObject({ deleted: true });
    await server.answer("check_approval", { approvalId: third });
    expectNoCanary(server, size);
  });

  it("are shown at the terminal channel [terminal.shows-facts]", async (t) => {
    const home = newHome(t);
    await plant(home);
    const server = await raw2025Here(home, { elicitation: false });
    await server.answer("delete_file", { key });
    const id = await newestTicket(home);
    expect((await runHere(home, ["approvals", "show", id])).stdout).toContain(size);
    await plantInTicket(home, false);
    expect((await runHere(home, ["approvals", "show", id])).stdout).toContain("canary-fact");
    expectNoCanary(server, size);
  });

  it("are limited in a dialog to size and age of a file, which this client may read anyway", async (t) => {
    const home = newHome(t);
    await plant(home);
    const server = raw2026Here(home, { elicitation: true });
    const { message } = questionOf(await server.callTool("delete_file", { key }));
    expect(message).toContain(`Delete the file "${key}", ${size}, changed just now`);
    expectNoCanary(server);
  });

  it("are left out of a 2025 dialog if the client may not read them [effect.dialog-facts]", async (t) => {
    const { home, server } = await setUpUnreadable(t, raw2025Here);
    const call = server.answer("delete_file", { key });
    const { id, message } = await dialogOf(server);
    expect(message).toContain("Delete diary.bin");
    server.reply(id, { action: "decline" });
    expect((await call).error?.kind).toBe("approval_required");
    expectNoCanary(server, size);
    expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
  });

  it("are left out of a 2026 question if the client may not read them", async (t) => {
    const { home, server } = await setUpUnreadable(t, raw2026Here);
    const { message, state } = questionOf(await server.callTool("delete_file", { key }));
    expect(message).toContain("Delete diary.bin");
    const response = answering(state, { action: "decline" });
    const answer = await server.answer("delete_file", { key }, response);
    expect(answer.error?.kind).toBe("approval_required");
    expectNoCanary(server, size);
    expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
  });
});

/** Connects a client with a dialog about a request whose target it could not read. */
async function setUpUnreadable(t: TestContext, open: typeof raw2025Here | typeof raw2026Here) {
  const home = newHome(t);
  await plant(home);
  const first = await raw2025Here(home, { elicitation: false });
  await first.answer("delete_file", { key });
  await plantInTicket(home, false);
  return { home, server: await open(home, { elicitation: true }) };
}

describe.concurrent("a secret", () => {
  it("of an approver is on neither output, whether correct, wrong or too short [secrets.silent]", async (t) => {
    const home = newHome(t, { LOG_LEVEL: "debug" });
    await plant(home);
    const server = raw2026Here(home, { elicitation: true });
    const { state } = questionOf(await server.callTool("delete_file", { key }));
    const id = await newestTicket(home);
    const wrong = await decideAtTerminal(home, "approve", id, "a-wrong-secret-of-somebody");
    expect(wrong).toMatchObject({ code: 1, stdout: "" });
    expect(wrong.stderr).toContain("This is not an approver's secret. Nothing was decided.");
    await server.answer("delete_file", { key }, answering(state, approve));
    const late = await decideAtTerminal(home, "approve", id);
    expect(late.code).toBe(1);
    const short = await runHere(home, ["approvals", "list"], {
      env: { APPROVERS: "operator:s3cr3t" },
    });
    expect(short.code).toBe(1);
    const all = JSON.stringify([server.said, wrong, late, short]);
    for (const secret of [operatorSecret, "a-wrong-secret-of-somebody", "s3cr3t"]) {
      expect(all).not.toContain(secret);
    }
  });

  it("of a database server is on neither output, even if the server repeats it", async (t) => {
    const token = "t0ken-of-the-database";
    const url = await hostileDatabase(t);
    const env = { LOG_LEVEL: "debug", DATABASE_URL: url, DATABASE_AUTH_TOKEN: token };
    const home = newHome(t, env);
    const server = await raw2025Here(home, { elicitation: false });
    const answer = await server.answer("delete_file", { key });
    expect(answer.error).toMatchObject({ sideEffects: "none" });
    const listed = await runHere(home, ["approvals", "list"]);
    expect(listed.code).toBe(1);
    server.hangUp();
    await server.ended;
    expect(JSON.stringify([server.said, listed])).not.toContain(token);
  });
});

/** Answers every request with an error that repeats what it was sent. */
async function hostileDatabase(t: TestContext): Promise<string> {
  const http = createServer((request, response) => {
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: `not with ${request.headers.authorization}` }));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  t.onTestFinished(() => void http.close());
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}
