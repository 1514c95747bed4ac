import { expect, it } from "vitest";
import { callsOf, homeWithServers, nodeServer, open, openHere, reviewed } from "./upstream-home.ts";

// A server that speaks only the newest revision could be started, but not used.
it.concurrent("a server of a command that speaks only the newest protocol era is used", async (t) => {
  const home = homeWithServers(
    t,
    { era: nodeServer("era-server.mjs", {}, ["newest only"]) },
    { LOG_LEVEL: "debug" },
  );
  await reviewed(home, "era");
  const client = await open(home);
  expect((await client.call("era__echo", { word: "one" })).text).toContain("heard one");
  expect((await client.call("era__echo", { word: "two" })).text).toContain("heard two");
  expect(client.log()).toContain("2026-07-28");
  // One process for the review and one for both calls.
  expect(callsOf(home, "era")).toEqual(["started", "started"]);
});

it.concurrent.for(["ends", "is silent"])(
  "an older server that %s at the first question of the newest era is used",
  { timeout: 90_000 },
  async (how, t) => {
    const home = homeWithServers(t, { era: nodeServer("era-server.mjs", {}, [how]) });
    await reviewed(home, "era");
    const client = await openHere(home);
    expect((await client.call("era__echo", { word: "one" })).text).toContain("heard one");
    const calls = callsOf(home, "era");
    // A silent server is used further in the same process. The review and the calls need one each.
    const starts = calls.filter((line) => line === "started").length;
    expect(starts).toBe(how === "ends" ? 4 : 2);
    expect(calls.slice(calls.lastIndexOf("initialize"))).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/list",
      "tools/call",
    ]);
  },
);

// The server was said to speak "only the protocol version 2026-07-28, which Countersign does not support". It read the
// first request after ten seconds, as a program does that is installed at its first start.
it.concurrent(
  "a server of the newest era that starts slowly is used",
  { timeout: 90_000 },
  async (t) => {
    const home = homeWithServers(t, { era: nodeServer("era-server.mjs", {}, ["late"]) });
    await reviewed(home, "era");
    const client = await openHere(home);
    expect((await client.call("era__echo", { word: "one" })).text).toContain("heard one");
    // The first process of the review refused. The second one and that of the call are used.
    expect(callsOf(home, "era")).toEqual(["started", "started", "started"]);
  },
);
