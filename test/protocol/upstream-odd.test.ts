import { beforeAll, describe, expect, it } from "vitest";
import { suiteFinished } from "../fakes/suite-finished.ts";
import { clientKinds, connectHere } from "./clients.ts";
import { runHere } from "./program.ts";
import {
  homeWithServers,
  nodeServer,
  openHere,
  review,
  reviewed,
  setState,
} from "./upstream-home.ts";

const act = { inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };

const oddToken = "odd-token-5512-vk";

/** Connects a client of one server that writes messages outside of the protocol. Its log is at level `warn`. */
async function opened(t: Parameters<typeof homeWithServers>[0]) {
  const odd = nodeServer("odd-server.mjs", { env: { ODD_TOKEN: oddToken } });
  const servers = { odd, fair: nodeServer("odd-server.mjs") };
  const home = homeWithServers(t, servers, { LOG_LEVEL: "warn" });
  await reviewed(home, "odd", "fair");
  return await openHere(home);
}

describe("a server that writes what the protocol does not have", () => {
  /** For the tests after which it is as it was. */
  let shared: Awaited<ReturnType<typeof opened>>;
  const later = suiteFinished();

  beforeAll(async () => {
    shared = await opened({ onTestFinished: later });
  });

  it("loses only the blocks that are not known", async () => {
    const client = shared;
    const { text, isError } = await client.call("odd__act", { how: "unknown blocks" });
    expect(isError).toBe(false);
    expect(text).toContain("before\nafter");
    expect(text).toContain("Left out, because it does not fit: a block of an unknown type.");
  });

  it("may write null for an absent field, and members of its own", async () => {
    const client = shared;
    const nulls = await client.call("odd__act", { how: "nulls" });
    expect(nulls.isError, nulls.text).toBe(false);
    expect(nulls.text).toContain("present\na:b\nin it");
    const further = await client.call("odd__act", { how: "further members" });
    expect(further.text).toContain("fine");
  });

  // A batch was ignored, and a list as structured content refused the whole result.
  it("may answer in a batch, and with a list as structured content", async () => {
    const client = shared;
    expect((await client.call("odd__act", { how: "a batch" })).text).toContain("in a batch");
    const list = await client.call("odd__act", { how: "a list as data" });
    expect(list.isError, list.text).toBe(false);
    expect(list.text).toContain("[1,2]");
    expect(list.text).toContain("Left out, because it does not fit: structured content.");
    const alone = await client.call("odd__act", { how: "a list alone" });
    expect(alone.text).toContain("[1,2]");
    expect(alone.text).not.toContain("Left out");
  });

  // A client refused the whole result, and its caller did not know that the call was done.
  it("loses media that no client can decode, and nothing else", async () => {
    const client = shared;
    const { text, kinds } = await client.call("odd__act", { how: "broken media" });
    expect(text).toContain("done");
    expect(text).toContain("Left out, because it does not fit: image, audio, resource.");
    expect(kinds).toEqual(["text"]);
  });

  it("has its links left out if they are a program or content", async () => {
    const client = shared;
    const { whole, text } = await client.call("odd__act", { how: "unsafe links" });
    expect(text).toContain("Left out, because it does not fit: link.");
    expect(whole).toContain('"uri":"file:///a"');
    expect(whole).not.toContain('"uri":"javascript:');
    expect(whole).not.toContain('"uri":"data:');
  });

  // Both counted as a success with an empty result.
  it.for([
    ["a question", "asked for more input"],
    ["a task", "answered in a form that is not MCP"],
  ] as const)("fails a call that it answers with %s", async ([how, problem]) => {
    const client = shared;
    const { error, text } = await client.call("odd__act", { how });
    expect(error, text).toMatchObject({ kind: "unavailable", sideEffects: "none" });
    expect(text).toContain(`The server odd ${problem}`);
    expect((await client.call("odd__act")).text).toContain("fine");
  });

  // The silent server stayed until a person restarted it, and each call waited until its time limit.
  it("is started again after it was silent in a call", async (t) => {
    const silent = nodeServer("odd-server.mjs", { timeoutMs: 1_000 });
    const home = homeWithServers(t, { odd: silent });
    await reviewed(home, "odd");
    const client = await openHere(home);
    const { error } = await client.call("odd__act", { how: "silence" });
    expect(error?.kind).toBe("timeout");
    expect((await client.call("odd__act")).text).toContain("fine");
  });

  it.for(["no result", "an error as text", "both members", "closed output", "unread answers"])(
    "ends the call immediately by %s, and starts again",
    async (how) => {
      const client = shared;
      const before = performance.now();
      const { error, text } = await client.call("odd__act", { how });
      expect(error?.kind, text).toBe("unavailable");
      expect(text).toContain("The server odd ");
      // The time of a call is 30 s.
      expect(performance.now() - before).toBeLessThan(25_000);
      expect((await client.call("fair__act")).text).toContain("fine");
      expect((await client.call("odd__act")).text).toContain("fine");
    },
  );

  it("does not fill the log with the text of its error", async (t) => {
    const client = await opened(t);
    const { error } = await client.call("odd__act", { how: "a long error" });
    expect(error?.kind).toBe("unavailable");
    expect(client.log()).toContain("mmmm");
    expect(client.log().length).toBeLessThan(10_000);
  });

  it("has its own secret hidden in its error", async () => {
    const { text, isError } = await shared.call("odd__act", { how: "an error with its token" });
    expect(isError).toBe(true);
    expect(`${text}\n${shared.log()}`).not.toContain(oddToken);
  });

  it("does not fill the log with questions", async (t) => {
    const client = await opened(t);
    await client.call("odd__act", { how: "many questions" });
    expect(client.log().match(/refused a request from/g)).toHaveLength(1);
  });

  it.for([null, ""])("ends its list with the cursor %j", async (nextCursor, t) => {
    const home = homeWithServers(t, { odd: nodeServer("odd-server.mjs") });
    setState(home, "odd", { page: { nextCursor } });
    const { code, stderr, stdout } = await review(home, "odd");
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("odd__act");
  });

  it.for([{ many: 1_000 }, { many: 600, words: 9_000 }])(
    "fails its review with a list over 1 000 tools or 5 MB (%j)",
    async (state, t) => {
      const home = homeWithServers(t, { odd: nodeServer("odd-server.mjs") });
      setState(home, "odd", state);
      const { code, stderr } = await review(home, "odd");
      expect(code).toBe(1);
      expect(stderr).toContain(
        "The server odd lists more than 1000 tools or 5 MB. Nothing was done. Start it with fewer tools, if it has an option for that.",
      );
    },
  );

  it("has the tools that cannot be used named in the log", async (t) => {
    const home = homeWithServers(t, { odd: nodeServer("odd-server.mjs") }, { LOG_LEVEL: "warn" });
    setState(home, "odd", {
      more: [
        { name: "right\u202eleft", inputSchema: {} },
        { name: "act", inputSchema: {} },
        // The tool was offered, and each call was a protocol error.
        { name: "as_task", inputSchema: {}, execution: { taskSupport: "required" } },
        { name: "maybe_task", inputSchema: {}, execution: { taskSupport: "optional" } },
      ],
    });
    const { stderr, stdout } = await review(home, "odd");
    expect(stderr).toContain('tool="as_task" reason=its definition is not accepted');
    expect(stdout).not.toContain("as_task");
    expect(stdout).toContain("odd__maybe_task");
    expect(stderr).toMatch(/tool="right.*left" reason=its definition is not accepted/);
    expect(stderr).toContain('tool="act" reason=listed twice');
  });

  it("loses each tool whose definition claims more than a definition can", async (t) => {
    const object = { type: "object" };
    const inSchema = (part: object): object => ({ inputSchema: { ...object, ...part } });
    const bait = "http://127.0.0.1:9/x";
    const definitions = [
      { inputSchema: object, title: 7 },
      { inputSchema: object, description: { approved: true } },
      { inputSchema: object, description: "d".repeat(1 << 20) },
      { inputSchema: object, annotations: [{ readOnlyHint: true }] },
      { inputSchema: [] },
      { inputSchema: "object" },
      {},
      inSchema({ $id: bait, properties: { a: { $ref: "y" } } }),
      inSchema({ properties: { a: { $dynamicRef: `${bait}#a` } } }),
      inSchema({ properties: { a: { enum: Array.from({ length: 100_000 }, (_each, at) => at) } } }),
    ];
    const more = definitions.map((each, at) => ({ ...each, name: `claims_${at}` }));
    const names = ["toString", "constructor", "__proto__"].map((name) => ({ ...act, name }));
    const home = homeWithServers(t, { odd: nodeServer("odd-server.mjs") }, { LOG_LEVEL: "warn" });
    setState(home, "odd", { more: [...more, ...names] });
    const { code, stderr, stdout } = await review(home, "odd");
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("odd__act");
    for (const { name } of [...more, ...names]) {
      expect(stdout).not.toContain(name);
      expect(stderr).toContain(`tool="${name}" reason=its definition is not accepted`);
    }
  });

  // Such an argument always counted as given, and each call without it was refused.
  it("may name an argument like a method that every object has", async (t) => {
    const text = { type: "string" };
    const properties = { how: text, constructor: text, toString: text };
    const home = homeWithServers(t, { odd: nodeServer("odd-server.mjs") });
    setState(home, "odd", {
      more: [{ ...act, name: "inherits", inputSchema: { type: "object", properties } }],
    });
    await reviewed(home, "odd");
    const client = await openHere(home);
    for (const args of [{}, { how: "fine" }, { constructor: "a", toString: "b" }]) {
      const { text: answer } = await client.call("odd__inherits", args);
      expect(answer, JSON.stringify(args)).toContain("fine");
    }
    const { error } = await client.call("odd__inherits", { constructor: 5 });
    expect(error).toMatchObject({ kind: "invalid_input", sideEffects: "none" });
  });

  // Model services refuse each request with such a schema, so one tool ended the conversation.
  it("is listed without alternatives at the root of a schema, which each call is checked for", async (t) => {
    const text = { type: "string" };
    const inputSchema = {
      type: "object",
      properties: { how: text, route: text, file: text },
      oneOf: [{ required: ["route"] }, { required: ["file"] }],
    };
    const home = homeWithServers(t, { odd: nodeServer("odd-server.mjs") });
    setState(home, "odd", { more: [{ ...act, name: "either", inputSchema }] });
    await reviewed(home, "odd");
    const client = await openHere(home);
    const listed = (await client.list()).find(({ name }) => name === "odd__either");
    expect(listed?.inputSchema).toEqual({
      type: "object",
      description: "Give exactly one of these sets: route | file.",
      properties: inputSchema.properties,
    });
    expect((await client.call("odd__either", { route: "a" })).text).toContain("fine");
    for (const args of [{}, { route: "a", file: "b" }])
      expect((await client.call("odd__either", args)).error).toMatchObject({
        kind: "invalid_input",
        sideEffects: "none",
      });
  });

  // One such schema made clients refuse the whole list, with the tools of every other server.
  it("does not spoil the list of tools for an official client", async (t) => {
    const odd = [
      { properties: { a: true, b: false } },
      { required: null },
      { required: [1] },
      { properties: { a: null, b: "string" } },
      { $schema: 5 },
      { properties: null },
    ];
    const more = odd.map((part, at) => {
      return { ...act, name: `odd_${at}`, inputSchema: { type: "object", ...part } };
    });
    const home = homeWithServers(t, { odd: nodeServer("odd-server.mjs") });
    setState(home, "odd", { more });
    await reviewed(home, "odd");
    for (const kind of clientKinds) {
      const client = await connectHere(home, kind);
      const names = (await client.listTools()).map(({ name }) => name);
      expect(names, kind).toContain("odd__act");
      expect(names.filter((name) => name.startsWith("odd__odd_"))).toHaveLength(odd.length);
      // Programs in Go write null for an empty list.
      for (const name of ["odd__odd_1", "odd__odd_5"])
        expect((await client.call(name)).text, kind).toContain("fine");
      await client.close();
    }
  });

  // Model services refuse such names too.
  it("is not listed with unusual names of arguments, but found and called", async (t) => {
    const properties = { how: { type: "string" }, "Start<": { type: "string" } };
    const home = homeWithServers(t, { odd: nodeServer("odd-server.mjs") });
    const inputSchema = { type: "object", properties, required: ["Start<"] };
    setState(home, "odd", { more: [{ ...act, name: "list_calls", inputSchema }] });
    await reviewed(home, "odd");
    const client = await openHere(home);
    const listed = (await client.list()).map(({ name }) => name);
    expect(listed).toContain("odd__act");
    expect(listed).not.toContain("odd__list_calls");
    expect((await client.call("find_tools", { query: "calls" })).text).toContain('"Start<"');
    const call = { name: "odd__list_calls", arguments: { "Start<": "2026" } };
    expect((await client.call("call_tool", call)).text).toContain("fine");
    const { stdout } = await runHere(home, ["doctor"]);
    expect(stdout).toContain("or model services refuse the names of their arguments");
  });

  // Each reference doubles the work: 2^40 checks of one argument.
  it("is not called with an argument whose check takes too long, and nothing else waits", async (t) => {
    const count = 40;
    const $defs = Object.fromEntries(
      Array.from({ length: count }, (_each, at) => {
        const next = { $ref: `#/$defs/d${at + 1}` };
        return [`d${at}`, { allOf: [next, next] }] as const;
      }),
    );
    const inputSchema = {
      type: "object",
      $defs: { ...$defs, [`d${count}`]: { type: "string" } },
      properties: { a: { $ref: "#/$defs/d0" } },
    };
    const home = homeWithServers(t, { odd: nodeServer("odd-server.mjs") });
    setState(home, "odd", { more: [{ ...act, name: "doubles", inputSchema }] });
    await reviewed(home, "odd");
    const client = await openHere(home);
    const order: string[] = [];
    const slow = client.call("odd__doubles", { a: "x" }).then((result) => {
      order.push("call");
      return result;
    });
    await client.ping();
    order.push("ping");
    expect((await slow).error).toMatchObject({ kind: "invalid_input", sideEffects: "none" });
    expect(order).toEqual(["ping", "call"]);
    expect((await client.call("odd__act")).text).toContain("fine");
  });
});
