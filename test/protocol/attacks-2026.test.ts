import { type TestContext, describe, expect, it } from "vitest";
import { answerOf, approvalOf } from "./answer.ts";
import { type Transport, transports } from "./http-server.ts";
import { newHome, newestTicket, runsOf, storedFile, storedStatus } from "./home.ts";
import { decideHere } from "./program.ts";
import { type RawCaller, answering, approve, questionOf, raw2026Here } from "./raw-server.ts";

const key = "precious.txt";
const other = "other.txt";

/** Connects an attacker as a client of the 2026 era, and writes two files. */
async function setUp(t: TestContext, over: Transport, elicitation = true) {
  const home = newHome(t);
  const server = raw2026Here(home, { elicitation, over });
  for (const each of [key, other]) {
    await server.answer("write_file", { key: each, content: "precious" });
  }
  return { home, server };
}

async function ask(server: RawCaller, fileKey = key): Promise<string> {
  return questionOf(await server.callTool("delete_file", { key: fileKey })).state;
}

async function expectUntouched(home: Parameters<typeof storedFile>[0], fileKey = key) {
  expect(await storedFile(home, fileKey)).toEqual({ there: true, undoCopies: 0 });
}

describe.concurrent("in the 2026 era", () => {
  describe.for(transports)("over %s", (over) => {
    it("an approval without a question only makes the server ask", async (t) => {
      const { home, server } = await setUp(t, over);
      const inputResponses = { approval: approve };
      const reply = await server.callTool("delete_file", { key }, { inputResponses });
      expect(questionOf(reply).message).toContain("precious.txt");
      await expectUntouched(home);
      // The question is out, so a second attempt does not even get another one.
      const again = await server.answer("delete_file", { key }, { inputResponses });
      expect(again.error?.kind).toBe("approval_required");
      await expectUntouched(home);
    });

    it("an approval from a client without elicitation is ignored", async (t) => {
      const { home, server } = await setUp(t, over, false);
      const extra = { inputResponses: { approval: approve } };
      const answer = await server.answer("delete_file", { key }, extra);
      expect(answer.error).toMatchObject({ kind: "approval_required", sideEffects: "none" });
      await expectUntouched(home);
    });

    it("a foreign state deletes and consumes nothing, and the correct answer still works [elicitation.state]", async (t) => {
      const { home, server } = await setUp(t, over);
      const state = await ask(server);
      const tampered = `${state.slice(0, -1)}${state.endsWith("A") ? "B" : "A"}`;
      const made = ["", "v1.eyJwIjp7fX0.AAAA", "A".repeat(100_000)];
      for (const wrong of [tampered, ...made, 42, true, null, { n: "x" }, [state]]) {
        const reply = await server.callTool("delete_file", { key }, answering(wrong, approve));
        if (reply.error !== undefined) expect(reply.error.code).toBe(-32602);
        else {
          // `null` counts as absent. The call then joins the open question without another one.
          const kind = wrong === null ? "approval_required" : "conflict";
          expect(answerOf(reply.result).error).toMatchObject({ kind, sideEffects: "none" });
        }
        await expectUntouched(home);
      }
      const right = await server.answer("delete_file", { key }, answering(state, approve));
      expect(right.output).toMatchObject({ deleted: true });
    });

    it("the state of one request answers no other, and both still work with their own", async (t) => {
      const { home, server } = await setUp(t, over);
      const states = [await ask(server, key), await ask(server, other)];
      const crossed = await Promise.all([
        server.answer("delete_file", { key }, answering(states[1], approve)),
        server.answer("delete_file", { key: other }, answering(states[0], approve)),
      ]);
      expect(crossed.map(({ error }) => error?.kind)).toEqual(["conflict", "conflict"]);
      await expectUntouched(home, key);
      await expectUntouched(home, other);
      const right = await Promise.all([
        server.answer("delete_file", { key }, answering(states[0], approve)),
        server.answer("delete_file", { key: other }, answering(states[1], approve)),
      ]);
      expect(right.map(({ output }) => output?.["key"])).toEqual([key, other]);
    });

    it("a state with other arguments or another tool is a conflict", async (t) => {
      const { home, server } = await setUp(t, over);
      const state = await ask(server);
      const attacks = [
        ["delete_file", { key: other }],
        ["delete_file", { key, extra: true }],
        ["write_file", { key, content: "replaced" }],
        ["list_files", {}],
        ["no_such_tool", { key }],
        ["delete_file", { key: `${key}\uD800` }],
      ] as const;
      for (const [tool, args] of attacks) {
        const attack = await server.answer(tool, args, answering(state, approve));
        expect(attack.error, tool).toMatchObject({ kind: "conflict", sideEffects: "none" });
      }
      await expectUntouched(home, key);
      await expectUntouched(home, other);
      const right = await server.answer("delete_file", { key }, answering(state, approve));
      expect(right.output).toMatchObject({ deleted: true });
    });

    it("an answer that comes too late is a conflict, and the request keeps waiting", async (t) => {
      const { home, server } = await setUp(t, over);
      const state = await ask(server);
      await home.sql("UPDATE tickets SET question_expires_at = question_put_at");
      const late = await server.answer("delete_file", { key }, answering(state, approve));
      expect(late.error).toMatchObject({ kind: "conflict", sideEffects: "none" });
      await expectUntouched(home);
      expect(await storedStatus(home, await newestTicket(home))).toBe("pending");
      // The question was not answered, so the next call asks again with another state.
      const next = await ask(server);
      expect(next).not.toBe(state);
      const right = await server.answer("delete_file", { key }, answering(next, approve));
      expect(right.output).toMatchObject({ deleted: true });
    });

    it("of three simultaneous replays one wins, and the file is deleted once [elicitation.single-use]", async (t) => {
      const { home, server } = await setUp(t, over);
      const state = await ask(server);
      const replay = () => server.answer("delete_file", { key }, answering(state, approve));
      const answers = await Promise.all([replay(), replay(), replay()]);
      expect(answers.filter(({ isError }) => !isError)).toHaveLength(1);
      for (const { error } of answers.filter(({ isError }) => isError)) {
        expect(error).toMatchObject({ kind: "conflict", sideEffects: "none" });
      }
      expect(await storedFile(home, key)).toEqual({ there: false, undoCopies: 1 });
      expect(await runsOf(home, "delete_file")).toBe(1);
    });

    it("a replay after success deletes nothing, even after the file was restored", async (t) => {
      const { home, server } = await setUp(t, over);
      const state = await ask(server);
      await server.answer("delete_file", { key }, answering(state, approve));
      await server.answer("write_file", { key, content: "it is back" });
      const replay = await server.answer("delete_file", { key }, answering(state, approve));
      expect(replay.error).toMatchObject({ kind: "conflict", sideEffects: "none" });
      expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 1 });
    });

    it("a denial cannot be changed by a second answer", async (t) => {
      const { home, server } = await setUp(t, over);
      const state = await ask(server);
      const deny = { action: "accept", content: { decision: "deny" } };
      const denied = await server.answer("delete_file", { key }, answering(state, deny));
      expect(denied.error?.kind).toBe("denied");
      expect(denied.text).not.toContain("The user says");
      const turned = await server.answer("delete_file", { key }, answering(state, approve));
      expect(turned.error).toMatchObject({ kind: "conflict", sideEffects: "none" });
      await expectUntouched(home);
    });

    it("a denial's sentence reaches the assistant as the user's words [denial.note]", async (t) => {
      const { home, server } = await setUp(t, over);
      const state = await ask(server);
      const content = { decision: "deny_may_ask_again", message: "Move it instead" };
      const deny = { action: "accept", content };
      const denied = await server.answer("delete_file", { key }, answering(state, deny));
      expect(denied.text).toMatch(
        /^The user says: \[user (\w{12})\] Move it instead \[end of user \1\]\. .*You may call/m,
      );
      await expectUntouched(home);
    });

    it("a declined question accepts no later answer [elicitation.asked-once]", async (t) => {
      const { home, server } = await setUp(t, over);
      const state = await ask(server);
      const declined = await server.answer(
        "delete_file",
        { key },
        answering(state, { action: "decline" }),
      );
      expect(approvalOf(declined).answered).toBe("not here");
      const late = await server.answer("delete_file", { key }, answering(state, approve));
      expect(late.error).toMatchObject({ kind: "conflict", sideEffects: "none" });
      await expectUntouched(home);
    });

    it("an answer after another channel's decision has no effect and returns the outcome", async (t) => {
      const { home, server } = await setUp(t, over);
      const state = await ask(server);
      await decideHere(home, "deny", await newestTicket(home));
      const late = await server.answer("delete_file", { key }, answering(state, approve));
      expect(late.error).toMatchObject({
        kind: "denied",
        approval: { answered: "deny (terminal)" },
      });
      await expectUntouched(home);
    });

    it("an invalid answer decides nothing", async (t) => {
      const { home, server } = await setUp(t, over);
      const accepted = (content?: unknown) => ({ action: "accept", content });
      const noAnswers = [
        { method: "elicitation/create", result: approve },
        undefined,
        null,
        "approve",
        accepted(),
        accepted({}),
        accepted({ decision: "yes" }),
        accepted({ decision: "APPROVE" }),
        accepted({ decision: true }),
        accepted({ decision: ["approve"] }),
        { action: "approve", content: { decision: "approve" } },
      ];
      for (const response of noAnswers) {
        await home.sql("UPDATE tickets SET question_hash = NULL");
        const state = await ask(server);
        const reply = await server.callTool("delete_file", { key }, answering(state, response));
        const shown = JSON.stringify(response);
        if (reply.error === undefined) expect(questionOf(reply).state, shown).toBe(state);
        else expect(reply.error.code, shown).toBe(-32602);
        await expectUntouched(home);
      }
      expect(await storedStatus(home, await newestTicket(home))).toBe("pending");
    });

    // A client that answers every form with nothing got the same question again and again.
    it("a question without an answer is repeated once, and then the call ends with the request's id [elicitation.no-answer]", async (t) => {
      const { home, server } = await setUp(t, over);
      const state = await ask(server);
      const empty = answering(state, { action: "accept", content: {} });
      expect(questionOf(await server.callTool("delete_file", { key }, empty)).state).toBe(state);
      const ended = await server.answer("delete_file", { key }, empty);
      expect(approvalOf(ended)).toMatchObject({
        id: await newestTicket(home),
        status: "pending",
        answered: "not here",
      });
      expect(ended.text).toMatch(
        /^The client answered without a decision\. If the user pressed Decline, do not ask again; otherwise the user can decide /m,
      );
      const late = await server.answer("delete_file", { key }, answering(state, approve));
      expect(late.error).toMatchObject({ kind: "conflict", sideEffects: "none" });
      const again = await server.answer("delete_file", { key });
      expect(again.error?.kind).toBe("approval_required");
      await expectUntouched(home);
    });

    it("a repeated question still accepts its answer", async (t) => {
      const { server } = await setUp(t, over);
      const state = await ask(server);
      await server.callTool("delete_file", { key }, answering(state, undefined));
      const right = await server.answer("delete_file", { key }, answering(state, approve));
      expect(right.output).toMatchObject({ deleted: true });
    });

    it("extra properties of an answer have no effect", async (t) => {
      const { home, server } = await setUp(t, over);
      const state = await ask(server);
      const extra = { key: other, decision: "deny", rule: "always" };
      const response = { ...approve, content: { ...extra, ...approve.content }, key: other };
      const answer = await server.answer(
        "delete_file",
        { key },
        {
          ...answering(state, response),
          inputResponses: { approval: response, second: approve },
        },
      );
      expect(answer.output).toMatchObject({ key, deleted: true });
      await expectUntouched(home, other);
    });
  });
});
