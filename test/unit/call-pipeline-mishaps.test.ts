import { beforeEach, describe, expect, it } from "vitest";
import { reasonOfCancel } from "../../src/core/call/caller-stop.ts";
import { LazySignal } from "../../src/core/shared/lazy-signal.ts";
import { decideTicket } from "../../src/core/approvals/decide-ticket.ts";
import { ToolError } from "../../src/core/tool/tool-error.ts";
import { writeFile } from "../../src/tools/files/write-file.ts";
import {
  asked,
  audit,
  call,
  calls,
  done,
  live,
  pass,
  refused,
  reset,
  resume,
  seesVersion,
  settings,
  steps,
  tool,
  use,
} from "./call-pipeline-world.ts";

const approve = { verdict: "approve", channel: "page", by: "operator" } as const;
const unavailable = new ToolError("unavailable", "The log is unavailable.");

beforeEach(reset);

describe("a decision", () => {
  it("counts even if the audit record is unavailable, and is recorded later", async () => {
    // The result was "Nothing was changed", but the approved call ran.
    use(tool("remove", seesVersion));
    const ticketId = await asked("remove");
    audit.fail(unavailable);
    const { won, ticket } = await decideTicket(settings, ticketId, approve);
    expect({ won, status: ticket.status }).toEqual({ won: true, status: "approved" });
    audit.fail(undefined);
    await audit.flush();
    expect(audit.events.at(-1)).toMatchObject({ type: "decided", ticketId });
  });

  it("in the client after another channel's decision returns the request's status", async () => {
    // The error was a conflict that said that nothing was decided, while the call ran.
    use(tool("remove", seesVersion));
    const ticketId = await asked("remove");
    await settings.tickets.putQuestion(ticketId, "state", 60_000);
    await decideTicket(settings, ticketId, approve);
    const answer = { ...approve, channel: "elicitation", stateHash: "state" } as const;
    expect(await resume(ticketId, answer)).toMatchObject(done());
    expect(steps.filter((step) => step.startsWith("execute"))).toHaveLength(1);
  });

  it("in the client counts once: the same answer again is a conflict", async () => {
    use(tool("remove", seesVersion));
    const ticketId = await asked("remove");
    await settings.tickets.putQuestion(ticketId, "state", 60_000);
    const answer = { ...approve, channel: "elicitation", stateHash: "state" } as const;
    expect(await resume(ticketId, answer)).toMatchObject(done());
    expect(refused(await resume(ticketId, answer)).kind).toBe("conflict");
  });
});

describe("a run", () => {
  it("is not started after its lease lapsed", async () => {
    // The lease lapsed while `started` waited for the log, but the effect followed.
    use(tool("remove", seesVersion));
    const ticketId = await asked("remove");
    const log = settings.audit;
    settings.audit = {
      ...log,
      append: async (event) => {
        await log.append(event);
        if (event.type === "started") pass(16_000);
      },
    };
    use(tool("remove", seesVersion));
    const error = refused(await resume(ticketId, approve));
    expect(error).toMatchObject({ kind: "unavailable", sideEffects: "none" });
    expect(steps.filter((step) => step.startsWith("execute"))).toEqual([]);
  });
});

describe("a run whose caller cancels it before the tool begins", () => {
  // The cancellation was lost while the start was recorded, so the approved call was sent after it.
  it("is not sent, and says that nothing was done", async () => {
    const stop = new LazySignal();
    const log = settings.audit;
    settings.audit = {
      ...log,
      append: async (event) => {
        await log.append(event);
        if (event.type === "started") stop.abort(reasonOfCancel("no longer needed"));
      },
    };
    const interruptible = tool("send", {
      ...seesVersion,
      execute: async ({ key }, { cancellation }) => {
        if (cancellation.aborted)
          throw new ToolError("cancelled", "The call was cancelled. Nothing was done.");
        steps.push("sent");
        return { ok: true as const, key };
      },
    });
    use({ ...interruptible, isInterruptible: true });
    const ticketId = await asked("send");
    const outcome = await calls.follow(ticketId, { signal: stop }, () => {
      return calls.resume(ticketId, stop, approve);
    });
    expect(steps).not.toContain("sent");
    expect(refused(outcome)).toMatchObject({ kind: "cancelled", sideEffects: "none" });
  });
});

describe("a call that its caller cancels before it is run or asked about", () => {
  // A person was asked about a call that was cancelled while its server started.
  it.each([
    ["high", ["budget high", "not asked high"]],
    ["medium", ["budget medium"]],
  ] as const)("has no effect at %s risk, and opens no request", async (risk, spent) => {
    const stop = new LazySignal();
    const { budget } = settings;
    settings.budget = {
      ...budget,
      spend: (charge) => {
        stop.abort(reasonOfCancel("no longer needed"));
        return budget.spend(charge);
      },
    };
    use(tool("send", { risk }));
    const caller = { principal: "local", client: "test", signal: stop };
    const outcome = await calls.call({ tool: "send", arguments: { key: "a" }, ...caller });
    expect(refused(outcome)).toMatchObject({ kind: "cancelled", sideEffects: "none" });
    expect(steps.filter((step) => /^(?:budget|not asked|execute)/.test(step))).toEqual(spent);
    expect(await settings.tickets.list({ limit: 1 })).toEqual([]);
  });
});

describe("a request as shown to the model", () => {
  it("has the arguments as the caller sent them, and not those that `prepare` added", async () => {
    const completed = tool("remove", {
      ...seesVersion,
      prepare: async (args) => ({
        version: "v1",
        args: { ...args, extra: "17:17, from the target" },
        effect: {
          headline: "Do",
          mentions: [],
          facts: [],
          forClient: { headline: "Do", mentions: [] },
        },
      }),
    });
    use(completed);
    const outcome = await call("remove");
    const effect = outcome.kind === "waiting" ? outcome.ticket.effect : undefined;
    expect(JSON.stringify(effect?.forModel)).not.toContain("17:17");
    expect(JSON.stringify(effect?.forDialog)).not.toContain("17:17");
    expect(JSON.stringify(effect?.forPerson)).toContain("17:17");
  });
});

describe("a long run of white space", () => {
  it("that is not base64 is rejected immediately", { timeout: 5_000 }, async () => {
    // The call blocked the whole server for half a minute.
    const args = writeFile.input.parse({
      key: "a",
      encoding: "base64",
      content: `${" ".repeat(150_000)}!`,
    });
    const context = { ports: {} as never, principal: "local", signal: live, cancellation: live };
    await expect(writeFile.prepare?.(args, context)).rejects.toMatchObject({
      kind: "invalid_input",
    });
  });
});
