import { beforeEach, describe, expect, it } from "vitest";
import { everybody } from "../../src/core/approvals/ticket.ts";
import { approve, deny } from "../contract/ticket-fixtures.ts";
import {
  asked,
  call,
  calls,
  done,
  refused,
  reset,
  resume,
  seesVersion,
  settings,
  steps,
  tool,
  use,
} from "./call-pipeline-world.ts";

beforeEach(() => {
  reset();
  use(tool("remove", seesVersion), tool("look"), tool("write", { risk: "medium" }));
});

const pause = () => settings.tickets.pause(everybody, "maria");
const executed = () => steps.filter((step) => step.startsWith("execute"));

describe("during a pause", () => {
  it("a call that needs approval is refused, without a question", async () => {
    await pause();
    expect(refused(await call("remove"))).toMatchObject({
      kind: "forbidden",
      retryable: false,
      sideEffects: "none",
      message: expect.stringContaining("Nothing was done") as string,
    });
    expect(await settings.tickets.list({ limit: 9 })).toEqual([]);
  });

  it("calls without approval run", async () => {
    await pause();
    expect(await call("look")).toMatchObject(done());
    expect(await call("write")).toMatchObject(done());
  });

  it("an identical call does not wait for the open request, which stays", async () => {
    const ticketId = await asked("remove");
    await pause();
    expect(refused(await call("remove")).kind).toBe("forbidden");
    expect((await settings.tickets.find(ticketId))?.status).toBe("pending");
  });

  it("no request can be approved at any channel, only denied", async () => {
    const ticketId = await asked("remove");
    await pause();
    expect(refused(await resume(ticketId, approve)).kind).toBe("forbidden");
    expect((await settings.tickets.find(ticketId))?.status).toBe("pending");
    expect(refused(await resume(ticketId, deny)).kind).toBe("denied");
  });

  it("a call that was just approved waits for the resume", async () => {
    const ticketId = await asked("remove");
    await settings.tickets.decide(ticketId, approve, 600_000);
    await pause();
    expect(refused(await call("remove")).kind).toBe("forbidden");
    expect(await calls.runApproved(ticketId)).toBe(false);
    expect(executed()).toEqual([]);

    await settings.tickets.resume(everybody, "operator");
    expect(await call("remove")).toMatchObject(done());
    expect(executed()).toEqual(["execute a safe v1"]);
  });

  it("a tool that answers without approval still does", async () => {
    const withoutApproval = async () => ({ ok: true as const, key: "only what is ours" });
    use(tool("remove", { ...seesVersion, withoutApproval }));
    await pause();
    await asked("remove");
    const approved = (await settings.tickets.list({ limit: 1 }))[0]!;
    await settings.tickets.decide(approved.ticketId, approve, 600_000);
    expect(await call("remove")).toMatchObject(done("only what is ours"));
    expect(executed()).toEqual([]);
  });
});
