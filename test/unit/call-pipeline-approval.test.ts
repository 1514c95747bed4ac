import { beforeEach, describe, expect, it } from "vitest";
import { createCallPipeline } from "../../src/core/call/call.ts";
import { ToolError } from "../../src/core/tool/tool-error.ts";
import { approve, deny } from "../contract/ticket-fixtures.ts";
import {
  asked,
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

beforeEach(reset);

describe("an approved request", () => {
  it("runs the ticket's arguments and target, whatever the call's were [tickets.binds]", async () => {
    let version = "v1";
    use(
      tool("remove", {
        risk: "high",
        prepare: async (args) => {
          const effect = { headline: "Do", mentions: [], facts: [], forClient: "all" as const };
          return { args: { ...args, mode: "resolved" }, version: version, effect };
        },
      }),
    );
    const args = { key: "a" };
    const ticketId = await asked("remove", args);
    args.key = "b";
    version = "v2";
    await resume(ticketId, approve);
    expect(steps).toContain("execute a resolved v1");
  });

  it("runs once for two that resume it simultaneously [tickets.once]", async () => {
    use(tool("remove", seesVersion));
    const ticketId = await asked("remove");
    const outcomes = await Promise.all([
      resume(ticketId, approve),
      resume(ticketId, approve),
      resume(ticketId),
    ]);
    expect(steps.filter((step) => step.startsWith("execute"))).toEqual(["execute a safe v1"]);
    for (const outcome of outcomes.slice(0, 2)) expect(outcome).toMatchObject(done());
  });

  it("runs once for two processes [tickets.once]", async () => {
    use(tool("remove", seesVersion));
    const other = createCallPipeline({
      ...settings,
      processId: "process 2",
      tools: [tool("remove", seesVersion)],
    });
    const ticketId = await asked("remove");
    await settings.tickets.decide(ticketId, approve, 60_000);
    await Promise.all([resume(ticketId), other.resume(ticketId, live)]);
    expect(steps.filter((step) => step.startsWith("execute"))).toHaveLength(1);
  });

  it("does not run in a process with other stores [tickets.config]", async () => {
    use(tool("remove", seesVersion));
    const ticketId = await asked("remove");
    await settings.tickets.decide(ticketId, approve, 60_000);
    settings.configHash = "another bucket";
    use(tool("remove", seesVersion));
    expect(refused(await resume(ticketId))).toMatchObject({ kind: "conflict" });
    expect(steps).not.toContain("execute a safe v1");
  });

  it("does not run after its time [tickets.run-within]", async () => {
    use(tool("remove", seesVersion));
    const ticketId = await asked("remove");
    await settings.tickets.decide(ticketId, approve, 600_000);
    pass(600_000);
    expect(refused(await resume(ticketId)).approval?.status).toBe("expired");
    expect(steps).not.toContain("execute a safe v1");
  });

  it("is run by the watching process, and its result stays for the next call [tickets.done-once]", async () => {
    use(tool("remove", seesVersion));
    const ticketId = await asked("remove");
    await settings.tickets.decide(ticketId, approve, 60_000);
    await calls.runApproved(ticketId);
    expect(await call("remove")).toMatchObject(done());
    const third = await call("remove");
    expect(third).toMatchObject({
      kind: "waiting",
      ticket: {
        effect: {
          forModel: { facts: [{ label: "note", value: "done once at 12:00 UTC" }, {}, {}] },
        },
      },
    });
  });

  // Two calls found the result undelivered. The second opened a request that did not say that the call was done once.
  it("gives its result to one of two identical calls, and the other's request reports it as done [tickets.done-once]", async () => {
    use(tool("remove", seesVersion));
    const ticketId = await asked("remove");
    await settings.tickets.decide(ticketId, approve, 60_000);
    await calls.runApproved(ticketId);
    const outcomes = await Promise.all([call("remove"), call("remove")]);
    expect(outcomes.filter(({ kind }) => kind === "done")).toHaveLength(1);
    expect(outcomes.find(({ kind }) => kind === "waiting")).toMatchObject({
      ticket: {
        effect: {
          forModel: {
            facts: [
              { label: "note", value: expect.stringContaining("done once at") as string },
              {},
              {},
            ],
          },
        },
      },
    });
  });

  it("keeps its result if its caller has disconnected [tickets.done-once]", async () => {
    use(tool("remove", seesVersion));
    const ticketId = await asked("remove");
    await calls.resume(ticketId, AbortSignal.abort(), approve);
    expect(await call("remove")).toMatchObject(done());
  });
});

describe("an identical call", () => {
  it("joins the open request and is not counted [tickets.pending-joins]", async () => {
    use(tool("remove", seesVersion));
    const ticketId = await asked("remove");
    steps.length = 0;
    expect(await asked("remove", { mode: "safe", key: "a" })).toBe(ticketId);
    expect(steps).toEqual(["ticket", "note called same as before: pending"]);
  });

  it("differs with other arguments or another caller [tickets.binds]", async () => {
    use(tool("remove", seesVersion));
    const ticketId = await asked("remove");
    expect(await asked("remove", { key: "b" })).not.toBe(ticketId);
    const other = await call("remove", { key: "a" }, "alice");
    expect(other).toMatchObject({ kind: "waiting", ticket: { principal: "alice" } });
  });

  it("is refused for 15 minutes after a denial, without a question [tickets.denied-stands]", async () => {
    use(tool("remove", seesVersion));
    const ticketId = await asked("remove");
    expect(refused(await resume(ticketId, deny)).kind).toBe("denied");
    steps.length = 0;
    expect(refused(await call("remove")).approval?.id).toBe(ticketId);
    expect(steps).toEqual(["ticket", "note called same as before: denied"]);
    pass(15 * 60_000);
    expect(await asked("remove")).not.toBe(ticketId);
  });

  it("runs what was approved meanwhile, even if the target cannot be read now [tickets.approved-runs]", async () => {
    let looks = 0;
    use(
      tool("remove", {
        risk: "high",
        prepare: async () => {
          looks += 1;
          if (looks > 1) throw new ToolError("not_found", "It is gone.");
          return { version: "v1" };
        },
      }),
    );
    const ticketId = await asked("remove");
    await settings.tickets.decide(ticketId, approve, 60_000);
    expect(await call("remove")).toMatchObject(done());
  });

  it("after an unknown end first says that it may already have happened [tickets.unknown-leads]", async () => {
    use(tool("remove", seesVersion));
    const ticketId = await asked("remove");
    await settings.tickets.decide(ticketId, approve, 60_000);
    await settings.tickets.claim(ticketId, "a process that died", "config", 15_000);
    pass(15_000);
    const outcome = await call("remove");
    expect(outcome).toMatchObject({ kind: "waiting", ticket: { status: "pending" } });
    expect(JSON.stringify(outcome)).toContain("may already have happened");
    expect(JSON.stringify(outcome)).toContain("Check the target first.");
  });
});
