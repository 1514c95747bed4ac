import { beforeEach, describe, expect, it } from "vitest";
import { effectOf } from "../../src/core/approvals/effect.ts";
import { upstreamEffect } from "../../src/upstream/effect.ts";
import { effect, pageWorld } from "../fakes/page-visit.ts";

const minute = 60_000;
let world: ReturnType<typeof pageWorld>;

beforeEach(async () => {
  world = pageWorld();
  await world.local.enter(world.access.newEntry());
});

const statusOf = async (ticketId: string) => (await world.tickets.find(ticketId))?.status;

describe("the approval page on this computer", () => {
  it("approves what its own form says, once, as the person at this computer", async () => {
    const { ticketId } = await world.open();
    const form = await world.local.form(ticketId);
    const response = await world.local.decide({ ...form, verdict: "approve" });
    expect(response.status).toBe(303);
    expect(await world.tickets.find(ticketId)).toMatchObject({
      status: "approved",
      decision: { verdict: "approve", channel: "page", by: "maria" },
    });
    const shown = await world.local.get(response.headers.get("location")!);
    expect(await shown.text()).toContain("Approved. It runs now");
    expect(world.audit.events).toMatchObject([
      { type: "decided", ticketId, outcome: "approve (page, maria)" },
    ]);
  });

  it("consumes a form: sent again it decides nothing, and says so", async () => {
    const { ticketId } = await world.open();
    const form = await world.local.form(ticketId);
    await world.local.decide({ ...form, verdict: "deny" });
    const again = await world.local.decide({ ...form, verdict: "approve" });
    expect(again.headers.get("location")).toContain(`late=${ticketId}`);
    const told = await (await world.local.get(again.headers.get("location")!)).text();
    expect(told).toContain("your decision did not count");
    expect(await statusOf(ticketId)).toBe("denied");
    expect(world.audit.events).toHaveLength(1);
  });

  it("records the requests that a person sees, so that they are replaced last [fatigue.flood]", async () => {
    const waiting: string[] = [];
    for (let number = 0; number < 9; number += 1) waiting.push((await world.open()).ticketId);
    const seen = async (): Promise<number[]> => {
      const found = await Promise.all(waiting.map((ticketId) => world.tickets.find(ticketId)));
      return [...found.keys()].filter((index) => found[index]?.seenAt !== undefined);
    };
    const base = world.local.base();
    // The page's own updates, and a page that opened automatically.
    await world.local.get(base, { "x-countersign-look": "1" });
    await world.local.get(base, { "sec-fetch-mode": "navigate" });
    expect(await seen()).toEqual([]);
    const page = await (await world.local.get(base, { "sec-fetch-user": "?1" })).text();
    expect(await seen()).toEqual([0, 1, 2]);
    const nonce = /data-seen="([^"]+)"/.exec(page)?.[1] ?? "";
    const report = async (fields: Record<string, string>) =>
      (await world.local.post(`${base}/seen`, fields)).status;
    expect(await report({ nonce: "forged", seen: waiting[5]! })).toBe(403);
    expect(await report({ nonce, seen: `${waiting[7]!},ap_unknown` })).toBe(204);
    expect(await seen()).toEqual([0, 1, 2, 7]);
  });

  it("leads with the effect [effect.headline]", async () => {
    const headline = 'Delete the file "<b>.md", 5 bytes';
    await world.open({ effect: effect(headline, { key: "a.md" }) });
    const card = (await world.local.list()).split('<li class="card"')[1] ?? "";
    expect(card).toMatch(
      /<h3 id="title-ap_\d+"><bdi>Delete the file &quot;&lt;b&gt;\.md&quot;, 5 bytes<\/bdi><\/h3>/,
    );
    expect(card.indexOf("<h3")).toBeLessThan(card.indexOf("<dl"));
  });

  // Short values beyond the first hundred, and the middle of an argument's long name, were nowhere.
  it("shows all arguments of a request that leaves out values or a part of a name", async () => {
    const count = async (): Promise<number> =>
      (await world.local.list()).split("All arguments in full").length - 1;
    const tool = { title: "Send", operation: "changes", mentions: [], describe: () => "" } as const;
    const open = async (args: Record<string, unknown>): Promise<void> => {
      const found = upstreamEffect("mail", { name: "send", inputSchema: {} }, args);
      await world.open({ args, effect: effectOf(tool, args, found) });
    };
    await open({ to: "a" });
    expect(await count()).toBe(0);
    await open({ to: [...Array.from({ length: 100 }, () => "a"), "the last"] });
    expect(await count()).toBe(1);
    expect(await world.local.list()).toContain("&quot;the last&quot;");
    await open({ to: Array.from({ length: 150 }, () => "a") });
    expect(await count()).toBe(2);
    await open({ [`${"n".repeat(60)}_MIDDLE_${"n".repeat(60)}`]: 1 });
    expect(await count()).toBe(3);
    expect(await world.local.list()).toContain("_MIDDLE_");
    const long = { to: "x ".repeat(150_000) };
    await open(long);
    const left = JSON.stringify(long, undefined, 2).length - 200_000;
    expect(await world.local.list()).toContain(`${left} more characters are not shown.`);
  });

  it("accepts a note for the assistant with a denial, and shows it with the decision [denial.note]", async () => {
    const { ticketId } = await world.open();
    const form = await world.local.form(ticketId);
    const note = "At 18:00 <instead>,\nplease";
    const response = await world.local.decide({ ...form, verdict: "deny", note });
    expect(await world.tickets.find(ticketId)).toMatchObject({
      status: "denied",
      decision: { verdict: "deny", note: "At 18:00 <instead>, please" },
    });
    expect(await world.tickets.find(ticketId)).not.toHaveProperty("decision.mayAskAgain");
    expect(response.status).toBe(303);
    const history = await (await world.local.get(`${world.local.base()}/history`)).text();
    expect(history).toContain(
      "Note to the assistant: &quot;At 18:00 &lt;instead&gt;, please&quot;.",
    );
  });

  it("lets the assistant ask again with changes [denial.may-ask-again]", async () => {
    const { ticketId } = await world.open();
    const form = await world.local.form(ticketId);
    await world.local.decide({ ...form, verdict: "again", note: "" });
    const ticket = await world.tickets.find(ticketId);
    expect(ticket).toMatchObject({ status: "denied", decision: { mayAskAgain: true } });
    expect(ticket).not.toHaveProperty("decision.note");
    const history = await (await world.local.get(`${world.local.base()}/history`)).text();
    expect(history).toContain("The assistant may ask again with changes.");
  });

  // In a line of text Enter presses the form's first button, which approves.
  it("has no field in which Enter would approve", async () => {
    await world.open();
    const form = (await world.local.list()).split('class="decide"')[1]?.split("</form>")[0] ?? "";
    expect(form).toContain("<textarea");
    expect(
      [...form.matchAll(/<input[^>]*>/g)].every(([field]) => field.includes('type="hidden"')),
    ).toBe(true);
  });

  it("shows the oldest request first, so that a new one does not move the others", async () => {
    const first = await world.open();
    const second = await world.open();
    const html = await world.local.list();
    expect(html.indexOf(first.ticketId)).toBeLessThan(html.indexOf(second.ticketId));
  });

  it("shows a change as a pair of lines, with the different words marked", async () => {
    const facts = [
      { label: "before", value: "Tue 09:30 to 10:00" },
      { label: "after", value: "Wed 09:30 to 10:00" },
    ];
    await world.open({ effect: effect("Change an event", { eventId: "e" }, facts) });
    const html = (await world.local.list()).replaceAll(/>\s+</g, "><");
    expect(html).toContain("<dt>before</dt><dd><del><bdi><mark>Tue</mark> 09:30 to 10:00</bdi>");
    expect(html).toContain("<dt>after</dt><dd><ins><bdi><mark>Wed</mark> 09:30 to 10:00</bdi>");
  });

  it("shows HTML, bidi controls and line ends of untrusted text as inert text", async () => {
    const key = '"><script>alert(1)</script><img src=x onerror=alert(2)>\u202Egnp.exe\n<form>';
    await world.open({
      effect: effect("Delete <b>it</b>", { key }, [{ label: "<i>size</i>", value: "<u>5</u>" }]),
      client: "</li><script>alert(3)</script>",
    });
    const html = await world.local.list();
    expect(html).not.toMatch(/<script>|<img|<b>|<i>|<u>|\u202E/);
    expect(html.match(/<form/g)).toHaveLength(4);
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html).toContain("\\u{202E}gnp.exe\\n");
  });

  it("keeps decisions in its history, with person, channel, time and outcome", async () => {
    const { ticketId } = await world.open();
    await world.tickets.decide(
      ticketId,
      { verdict: "deny", channel: "terminal", by: "max" },
      minute,
    );
    expect(await world.local.list()).not.toContain(ticketId);
    const history = await (await world.local.get(`${world.local.base()}/history`)).text();
    expect(history).toContain("Denied. Nothing was done.");
    expect(history).toContain("Denied by max at the terminal");
  });

  it("changes nothing by a GET", async () => {
    const { ticketId } = await world.open();
    const form = await world.local.form(ticketId);
    const query = new URLSearchParams({ ...form, verdict: "approve" }).toString();
    for (const path of ["decide", "pause", "leave"]) {
      expect((await world.local.get(`${world.local.base()}/${path}?${query}`)).status).toBe(404);
    }
    const entry = world.access.newEntry();
    await world.local.get(entry);
    await world.local.get(entry);
    await world.local.enter(entry);
    expect(await statusOf(ticketId)).toBe("pending");
    expect(world.audit.events).toEqual([]);
  });

  it("is not cached or framed, hides its address and runs no foreign script", async () => {
    for (const path of [world.local.base(), "/style.css", "/nowhere", world.access.newEntry()]) {
      const { headers } = await world.local.get(path);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-frame-options")).toBe("DENY");
      const policy = headers.get("content-security-policy");
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(headers.get("set-cookie")).toBeNull();
    }
    expect(await world.local.list()).not.toMatch(
      /<style|style="|<script(?! src="\/live.js")| on\w+=/,
    );
  });

  // Browsers asked for /favicon.ico, and the page's tab looked like any other.
  it("has an icon for its tab", async () => {
    expect(await world.local.list()).toContain('<link rel="icon" href="/icon.svg" />');
    const { status, headers } = await world.local.get("/icon.svg");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
    expect(headers.get("content-security-policy")).toContain("img-src 'self';");
  });

  it("ends half an hour after the last use by the person", async () => {
    const look = { "x-countersign-look": "1" };
    world.pass(29 * minute);
    expect((await world.local.get(world.local.base())).status).toBe(200);
    world.pass(29 * minute);
    expect((await world.local.get(world.local.base(), look)).status).toBe(200);
    world.pass(2 * minute);
    expect((await world.local.get(world.local.base(), look)).status).toBe(403);
    expect(world.access.isDeserted()).toBe(true);
  });

  it("can be closed by the person", async () => {
    const nonce = await world.local.nonce("leave");
    await world.local.post(`${world.local.base()}/leave`, { nonce });
    expect((await world.local.get(world.local.base())).status).toBe(403);
  });
});

describe("pause everything", () => {
  const press = async (button: "pause" | "resume") =>
    await world.local.post(`${world.local.base()}/pause`, {
      nonce: await world.local.nonce("pause"),
      do: button,
    });

  it("stops all calls that need approval until it is resumed, on record", async () => {
    const { ticketId } = await world.open();
    const before = await world.local.form(ticketId);
    await press("pause");
    expect(await world.tickets.pauseOf("anybody")).toMatchObject({ by: "maria", scope: "*" });
    expect(await world.local.list()).toMatch(/Paused.*by/);
    expect(await world.local.list()).not.toContain('value="approve"');

    const refused = await world.local.decide({ ...before, verdict: "approve" });
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain("Everything that needs approval is paused");
    expect(await statusOf(ticketId)).toBe("pending");

    await press("resume");
    expect(await world.tickets.pauseOf("anybody")).toBeUndefined();
    await world.local.decide({ ...before, verdict: "approve" });
    expect(await statusOf(ticketId)).toBe("approved");
    expect(world.audit.events.map(({ sentence }) => sentence)).toEqual([
      "paused everything",
      "resumed everything",
      undefined,
    ]);
  });

  it("can still deny waiting requests", async () => {
    const { ticketId } = await world.open();
    await press("pause");
    await world.local.decide({ ...(await world.local.form(ticketId)), verdict: "deny" });
    expect(await statusOf(ticketId)).toBe("denied");
  });

  it("happens automatically with the third denial, with its reason, and a person resumes it [fatigue.pause]", async () => {
    const waiting = await world.open({ principal: "alice" });
    const other = await world.open({ principal: "bob" });
    for (let time = 0; time < 3; time += 1) {
      const { ticketId } = await world.open({ principal: "alice" });
      await world.local.decide({ ...(await world.local.form(ticketId)), verdict: "deny" });
    }
    const html = await world.local.list();
    expect(html).toContain("3 requests were denied within 10 minutes, the last by");
    expect(html).toContain("Resume for alice");
    expect(html).toContain("Pause everything");
    const cardOf = (ticketId: string) => html.split(`id="${ticketId}"`)[1]?.split("</li>")[0];
    expect(cardOf(waiting.ticketId)).not.toContain('value="approve"');
    expect(cardOf(other.ticketId)).toContain('value="approve"');
    expect(world.audit.events.at(-1)).toMatchObject({
      principal: "alice",
      sentence: "paused everything of alice, because 3 requests were denied within 10 minutes",
    });

    const path = `${world.local.base()}/pause`;
    const nonce = await world.local.nonce("pause");
    const wrong = await world.local.post(path, { nonce, scope: "bob", do: "resume" });
    expect(wrong.status).toBe(403);
    await world.local.post(path, { nonce, scope: "alice", do: "resume" });
    expect(await world.tickets.pauses()).toEqual([]);
    const form = await world.local.form(waiting.ticketId);
    await world.local.decide({ ...form, verdict: "approve" });
    expect(await statusOf(waiting.ticketId)).toBe("approved");
  });

  it("accepts no form from before the pause", async () => {
    const nonce = await world.local.nonce("pause");
    await press("pause");
    const path = `${world.local.base()}/pause`;
    expect((await world.local.post(path, { nonce, do: "resume" })).status).toBe(403);
    expect(await world.tickets.pauseOf("anybody")).toBeDefined();
  });
});
