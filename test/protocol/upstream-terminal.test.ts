import { describe, expect, inject, it } from "vitest";
import { keys, runAtTerminal } from "./terminal.ts";
import { homeWithServers, nodeServer, openHere, setState } from "./upstream-home.ts";

const isHere = !inject("missingServers").includes("script");
const command = ["servers", "review", "hostile"];

const shownFingerprint = (shown: string): string =>
  /^fingerprint: ([0-9A-Z]{4}-[0-9A-Z]{4})\r?$/m.exec(shown)?.[1] ?? "none is shown";

describe.skipIf(!isHere)("the review of a server at a terminal", () => {
  it("shows its tools with every character visible, and offers them after the fingerprint", async (t) => {
    const hostile = nodeServer("hostile-server.mjs");
    const home = homeWithServers(t, { hostile }, { APPROVERS: "" });
    const client = await openHere(home);
    const offered = async (): Promise<string[]> =>
      (await client.list()).map(({ name }) => name).filter((name) => name.startsWith("hostile__"));
    const another = await runAtTerminal(home, command, () => `AAAA-AAAA${keys.enter}`);
    expect(another.code).toBe(1);
    expect(another.stdout).toContain("Nothing was reviewed.");
    expect(await offered()).toEqual([]);
    const { code, stdout } = await runAtTerminal(
      home,
      command,
      (shown) => shownFingerprint(shown) + keys.enter,
    );
    expect(code).toBe(0);
    expect(stdout).toContain("The tools of hostile are offered with these risks from now on.");
    expect(stdout).toContain("hostile__hidden_words");
    expect(stdout).not.toMatch(/[\u200b\u202e\u{e0000}-\u{e007f}]/u);
    await expect.poll(offered).toContain("hostile__act");
  });

  it("accepts no fingerprint of what the server listed before", async (t) => {
    const hostile = nodeServer("hostile-server.mjs");
    const home = homeWithServers(t, { hostile }, { APPROVERS: "" });
    let first = "";
    await runAtTerminal(home, command, (shown) => {
      first = shownFingerprint(shown);
      return keys.enter;
    });
    setState(home, "hostile", { renamed: true });
    const { code, stdout } = await runAtTerminal(home, command, () => first + keys.enter);
    expect(first).not.toBe("");
    expect(code).toBe(1);
    expect(stdout).toContain("Nothing was reviewed.");
  });
});
