import { describe, it } from "vitest";
import type { Reply } from "../servers/chat-model.ts";
import { protocols, setUp } from "./chat-home.ts";
import { type Home, runsOf } from "./home.ts";
import { runHere } from "./program.ts";

const ask = (home: Home, ...args: string[]) => runHere(home, ["chat", ...args]);
const write = ["write_file", { key: "a.md", content: "1" }] as const;

describe.concurrent.each(protocols)("a model that misbehaves (%s) [assistant.chat]", (protocol) => {
  // After a lost connection the program stayed until the time for a silent service was over.
  it.for([
    ["reached its limit", { calls: [write], end: "length" }, "reached the model's limit"],
    ["refused afterwards", { calls: [write], end: "refusal" }, "refused to answer"],
    ["lost the connection", { text: ["So"], calls: [write], stops: "cut" }, "not complete"],
    ["ended the stream early", { text: ["So"], calls: [write], stops: "end" }, "not complete"],
    ["failed afterwards", { text: ["So"], calls: [write], stops: "error" }, "service failed"],
  ] satisfies [string, Reply, string][])("causes no call if it %s", async ([, reply, said], t) => {
    const { home } = await setUp(t, protocol, [reply]);
    const { stderr, code } = await ask(home, "Write it.");
    t.expect(code).toBe(1);
    t.expect(stderr).toContain(said);
    t.expect(stderr).not.toContain("> write_file");
    t.expect(await runsOf(home, "write_file")).toBe(0);
  });

  // The answer of a service that sent only signs of life never ended.
  it("times out if its service sends only keep-alive lines", async (t) => {
    const { home } = await setUp(t, protocol, [{ text: ["So"], stops: "pings" }], {
      ASSISTANT_TIMEOUT_MS: "1000",
    });
    const { stdout, stderr, code } = await ask(home, "Well?");
    t.expect([code, stdout]).toEqual([1, "So\n"]);
    t.expect(stderr).toContain("The model did not answer in time.");
  });

  // An id or a name that the service itself had sent made it refuse every later question.
  it("can invent names and ids, and later questions are answered", async (t) => {
    const { home, model } = await setUp(t, protocol, (index) =>
      index === 0
        ? {
            calls: [
              ["delete file!", { key: "a.md" }, "call:1|" + "x".repeat(80)],
              ["write_file ", { key: "a.md", content: "1" }, "id with spaces"],
              ["__proto__", {}, "3"],
              ["constructor", { name: "x" }, "4"],
            ],
          }
        : { text: ["Ok."] },
    );
    t.expect((await ask(home, "Well?")).code).toBe(0);
    await ask(home, "And now?");
    t.expect(await runsOf(home, "%")).toBe(0);
    for (const { body } of model.requests.slice(1)) {
      const sent = JSON.parse(body) as { messages: unknown[] };
      const text = JSON.stringify(sent.messages);
      const ids = [...text.matchAll(/"(?:id|tool_call_id|tool_use_id)":"([^"]*)"/g)];
      const names = [...text.matchAll(/"name":"([^"]*)"/g)];
      t.expect(ids.length).toBeGreaterThanOrEqual(6);
      for (const [, id] of ids) t.expect(id).toMatch(/^[\w-]{1,40}$/);
      for (const [, name] of names) t.expect(name).toMatch(/^[\w-]{1,64}$/);
    }
  });

  it("can send arguments in any form, and hears why they are refused", async (t) => {
    const { home, model } = await setUp(t, protocol, [
      {
        calls: ["null", "[]", '"text"', "7", '{"__proto__":{"key":"a.md"}}'].map(
          (args) => ["delete_file", args] as const,
        ),
      },
      { text: ["Ok."] },
    ]);
    t.expect(await ask(home, "Well?")).toMatchObject({ code: 0, stdout: "Ok.\n" });
    t.expect(model.requests[1]?.body.match(/was not called/g)).toHaveLength(5);
    t.expect(await home.sql("SELECT 1 FROM tickets")).toEqual([]);
  });

  // The service was said to be unreachable.
  it("can nest arguments too deeply for every parser, and later questions are answered", async (t) => {
    const deep = `${'{"key":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    const { home } = await setUp(t, protocol, (index) =>
      index === 0 ? { calls: [["delete_file", deep]] } : { text: ["Ok."] },
    );
    const { code, stderr } = await ask(home, "Well?");
    t.expect(code).toBe(1);
    t.expect(stderr).toContain("returned an invalid response");
    t.expect((await ask(home, "And now?")).stdout).toBe("Ok.\n");
  });

  it("cannot write control characters, in an answer or in a call", async (t) => {
    const evil = "\u001B]0;title\u0007\u001B[2J\u009B2J\u202Etxt";
    const { home } = await setUp(t, protocol, [
      { text: [`a${evil}b\r\n`], calls: [[`x${evil}`, { [evil]: evil }]] },
      { text: ["Ok."] },
    ]);
    const { stdout, stderr } = await ask(home, "Well?");
    // oxlint-disable-next-line no-control-regex -- these must be absent
    for (const text of [stdout, stderr]) t.expect(text).not.toMatch(/[\u001B\u0007\u009B\u202E\r]/);
    t.expect(stdout).toContain("Ok.");
  });

  it("gets no more calls for one question than TOOL_CALLS_PER_TURN", async (t) => {
    const calls = Array.from(
      { length: 60 },
      (_, at) => ["list_files", { prefix: `p${at}` }] as const,
    );
    const { home, model } = await setUp(t, protocol, [{ calls }, { text: ["Ok."] }], {
      TOOL_CALLS_PER_TURN: "40",
    });
    t.expect((await ask(home, "Well?")).code).toBe(0);
    t.expect(model.requests[1]?.body.match(/At most 40 calls are allowed/g)).toHaveLength(20);
  });

  it("cannot send the conversation elsewhere", async (t) => {
    const other = await setUp(t, protocol, [{ text: ["Stolen."] }]);
    const path = protocol === "anthropic" ? "/messages" : "/chat/completions";
    const location = `${other.model.url}${path}`;
    const { home } = await setUp(t, protocol, [{ status: 307, headers: { location } }]);
    t.expect((await ask(home, "Well?")).code).toBe(1);
    t.expect(other.model.requests).toEqual([]);
  });
});
