import { describe, expect, inject, it } from "vitest";
import type { Reply } from "../servers/chat-model.ts";
import { setUp } from "./chat-home.ts";
import { runsOf, storedFile } from "./home.ts";
import { converseAtTerminal, keys, runAtTerminal, shownFingerprint } from "./terminal.ts";

const hasTerminal = !inject("missingServers").includes("script");

describe.skipIf(!hasTerminal).concurrent("a conversation in a terminal", () => {
  const steps: Reply[] = [
    {
      calls: [
        ["write_file", { key: "a.md", content: "text" }],
        ["delete_file", { key: "a.md" }],
      ],
    },
    { text: ["That is done."] },
  ];

  it.for([
    ["runs a high-risk call after the typed fingerprint", shownFingerprint, false, 1],
    ["runs nothing after a no", () => "no", true, 0],
    ["leaves the request open after Enter", () => "", true, 0],
  ] satisfies [string, (shown: string) => string, boolean, number][])(
    "%s",
    async ([, typing, there, runs], t) => {
      const { home, model } = await setUp(t, "anthropic", steps);
      const ended = await runAtTerminal(
        home,
        ["chat", "Delete it."],
        (shown) => typing(shown) + keys.enter,
      );
      expect(ended.stdout).toContain("> delete_file (high)");
      expect(ended.stdout).toContain("  That is done.");
      expect(await storedFile(home, "a.md")).toMatchObject({ there });
      expect(await runsOf(home, "delete_file")).toBe(runs);
      expect(model.requests).toHaveLength(2);
    },
  );

  // The chat alone had no way to say what to do instead.
  it("sends a sentence after a denial to the assistant [denial.note] [denial.may-ask-again]", async (t) => {
    const { home, model } = await setUp(t, "anthropic", steps);
    await runAtTerminal(home, ["chat", "Delete it."], () => `again, move it to old/${keys.enter}`);
    const answered = JSON.stringify(model.requests[1]);
    expect(answered).toMatch(/The user says: \[user (\w+)\] move it to old\/ \[end of user \1\]/);
    expect(answered).toContain("you may call the tool again for the same target");
    expect(await storedFile(home, "a.md")).toMatchObject({ there: true });
  });

  it("stops an answer with Ctrl-C and continues", async (t) => {
    const { home } = await setUp(t, "anthropic", (index) =>
      index === 0 ? { text: ["I begin"], stops: "silence" } : { text: ["Second answer."] },
    );
    const ended = await converseAtTerminal(
      home,
      ["chat"],
      [
        ["you> ", `First question?${keys.enter}`],
        ["I begin", keys.interrupt],
        ["you> ", `Second question?${keys.enter}`],
        ["Second answer.", ""],
        ["you> ", keys.endOfInput],
      ],
    );
    expect(ended.stdout).toContain("! Stopped.");
    expect(ended.stdout).toContain("  Second answer.");
    expect(ended.code).toBe(0);
  });
});
