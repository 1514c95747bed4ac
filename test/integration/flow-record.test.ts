import { expect, it, vi } from "vitest";
import { sha256Hex } from "../../src/core/shared/digest.ts";
import type { Recording } from "../../src/core/flow/recording-marks.ts";
import { similarSending } from "../../src/core/flow/sending-effect.ts";
import { flowWith, noMark } from "../fakes/flow-with.ts";

/** Codes without common parts. */
const codeOf = (number: number): string =>
  String(
    10_000_000 +
      (Number.parseInt(sha256Hex(Buffer.from(String(number))).slice(0, 8), 16) % 90_000_000),
  );
/** Creates a record whose reads of the ledger wait until the test ends them. */
function openFlow() {
  const reads: (() => void)[] = [];
  const { flow } = flowWith({
    isRead: () => new Promise<void>((resolve) => reads.push(resolve)),
  });
  const examined = (text: string) =>
    flow.examine({
      principal: "local",
      destination: "web_search",
      text,
      setting: "ask-if-private",
    });
  return { flow, reads, examined };
}

it("keeps a content that is recorded while a check reads an empty ledger", async () => {
  const { flow, reads, examined } = openFlow();
  const early = examined("weather in Ghent");
  await expect.poll(() => reads.length).toBe(1);
  const mail = { kind: "mail", id: "em_1", writtenBy: "other", verified: false } as const;
  void flow.given("local", [{ ...mail, texts: ["The code of the door is 83726154."] }]);
  await flow.idle();
  reads.shift()?.();
  expect(await early).toBeUndefined();

  const late = examined("what is 83726154");
  await expect.poll(() => reads.length).toBe(1);
  reads.shift()?.();
  expect((await late)?.sources).toMatchObject([{ id: "em_1" }]);
});

it("reads the ledger once for simultaneous checks, and again for a later one", async () => {
  const { reads, examined } = openFlow();
  const together = [examined("weather in Ghent"), examined("trains to Ghent")];
  await expect.poll(() => reads.length).toBe(1);
  const later = examined("hotels in Ghent");
  await expect.poll(() => reads.length).toBe(2);
  for (const end of reads.splice(0)) end();
  expect(await Promise.all([...together, later])).toEqual([undefined, undefined, undefined]);
});

// No check saw the parts of the others, and all of them were sent.
it("compares a part with those of simultaneous calls, until they are recorded", async () => {
  const { flow } = flowWith();
  const mail = { kind: "mail", id: "em_1", writtenBy: "other", verified: false } as const;
  await flow.given("local", [{ ...mail, texts: ["The licence key is 84QX71KM90."] }]);
  const sending = (part: string) =>
    ({ principal: "local", destination: "web_search", text: `weather ${part}` }) as const;
  const examined = (part: string, more = {}) =>
    flow.examine({ ...sending(part), setting: "ask-if-private", ...more });
  const parts = ["84", "QX", "71", "KM", "90"];
  const findings = await Promise.all(parts.map((part) => examined(part)));
  expect(findings.map((finding) => finding?.matches[0]?.kind)).toEqual([
    undefined,
    undefined,
    "parts",
    "parts",
    "parts",
  ]);
  // Another destination gets one part.
  expect(await examined("71", { destination: "notes" })).toBeUndefined();
  // The ledger of this test returns no sent text.
  for (const part of parts.slice(0, 2)) await flow.sent(sending(part));
  expect(await examined("71")).toBeUndefined();
});

// Only the first of overlapping matches named its item. "Allow similar" for its item covered a text with another item.
it.each([
  ["in one word", "4821397584QX71KM90"],
  ["character by character", "4-8-8-4-2-Q-1-X-3-7-9-1-7-K-5-M"],
  ["in base64", Buffer.from("48213975 84QX71KM90").toString("base64")],
  [
    "behind more matches than a person is shown",
    `${Array.from({ length: 14 }, (_, at) => codeOf(at)).join(" tide ")} sea 84QX71KM90`,
  ],
])("names the items of two codes %s", async (_how, text) => {
  const { flow } = flowWith();
  const mail = { kind: "mail", writtenBy: "other", verified: false } as const;
  const codes = ["48213975", ...Array.from({ length: 14 }, (_, at) => codeOf(at))];
  await flow.given("local", [{ ...mail, id: "em_1", texts: ["The licence key is 84QX71KM90."] }]);
  await flow.given("local", [{ ...mail, id: "em_2", texts: [`It is ${codes.join(" or ")}.`] }]);
  const sending = { principal: "local", destination: "web_search", text } as const;
  const found = await flow.examine({ ...sending, setting: "ask-if-private" });
  expect(found).toMatchObject({ sources: [{ id: "em_1" }, { id: "em_2" }], hasMore: false });
});

// A long text is not compared further after twelve matches.
it("says that a long text may match further items", async () => {
  const { flow } = flowWith();
  const mail = { kind: "mail", writtenBy: "other", verified: false } as const;
  const codes = Array.from({ length: 14 }, (_, at) => codeOf(at));
  await flow.given("local", [{ ...mail, id: "em_1", texts: [codes.join(" or ")] }]);
  const text = codes.join(` ${"tide ".repeat(200)}`);
  const sending = { principal: "local", destination: "notes", text } as const;
  const found = await flow.examine({ ...sending, setting: "ask-if-private" });
  expect(found).toMatchObject({ sources: [{ id: "em_1" }], hasMore: true });
  expect(similarSending(found ?? { text, matches: [], reason: "", sources: [] }, [])).toBe(
    undefined,
  );
});

// Four codes of the destination itself took all places for codes in pieces.
it("finds a code of a mail in pieces beside codes of the destination itself", async () => {
  const { flow } = flowWith();
  const mail = { kind: "mail", id: "em_1", writtenBy: "other", verified: false } as const;
  await flow.given("local", [{ ...mail, texts: ["The licence key is 84QX71KM90."] }]);
  const own = ["63RT58WZ17", "29BN46HJ35", "52VC94LP78", "87DS31GF26", "41YK69MX93"];
  const notes = { kind: "upstream", writtenBy: "unknown", verified: false } as const;
  await flow.given(
    "local",
    own.map((code, at) => ({ ...notes, id: `notes__read${at}`, texts: [`It is ${code}.`] })),
  );
  const pieces = [...own, "84QX71KM90"].map((code) => `${code.slice(0, 4)} ${code.slice(4, 8)}`);
  const found = await flow.examine({
    principal: "local",
    destination: "notes",
    text: pieces.join(" and "),
    setting: "ask-if-private",
    gaveItself: ({ kind }) => kind === "upstream",
  });
  expect(found?.sources).toMatchObject([{ id: "em_1" }]);
});

// A file that is not UTF-8 is given in base64, and only that text was recorded.
it.each([
  ["a page of a file", Buffer.from("Türcode 4711-K, Schlüssel 84QX71KM90").toString("base64")],
  ["other characters", Buffer.from("Türcode, 84QX71KM90", "latin1").toString("base64")],
  ["UTF-16", Buffer.from("\uFEFFKey 84QX71KM90", "utf16le").toString("base64")],
  [
    "a picture",
    Buffer.concat([Buffer.alloc(90, 0x9f), Buffer.from("84QX71KM90"), Buffer.alloc(90)]).toString(
      "base64",
    ),
  ],
  [
    "rows in JSON",
    JSON.stringify({
      encoding: "base64",
      content: Buffer.from(`${"The tides of Ghent. ".repeat(9)}Key 84QX71KM90`)
        .toString("base64")
        .replace(/.{60}/g, "$&\n"),
    }),
  ],
])("compares with the content of base64 in %s", async (_what, content) => {
  const { flow } = flowWith();
  const file = { kind: "file", id: "a.bin", writtenBy: "unknown", verified: false } as const;
  await flow.given("local", [{ ...file, texts: ["a.bin", content] }]);
  const sending = { principal: "local", destination: "web_search" } as const;
  const examined = (text: string) => flow.examine({ ...sending, text, setting: "ask-if-private" });
  expect((await examined("who knows 84QX71KM90"))?.sources).toMatchObject([{ id: "a.bin" }]);
  expect(await examined("who knows 63RT58WZ17")).toBeUndefined();
});

it("finds an item that is stored while its write has not ended", async () => {
  let answer = (): void => undefined;
  const { flow, readFrom } = flowWith({
    isAnswered: () => new Promise((resolve) => (answer = resolve)),
  });
  const sending = { principal: "local", destination: "web_search" } as const;
  const examined = (text: string) =>
    flow.examine({
      ...sending,
      text,
      setting: "ask-if-private",
      gaveItself: ({ id }) => id === "notes__read",
    });
  expect(await examined("weather in Ghent")).toBeUndefined();
  const given = { kind: "upstream", writtenBy: "unknown", verified: false } as const;
  await flow.given("local", [{ ...given, id: "notes__read", texts: ["The code is 83726154."] }]);
  const read = readFrom.length;
  // Items that came from the destination do not delay this check.
  await expect.poll(() => String(answer)).not.toBe("() => undefined");
  expect(await examined("what is 83726154")).toBeUndefined();
  expect(readFrom.length).toBeGreaterThan(read);
  answer();
  await flow.idle();
  const found = await flow.examine({
    ...sending,
    text: "what is 83726154",
    setting: "ask-if-private",
  });
  expect(found?.matches).toHaveLength(1);
  expect(found?.sources).toMatchObject([{ id: "notes__read" }]);
});

it("marks what simultaneous calls give together, before one of them is answered", async () => {
  const begun: string[][] = [];
  const added: string[][] = [];
  const idsOf = ({ given }: Recording): string[] => given.map(({ id }) => id);
  const { flow } = flowWith({
    marks: {
      begin: (_principal, recording) => {
        begun.push(idsOf(recording));
        return { ...noMark, add: (more) => added.push(idsOf(more)) > 0 };
      },
      othersLeft: async () => [],
    },
  });
  const give = async (id: string): Promise<void> =>
    await flow.given("local", [
      { kind: "mail", id, writtenBy: "other", verified: false, texts: [`It is ${id}.`] },
    ]);
  const together = [give("em_1"), give("em_2"), give("em_3")];
  await Promise.race(together);
  expect(begun).toEqual([["em_1", "em_2", "em_3"]]);
  await Promise.all(together);
  await give("em_4");
  expect(added).toEqual([["em_4"]]);
  await flow.idle();
});

// The memory of a server grew for as long as its caller read and never sent.
it("forgets what a caller that only reads was given, and reads it again for a check", async () => {
  const { flow, readFrom } = flowWith();
  const give = async (from: number, count: number): Promise<void> => {
    for (let number = from; number < from + count; number += 1) {
      const mail = {
        kind: "mail",
        id: `em_${number}`,
        writtenBy: "other",
        verified: false,
      } as const;
      void flow.given("local", [
        { ...mail, texts: [`The code of the door is ${codeOf(number)}.`] },
      ]);
      await flow.idle();
    }
  };
  const sourceOf = async (number: number): Promise<unknown> => {
    const sending = {
      principal: "local",
      destination: "web_search",
      setting: "ask-if-private",
    } as const;
    const text = `what is ${codeOf(number)}`;
    return (await flow.examine({ ...sending, text }))?.sources;
  };
  await give(0, 10);
  expect(await sourceOf(3)).toMatchObject([{ id: "em_3" }]);
  await give(10, 10);
  expect(await sourceOf(13)).toMatchObject([{ id: "em_13" }]);
  expect(readFrom).toEqual([0, 20]);
  await give(20, 600);
  for (const number of [5, 15, 25, 619])
    expect(await sourceOf(number)).toMatchObject([{ id: `em_${number}` }]);
  expect(readFrom.slice(2, 4)).toEqual([0, 620]);
});

/** Creates a record that stores nothing before the test allows it. It counts the texts that left. */
function openSlowRecord() {
  let store = (): void => undefined;
  const storing = new Promise<void>((resolve) => (store = resolve));
  let left = 0;
  let writes = 0;
  const { flow } = flowWith({
    isStored: () => {
      writes += 1;
      return storing;
    },
    left: (count) => (left += count),
  });
  const sending = { principal: "local", destination: "notes__find" } as const;
  return {
    flow,
    leftCount: () => left,
    writeCount: () => writes,
    give: (kind: "mail" | "upstream", text: string) =>
      void flow.given("local", [
        { kind, id: kind, writtenBy: "other", verified: false, texts: [text] },
      ]),
    examine: async (text: string) =>
      await flow.examine({
        ...sending,
        text,
        setting: "ask-if-private",
        gaveItself: (source) => source.kind === "upstream",
      }),
    send: (text: string) => void flow.sent({ ...sending, text }),
    stored: async () => {
      store();
      await flow.idle();
    },
  };
}

it("lets a text return to its source while the record of that is still being stored", async () => {
  const { give, examine, stored } = openSlowRecord();
  give("upstream", "The note says 83726154.");
  expect(await examine("what is 83726154")).toBeUndefined();
  give("mail", "The code of the door is 61534728.");
  const late = examine("what is 61534728");
  await stored();
  expect((await late)?.sources).toMatchObject([{ kind: "mail" }]);
});

it("records a text that left only if something else was given before it was compared", async () => {
  const { flow, give, examine, send, stored, leftCount } = openSlowRecord();
  expect(await examine("617")).toBeUndefined();
  send("617");
  await flow.idle();
  expect(leftCount()).toBe(0);
  // Compared and not sent.
  expect(await examine("153")).toBeUndefined();
  give("mail", "The code of the door is 61534728.");
  await stored();
  expect(await examine("153")).toBeUndefined();
  send("153");
  await flow.idle();
  expect(leftCount()).toBe(1);
});

it("stores what later calls give together, and immediately if a check waits", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    const { give, examine, stored, writeCount } = openSlowRecord();
    const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
    give("mail", "The code of the door is 61534728.");
    for (let turns = 0; turns < 5; turns += 1) await turn();
    give("mail", "The code of the gate is 83726154.");
    expect(writeCount()).toBe(0);
    const found = examine("what is 61534728");
    await stored();
    expect(await found).toBeDefined();
    expect(writeCount()).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});
