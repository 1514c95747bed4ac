import { type TestContext, beforeAll, describe, expect, it, vi } from "vitest";
import { afterRun, approvalOf } from "./answer.ts";
import { type ClientKind, type Reaction, clientKinds, connect, isModern } from "./clients.ts";
import { type HttpServer, type Transport, startHttp, transports } from "./http-server.ts";
import { newHome, newSuiteHome, newestTicket, runsOf, storedFile, storedStatus } from "./home.ts";
import { decideHere } from "./program.ts";

/** One choice that must be made, with none made beforehand, and a text that may be left out. */
const form = {
  type: "object",
  properties: {
    decision: {
      type: "string",
      title: "Decision",
      oneOf: [
        { const: "approve", title: "Approve once" },
        { const: "deny", title: "Deny" },
        { const: "deny_may_ask_again", title: "Deny, may ask again with changes" },
      ],
    },
    message: {
      type: "string",
      title: "If you deny: what to do instead (optional)",
      maxLength: 500,
    },
  },
  required: ["decision"],
};

const tokenOf = (caller: string): string => `${caller}-0123456789abcdef`;
const callers = Array.from({ length: 60 }, (_, index) => `caller-${index + 1}`);

/** One HTTP server for all cases. Each case is a caller of its own, and has a folder of its own. */
const shared = newSuiteHome({
  HTTP_TOKENS: callers.map((caller) => `${caller}:${tokenOf(caller)}`).join(),
});
let http: HttpServer;
const unused = [...callers];

beforeAll(async () => {
  http = startHttp(shared);
  await http.url;
});

/** `here`: a server in this process. The cases over HTTP and one approval over stdio of each kind cover the processes. */
type Way = { kind: ClientKind; over: Transport | "here" };

/** Connects a client with a file to delete. Only the clients over HTTP share a home. */
async function setUp(t: TestContext, { kind, over }: Way, elicitation?: Reaction) {
  const isShared = over === "HTTP";
  const caller = isShared ? (unused.shift() ?? expect.fail("too few callers")) : "local";
  const home = isShared ? { ...shared, later: laterIn(t) } : newHome(t);
  const key = `notes-of-${caller}/old-plan.md`;
  const client = await connect(home, kind, {
    over,
    ...(isShared && { at: http, token: tokenOf(caller) }),
    ...(elicitation && { elicitation }),
  });
  await client.call("write_file", { key, content: "an old plan" });
  return { home, client, caller, key };
}

const laterIn = (t: TestContext) => (cleanUp: () => unknown) =>
  t.onTestFinished(async () => void (await cleanUp()));

/** Replaces a server over stdio by one in this process. */
const inProcess = ({ kind, over }: Way): Way => ({
  kind,
  over: over === "stdio" ? "here" : over,
});

const ways = transports.flatMap((over) => clientKinds.map((kind) => ({ kind, over })));

// `describe.concurrent.for` alone would run them one by one.
describe.concurrent("the matrix", () => {
  describe.for(ways)("a $kind client over $over", (way) => {
    it("gets results of low-risk calls immediately, without a question", async (t) => {
      const { client, key } = await setUp(t, inProcess(way), "approve");
      const prefix = key.slice(0, key.indexOf("/") + 1);
      expect((await client.call("list_files", { prefix })).output).toMatchObject({
        files: [{ key }],
      });
      expect((await client.call("read_file", { key })).output).toMatchObject({
        content: "an old plan",
      });
      expect(client.dialogs).toEqual([]);
    });

    it("shows the person the file, and an approval deletes it exactly once [elicitation.approve]", async (t) => {
      const { home, client, caller, key } = await setUp(t, way, "approve");
      const answer = await client.call("delete_file", { key });
      expect(answer.output).toMatchObject({ key, deleted: true });
      expect(client.dialogs).toHaveLength(1);
      expect(client.dialogs[0]?.message.split("\n")).toEqual([
        `Delete the file "${key}", 11 bytes, changed just now`,
        expect.stringMatching(/^request [A-Z2-7]{4}-[A-Z2-7]{4}$/),
        'asked by "protocol-test"',
      ]);
      expect(client.dialogs[0]?.form).toEqual(form);
      expect(await storedFile(home, key)).toEqual({ there: false, undoCopies: 1 });
      expect(await runsOf(home, "delete_file", caller)).toBe(1);
      // The client's own word, and on record as no more than that.
      expect(
        await home.sql("SELECT outcome FROM audit WHERE type = 'decided' AND principal = ?", [
          caller,
        ]),
      ).toMatchObject([{ outcome: "approve (elicitation, client protocol-test)" }]);
      const again = await client.call("delete_file", { key });
      expect(again.error).toMatchObject({ kind: "not_found", sideEffects: "none" });
      expect(client.dialogs).toHaveLength(1);
    });

    it("gets `denied` after a denial, and so does the identical call after it [elicitation.deny]", async (t) => {
      const { home, client, key } = await setUp(t, inProcess(way), "deny");
      const first = await client.call("delete_file", { key });
      const second = await client.call("delete_file", { key });
      for (const { error, text } of [first, second]) {
        expect(error).toMatchObject({ kind: "denied", sideEffects: "none", retryable: false });
        expect(text).toContain("Nothing was done");
      }
      expect(approvalOf(second).id).toBe(approvalOf(first).id);
      expect(client.dialogs).toHaveLength(1);
      expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
    });

    it.for(["decline", "cancel"] as const)(
      "treats %s as `not here`: the person is asked once, and another channel can still approve",
      async (reaction, t) => {
        const { home, client, caller, key } = await setUp(t, inProcess(way), reaction);
        const first = await client.call("delete_file", { key });
        expect(first.error).toMatchObject({ kind: "approval_required", sideEffects: "none" });
        const { id, status, answered } = approvalOf(first);
        expect({ status, answered }).toEqual({ status: "pending", answered: "not here" });
        expect(first.text).toMatch(
          /The client answered without a decision\. If the user pressed Decline, do not ask again; otherwise the user can decide /,
        );
        expect(first.text).not.toContain("closed");
        const second = await client.call("delete_file", { key });
        expect(approvalOf(second).id).toBe(id);
        expect(client.dialogs).toHaveLength(1);
        expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });

        await decideHere(home, "approve", id);
        const third = await afterRun(() => client.call("delete_file", { key }));
        expect(third.output).toMatchObject({ key, deleted: true });
        expect(client.dialogs).toHaveLength(1);
        expect(await storedFile(home, key)).toEqual({ there: false, undoCopies: 1 });
        expect(await runsOf(home, "delete_file", caller)).toBe(1);
      },
    );

    it("without an answer gets the decision of another channel [channels.first-wins]", async (t) => {
      const { home, client, caller, key } = await setUp(t, inProcess(way), "nothing");
      const open = client.call("delete_file", { key });
      await vi.waitFor(() => expect(client.dialogs).toHaveLength(1), 30_000);
      const id = await newestTicket(home, caller);
      expect(await storedStatus(home, id)).toBe("pending");
      // An identical call joins the request without another question.
      expect(approvalOf(await client.call("delete_file", { key })).id).toBe(id);
      expect(client.dialogs).toHaveLength(1);

      await decideHere(home, "approve", id);
      if (isModern(way.kind)) {
        // The first call ended with the question, which the client still holds: the next one brings the result.
        open.catch(() => undefined);
        const next = await afterRun(() => client.call("delete_file", { key }));
        expect(next.output).toMatchObject({ deleted: true });
      } else {
        expect((await open).output).toMatchObject({ deleted: true });
      }
      expect(await storedFile(home, key)).toEqual({ there: false, undoCopies: 1 });
    });

    it("without elicitation gets `approval_required` soon, and the result after an approval elsewhere [approval.without-dialog]", async (t) => {
      const { home, client, caller, key } = await setUp(t, inProcess(way));
      const prefix = key.slice(0, key.indexOf("/") + 1);
      expect((await client.call("list_files", { prefix })).output).toMatchObject({
        files: [{ key }],
      });
      const began = performance.now();
      const first = await client.call("delete_file", { key });
      expect(performance.now() - began).toBeLessThan(9_000);
      expect(first.error).toMatchObject({ kind: "approval_required", sideEffects: "none" });
      const { id, tool, status, fingerprint, expiresAt } = approvalOf(first);
      expect({ tool, status }).toEqual({ tool: "delete_file", status: "pending" });
      expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
      expect(first.text).toContain(id);
      expect(first.text).toContain(fingerprint);
      expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });

      await decideHere(home, "approve", id);
      const second = await afterRun(() => client.call("delete_file", { key }));
      expect(second.output).toMatchObject({ deleted: true });
      expect(await storedFile(home, key)).toEqual({ there: false, undoCopies: 1 });
      expect(await runsOf(home, "delete_file", caller)).toBe(1);
    });

    it("without elicitation gets `denied` after a denial elsewhere, and nothing happens", async (t) => {
      const { home, client, key } = await setUp(t, inProcess(way));
      const { id } = approvalOf(await client.call("delete_file", { key }));
      await decideHere(home, "deny", id);
      const answer = await client.call("delete_file", { key });
      expect(answer.error).toMatchObject({ kind: "denied", approval: { id, status: "denied" } });
      expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
    });
  });
});

describe.concurrent("a dialog of the 2025 era", () => {
  describe.for(transports)("over %s", (over) => {
    it(
      "without an answer is closed, and the call returns within 45 s with the open request [elicitation.deadline]",
      { timeout: 90_000 },
      async (t) => {
        const { home, client, key } = await setUp(
          t,
          inProcess({ kind: "v2 legacy", over }),
          "nothing",
        );
        const began = performance.now();
        const answer = await client.call("delete_file", { key });
        expect(performance.now() - began).toBeLessThan(50_000);
        expect(answer.error).toMatchObject({
          kind: "approval_required",
          sideEffects: "none",
          approval: { status: "pending" },
        });
        await vi.waitFor(() => expect(client.dialogs).toMatchObject([{ closed: true }]), 30_000);
        expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
      },
    );

    it("is closed when the request is decided at another channel", async (t) => {
      const { home, client, caller, key } = await setUp(
        t,
        inProcess({ kind: "v2 legacy", over }),
        "nothing",
      );
      const open = client.call("delete_file", { key });
      await vi.waitFor(() => expect(client.dialogs).toHaveLength(1), 30_000);
      await decideHere(home, "deny", await newestTicket(home, caller));
      expect((await open).error).toMatchObject({ kind: "denied", sideEffects: "none" });
      await vi.waitFor(() => expect(client.dialogs).toMatchObject([{ closed: true }]), 30_000);
    });

    it("is closed when the client cancels the call, and the request stays open", async (t) => {
      const { home, client, caller, key } = await setUp(
        t,
        inProcess({ kind: "v2 legacy", over }),
        "nothing",
      );
      const cancelling = new AbortController();
      const open = client.call("delete_file", { key }, { signal: cancelling.signal });
      await vi.waitFor(() => expect(client.dialogs).toHaveLength(1), 30_000);
      cancelling.abort();
      await expect(open).rejects.toThrow(/abort/i);
      await vi.waitFor(() => expect(client.dialogs).toMatchObject([{ closed: true }]), 30_000);
      expect(await storedStatus(home, await newestTicket(home, caller))).toBe("pending");
      expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
    });
  });
});
