import { beforeEach, describe, expect, it } from "vitest";
import {
  type RepeatedFailureGuard,
  createRepeatedFailureGuard,
} from "../../src/core/budget/repeated-failure-guard.ts";
import { ToolError } from "../../src/core/tool/tool-error.ts";
import {
  call,
  done,
  pass,
  refused,
  reset,
  settings,
  steps,
  tool,
  use,
} from "./call-pipeline-world.ts";

const minute = 60_000;
const missing = new ToolError("not_found", "There is no file a.");

describe("a call that fails repeatedly", () => {
  let at: number;
  let loops: RepeatedFailureGuard;
  beforeEach(() => {
    at = 1e6;
    loops = createRepeatedFailureGuard(() => at);
  });
  const fail = (times: number, error = missing, digest = "call"): void => {
    const unread = { principal: "alice", tool: "look", arguments: undefined };
    for (let time = 0; time < times; time += 1) loops.failed(unread, digest, error);
  };
  function stopped(digest = "call", principal = "alice"): unknown {
    try {
      loops.assertNotRepeating({ principal, digest });
      return undefined;
    } catch (error) {
      return error;
    }
  }
  const isStopped = (digest?: string): boolean => stopped(digest) !== undefined;
  const succeed = (digest: string, acted: boolean, principal = "alice"): void =>
    loops.succeeded({ principal, digest }, acted);

  it("is stopped after the fifth time, with the reason and when to try again [loops.stopped]", () => {
    fail(4);
    expect(isStopped()).toBe(false);
    fail(1);
    expect(stopped()).toMatchObject({
      kind: "budget_exceeded",
      message:
        "This call has failed 5 times in a row in the same way, so it was not tried again. The last time: not_found: There is no file a.",
      hint: expect.stringContaining("Change the arguments") as string,
      retryAfterSeconds: 60,
    });
    expect(isStopped("another call")).toBe(false);
    expect(stopped("call", "bob")).toBeUndefined();
  });

  it("gets one more try after a minute [loops.stopped]", () => {
    fail(5);
    at += minute;
    expect(isStopped()).toBe(false);
    fail(1);
    expect(isStopped()).toBe(true);
  });

  it("starts again when it fails in another way, or much later", () => {
    fail(4);
    fail(1, new ToolError("timeout", "Slow."));
    fail(4);
    expect(isStopped()).toBe(false);
    at += 5 * minute;
    fail(1);
    expect(isStopped()).toBe(false);
  });

  it("starts again after a success that may have changed something", () => {
    fail(5);
    succeed("another call", false);
    succeed("another call", true, "bob");
    expect(isStopped()).toBe(true);
    succeed("call", false);
    expect(isStopped()).toBe(false);
    fail(5);
    succeed("another call", true);
    expect(isStopped()).toBe(false);
  });

  it.each(["approval_required", "denied", "forbidden", "cancelled", "budget_exceeded"] as const)(
    "is not counted if a person or a limit caused it: %s",
    (kind) => {
      fail(9, new ToolError(kind, "Not now."));
      expect(isStopped()).toBe(false);
    },
  );

  it("is found among others, and dropped when there are too many", () => {
    fail(5);
    for (let other = 0; other < 63; other += 1) fail(1, missing, `call ${other}`);
    expect(isStopped()).toBe(true);
    fail(1, missing, "one more");
    expect(isStopped()).toBe(false);
  });
});

describe("in the pipeline a repeated failure", () => {
  beforeEach(reset);

  it("no longer reaches the tool or the budget [loops.stopped]", async () => {
    use(tool("look", { operation: "reads", execute: () => Promise.reject(missing) }));
    for (let time = 0; time < 5; time += 1) {
      expect(refused(await call("look")).kind).toBe("not_found");
    }
    steps.length = 0;
    const error = refused(await call("look"));
    expect(error).toMatchObject({ kind: "budget_exceeded", sideEffects: "none" });
    expect(error.message).toContain("not_found: There is no file a.");
    expect(steps).toEqual(["note refused budget_exceeded"]);
    expect(refused(await call("look", { key: "b" })).kind).toBe("not_found");
  });

  it.each([
    ["arguments that cannot be read", "look", { kee: "a" }, "invalid_input"],
    ["no arguments at all", "look", null, "invalid_input"],
    ["a tool that there is not", "l00k", { key: "a" }, "not_found"],
  ])("of %s is reported [loops.stopped]", async (_, name, args, kind) => {
    use(tool("look"));
    for (let time = 0; time < 5; time += 1) {
      expect(refused(await call(name, args)).kind).toBe(kind);
    }
    expect(refused(await call(name, args))).toMatchObject({
      kind: "budget_exceeded",
      message: expect.stringContaining(`${kind}: `) as string,
    });
    expect(await call("look")).toMatchObject(done());
  });

  it("with arguments of extreme depth is refused like the others", async () => {
    use(tool("look"));
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    for (let time = 0; time < 5; time += 1) {
      expect(refused(await call("look", { key: deep })).kind).toBe("invalid_input");
    }
    expect(refused(await call("look", { key: deep })).kind).toBe("budget_exceeded");
  });

  it("does not include denials and questions", async () => {
    use(tool("remove", { risk: "high" }));
    const first = await call("remove");
    for (let time = 0; time < 9; time += 1) expect((await call("remove")).kind).toBe("waiting");
    if (first.kind !== "waiting") throw new Error("nobody was asked");
    const { ticketId } = first.ticket;
    await settings.tickets.decide(
      ticketId,
      { verdict: "deny", channel: "page", by: "max" },
      minute,
    );
    for (let time = 0; time < 9; time += 1)
      expect(refused(await call("remove")).kind).toBe("denied");
    pass(15 * minute);
    expect((await call("remove")).kind).toBe("waiting");
  });
});

describe("a call that counts towards no budget", () => {
  it("belongs to a tool that declares it [budget.free]", async () => {
    reset();
    use(tool("look", { free: true }), tool("write"));
    await call("look");
    await call("write");
    expect(steps.filter((step) => step.startsWith("budget"))).toEqual(["budget low"]);
  });
});
