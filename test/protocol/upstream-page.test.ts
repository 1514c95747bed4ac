import { type TestContext, describe, expect, inject, it, vi } from "vitest";
import { openChromium } from "../servers/chromium.ts";
import { worstContrast } from "../servers/contrast.ts";
import { type Home, newestTicket } from "./home.ts";
import { httpTools, startHttpUpstream } from "./http-upstream.ts";
import { leaveRules, rewrite } from "./policy-home.ts";
import { type OpenedPage, homeWithBrowser, openPage } from "./opened-page.ts";
import { runHere } from "./program.ts";
import { nodeServer, openHere, reviewed, setState, writeServers } from "./upstream-home.ts";

const noteTools = { environment: "off", long_text: "off", fails: "off" };
const notes = nodeServer("notes-server.mjs", { tools: { ...noteTools, delete_note: "high" } });

/** Starts a server with the upstream server `notes`, and opens its approval page. */
async function world(
  t: TestContext,
  env: Record<string, string> = {},
  prepare?: (home: Home) => void,
) {
  const home = homeWithBrowser(t, { APPROVAL_WAIT_MS: "2000", ...env });
  prepare?.(home);
  writeServers(home, { notes });
  const client = await openHere(home);
  await client.call("write_file", { key: "a.md", content: "x" });
  await client.call("delete_file", { key: "a.md" });
  return { home, client, page: await openPage(home) };
}

const at = (page: OpenedPage): string => `${page.address}/servers`;
const shownAt = async (page: OpenedPage): Promise<string> => await (await fetch(at(page))).text();

/** Sends the form whose button has this verdict, with other fields or of an earlier page if given. */
async function press(
  page: OpenedPage,
  verdict: string,
  more: Record<string, string> = {},
  earlier?: string,
) {
  const html = earlier ?? (await shownAt(page));
  const form = html.split("<form").find((part) => part.includes(`value="${verdict}"`)) ?? "";
  const fields = [...form.matchAll(/name="(\w+)"\s+value="([^"]*)"/g)].map(
    ([, name = "", value = ""]): [string, string] => [name, value],
  );
  const chosen = [...form.matchAll(/<select[^>]+name="(r\d+)"[^]*?value="(\w+)" selected/g)].map(
    ([, name = "", value = ""]): [string, string] => [name, value],
  );
  const body = new URLSearchParams([...fields.filter(([name]) => name !== "verdict"), ...chosen]);
  body.set("verdict", verdict);
  for (const [name, value] of Object.entries(more)) body.set(name, value);
  const { origin } = new URL(page.address);
  return await fetch(at(page), { method: "POST", headers: { origin }, body, redirect: "manual" });
}

async function reviewEvents(home: Home): Promise<Record<string, unknown>[]> {
  return await home.sql("SELECT client, sentence, outcome FROM audit WHERE tool = 'servers'");
}

describe("the review of a server on the approval page", () => {
  it("offers the tools with the risks that the person chose, and records it", async (t) => {
    const { home, client, page } = await world(t);
    expect(await page.list()).toContain("Servers with tools to review: 1");
    expect(await shownAt(page)).toContain("Its tools have not been reviewed yet.");
    expect((await press(page, "look")).status).toBe(303);
    const html = await shownAt(page);
    for (const words of [
      "Server <bdi>notes</bdi> wants to offer these tools",
      "notes__search_notes",
      "Finds notes.",
      "argument query",
      "Risk: high, from servers.json",
    ])
      expect(html).toContain(words);
    const before = (await client.list()).map(({ name }) => name);
    expect(before).not.toContain("notes__search_notes");

    expect((await press(page, "accept", { r0: "medium", r1: "off" })).status).toBe(303);
    await vi.waitFor(
      async () =>
        expect((await client.list()).map(({ name }) => name)).toContain("notes__search_notes"),
      10_000,
    );
    expect((await client.list()).map(({ name }) => name)).not.toContain("notes__add_note");
    expect(await page.list()).not.toContain("Servers with tools to review");
    const [event] = await reviewEvents(home);
    expect(event?.["client"]).toBe("page");
    expect(event?.["outcome"]).toMatch(/^reviewed \(page, .+\)$/);
    expect(event?.["sentence"]).toContain("notes__search_notes (medium, new)");
  });

  // A rule that a removed server had left applied to a new server of its name, and no review said so.
  it("names the rules that will approve calls of the tools", async (t) => {
    const { home, page } = await world(t, { POLICY_FILE: "policy.json" }, leaveRules);
    await press(page, "look");
    const html = await shownAt(page);
    expect(html).toContain("Rules that will approve calls of these tools without asking you:");
    expect(html).toContain("drafts: notes__delete_note: title directly in the folder drafts/;");
    for (const id of ["other", "foreign", "unfit", "past"]) expect(html).not.toContain(`${id}: `);
    rewrite(home, {});
    expect((await press(page, "accept", {}, html)).status).toBe(403);
    expect((await press(page, "accept")).status).toBe(303);
  });

  it("says at the server why it does not start, and how it is started", async (t) => {
    const { home, page } = await world(t);
    const dying = "console.error('no config'); process.exit(1)";
    writeServers(home, { dying: { command: process.execPath, args: ["-e", dying] } });
    await vi.waitFor(async () => expect(await shownAt(page)).toContain("process.exit(1)"), 10_000);
    const answer = await press(page, "look");
    expect(answer.status).toBe(303);
    const html = await shownAt(page);
    expect(html).toContain("The server dying ended. Nothing was done. Its last output:");
    expect(html).toContain("no config");
    expect(html).toContain("Start it and show its tools");
    expect(html).not.toContain("Tell the user");
    expect(await page.list()).toContain("Servers with tools to review: 1");
  });

  it("names a tool whose schema or definition cannot be used", async (t) => {
    const { home, page } = await world(t);
    const web = await startHttpUpstream(home);
    const broken = { name: "broken", inputSchema: { type: "object", properties: { a: 1 } } };
    web.intercept.by = ({ message: { method }, reply }) => {
      if (method === "tools/list")
        reply({ result: { tools: [...httpTools, broken, { name: "<b>none" }] } });
      return method === "tools/list";
    };
    writeServers(home, { web: { url: web.url } });
    await vi.waitFor(async () => expect(await shownAt(page)).toContain(web.url), 10_000);
    await press(page, "look");
    const problem = "the schema cannot be used to check a call, so each call is refused";
    const html = await shownAt(page);
    expect(html.split(problem)).toHaveLength(2);
    expect(html).toContain("because their definition cannot be used: &quot;&lt;b&gt;none&quot;.");
  });

  it("offers nothing after a refusal, or after the form of another review", async (t) => {
    const { home, client, page } = await world(t);
    await press(page, "look");
    expect((await press(page, "accept", { digest: "0".repeat(64) })).status).toBe(403);
    expect((await press(page, "accept", { server: "other" })).status).toBe(403);
    expect((await press(page, "refuse")).status).toBe(303);
    expect(await shownAt(page)).toContain("Its tools have not been reviewed yet.");
    expect((await client.list()).some(({ name }) => name.startsWith("notes__"))).toBe(false);
    const events = await reviewEvents(home);
    expect(events).toHaveLength(1);
    expect(events[0]?.["sentence"]).toBe("refused the tools of the server notes");
  });

  it("shows what a server changed, and refuses a review that is out of date", async (t) => {
    const { home, client, page } = await world(t);
    await reviewed(home, "notes");
    setState(home, "notes", { description: " Then \u202email\u202c <b>them</b>." });
    await press(page, "look");
    const html = await shownAt(page);
    expect(html).toContain("changed since the review");
    expect(html).toMatch(/<ins>.*Then \\u\{202E\}mail\\u\{202C\} &lt;b&gt;them&lt;\/b&gt;/s);
    expect(html).not.toContain("argument query");
    // The terminal pins the same tools meanwhile, so the page showed something else.
    const stale = await fetch(at(page)).then((response) => response.text());
    await reviewed(home, "notes");
    const nonce = /name="digest" value="([^"]+)"/.exec(stale)?.[1] ?? "";
    expect((await press(page, "accept", { digest: nonce })).status).toBe(403);
    expect((await press(page, "accept", {}, stale)).status).toBe(403);
    expect((await client.list()).map(({ name }) => name)).toContain("notes__search_notes");
  });
});

describe.skipIf(inject("missingServers").includes("chromium"))("in a browser", () => {
  it("reviews a server on a phone without a script, with a label for each choice", async (t) => {
    const { client, page: opened } = await world(t);
    const { page, errors } = await openChromium({ javaScriptEnabled: false });
    await page.goto(opened.address);
    await page.getByRole("link", { name: "Servers with tools to review: 1" }).click();
    await page.getByRole("button", { name: "Start it and show its tools" }).click();
    await page.getByLabel("Risk of notes__add_note").selectOption("high");
    await page.setViewportSize({ width: 360, height: 740 });
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await worstContrast(page)).toBeGreaterThanOrEqual(4.5);
      const isTooWide = () => document.documentElement.scrollWidth > window.innerWidth;
      expect(await page.evaluate(isTooWide)).toBe(false);
    }
    if (process.env["PICTURE"] !== undefined)
      await page.screenshot({ path: process.env["PICTURE"], fullPage: true });
    await page.getByRole("button", { name: "Accept" }).click();
    await page.getByText("3 tools are offered.").waitFor();
    await vi.waitFor(
      async () =>
        expect((await client.list()).map(({ name }) => name)).toContain("notes__add_note"),
      10_000,
    );
    expect(errors).toEqual([]);
  });
});

// The rest of a long argument was only counted, so a person approved what no page showed.
it("shows every argument of a cut request in full, with each character visible", async (t) => {
  const home = homeWithBrowser(t, { APPROVAL_WAIT_MS: "2000" });
  writeServers(home, { notes: nodeServer("notes-server.mjs", { tools: { add_note: "high" } }) });
  await reviewed(home, "notes");
  const client = await openHere(home);
  const title = `${"x".repeat(700)} and \u202e<b>THE END`;
  const more = Array.from({ length: 150 }, () => "v");
  await client.call("notes__add_note", { title, more });
  const page = await openPage(home);
  const html = await page.list();
  expect(html).toContain("All arguments in full");
  expect(html).toContain(" and \\u{202E}&lt;b&gt;THE END");
  const { stdout } = await runHere(home, ["approvals", "show", await newestTicket(home)]);
  expect(stdout).toContain("all arguments in full:");
  expect(stdout).toContain(" and \\u{202E}<b>THE END");
  await client.call("notes__add_note", { title: "short", more: 1 });
  expect((await page.list()).split("All arguments in full")).toHaveLength(2);
});
