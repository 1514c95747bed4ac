import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { connect } from "./clients.ts";
import { type Home, newestTicket } from "./home.ts";
import { homeWithBrowser, openPage, timesOpened } from "./opened-page.ts";
import { decideHere, runHere } from "./program.ts";
import {
  callsOf,
  directoryOf,
  homeWithServers,
  nodeServer,
  openHere,
  reviewed,
  setState,
  writeServers,
} from "./upstream-home.ts";

const preview = {
  update_issue: {
    tool: "get_issue",
    arguments: { number: "$.number" },
    show: ["title", "state", "labels.0.name"],
    // The server writes the time of each reading there.
    ignore: ["meta.readAt"],
  },
};
const args = { number: 7, title: "new" };

async function setUp(t: Parameters<typeof homeWithServers>[0], more: object = {}) {
  const home = homeWithServers(t, {
    issues: nodeServer("issues-server.mjs", { preview, ...more }),
  });
  await reviewed(home, "issues");
  setState(home, "issues", { title: "CANARY-BEFORE", state: "open" });
  const client = await openHere(home);
  const ask = async (asked = args) => await client.call("issues__update_issue", asked);
  return { home, client, ask };
}

async function shown(home: Home, id = ""): Promise<string> {
  return (await runHere(home, ["approvals", "show", id])).stdout;
}

const calls = (home: Home) => callsOf(home, "issues");

describe("a preview", () => {
  it("shows the person the named fields before and after, and shows the client none", async (t) => {
    const { home, ask } = await setUp(t);
    const asked = await ask();
    expect(asked.error).toMatchObject({ kind: "approval_required" });
    expect(asked.whole).not.toContain("CANARY");
    expect(calls(home)).toEqual(["get 7"]);
    const id = asked.error?.approval?.id ?? "";
    const effect = await shown(home, id);
    expect(effect).toMatch(/title +"CANARY-BEFORE" -> "new"/);
    expect(effect).toMatch(/state +"open"/);
    expect(effect).toMatch(/labels\.0\.name +"bug"/);
    await decideHere(home, "approve", id);
    await expect.poll(async () => (await ask()).text, { timeout: 30_000 }).toContain("updated 7");
    expect(calls(home).filter((line) => line === "update 7 new")).toHaveLength(1);
  });

  // The dialog pointed to a page that was not open.
  it("opens the page that its dialog points to", async (t) => {
    const home = homeWithBrowser(t);
    writeServers(home, { issues: nodeServer("issues-server.mjs", { preview }) });
    await reviewed(home, "issues");
    setState(home, "issues", { title: "CANARY-BEFORE", state: "open" });
    const client = await connect(home, "v2 legacy", { elicitation: "nothing" });
    const asked = client.call("issues__update_issue", args);
    asked.catch(() => undefined);
    await vi.waitFor(() => expect(timesOpened(home)).toBe(1), 30_000);
    await vi.waitFor(() => expect(client.dialogs).toHaveLength(1), 30_000);
    expect(client.dialogs[0]?.message).toContain("the present state is on the approval page");
    await (await openPage(home)).decide(await newestTicket(home), "approve");
    expect((await asked).isError).toBe(false);
  });

  it("is read again before the call, and another state is a conflict", async (t) => {
    const { home, client, ask } = await setUp(t);
    const id = (await ask()).error?.approval?.id ?? "";
    setState(home, "issues", { title: "changed by another", state: "open" });
    await decideHere(home, "approve", id);
    const check = async () => await client.call("check_approval", { approvalId: id });
    await expect
      .poll(async () => (await check()).structured, { timeout: 30_000 })
      .toMatchObject({ status: "failed", error: { kind: "conflict" } });
    expect((await check()).whole).not.toContain("changed by another");
    expect(calls(home)).toEqual(["get 7", "get 7"]);
    const next = await ask();
    expect(next.error).toMatchObject({ kind: "approval_required" });
    expect(await shown(home, next.error?.approval?.id)).toContain('"changed by another" -> "new"');
  });

  it("ends in a conflict if any field but the ignored ones differs", async (t) => {
    const whole = { update_issue: { ...preview.update_issue, ignore: [] } };
    const { home, client, ask } = await setUp(t, { preview: whole });
    const id = (await ask()).error?.approval?.id ?? "";
    await decideHere(home, "approve", id);
    const check = async () => await client.call("check_approval", { approvalId: id });
    await expect
      .poll(async () => (await check()).structured, { timeout: 30_000 })
      .toMatchObject({ status: "failed", error: { kind: "conflict" } });
  });

  // The value of such an argument was left out of the request.
  it("hides no argument whose name is the path of a shown field", async (t) => {
    const { home, client } = await setUp(t);
    const hidden = { ...args, "labels.0.name": "CANARY-HIDDEN" };
    const asked = await client.call("issues__update_issue", hidden);
    expect(await shown(home, asked.error?.approval?.id)).toContain("CANARY-HIDDEN");
  });

  it("ends the call if the state cannot be read", async (t) => {
    const { home, ask } = await setUp(t);
    const refused = await ask({ number: 404, title: "new" });
    expect(refused.error).toMatchObject({ kind: "unavailable", sideEffects: "none" });
    expect(refused.whole).not.toContain("no such issue");
    expect((await runHere(home, ["approvals", "list"])).stdout).not.toContain("issues__");
  });

  it("ends the call if the state is nested too deeply to be compared", async (t) => {
    const { home, ask } = await setUp(t);
    const levels = 4_000;
    const deep = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    writeFileSync(join(directoryOf(home, "issues"), "state.json"), `{"title":"x","more":${deep}}`);
    const asked = await ask();
    expect(asked.error).toMatchObject({ kind: "unavailable", sideEffects: "none" });
    expect(asked.text).toContain("The server issues could not show the present state");
    expect(calls(home)).toEqual(["get 7"]);
  });

  it("must name an offered tool of low risk", async (t) => {
    const { ask } = await setUp(t, { tools: { get_issue: "high" } });
    const refused = await ask();
    expect(refused.error).toMatchObject({ kind: "not_configured", sideEffects: "none" });
    expect(refused.text).toContain("mcpServers.issues.preview");
  });

  it("is not read while private content would leave with it", async (t) => {
    const { home, client, ask } = await setUp(t);
    const secret = "The vault code of the cellar is 4471-9923-1180, and nobody may know it.";
    await client.call("write_file", { key: "private.md", content: secret });
    await client.call("read_file", { key: "private.md" });
    const asked = await ask({ number: 7, title: secret });
    expect(asked.error).toMatchObject({ kind: "approval_required" });
    expect(calls(home)).toEqual([]);
    const id = asked.error?.approval?.id ?? "";
    expect(await shown(home, id)).toContain("Send private content");
    await decideHere(home, "approve", id);
    await expect.poll(() => calls(home), { timeout: 30_000 }).toEqual([`update 7 ${secret}`]);
  });
});

describe("the file of servers", () => {
  it("names a wrong field of a preview", async (t) => {
    const wrong = { update_issue: { tool: "get_issue", show: ["title"], fields: [] } };
    const home = homeWithServers(t, {
      issues: nodeServer("issues-server.mjs", { preview: wrong }),
    });
    const { stderr } = await runHere(home, ["servers"]);
    expect(stderr).toContain('mcpServers.issues.preview.update_issue: there is no "fields" here');
  });
});
