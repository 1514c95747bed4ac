import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { ToolError } from "../../src/core/tool/tool-error.ts";
import { internal } from "../../src/core/tool/untrusted-text.ts";
import { approve, deny } from "../contract/ticket-fixtures.ts";
import {
  type Spec,
  asked,
  audit,
  call,
  calls,
  done,
  pass,
  refused,
  reset,
  resume,
  seesVersion,
  settings,
  tool,
  use,
} from "./call-pipeline-world.ts";

beforeEach(reset);

describe("a failing tool [errors.says-what-not]", () => {
  it("that hangs is a timeout, with unknown effect if it acts", async () => {
    settings.callTimeoutMs = 1;
    const execute = (): Promise<never> => new Promise(() => undefined);
    use(tool("read", { operation: "reads", execute }), tool("act", { risk: "medium", execute }));
    expect(refused(await call("read"))).toMatchObject({ kind: "timeout", sideEffects: "none" });
    expect(refused(await call("act"))).toMatchObject({
      kind: "timeout",
      sideEffects: "unknown",
      retryable: false,
    });
  });

  it("that hangs after approval leaves the request unknown, without a repetition", async () => {
    settings.callTimeoutMs = 1;
    use(tool("remove", { risk: "high", execute: () => new Promise(() => undefined) }));
    const error = refused(await resume(await asked("remove"), approve));
    expect(error).toMatchObject({ sideEffects: "unknown", approval: { status: "unknown" } });
  });

  it("that throws unexpectedly is internal, with unknown effect if it acts, without its text", async () => {
    const execute = (): Promise<never> => Promise.reject(new Error("secret at /etc/x"));
    use(tool("read", { operation: "reads", execute }), tool("act", { risk: "medium", execute }));
    for (const [name, sideEffects] of Object.entries({ read: "none", act: "unknown" })) {
      const error = refused(await call(name));
      expect(error).toMatchObject({ kind: "internal", sideEffects });
      expect(JSON.stringify(error)).not.toContain("secret");
    }
  });

  it("that answers in another form is internal, with unknown effect if it acts", async () => {
    const execute: Spec["execute"] = async () => JSON.parse('{"ok":"yes"}') as never;
    use(tool("read", { operation: "reads", execute }), tool("act", { risk: "medium", execute }));
    expect(refused(await call("read"))).toMatchObject({ kind: "internal", sideEffects: "none" });
    expect(refused(await call("act"))).toMatchObject({ kind: "internal", sideEffects: "unknown" });
  });

  // The title of a deleted event of the user, which delete_event keeps for the record, was in check_approval's text.
  it("keeps the internal fields of its stored result from its caller", async () => {
    const output = z.object({ ok: z.literal(true), key: internal(z.string()) });
    use({ ...tool("remove", { risk: "high" }), output });
    const id = await asked("remove");
    await resume(id, approve);
    const ticket = await settings.tickets.find(id);
    expect(ticket).toMatchObject({ output: { ok: true, key: "a" } });
    expect(await calls.forCaller(ticket!)).toEqual({ ...ticket, output: { ok: true } });
  });

  it("that fails after its effect leaves open whether it was done", async () => {
    // Every failure after execute was answered with "Nothing was done."
    const text: Spec["text"] = () => {
      throw new Error("no words");
    };
    use(tool("act", { risk: "medium", text }), tool("remove", { risk: "high", text }));
    const outcomes = [await call("act"), await resume(await asked("remove"), approve)];
    for (const outcome of outcomes) {
      expect(refused(outcome)).toMatchObject({ kind: "internal", sideEffects: "unknown" });
      expect(refused(outcome).message).not.toContain("Nothing was done");
    }
  });

  it("is recorded as finished if it had begun, not as refused", async () => {
    const execute = (): Promise<never> => Promise.reject(new ToolError("conflict", "It changed."));
    use(tool("act", { risk: "medium", execute }));
    await call("act");
    await audit.flush();
    expect(audit.events).toMatchObject([
      { type: "started" },
      { type: "finished", outcome: "conflict" },
    ]);
  });

  it("after approval repeats its error, and the next call is a new request [tickets.failed-opens]", async () => {
    const execute = (): Promise<never> => Promise.reject(new ToolError("conflict", "It changed."));
    use(tool("remove", { risk: "high", execute }));
    const ticketId = await asked("remove");
    expect(refused(await resume(ticketId, approve))).toMatchObject({
      kind: "conflict",
      approval: { status: "failed" },
    });
    expect(await asked("remove")).not.toBe(ticketId);
  });

  it("whose end could not be recorded says that it may have happened", async () => {
    settings.tickets = {
      ...settings.tickets,
      finish: () => Promise.reject(new ToolError("unavailable", "The database is unavailable.")),
    };
    use(tool("remove", seesVersion));
    const error = refused(await resume(await asked("remove"), approve));
    expect(error).toMatchObject({ sideEffects: "unknown", retryable: false });
  });
});

describe("a tool that also answers without approval [tickets.without-approval]", () => {
  const dynamic: Partial<Spec> = {
    risk: "dynamic",
    operation: "reads",
    prepare: async ({ key }) => (key === "private" ? { risk: "high" } : { risk: "low" }),
    withoutApproval: async (_args, _context, { status }) => ({ ok: true, key: `only ${status}` }),
  };

  it("runs immediately if the call's own risk is low", async () => {
    use(tool("events", dynamic));
    expect(await call("events", { key: "public" })).toMatchObject(done("public"));
  });

  it("asks first, and returns the free part until a decision", async () => {
    // The call was answered immediately, so that no dialog was ever shown.
    use(tool("events", dynamic));
    const ticketId = await asked("events", { key: "private" });
    expect(await resume(ticketId)).toMatchObject(done("only pending"));
  });

  it("returns the same after a denial and after expiry, never an error", async () => {
    use(tool("events", dynamic));
    const denied = await asked("events", { key: "private" });
    expect(await resume(denied, deny)).toMatchObject(done("only denied"));
    expect(await call("events", { key: "private" })).toMatchObject(done("only denied"));
    const late = await asked("events", { key: "private", extra: "late" });
    pass(60_000);
    expect(await resume(late)).toMatchObject(done("only expired"));
  });

  it("returns everything after approval", async () => {
    use(tool("events", dynamic));
    const ticketId = await asked("events", { key: "private" });
    expect(await resume(ticketId, approve)).toMatchObject(done("private"));
  });
});

describe("a caller's view of a request [effect.model-sees-no-facts]", () => {
  it("never contains prepare's facts about the target", async () => {
    use(tool("remove", seesVersion));
    const ticketId = await asked("remove");
    const answers = [
      refused(await resume(ticketId, deny)),
      refused(await call("remove")),
      audit.events,
    ];
    expect(JSON.stringify(answers)).not.toContain("SECRET-FACT");
    const { ticket } = await settings.tickets.findIdentical({
      principal: "local",
      digest: audit.events[0]!.digest!,
      configHash: "config",
    });
    expect(JSON.stringify(ticket?.effect.forPerson)).toContain("SECRET-FACT");
  });

  it("is empty for an absent request", async () => {
    use(tool("remove", seesVersion));
    expect(refused(await resume("ap_none"))).toMatchObject({ kind: "not_found" });
    expect(refused(await resume("ap_none", approve))).toMatchObject({ kind: "not_found" });
  });
});
