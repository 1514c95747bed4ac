import { beforeAll, describe, expect, it } from "vitest";
import { suiteFinished } from "../fakes/suite-finished.ts";
import {
  callsOf,
  homeWithServers,
  isUnharmed,
  nodeServer,
  openHere,
  review,
  reviewed,
  setState,
} from "./upstream-home.ts";

const cunning = nodeServer("cunning-server.mjs");
const notJsonRpc = "wrote something that is not valid JSON-RPC before it answered.";

describe("a server that misuses the form of the protocol", () => {
  let shared: Awaited<ReturnType<typeof openHere>>;
  const later = suiteFinished();

  beforeAll(async () => {
    const servers = { cunning, notes: nodeServer("notes-server.mjs") };
    const home = homeWithServers({ onTestFinished: later }, servers, { LOG_LEVEL: "debug" });
    await reviewed(home, "cunning", "notes");
    shared = await openHere(home);
  });

  it.each([
    ["two answers", "first"],
    ["an answer to an old id", "fine"],
    ["an inherited key", "fine"],
    ["a character in two writes", "schön 🎉 ende"],
    ["single bytes", "ü"],
    ["a byte order mark", "fine"],
    ["invalid UTF-8", "\ufffdx"],
    ["carriage returns", "fine"],
    ["an answer and an end", "last words"],
    ["a storm of changes", "fine"],
    ["progress of others", "fine"],
    ["progress after the answer", "fine"],
    ["a request with our id", "fine"],
    ["a cancellation of our call", "fine"],
    ["stderr without end", "fine"],
    ["NUL bytes before", "fine"],
    ["colours before", "fine"],
    ["two ids", "fine"],
    ["an id with an exponent", "fine"],
    ["a batch with a number", "fine"],
    ["half a character", "\ufffdx"],
    ["empty lines", "fine"],
    ["answers to old ids", "fine"],
    ["a page as a picture", "fine"],
    ["words in a block", "fine\na link\nhttps://a.example/x"],
    ["many pictures", "fine"],
  ])("has its answer passed on: %s", async (how, words) => {
    const told: unknown[] = [];
    const onprogress = (each: unknown): void => void told.push(each);
    const { text, whole, isError } = await shared.call("cunning__act", { how }, { onprogress });
    expect(isError, text).toBe(false);
    expect(text).toContain(`\n${words}\n`);
    expect(whole).not.toContain("CANARY");
    expect(told).toEqual([]);
    await isUnharmed(shared);
  });

  it.each([
    ["an id as text", "sent a response with an unknown id before it answered."],
    ["a huge error", "answered with the protocol error -32000."],
    ["a forged error", "answered with the protocol error 1."],
    ["a code that is text", "wrote something that is not valid JSON-RPC before it answered."],
    ["a code without end", "wrote something that is not valid JSON-RPC before it answered."],
    ["a success code", "ended before it answered."],
    ["half an answer and an end", "ended before it answered."],
    ["a prototype as an answer", notJsonRpc],
    ["broken JSON after NUL bytes", notJsonRpc],
    ["UTF-16", notJsonRpc],
    ["JSON in several lines", notJsonRpc],
    [
      "empty lines without end",
      "writes text that is not part of the protocol to standard output before it answered.",
    ],
    ["white space without end", "wrote a message over 10 MB before it answered."],
    ["colours without end", "wrote a message over 10 MB before it answered."],
    ["answers to old ids without end", "sent too many messages before it answered."],
    ["progress without end", "sent too many messages before it answered."],
  ])("has its own call ended immediately, in our words: %s", async (how, problem) => {
    const { text, whole, error } = await shared.call("cunning__act", { how });
    expect(error, text).toMatchObject({ kind: "unavailable", sideEffects: "none" });
    expect(text).toBe(`unavailable: The server cunning ${problem} Nothing was done.`);
    expect(whole).not.toContain("CANARY");
    await isUnharmed(shared);
    expect((await shared.call("cunning__act", { how: "fine" })).text).toContain("fine");
  });

  it("has the data of a failed call shown only between the markers", async () => {
    const { text, whole, structured } = await shared.call("cunning__act", {
      how: "a failure with data",
    });
    expect(text).toMatch(/Its message:\n\[untrusted \w+: .*\]\n\{"approved":true,.*\}\n\[end of/);
    expect(structured).toBeUndefined();
    expect(whole).not.toContain('"_meta":{"dev.countersign/error"');
  });

  it("has the words of many texts joined, and the keys of unknown data kept inside the markers", async () => {
    const { text } = await shared.call("cunning__act", { how: "many texts" });
    expect(text).toContain("\nfirst\n");
    const [, id = "", offset = ""] = /read_result (\S+), offset (\d+)/.exec(text) ?? [];
    const rest = await shared.call("read_result", { resultId: id, offset: Number(offset) });
    expect(rest.isError, rest.text).toBe(false);
    const keys = await shared.call("cunning__act", { how: "a million keys" });
    expect(keys.isError, keys.text).toBe(false);
    expect(keys.structured).not.toHaveProperty("data");
  });

  // At level `debug`, the log had each message whole, with its characters for the terminal.
  it("cannot fill the log with an error, nor write to the terminal", async () => {
    for (const how of ["a huge error", "a forged error"])
      await shared.call("cunning__act", { how });
    expect(shared.log()).toContain("ProtocolError");
    expect(shared.log()).not.toContain("\u001b");
    expect(shared.log().length).toBeLessThan(500_000);
  });

  it("has its answer after a cancellation dropped", async (t) => {
    const home = homeWithServers(t, { cunning });
    await reviewed(home, "cunning");
    const client = await openHere(home);
    const stop = new AbortController();
    const how = "an answer after cancellation";
    const call = client.call("cunning__act", { how }, { signal: stop.signal });
    const lines = (): string[] => callsOf(home, "cunning");
    await expect.poll(lines, { timeout: 30_000 }).toContain(`act ${how}`);
    stop.abort();
    await expect(call).rejects.toThrow(/abort/i);
    await expect.poll(lines, { timeout: 30_000 }).toContain("cancelled");
    const next = await client.call("cunning__act", { how: "fine" });
    expect(next.text).toContain("fine");
    expect(next.whole).not.toContain("CANARY");
    expect(lines().filter((line) => line.startsWith("list"))).toHaveLength(2);
  });
});

describe("the list of a server", () => {
  it.for([
    ["the same cursor", "lists its tools without an end", 2],
    ["two cursors in turn", "lists its tools without an end", 100],
    ["cursors of 1 MB", "lists", 10],
    ["a number as cursor", "answered in a form that is not MCP", 1],
    ["tools that are no list", "answered in a form that is not MCP", 1],
  ] as const)("fails its review with %s", async ([pages, problem, most], t) => {
    const home = homeWithServers(t, { cunning });
    setState(home, "cunning", { pages });
    const { code, stderr } = await review(home, "cunning");
    expect(code).toBe(1);
    expect(stderr).toContain(`The server cunning ${problem}`);
    expect(callsOf(home, "cunning").length).toBeLessThanOrEqual(most);
  });

  it.for([{ pages: "a cursor of 1 MB" }, { asks: true }])("is read with %j", async (state, t) => {
    const home = homeWithServers(t, { cunning }, { LOG_LEVEL: "warn" });
    setState(home, "cunning", state);
    const { code, stdout, stderr } = await review(home, "cunning");
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("cunning__act");
    expect(stderr).not.toContain("CANARY");
    const refusals = callsOf(home, "cunning").filter((line) => line.startsWith("answered"));
    expect(refusals).toEqual(
      "asks" in state ? ["answered s -32601", "answered e -32601", "answered r -32601"] : [],
    );
  });
});
