import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { Reply } from "../servers/chat-model.ts";
import { protocols, setUp } from "./chat-home.ts";
import { type Home, ingestHere, newHome, runsOf, storedFile } from "./home.ts";
import type { Ended } from "../servers/command-here.ts";
import { runHere, runProgram } from "./program.ts";

const line = z.looseObject({ type: z.string() });

function linesOf({ stdout }: Ended) {
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((text) => line.parse(JSON.parse(text)));
}

const ask = (home: Home, ...args: string[]) => runHere(home, ["chat", ...args]);

/** Several questions, one after another, in one process. */
const askAll = (home: Home, ...questions: string[]) =>
  runHere(home, ["chat"], { input: questions.map((question) => `${question}\n`).join("") });

describe.concurrent.each(protocols)(
  "a question on the command line (%s) [assistant.chat]",
  (protocol) => {
    it("is answered with tools, and the program reports what a call did", async (t) => {
      const { home, model } = await setUp(t, protocol, [
        { text: ["I write it. "], calls: [["write_file", { key: "plan.md", content: "a plan" }]] },
        { text: ["It is ", "written."] },
      ]);
      const ended = await ask(home, "Write a plan.");
      expect(ended).toMatchObject({ code: 0, stdout: "I write it. \nIt is written.\n" });
      expect(ended.stderr).toContain('> write_file (medium) {"key":"plan.md"');
      expect(ended.stderr).toMatch(/\* Done: .*plan\.md/);
      expect(await storedFile(home, "plan.md")).toMatchObject({ there: true });
      expect(model.requests[1]?.heard.at(-1)).toContain("Tell the user:");
      const [first] = model.requests;
      expect(first?.tools).toEqual(expect.arrayContaining(["write_file", "tool_page"]));
      expect(first?.tools).not.toContain("web_search");
      expect(first?.system).toContain("delete_file (high)");
      expect(first?.system).not.toContain("countersign://");
    });

    it("continues the stored conversation of its session, until that is deleted", async (t) => {
      const { home, model } = await setUp(t, protocol, [{ text: ["Noted."] }]);
      await ask(home, "My cat is Mia.");
      await ask(home, "What is her name?");
      expect(model.requests[1]?.heard).toEqual(["My cat is Mia.", "Noted.", "What is her name?"]);
      await ask(home, "--session", "work", "Another matter.");
      expect(model.requests[2]?.heard).toEqual(["Another matter."]);
      await ask(home, "--new", "Once more.");
      expect(model.requests[3]?.heard).toEqual(["Once more."]);
      expect((await ask(home, "--delete", "--session", "work")).stdout).toBe(
        "Deleted 1 questions.\n",
      );
      expect((await ask(home, "--list", "--json")).stdout).toContain('"session":"default"');
      const rows = await home.sql("SELECT session FROM assistant_exchanges");
      expect(rows).toHaveLength(1);
    });

    it("shows times of this computer, and each failure in one line", async (t) => {
      const { home } = await setUp(
        t,
        protocol,
        [
          { calls: [["write_file", { key: "plan.md", content: "1" }]] },
          { calls: [["write_file", { key: "plan.md", content: "2" }]] },
          { calls: [["write_file", { key: "a/../b", content: "x" }]] },
          { text: ["Done."] },
        ],
        { TZ: "Asia/Tokyo" },
      );
      // A process has one time zone.
      const { stderr } = await runProgram(home, ["chat", "Write it twice."]);
      expect(stderr).toMatch(/\* Done: replaced plan\.md, 1 bytes?, undo until .+\d\d:\d\d/);
      expect(stderr).not.toMatch(/\dZ/);
      const failures = stderr.split("\n").filter((each) => each.startsWith("!"));
      expect(failures).toHaveLength(1);
      expect(failures[0]).not.toContain("\\n");
    });

    it("gets calls of unknown tools and broken arguments refused, and continues", async (t) => {
      const { home, model } = await setUp(t, protocol, [
        { calls: [["send_money", { to: "me" }]] },
        { calls: [["write_file", '{"key": "plan.md", "cont']] },
        { text: ["I cannot."] },
      ]);
      const ended = await ask(home, "Send money.");
      expect(ended).toMatchObject({ code: 0, stdout: "I cannot.\n" });
      expect(model.requests[1]?.heard.at(-1)).toMatch(/not_found|invalid_input/);
      expect(model.requests[2]?.heard.at(-1)).toContain("invalid_input");
      expect(await storedFile(home, "plan.md")).toMatchObject({ there: false });
    });

    it("calls the model that ASSISTANT_MODEL names, for ASSISTANT_MAX_STEPS steps [settings.effect]", async (t) => {
      const steps = { ASSISTANT_MAX_STEPS: "2" };
      const again: Reply = { calls: [["list_files", {}]] };
      const { home, model } = await setUp(t, protocol, [again], steps);
      expect((await ask(home, "List everything.")).stderr).toContain("ended after 2 steps");
      expect(model.requests).toHaveLength(2);
      expect(model.requests[0]?.body).toContain('"model":"scripted-model"');
    });

    it("ends after five steps", async (t) => {
      const { home, model } = await setUp(t, protocol, (index) => ({
        calls: [["list_files", { prefix: `p${index}` }]],
      }));
      const ended = await ask(home, "List everything.");
      expect(ended.code).toBe(1);
      expect(ended.stderr).toContain("The answer ended after 5 steps (ASSISTANT_MAX_STEPS).");
      expect(model.requests).toHaveLength(5);
    });

    it.for([
      ["a rate limit", { status: 429, headers: { "retry-after": "7" } }, "Try again in 7 s."],
      ["a refused key", { status: 401 }, "Check ASSISTANT_API_KEY"],
      ["a failure", { status: 500 }, "The model's service failed."],
      ["a refusal", { text: ["No."], end: "refusal" }, "The model refused to answer."],
      ["a full context", { text: ["So"], end: "length" }, "reached the model's limit"],
      ["a cut stream", { text: ["So"], stops: "cut" }, "not complete"],
      ["silence", { text: ["So"], stops: "silence" }, "The model did not answer in time."],
      ["an early end", { text: ["So"], stops: "end" }, "not complete"],
      ["an error in the stream", { text: ["So"], stops: "error" }, "The model's service failed."],
      ["an unknown end", { text: ["So"], finish: "insufficient" }, "ended the answer early"],
      ["no answer", { text: [] }, "The model gave no answer."],
      ["a blank answer", { text: [" ", "\n"] }, "The model gave no answer."],
      ["a refusal without a word", { end: "refusal" }, "The model refused to answer."],
      ["a page", { status: 200, body: "<html>Sign in</html>" }, "returned an invalid response"],
      ["an empty body", { status: 200, body: "" }, "returned an invalid response"],
    ] satisfies [string, Reply, string][])(
      "reports %s of the service",
      async ([, reply, said], t) => {
        const { home, model } = await setUp(
          t,
          protocol,
          (index) => (index === 0 ? reply : { text: ["Ok."] }),
          {
            ASSISTANT_TIMEOUT_MS: "1000",
          },
        );
        const ended = await askAll(home, "Well?", "And now?");
        expect(ended.code).toBe(1);
        expect(ended.stderr).toContain(said);
        // The conversation can continue after the error.
        expect(ended.stderr.match(/^! /gm)).toHaveLength(1);
        expect(ended.stdout.split("\n").slice(-2)).toEqual(["Ok.", ""]);
        expect(model.requests[1]?.heard[0]).toBe("Well?");
        // Anthropic refuses a conversation with a blank text or a message without content, and with it each later
        // question.
        expect(model.requests[1]?.heard.filter((text) => text.trim() === "")).toEqual([]);
      },
    );

    it("accepts the finish reasons that only local servers use", async (t) => {
      const { home } = await setUp(t, protocol, [{ text: ["All."], finish: "eos" }]);
      expect(await ask(home, "Well?")).toMatchObject({ code: 0, stdout: "All.\n" });
    });

    // The halves were printed one by one, each as a replacement character.
    it("joins a character that arrives in two pieces, and leaves out thoughts", async (t) => {
      const text = ["<thi", "nk>I wonder.</think>", "\n\nYes \uD83D", "\uDE00."];
      const { home, model } = await setUp(t, protocol, [{ text }]);
      expect((await ask(home, "Well?")).stdout.trim()).toBe("Yes \u{1F600}.");
      await ask(home, "And now?");
      expect(model.requests[1]?.body).not.toContain("wonder");
    });

    // The SDK gave the second delivery an id of its own, and the call ran twice.
    it("makes a call once that the service delivered twice", async (t) => {
      const call = ["write_file", { key: "a.md", content: "1" }, "same"] as const;
      const { home, model } = await setUp(t, protocol, [
        { calls: [call, call, ["write_file", { key: "b.md", content: "1" }, "same"]] },
        { text: ["Done."] },
      ]);
      expect((await ask(home, "Write it.")).stderr.match(/> write_file/g)).toHaveLength(2);
      expect(await runsOf(home, "write_file")).toBe(2);
      // The model was not informed that its second call had been dropped.
      expect(model.requests[1]?.body.match(/"(?:tool_call_id|tool_use_id)":/g)).toHaveLength(3);
      expect(model.requests[1]?.body.match(/was not made again/g)).toHaveLength(1);
    });

    // The third call counted as a repetition, and the file kept the second text.
    it("makes a call again that another one separates from the first", async (t) => {
      const write = (content: string) => ["write_file", { key: "a.md", content }] as const;
      const { home } = await setUp(t, protocol, [
        { calls: [write("1"), write("2"), write("1")] },
        { text: ["Done."] },
      ]);
      await ask(home, "Write it.");
      expect(await runsOf(home, "write_file")).toBe(3);
    });

    it("repeats no id of a call", async (t) => {
      const write = ["write_file", { key: "a.md", content: "1" }, "same"] as const;
      const { home, model } = await setUp(t, protocol, [
        { calls: [write, write] },
        { calls: [["list_files", {}, "same"]] },
        { text: ["Done."] },
      ]);
      await ask(home, "Write it.");
      const ids = model.requests[2]?.body.match(/"(?:tool_call_id|tool_use_id)":"[^"]+"/g);
      expect(ids?.length).toBeGreaterThan(1);
      expect(new Set(ids).size).toBe(ids?.length);
    });

    // One enormous exchange was stored whole, and each later question sent it again.
    it.for([
      ["question", "a".repeat(100_000), { text: ["Ok."] }],
      ["answer", "Tell.", { text: ["many words of a tale ".repeat(20_000)] }],
      ["call", "Call.", { calls: [["send_money", { to: "x".repeat(90_000) }]] }],
    ] satisfies [string, string, Reply][])(
      "stores an enormous %s within the limit of a conversation",
      async ([, question, reply], t) => {
        const { home, model } = await setUp(t, protocol, (index) =>
          index === 0 ? reply : { text: ["Ok."] },
        );
        await askAll(home, question, "And now?");
        expect(model.requests.at(-1)?.heard.length).toBeGreaterThan(2);
        const [row] = await home.sql("SELECT max(tokens) AS most FROM assistant_exchanges");
        expect(Number(row?.["most"])).toBeLessThan(16_000);
        const sent = JSON.stringify(model.requests.at(-1)?.heard);
        expect(sent.length).toBeLessThan(20_000);
        expect(model.requests.at(-1)?.body).not.toContain("x".repeat(10_000));
      },
    );
  },
);

describe.concurrent("the assistant's conversation", () => {
  it("is one JSON object per line with --json", async (t) => {
    const { home } = await setUp(t, "anthropic", [
      { calls: [["delete_file", { key: "none.md" }]] },
      { text: ["Gone."] },
    ]);
    const lines = linesOf(await ask(home, "--json", "Delete it."));
    expect(lines.map(({ type }) => type)).toEqual(["call", "result", "text", "answer"]);
    expect(lines[0]).toMatchObject({ tool: "delete_file", risk: "high" });
    expect(lines[3]).toMatchObject({ text: "Gone.", end: "complete", steps: 2 });
  });

  it("leaves an approval request open without a terminal", async (t) => {
    const { home, model } = await setUp(t, "anthropic", [
      {
        calls: [
          ["write_file", { key: "a.md", content: "text" }],
          ["delete_file", { key: "a.md" }],
        ],
      },
      { text: ["It waits."] },
    ]);
    const { stderr } = await ask(home, "Delete it.");
    // The person saw the model's sentence, cut at the fingerprint.
    expect(stderr).toMatch(/^Delete the file "a\.md"/m);
    expect(stderr).toMatch(/^ {2}fingerprint +[0-9A-Z]{4}-[0-9A-Z]{4}$/m);
    expect(stderr).toMatch(/^To decide: .*approvals$/m);
    expect(stderr).not.toContain("! delete_file");
    expect(model.requests[1]?.body).toContain("approval_required");
    expect(await runsOf(home, "delete_file")).toBe(0);
  });

  it("reads questions from a pipe", async (t) => {
    const { home, model } = await setUp(t, "openai-compatible", [{ text: ["Yes."] }]);
    const ended = await runProgram(home, ["chat"], { input: "One?\nTwo?\n" });
    expect(ended).toMatchObject({ code: 0, stdout: "Yes.\nYes.\n" });
    expect(model.requests[1]?.heard).toEqual(["One?", "Yes.", "Two?"]);
  });

  it("keeps the newest exchanges within its limit and no long results", async (t) => {
    const long = "many words of a long story ".repeat(1500);
    const count = 14;
    const { home, model } = await setUp(t, "anthropic", (index) =>
      index === 0 ? { calls: [["read_file", { key: "story.md" }]] } : { text: [long] },
    );
    const input = Array.from({ length: count }, (_, at) => `question ${at + 1}\n`).join("");
    await runHere(home, ["chat", "--session", "s"], { input });
    const heard = model.requests.at(-1)?.heard ?? [];
    expect(heard).not.toContain("question 1");
    expect(heard).toContain(`question ${count - 1}`);
    const [row] = await home.sql("SELECT sum(tokens) AS n FROM assistant_exchanges");
    expect(Number(row?.["n"])).toBeLessThanOrEqual(16_000);
  });

  it("forgets questions after 90 days, even if they are the only ones [assistant.expiry]", async (t) => {
    const { home, model } = await setUp(t, "anthropic", [{ text: ["Yes."] }]);
    await ask(home, "--session", "old", "One?");
    await ask(home, "Two?");
    const age = (days: number) =>
      home.sql("UPDATE assistant_exchanges SET at = at - ?", [days * 86_400_000]);
    await age(89);
    await ask(home, "Three?");
    expect(model.requests[2]?.heard).toEqual(["Two?", "Yes.", "Three?"]);
    await age(2);
    await ingestHere(home, home.env);
    await vi.waitFor(
      async () =>
        expect(await home.sql("SELECT messages FROM assistant_exchanges")).toHaveLength(1),
      { timeout: 30_000 },
    );
    await ask(home, "Four?");
    expect(model.requests[3]?.heard).toEqual(["Three?", "Yes.", "Four?"]);
  });

  it("refuses to start without settings", async (t) => {
    const ended = await ask(newHome(t), "Hello?");
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("Set ASSISTANT_PROVIDER and ASSISTANT_MODEL.");
  });
});
