import { beforeEach, describe, expect, it } from "vitest";
import { origin, pageWorld, publicOrigin, secrets } from "../fakes/page-visit.ts";

const minute = 60_000;
let world: ReturnType<typeof pageWorld>;

beforeEach(() => {
  world = pageWorld();
});

const statusOf = async (ticketId: string) => (await world.tickets.find(ticketId))?.status;

describe("a forger on this computer", () => {
  let ticketId: string;
  let form: Record<string, string>;
  beforeEach(async () => {
    await world.local.enter(world.access.newEntry());
    ({ ticketId } = await world.open());
    form = { ...(await world.local.form(ticketId)), verdict: "approve" };
  });

  it.each([
    ["no nonce", { nonce: "" }],
    ["another nonce", { nonce: "x".repeat(43) }],
    ["no verdict", { verdict: "" }],
    ["an unknown verdict", { verdict: "approve always" }],
    ["an unknown request", { request: "ap_unknown" }],
  ])("decides nothing with %s", async (_what, wrong) => {
    expect((await world.local.decide({ ...form, ...wrong })).status).toBe(403);
    expect(await statusOf(ticketId)).toBe("pending");
  });

  it("cannot use the form of one request for another", async () => {
    const other = await world.open();
    await world.local.decide({ ...form, request: other.ticketId });
    expect(await statusOf(other.ticketId)).toBe("pending");
  });

  it("cannot use the form of one session in another", async () => {
    await world.local.enter(world.access.newEntry());
    expect((await world.local.decide(form)).status).toBe(403);
    expect(await statusOf(ticketId)).toBe("pending");
  });

  it.each([
    ["a foreign Origin", { origin: "https://evil.example" }],
    [
      "a foreign Origin, whatever else is said",
      { origin: "http://127.0.0.1:80", "sec-fetch-site": "same-origin" },
    ],
    ["our Origin with another port", { origin: "http://127.0.0.1:4712" }],
    ["our Origin as another name", { origin: "http://localhost:4711" }],
    ["an opaque Origin alone", { origin: "null" }],
    ["an opaque Origin from a frame elsewhere", { origin: "null", "sec-fetch-site": "cross-site" }],
    ["our Origin from another port's page", { origin, "sec-fetch-site": "same-site" }],
    ["nothing that says where it comes from", {}],
  ])("decides nothing with %s", async (_what, headers: Record<string, string>) => {
    expect((await world.local.decide(form, headers)).status).toBe(403);
    expect(await statusOf(ticketId)).toBe("pending");
  });

  it.each([
    ["an Origin alone, as older browsers send it", { origin }],
    [
      "an opaque Origin with the browser's word, as `no-referrer` makes it",
      { origin: "null", "sec-fetch-site": "same-origin" },
    ],
  ])("is not mistaken for one: %s", async (_what, headers: Record<string, string>) => {
    expect((await world.local.decide(form, headers)).status).toBe(303);
  });

  it.each([
    "evil.example",
    "evil.example:4711",
    "localhost:4711",
    "127.0.0.1",
    "127.0.0.1:4711.evil.example",
    "",
  ])("sees and decides nothing under the host %j, which DNS rebinding may use", async (host) => {
    const list = await world.local.get(world.local.base(), { host });
    expect(list.status).toBe(421);
    expect(await list.text()).not.toContain(ticketId);
    const headers = { host, origin: `http://${host}`, "sec-fetch-site": "same-origin" };
    expect((await world.local.decide(form, headers)).status).toBe(421);
    expect(await statusOf(ticketId)).toBe("pending");
  });

  it("cannot enter with a used, late or guessed code", async () => {
    const own = { origin, "sec-fetch-site": "same-origin" };
    const used = world.access.newEntry();
    await world.local.enter(used);
    expect((await world.local.post(used, {}, own)).status).toBe(403);
    const late = world.access.newEntry();
    world.pass(minute);
    expect((await world.local.post(late, {}, own)).status).toBe(403);
    expect((await world.local.post("/open/guessed", {}, own)).status).toBe(403);
    expect((await world.local.get("/s/guessed")).status).toBe(403);
    expect((await world.local.post("/s/guessed/decide", form, own)).status).toBe(403);
  });

  it("cannot consume a code by posting from elsewhere", async () => {
    const entry = world.access.newEntry();
    await world.local.post(entry, {}, { origin: "https://evil.example" });
    await world.local.enter(entry);
  });

  it.each(["PUT", "DELETE", "OPTIONS"])("has no access with %s", async (method) => {
    expect((await world.local.ask(method, world.local.base())).status).toBe(405);
  });

  it("cannot make the page read an endless body", async () => {
    const response = await world.local.decide({ ...form, more: "x".repeat(20_000) });
    expect(response.status).toBe(403);
    expect(await statusOf(ticketId)).toBe("pending");
  });
});

describe("approvers who sign in", () => {
  it("see and decide their own requests only, and `operator` all", async () => {
    const hers = await world.open({ principal: "alice" });
    const his = await world.open({ principal: "bob" });
    const { published } = world;
    await published.signIn(secrets.alice);
    const list = await published.list();
    expect(list).toContain(hers.ticketId);
    expect(list).not.toContain(his.ticketId);
    expect(await (await published.get(`/approvals?seen=${his.ticketId}`)).text()).not.toContain(
      his.fingerprint + "</code>:",
    );

    await published.signIn(secrets.operator);
    const foreign = { ...(await published.form(his.ticketId)), verdict: "approve" };
    await published.signIn(secrets.alice);
    expect((await published.decide(foreign)).status).toBe(403);
    expect(await statusOf(his.ticketId)).toBe("pending");

    const own = { ...(await published.form(hers.ticketId)), verdict: "approve" };
    expect((await published.decide(own)).status).toBe(303);
    expect(await world.tickets.find(hers.ticketId)).toMatchObject({ decision: { by: "alice" } });
  });

  it("sign in by their secret alone", async () => {
    for (const wrong of ["", "alice", "alice's own secre", `${secrets.alice} `]) {
      const response = await world.published.signIn(wrong);
      expect(response.status).toBe(403);
      expect(response.headers.get("set-cookie")).toBeNull();
      world.pass(minute);
    }
    const response = await world.published.signIn(secrets.alice);
    expect(response.status).toBe(303);
    expect(response.headers.get("set-cookie")).toMatch(
      /^__Host-countersign=[\w-]+\.[\w-]+; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    );
  });

  it("wait after five wrong secrets, even with the correct one", async () => {
    const { published } = world;
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await published.signIn("wrong")).status).toBe(403);
    }
    const paused = await published.signIn(secrets.alice);
    expect(paused.status).toBe(429);
    expect(paused.headers.get("retry-after")).toBe("60");
    world.pass(minute);
    expect((await published.signIn(secrets.alice)).status).toBe(303);
  });

  it("wait together if they share an IPv6 network, without effect on others [http.guessing]", async () => {
    const statuses: number[] = [];
    for (let host = 1; host <= 30; host += 1) {
      const stranger = world.anybody(`2001:db8:1:2::${host.toString(16)}`);
      statuses.push((await stranger.signIn(`wrong ${host}`)).status);
    }
    expect(statuses.filter((status) => status === 403)).toHaveLength(5);
    const right = await world.anybody("2001:db8:1:2:ffff::1").signIn(secrets.alice);
    expect(right.status).toBe(429);
    expect((await world.anybody("2001:db8:1:3::1").signIn(secrets.alice)).status).toBe(303);
  });

  it("are never locked out of a browser in which they signed in before [http.browser]", async () => {
    const mine = world.anybody("203.0.113.7");
    const guess = async () => {
      let heard = 0;
      while ((await world.anybody("203.0.113.7").signIn("wrong")).status === 403) heard += 1;
      return heard;
    };
    await mine.signIn(secrets.alice);
    expect(await guess()).toBe(5);
    // An ended session is proof enough, and so is the cookie that outlives it.
    expect((await mine.signIn(secrets.alice)).status).toBe(303);
    await mine.list();
    world.pass(13 * 60 * minute);
    expect(await guess()).toBe(5);
    mine.cookies.delete("__Host-countersign");
    expect((await mine.signIn(secrets.alice)).status).toBe(303);
    expect((await world.anybody("203.0.113.7").signIn(secrets.alice)).status).toBe(429);
  });

  it("leave no trace in a browser after signing out", async () => {
    const { published } = world;
    await published.signIn(secrets.alice);
    await published.list();
    expect([...published.cookies.keys()]).toHaveLength(2);
    await published.post("/approvals/leave", { nonce: await published.nonce("leave") });
    expect([...published.cookies.keys()]).toEqual([]);
  });

  it("get no more guesses by such a browser, least of all at another's secret [http.browser]", async () => {
    const bobs = world.anybody("203.0.113.7");
    await bobs.signIn(secrets.bob);
    await bobs.list();
    const statuses: number[] = [];
    for (let tries = 0; tries < 12; tries += 1) statuses.push((await bobs.signIn("wrong")).status);
    expect(statuses.filter((status) => status === 403)).toHaveLength(10);
    world.pass(minute);
    for (let tries = 0; tries < 5; tries += 1) await world.anybody("203.0.113.7").signIn("wrong");
    expect((await bobs.signIn(secrets.alice)).status).toBe(403);
    const forged = world.anybody("203.0.113.7");
    forged.cookies.set("__Host-countersign-browser", `x.${"a".repeat(43)}`);
    expect((await forged.signIn(secrets.alice)).status).toBe(429);
  });

  it("stay signed in for half an hour after the last use, and at most for a working day", async () => {
    const { published } = world;
    await published.signIn(secrets.operator);
    for (let halves = 0; halves < 24; halves += 1) {
      world.pass(29 * minute);
      expect(await published.list()).toContain("You decide as");
    }
    world.pass(25 * minute);
    expect(await published.list()).toContain("Sign in to decide");
    await published.signIn(secrets.operator);
    world.pass(30 * minute);
    expect(await published.list()).toContain("Sign in to decide");
  });

  it("are signed out completely, even with a copy of the cookie", async () => {
    const { published } = world;
    await published.signIn(secrets.alice);
    const copy = published.cookie();
    const nonce = await published.nonce("leave");
    await published.post("/approvals/leave", { nonce });
    expect(await published.list()).toContain("Sign in to decide");
    const page = await published.get("/approvals", { cookie: copy });
    expect(await page.text()).toContain("Sign in to decide");
  });

  it("are recognised by their cookie at every replica with the same key", async () => {
    await world.published.signIn(secrets.alice);
    const page = await world.anybody().get("/approvals", { cookie: world.published.cookie() });
    expect(await page.text()).toContain("You decide as");
  });

  it("cannot derive their cookie from another's", async () => {
    const { published } = world;
    await published.signIn(secrets.alice);
    const [name = "", value = ""] = published.cookie().split("=");
    const [body = "", signature = ""] = value.split(".");
    const text = Buffer.from(body, "base64url").toString().replace("alice", "operator");
    const forged = `${name}=${Buffer.from(text).toString("base64url")}.${signature}`;
    for (const cookie of [forged, `${name}=${body}.`, `${name}=`, `${name}=a.b`]) {
      const page = await world.anybody().get("/approvals", { cookie });
      expect(await page.text()).toContain("Sign in to decide");
    }
  });

  it("may pause their own requests, and cannot lift a pause for all", async () => {
    const { published } = world;
    await published.signIn(secrets.alice);
    await published.post("/approvals/pause", {
      nonce: await published.nonce("pause"),
      do: "pause",
    });
    expect(await world.tickets.pauseOf("alice")).toMatchObject({ scope: "alice", by: "alice" });
    expect(await world.tickets.pauseOf("bob")).toBeUndefined();

    await world.tickets.pause("*", "operator");
    expect(await published.list()).not.toContain("Resume");
    expect(await published.nonce("pause")).toBe("");
    const foreign = await published.post("/approvals/pause", { nonce: "", do: "resume" });
    expect(foreign.status).toBe(403);
    expect(await world.tickets.pauseOf("bob")).toMatchObject({ scope: "*" });
  });

  it("reach nothing from a foreign page or host name", async () => {
    const { published } = world;
    await published.signIn(secrets.alice);
    const { ticketId } = await world.open({ principal: "alice" });
    const form = { ...(await published.form(ticketId)), verdict: "approve" };
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: publicOrigin, "sec-fetch-site": "cross-site" },
      { origin: publicOrigin, host: "127.0.0.1:8080" },
    ]) {
      expect((await published.decide(form, headers)).status).toBeGreaterThanOrEqual(400);
    }
    const stolen = await world.anybody().decide(form);
    expect(stolen.status).toBe(403);
    expect(await statusOf(ticketId)).toBe("pending");
  });
});
