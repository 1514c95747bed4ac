import { describe, expect, inject, it } from "vitest";
import { leaveRules, rewrite } from "./policy-home.ts";
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

  // A rule that a removed server had left applied to a new server of its name, and no review said so.
  it("names the rules that will approve calls of the tools", async (t) => {
    const notes = nodeServer("notes-server.mjs");
    const home = homeWithServers(t, { notes }, { APPROVERS: "", POLICY_FILE: "policy.json" });
    leaveRules(home);
    const words = ["servers", "review", "notes"];
    const { stdout } = await runAtTerminal(home, words, () => keys.enter);
    // The terminal breaks long lines.
    const [shown = ""] = stdout.replaceAll(/\r|\n {4}/g, "").split("fingerprint:");
    expect(shown).toMatch(
      /\n\nRules that will approve calls of these tools without asking you:\n  drafts: notes__delete_note: title directly in the folder drafts\/; for local, 3 times until \S+\n\n$/,
    );
    // Another rule later gives another fingerprint.
    const first = shownFingerprint(stdout);
    rewrite(home, {});
    const { code } = await runAtTerminal(home, words, () => first + keys.enter);
    expect([first.length, code]).toEqual([9, 1]);
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
