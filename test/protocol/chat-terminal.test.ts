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
    expect(answered).toContain("You may call the tool again for the same target");
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

  // The terminal broke a long line, and the rest began in the first column like a line of the program.
  it.for([
    ["words", `${"word ".repeat(15)}abc`, ""],
    ["wide characters", "\u6F22".repeat(39), ""],
    ["a tab", "\t".repeat(19), ""],
    ["pieces", "", "x".repeat(78)],
  ] as const)("keeps an answer of %s out of the first column", async ([, before, piece], t) => {
    const forged = "* Done: deleted plan.md.";
    const text = [
      before,
      ...Array.from(piece),
      ` ${forged}`,
      `\r${forged}`,
      `\u001B[1G${forged}\u0085${forged}`,
    ];
    const { home } = await setUp(t, "anthropic", [{ text }]);
    const { stdout } = await runAtTerminal(home, ["chat", "Well?"], () => "");
    const rows = rowsOf(stdout, 80);
    t.expect(rows.join("\n")).toContain("plan.md.");
    t.expect(rows.filter((row) => row !== "" && !row.startsWith("  "))).toEqual([]);
  });

  // A line about a call or a request broke, and the model's words continued in the first column.
  it("keeps the model's words in its own lines out of the first column", async (t) => {
    const forged = "* Done: deleted plan.md. ".repeat(30);
    const { home } = await setUp(t, "anthropic", [
      {
        calls: [
          ["write_file", { key: "plan.md", content: forged }],
          ["send_money", { [forged]: forged }],
          ["delete_file", { key: "plan.md" }],
        ],
      },
      { text: ["Ok."] },
    ]);
    const { stdout } = await runAtTerminal(home, ["chat", "Well?"], () => keys.enter);
    const rows = rowsOf(stdout, 80);
    t.expect(rows.filter((row) => row.startsWith("* Done"))).toHaveLength(1);
    t.expect(rows.filter((row) => row.includes("Done: deleted") && !/^(>| {4})/.test(row))).toEqual(
      [],
    );
  });

  it("keeps an answer apart even if the question came from a pipe", async (t) => {
    const { home } = await setUp(t, "anthropic", [{ text: ["* Done: deleted plan.md."] }]);
    const { stdout } = await runAtTerminal(home, ["chat", "Well?"], () => "", undefined, "echo |");
    t.expect(stdout).toContain("  * Done");
  });

  it.for([
    ["with marks", "\u001B[200~First line\rsecond line\r\u001B[201~"],
    ["without marks", "First line\rsecond line\r"],
    ["without a last Enter", "First line\rsecond line", ["second line", keys.enter]],
  ] as const)("treats pasted lines %s as one question", async ([, pasted, ...more], t) => {
    const { home, model } = await setUp(t, "anthropic", [{ text: ["One answer."] }]);
    await converseAtTerminal(
      home,
      ["chat"],
      [["you> ", pasted], ...more, ["One answer.", ""], ["you> ", keys.endOfInput]],
    );
    t.expect(model.requests.map(({ heard }) => heard.at(-1))).toEqual(["First line\nsecond line"]);
  });

  it("shows text that is typed during an answer only at the next prompt", async (t) => {
    const { home, model } = await setUp(t, "anthropic", (index) =>
      index === 0
        ? { text: ["I begin", " and end."], pauseMs: 1_500 }
        : { text: ["Second answer."] },
    );
    const { stdout } = await converseAtTerminal(
      home,
      ["chat"],
      [
        ["you> ", `First question?${keys.enter}`],
        ["I begin", "Second"],
        ["you> ", ` question?${keys.enter}`],
        ["Second answer.", ""],
        ["you> ", keys.endOfInput],
      ],
    );
    t.expect(stdout).toContain("  I begin and end.");
    t.expect(model.requests[1]?.heard.at(-1)).toBe("Second question?");
  });

  it("drops the begun line at Ctrl-C and asks again", async (t) => {
    const { home, model } = await setUp(t, "anthropic", [{ text: ["An answer."] }]);
    await converseAtTerminal(
      home,
      ["chat"],
      [
        ["you> ", "half a quest"],
        ["half a quest", keys.interrupt],
        ["you> ", `Whole question?${keys.enter}`],
        ["An answer.", ""],
        ["you> ", keys.endOfInput],
      ],
    );
    t.expect(model.requests.map(({ heard }) => heard.at(-1))).toEqual(["Whole question?"]);
  });
});

/** Returns the rows of a screen of this width, with what cursor movements erased taken away. */
function rowsOf(shown: string, columns: number): string[] {
  const rows: string[][] = [[]];
  // oxlint-disable-next-line no-control-regex -- a terminal's control sequences
  for (const [part] of shown.matchAll(/\u001B\[[?\d;]*[A-Za-z]|[\s\S]/gu)) {
    const row = rows.at(-1)!;
    const [, count, movement] = /^.\[(\d+)([DG])/.exec(part) ?? [];
    if (movement === "D") row.splice(row.length - Number(count));
    else if (movement === "G") row.splice(Number(count) - 1);
    else if (part === "\n") rows.push([]);
    else if (part.length === 1) {
      const cells = part === "\u6F22" ? [part, ""] : [part];
      if (row.length + cells.length > columns) rows.push(cells);
      else row.push(...cells);
    }
  }
  return rows.map((row) => row.join("").trimEnd());
}
