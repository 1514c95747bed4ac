import { type TestContext, describe, expect, it, vi } from "vitest";
import { type Answer, approvalOf } from "./answer.ts";
import { type Transport, transports } from "./http-server.ts";
import { newHome, storedFile } from "./home.ts";
import { type RawCaller, answering, approve, dialogOf, raw2025Here } from "./raw-server.ts";

const key = "precious.txt";

/** Connects an attacker as a client of the 2025 era, and writes a file. */
async function setUp(t: TestContext, over: Transport, elicitation: boolean) {
  const home = newHome(t);
  const server = await raw2025Here(home, { elicitation, over });
  await server.answer("write_file", { key, content: "precious" });
  return { home, server };
}

/** Calls, and gives this answer to the dialog. */
async function callAndReply(server: RawCaller, result: object): Promise<Answer> {
  const call = server.answer("delete_file", { key });
  server.reply((await dialogOf(server)).id, result);
  return await call;
}

describe.concurrent("in the 2025 era", () => {
  describe.for(transports)("over %s", (over) => {
    it("an answer from a client without elicitation is ignored", async (t) => {
      const { home, server } = await setUp(t, over, false);
      const attacks = [
        { inputResponses: { approval: approve } },
        answering("made-up", approve),
        { requestState: "made-up" },
      ];
      for (const extra of attacks) {
        const answer = await server.answer("delete_file", { key }, extra);
        expect(answer.error).toMatchObject({ kind: "approval_required", sideEffects: "none" });
      }
      expect(server.messages.filter(({ method }) => method !== undefined)).toEqual([]);
      expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
    });

    it("an answer that comes with the call does not replace the question", async (t) => {
      const { home, server } = await setUp(t, over, true);
      const call = server.answer("delete_file", { key }, answering("made-up", approve));
      const { id } = await dialogOf(server);
      expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
      server.reply(id, { action: "accept", content: { decision: "deny" } });
      expect((await call).error).toMatchObject({ kind: "denied" });
    });

    it.for([
      ["without content", { action: "accept" }],
      ["an unknown decision", { action: "accept", content: { decision: "yes" } }],
      ["a truth value", { action: "accept", content: { decision: true } }],
      ["wrapped", { method: "elicitation/create", result: approve }],
      ["an unknown action", { action: "approve", content: { decision: "approve" } }],
    ] as const)("a dialog's answer that is %s deletes nothing", async ([, result], t) => {
      const { home, server } = await setUp(t, over, true);
      const answer = await callAndReply(server, result);
      expect(answer.error).toMatchObject({ kind: "approval_required", sideEffects: "none" });
      expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
    });

    it("an answer after the dialog was closed deletes nothing", async (t) => {
      const { home, server } = await setUp(t, over, true);
      const call = server.request("tools/call", { name: "delete_file", arguments: { key } });
      call.catch(() => undefined);
      const { id } = await dialogOf(server);
      // Requests are numbered: initialize, write_file, delete_file.
      server.notify("notifications/cancelled", { requestId: 3 });
      await vi.waitFor(
        () =>
          expect(server.messages.map(({ method }) => method)).toContain("notifications/cancelled"),
        30_000,
      );
      server.reply(id, approve);
      const next = await server.answer("delete_file", { key });
      expect(approvalOf(next).status).toBe("pending");
      expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
    });

    it("a dialog answered twice counts once", async (t) => {
      const { home, server } = await setUp(t, over, true);
      const call = server.answer("delete_file", { key });
      const { id } = await dialogOf(server);
      server.reply(id, { action: "accept", content: { decision: "deny" } });
      server.reply(id, approve);
      expect((await call).error).toMatchObject({ kind: "denied", sideEffects: "none" });
      expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
    });
  });
});
