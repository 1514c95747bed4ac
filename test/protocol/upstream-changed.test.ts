import { describe, expect, it, onTestFinished } from "vitest";
import { callsOf, hostileHome, isUnharmed, reviewed, setState } from "./upstream-home.ts";
import type { Home } from "./home.ts";
import { decideAtTerminal, decideHere, runHere } from "./program.ts";

const how = "change and tell";

const here = () => ({
  onTestFinished: (cleanUp: () => unknown) => onTestFinished(async () => void (await cleanUp())),
});

async function waitingOf(home: Home): Promise<string> {
  const { stdout } = await runHere(home, ["approvals", "list", "--json"]);
  return /"id":"(ap_\w+)"/.exec(stdout)?.[1] ?? "";
}

describe("a server that ends in the middle of an approved call", () => {
  // The kind was `internal`, as if Countersign had failed, and the text did not name the server.
  it.each([
    ["exit", "unavailable", "The server hostile ended before it answered."],
    ["nothing", "timeout", "The server hostile did not answer within 5 s."],
  ])("has the caller notified of an unknown outcome (%s)", async (end, kind, problem) => {
    const { home, client } = await hostileHome(here(), {}, true);
    const waiting = client.call("hostile__change", { how: end });
    await expect.poll(async () => await waitingOf(home), { timeout: 30_000 }).not.toBe("");
    const asked = await waitingOf(home);
    await decideHere(home, "approve", asked);
    const { error, text } = await waiting;
    const approval = { id: asked, status: "unknown" };
    expect(error).toMatchObject({ kind, retryable: false, sideEffects: "unknown", approval });
    expect(text).toContain(problem);
    const check = await client.call("check_approval", { approvalId: asked });
    expect(check.text).toContain("unknown");
    expect(check.text).toContain(problem);
    const { stdout } = await runHere(home, ["approvals", "show", asked]);
    expect(stdout).toContain(problem);
  });
});

describe("a server whose tools changed after the review", () => {
  // A person was asked about a definition that was no longer there, and only the approved run was refused.
  it("has tools withheld that it changed before a person is asked about a call", async (t) => {
    const { home, client } = await hostileHome(t);
    setState(home, "hostile", { description: "Sends everything." });
    const { error } = await client.call("hostile__change", { how: "ok" });
    expect(error).toMatchObject({ kind: "forbidden", sideEffects: "none" });
    expect(error).not.toHaveProperty("approval");
    const { stdout } = await runHere(home, ["approvals", "list"]);
    expect(stdout).not.toContain("hostile__change");
    expect(callsOf(home, "hostile")).not.toContain("change ok");
    const names = (await client.list()).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith("hostile__"))).toEqual([]);
    await isUnharmed(client);
  });

  it("has tools withheld that it changes between the question and the run", async (t) => {
    const { home, client } = await hostileHome(t);
    const asked = (await client.call("hostile__change", { how: "ok" })).error?.approval?.id ?? "";
    expect(asked).not.toBe("");
    setState(home, "hostile", { description: "Sends everything." });
    await decideHere(home, "approve", asked);
    await expect
      .poll(async () => (await client.call("check_approval", { approvalId: asked })).whole, {
        timeout: 30_000,
      })
      .toContain('"status":"failed"');
    expect(callsOf(home, "hostile")).not.toContain("change ok");
    const names = (await client.list()).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith("hostile__"))).toEqual([]);
    await isUnharmed(client);
  });

  // The person read a request for a tool that was no longer there, and only its run was refused.
  it("has an open request for them ended as soon as it says so", async (t) => {
    const { home, client } = await hostileHome(t);
    const asked = (await client.call("hostile__change", { how: "ok" })).error?.approval?.id ?? "";
    expect(asked).not.toBe("");
    await client.call("hostile__act", { how });
    const check = async () => await client.call("check_approval", { approvalId: asked });
    await expect.poll(async () => (await check()).text, { timeout: 30_000 }).toContain("expired");
    expect((await check()).text).toContain("The user can review the server");
    const { code, stderr } = await decideAtTerminal(home, "approve", asked);
    expect(code).not.toBe(0);
    expect(stderr).toContain("hostile__change is withheld.");
    expect(callsOf(home, "hostile")).not.toContain("change ok");
  });

  // The person would decide about the definition of before.
  // The list had no line about a tool that the server added.
  it("has its new tool named by the list of servers as withheld", async (t) => {
    const { home, client } = await hostileHome(t);
    setState(home, "hostile", { renamed: true });
    await client.call("hostile__act", { how: "ok" });
    const list = async (...more: string[]) =>
      (await runHere(home, ["servers", "list", ...more])).stdout;
    const withheld = "The tool has not been reviewed yet.";
    await expect
      .poll(list, { timeout: 30_000 })
      .toContain(`  hostile__act_now: withheld. ${withheld}\n`);
    const [hostile] = (await list("--json")).split("\n");
    expect(JSON.parse(hostile ?? "")).toMatchObject({
      tools: expect.arrayContaining([{ name: "hostile__act_now", withheld }]) as object,
    });
  });

  it("has an open request for them ended after they were reviewed again", async (t) => {
    const { home, client } = await hostileHome(t);
    const asked = (await client.call("hostile__change", { how: "ok" })).error?.approval?.id ?? "";
    setState(home, "hostile", { description: "Sends everything." });
    await reviewed(home, "hostile");
    const check = async () => await client.call("check_approval", { approvalId: asked });
    await expect.poll(async () => (await check()).text, { timeout: 30_000 }).toContain("expired");
    const { code, stderr } = await decideAtTerminal(home, "approve", asked);
    expect(code, stderr).not.toBe(0);
    expect(callsOf(home, "hostile")).not.toContain("change ok");
  });

  it("has the caller notified that waits for such a request", async (t) => {
    const { home, client } = await hostileHome(t, {}, true);
    const waiting = client.call("hostile__change", { how: "ok" });
    await expect.poll(async () => await waitingOf(home), { timeout: 30_000 }).not.toBe("");
    await client.call("hostile__act", { how });
    const { error, text } = await waiting;
    expect(error).toMatchObject({ kind: "forbidden", approval: { status: "expired" } });
    expect(text).toContain("changed the definition of this tool");
  });

  // The result says that the tool is withheld and that nothing was done.
  it("has the result delivered of a call that ran when they changed", async (t) => {
    const { home, client } = await hostileHome(t, {}, true);
    const waiting = client.call("hostile__change", { how });
    await expect.poll(async () => await waitingOf(home), { timeout: 30_000 }).not.toBe("");
    await decideHere(home, "approve", await waitingOf(home));
    const { text, isError } = await waiting;
    expect(isError, text).toBe(false);
    expect(text).toContain("fine");
    const names = async () => (await client.list()).map(({ name }) => name);
    await expect.poll(names, { timeout: 30_000 }).not.toContain("hostile__change");
  });
});
