import { describe, expect, it, vi } from "vitest";
import { ToolError } from "../../src/core/tool/tool-error.ts";
import type { ServerEntry } from "../../src/ports/upstream/upstream-server.ts";
import { definitionHash } from "../../src/upstream/pins.ts";
import { createServerPool } from "../../src/upstream/running/server-pool.ts";
import { quietLog } from "../fakes/quiet-log.ts";

const tool = { name: "look", inputSchema: { type: "object" } };

function entryOf(name: string, args: string[] = []): ServerEntry {
  const target = { kind: "process", command: "x", args, env: {}, directory: "/" } as const;
  const labels = { reads: "private", sends: true } as const;
  return {
    name,
    target,
    place: "",
    identity: name,
    tools: {},
    preview: {},
    timeoutMs: 1,
    ...labels,
  };
}

/** Creates a pool of servers that only count. `broken` servers do not start. */
function openPool({
  isBroken = () => false,
  answers = () => true,
}: { isBroken?: () => boolean; answers?: () => boolean } = {}) {
  let now = 0;
  let lists = 0;
  const said: string[] = [];
  const waiting: (() => void)[] = [];
  const troubles: (string | undefined)[] = [];
  const listeners: (() => void)[] = [];
  let hasChanged = false;
  const pool = createServerPool({
    command: "node main.js",
    trouble: (_entry, trouble) => void troubles.push(trouble?.what),
    connect: async ({ name }) => {
      said.push(`start ${name}`);
      if (isBroken()) throw new ToolError("unavailable", `The server ${name} is broken.`);
      let isClosed = false;
      return {
        list: async () => await Promise.resolve([tool]),
        leftOut: [],
        call: async ({ arguments: args }) => {
          if (args["wait"] === true)
            await new Promise<void>((resolve) => waiting.push(() => resolve()));
          if (args["crash"] === true) isClosed = true;
          if (isClosed) throw new ToolError("unavailable", "The server ended.");
          if (args["late"] === true) throw new ToolError("timeout", "The server is late.");
          return { isError: false, blocks: [] };
        },
        answers: async (withinMs) => {
          said.push(`ping ${name} ${withinMs}`);
          return await Promise.resolve(answers());
        },
        takeListChanged: () => {
          const was = hasChanged;
          hasChanged = false;
          return was;
        },
        onListChanged: (listener) => void listeners.push(listener),
        get isClosed() {
          return isClosed;
        },
        close: async () => await Promise.resolve(void said.push(`close ${name}`)),
      };
    },
    listed: async () => await Promise.resolve(void (lists += 1)),
    log: quietLog,
    now: () => now,
  });
  const call = async (entry: ServerEntry, args = {}) =>
    await pool.send({
      entry,
      tool: "look",
      hash: definitionHash(tool),
      arguments: args,
      acts: false,
      signal: new AbortController().signal,
    });
  const sayListChanged = (): void => {
    hasChanged = true;
    for (const listener of listeners) listener();
  };
  const pass = (ms: number) => (now += ms);
  return { pool, said, troubles, waiting, call, pass, sayListChanged, lists: () => lists };
}

describe("the pool of servers", () => {
  it("waits 1 s after a failed start, doubles the wait up to 60 s, and forgets it after a restart", async () => {
    let isBroken = true;
    const { pool, said, call, pass } = openPool({ isBroken: () => isBroken });
    const notes = entryOf("notes");
    const waits: (number | undefined)[] = [];
    for (let tries = 0; tries < 8; tries += 1) {
      await expect(call(notes)).rejects.toThrow("is broken");
      const refused = await call(notes).catch((thrown: unknown) => thrown);
      if (!(refused instanceof ToolError)) throw new Error("not refused");
      waits.push(refused.retryAfterSeconds);
      pass((refused.retryAfterSeconds ?? 0) * 1_000);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(said).toHaveLength(8);
    await expect(call(notes)).rejects.toThrow("is broken");
    isBroken = false;
    pool.restart("notes");
    await call(notes);
    expect(said).toHaveLength(10);
  });

  // Only failed starts had a wait, so that a server which crashed at each call was started at each call.
  it("waits after the third crash in a row, doubles the wait up to 60 s, and forgets it after an answer", async () => {
    const { said, troubles, call, pass } = openPool();
    const notes = entryOf("notes");
    const crash = async (): Promise<void> =>
      await expect(call(notes, { crash: true })).rejects.toThrow("ended");
    const refusal = async (): Promise<unknown> =>
      await call(notes).catch((thrown: unknown) => thrown);
    await crash();
    await crash();
    for (const [index, seconds] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
      await crash();
      expect(await refusal()).toMatchObject({
        kind: "unavailable",
        sideEffects: "none",
        retryAfterSeconds: seconds,
        message: `The server notes ended ${index + 3} times in a row during a call. Nothing was done.`,
      });
      pass(seconds * 1_000);
    }
    expect(said.filter((line) => line === "start notes")).toHaveLength(10);
    await call(notes);
    expect(troubles.at(-2)).toBe("ended 10 times in a row during a call");
    expect(troubles.at(-1)).toBeUndefined();
    await crash();
    await call(notes);
  });

  it("counts the end of a server once for all its running calls, and no stop of its own", async () => {
    const { pool, troubles, waiting, call } = openPool();
    const notes = entryOf("notes");
    const calls = Array.from({ length: 5 }, () => call(notes, { wait: true }));
    const failed = Promise.all(calls.map((each) => expect(each).rejects.toThrow("ended")));
    await vi.waitFor(() => expect(waiting).toHaveLength(5));
    await expect(call(notes, { crash: true })).rejects.toThrow("ended");
    for (const end of waiting) end();
    await failed;
    for (let restarts = 0; restarts < 5; restarts += 1) {
      await call(notes);
      pool.restart("notes");
    }
    await call(notes);
    expect(troubles).toEqual([]);
  });

  it("stops a server after 10 idle minutes, and never during a call", async (t) => {
    vi.useFakeTimers();
    t.onTestFinished(() => void vi.useRealTimers());
    const { said, waiting, call } = openPool();
    const long = call(entryOf("notes"), { wait: true });
    await vi.advanceTimersByTimeAsync(0);
    await call(entryOf("notes"));
    await vi.advanceTimersByTimeAsync(650_000);
    expect(said).toEqual(["start notes"]);
    waiting[0]?.();
    await long;
    await vi.advanceTimersByTimeAsync(599_000);
    expect(said).toEqual(["start notes"]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(said).toEqual(["start notes", "close notes"]);
    await call(entryOf("notes"));
    expect(said).toEqual(["start notes", "close notes", "start notes"]);
  });

  // The wait was never reset: after nine changes in a week, each later change was noticed after a minute.
  it("waits longer for each change of a list, up to 60 s, and forgets the wait after a quiet minute", async (t) => {
    vi.useFakeTimers();
    t.onTestFinished(() => void vi.useRealTimers());
    const { call, pass, sayListChanged, lists } = openPool();
    await call(entryOf("notes"));
    const advance = async (ms: number): Promise<void> => {
      pass(ms);
      await vi.advanceTimersByTimeAsync(ms);
    };
    const expectListAfter = async (ms: number): Promise<void> => {
      const before = lists();
      sayListChanged();
      await advance(ms - 1);
      expect(lists()).toBe(before);
      await advance(1);
      expect(lists()).toBe(before + 1);
    };
    const waits = [200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 51_200, 60_000, 60_000];
    for (const ms of waits) await expectListAfter(ms);
    await advance(59_999);
    await expectListAfter(60_000);
    await advance(60_000);
    await expectListAfter(200);
    await expectListAfter(400);
  });

  it("restarts one server, and leaves those with a longer name alone", async () => {
    const { pool, said, call } = openPool();
    await call(entryOf("notes"));
    await call(entryOf("notes-2"));
    pool.restart("notes");
    await call(entryOf("notes"));
    await call(entryOf("notes-2"));
    expect(said).toEqual(["start notes", "start notes-2", "close notes", "start notes"]);
  });

  it("ends a server whose entry changed after its last call, and starts the new one", async () => {
    const { pool, said, waiting, call } = openPool();
    const long = call(entryOf("notes"), { wait: true });
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    const changed = entryOf("notes", ["--new"]);
    pool.keep([changed]);
    await call(changed);
    expect(said).toEqual(["start notes", "start notes"]);
    waiting[0]?.();
    await long;
    await vi.waitFor(() => expect(said).toEqual(["start notes", "start notes", "close notes"]));
    await pool.close();
  });

  it("starts a server again that is silent after a call timed out", async () => {
    let isAlive = true;
    const { said, call } = openPool({ answers: () => isAlive });
    const notes = entryOf("notes");
    const late = async (): Promise<unknown> =>
      await expect(call(notes, { late: true })).rejects.toThrow("late");
    await late();
    await Promise.all([call(notes), call(notes)]);
    await call(notes);
    expect(said).toEqual(["start notes", "ping notes 5000"]);
    isAlive = false;
    await late();
    await Promise.all([call(notes), call(notes)]);
    expect(said.slice(2).toSorted()).toEqual(["close notes", "ping notes 5000", "start notes"]);
  });

  it("gives a server as long as a call to answer while it works on another one", async () => {
    const { said, waiting, call } = openPool();
    const slow = { ...entryOf("notes"), timeoutMs: 30_000 };
    const long = call(slow, { wait: true });
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    await expect(call(slow, { late: true })).rejects.toThrow("late");
    await call(slow);
    expect(said).toEqual(["start notes", "ping notes 30000"]);
    waiting[0]?.();
    await long;
  });

  it("refuses calls beyond the number that a server works on", async () => {
    const { call, waiting } = openPool();
    const calls = Array.from({ length: 64 }, () => call(entryOf("a"), { wait: true }));
    await vi.waitFor(() => expect(waiting).toHaveLength(64));
    await expect(call(entryOf("a"))).rejects.toMatchObject({
      kind: "rate_limited",
      message: "The server a is already running 64 calls. Nothing was done.",
    });
    await call(entryOf("b"));
    for (const end of waiting) end();
    await Promise.all(calls);
    await call(entryOf("a"));
  });
});
