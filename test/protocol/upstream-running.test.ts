import { existsSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { connect } from "./clients.ts";
import { newestTicket } from "./home.ts";
import { decideHere, runHere } from "./program.ts";
import {
  callsOf,
  homeWithServers,
  nodeServer,
  open,
  openHere,
  reviewed,
  setState,
} from "./upstream-home.ts";

// A change was sent without the client's progress token, and ran on after the client cancelled the call.
describe("an approved call that changes something", () => {
  async function approved(t: Parameters<typeof homeWithServers>[0], how: string) {
    const entry = nodeServer("hostile-server.mjs", { timeoutMs: 600_000 });
    const home = homeWithServers(t, { hostile: entry }, { APPROVAL_WAIT_MS: "45000" });
    await reviewed(home, "hostile");
    const client = await openHere(home);
    const stop = new AbortController();
    const told: { progress: number; total?: number | undefined }[] = [];
    const call = client.call(
      "hostile__change",
      { how },
      { signal: stop.signal, onprogress: (each) => told.push(each) },
    );
    call.catch(() => undefined);
    const approvalId = await vi.waitFor(async () => await newestTicket(home), 30_000);
    await decideHere(home, "approve", approvalId);
    const status = async () => (await client.call("check_approval", { approvalId })).whole;
    return { home, client, call, told, stop, status };
  }

  it("has its progress passed on to the client that waits", async (t) => {
    const { call, told } = await approved(t, "progress");
    expect((await call).text).toContain("fine");
    const values = told.map(({ progress }) => progress);
    expect(values).toEqual(values.toSorted((one, other) => one - other));
    const ofServer = told.filter(({ total }) => total !== undefined);
    expect(ofServer.map(({ progress, total = 0 }) => total - progress)).toEqual([1, 0]);
  });

  it("is notified when the client cancels the call, whose outcome is unknown", async (t) => {
    const { home, client, call, stop, status } = await approved(t, "nothing");
    const lines = (): string => callsOf(home, "hostile").join("\n");
    await expect.poll(lines, { timeout: 30_000 }).toContain("change nothing");
    stop.abort();
    await expect(call).rejects.toThrow(/abort/i);
    await expect.poll(lines, { timeout: 30_000 }).toMatch(/^cancelled \d+$/m);
    await expect.poll(status, { timeout: 30_000 }).toContain('"status":"unknown"');
    expect(await status()).toContain("hostile__change was cancelled. The effect may have happened");
    const again = client.call("hostile__change", { how: "nothing" });
    again.catch(() => undefined);
    await expect
      .poll(
        async () => (await runHere(home, ["approvals", "show", await newestTicket(home)])).stdout,
        { timeout: 30_000 },
      )
      .toContain("may already have happened");
    expect(lines().match(/change nothing/g)).toHaveLength(1);
  });

  it("is finished after the client's own timeout, and its result is not lost", async (t) => {
    const { home, call, stop, status, client } = await approved(t, "slow");
    const lines = (): string => callsOf(home, "hostile").join("\n");
    await expect.poll(lines, { timeout: 30_000 }).toContain("change slow");
    // The SDKs give this reason.
    stop.abort(new Error("Request timed out"));
    await expect(call).rejects.toThrow("timed out");
    expect(lines()).not.toContain("cancelled");
    setState(home, "hostile", { mayAnswer: true });
    await expect.poll(status, { timeout: 30_000 }).toContain('"status":"done"');
    expect((await client.call("hostile__change", { how: "slow" })).text).toContain("fine");
    expect(lines().match(/change slow/g)).toHaveLength(1);
  });

  // The SDK handles these clients, and its signal also aborts when a connection ends.
  it.for([
    ["v2 legacy", '"status":"unknown"'],
    // In the 2026 era the client closes the response, as a lost connection does.
    ["v2 pinned", '"status":"done"'],
  ] as const)("that a %s client cancels over HTTP ends with %s", async ([kind, end], t) => {
    const entry = nodeServer("hostile-server.mjs", { timeoutMs: 600_000 });
    const home = homeWithServers(t, { hostile: entry }, { APPROVAL_WAIT_MS: "45000" });
    await reviewed(home, "hostile");
    const client = await connect(home, kind, { over: "HTTP" });
    const stop = new AbortController();
    const call = client.call("hostile__change", { how: "slow" }, { signal: stop.signal });
    call.catch(() => undefined);
    const approvalId = await vi.waitFor(async () => await newestTicket(home), 30_000);
    await decideHere(home, "approve", approvalId);
    const lines = (): string => callsOf(home, "hostile").join("\n");
    await expect.poll(lines, { timeout: 30_000 }).toContain("change slow");
    stop.abort();
    await expect(call).rejects.toThrow(/abort/i);
    if (kind === "v2 legacy") await expect.poll(lines, { timeout: 30_000 }).toContain("cancelled ");
    setState(home, "hostile", { mayAnswer: true });
    const status = async () => JSON.stringify(await client.call("check_approval", { approvalId }));
    await expect.poll(status, { timeout: 30_000 }).toContain(end);
    expect(lines().match(/change slow/g)).toHaveLength(1);
  });
});

// Only a test with replaced timers, without a process, showed the stop.
it("a server without calls ends as a process after ten minutes, and the next call starts it", async (t) => {
  const shortIdle = new URL("../servers/short-idle.mjs", import.meta.url).href;
  const home = homeWithServers(t, { notes: nodeServer("notes-server.mjs") });
  await reviewed(home, "notes");
  const client = await open({
    ...home,
    env: { ...home.env, NODE_OPTIONS: `--import=${shortIdle}` },
  });
  const search = async (query: string) =>
    (await client.call("notes__search_notes", { query })).text;
  const lastPid = (): number =>
    Number(
      callsOf(home, "notes")
        .findLast((line) => line.startsWith("started "))
        ?.split(" ")[1],
    );
  const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`);
  expect(await search("one")).toContain("found one");
  const first = lastPid();
  await expect.poll(() => isRunning(first), { timeout: 30_000 }).toBe(false);
  expect(await search("two")).toContain("found two");
  const second = lastPid();
  expect(second).not.toBe(first);
  await expect.poll(() => isRunning(second), { timeout: 30_000 }).toBe(false);
});
