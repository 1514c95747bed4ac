import { expect, it, vi } from "vitest";
import { sha256Hex } from "../../src/core/shared/digest.ts";
import { createHasher } from "../../src/core/flow/hasher.ts";
import { type InformationFlow, createInformationFlow } from "../../src/core/flow/flow.ts";
import { hashesOf } from "../../src/core/flow/known-contents.ts";
import { marksOf } from "../../src/core/flow/content-marks.ts";
import type { Ledger, LedgerEntry } from "../../src/core/flow/ledger.ts";
import { createSealer, packMarks } from "../../src/core/flow/packed-marks.ts";
import type { MarksMaker } from "../../src/core/flow/marks-maker.ts";
import type { LeftMark, Recording, RecordingMarks } from "../../src/core/flow/recording-marks.ts";
import { quietLog } from "../fakes/quiet-log.ts";

const key = Buffer.alloc(32, 7);

/** Codes without common parts. */
const codeOf = (number: number): string =>
  String(
    10_000_000 +
      (Number.parseInt(sha256Hex(Buffer.from(String(number))).slice(0, 8), 16) % 90_000_000),
  );
const hasher = createHasher(key);

/** Makes fingerprints on this thread. */
const maker: MarksMaker = {
  make: async (texts) =>
    texts.map(({ text, topic }) => {
      const marks = marksOf({ text, topic }, hasher);
      return { marks, ...packMarks(marks, createSealer(key)), hashes: hashesOf(marks) };
    }),
  close: async () => {},
};

/** Creates a record over a ledger that waits for the test, with the ids after which the ledger was read. */
function flowWith({
  isStored = async () => {},
  isRead = async () => {},
  left = () => {},
  marks = { begin: () => () => undefined, othersLeft: async () => [] },
}: {
  isStored?: () => Promise<void>;
  marks?: RecordingMarks;
  isRead?: () => Promise<void>;
  left?: (count: number) => void;
} = {}) {
  const entries: LedgerEntry[] = [];
  const readFrom: number[] = [];
  const ledger: Ledger = {
    add: async (_principal, contents) => {
      await isStored();
      const added = contents.map(({ source, digest, marks }, index) => ({
        ...source,
        digest,
        marks,
        seq: entries.length + index + 1,
        at: new Date(),
      }));
      entries.push(...added);
      return added;
    },
    read: async (_principal, { given }) => {
      readFrom.push(given);
      // The rows that are stored when the statement begins.
      const found = entries.filter(({ seq }) => seq > given);
      await isRead();
      return { entries: found, sent: [] };
    },
    oldest: async () => entries[0]?.seq,
    addSent: async (_principal, texts) => left(texts.length),
    mailsRead: async () => [],
    frequencies: async () => ({ mails: 0, of: () => 0 }),
  };
  const nameOf = async (): Promise<string> => "";
  const flow = createInformationFlow({ ledger, key, maker, marks, nameOf, log: quietLog });
  return { flow, readFrom };
}

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

it("stores what later calls give together, and at once if a check waits", async () => {
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

const mail = { kind: "mail", id: "em_1", writtenBy: "other", verified: false } as const;
const content = { ...mail, texts: ["The code of the door is 83726154."] };

it("marks a record from before the answer until it is stored", async () => {
  let store = (): void => undefined;
  const storing = new Promise<void>((resolve) => (store = resolve));
  const marked = new Set<string>();
  const { flow } = flowWith({
    isStored: () => storing,
    marks: {
      begin: (principal) => {
        marked.add(principal);
        return () => void marked.delete(principal);
      },
      othersLeft: async () => [],
    },
  });
  expect(flow.given("local", [content])).toBeUndefined();
  expect([...marked]).toEqual(["local"]);
  store();
  await flow.idle();
  expect([...marked]).toEqual([]);
});

// A process needed approval for everything after one failure, until its restart.
it("keeps the mark of a record that failed, and tries the record again", async () => {
  let isMarked = false;
  let isFull = true;
  const { flow } = flowWith({
    isStored: async () => {
      if (isFull) throw new Error("the disk is full");
    },
    marks: {
      begin: () => {
        isMarked = true;
        return () => (isMarked = false);
      },
      othersLeft: async () => [],
    },
  });
  void flow.given("local", [content]);
  await flow.idle();
  expect(isMarked).toBe(true);
  expect((await examined(flow, "tides"))?.reason).toContain("could not be recorded");
  isFull = false;
  expect((await examined(flow, "what is 83726154"))?.sources).toMatchObject([{ id: "em_1" }]);
  expect(isMarked).toBe(false);
});

// A process on another file system cannot see that a record has begun.
it("lets the answer wait for the record if it cannot be marked", async () => {
  const { flow, giveBack } = openUnmarked();
  let isAnswered = false;
  const answer = flow.given("local", [content])?.then(() => (isAnswered = true));
  await new Promise<void>((resolve) => setImmediate(resolve));
  expect(isAnswered).toBe(false);
  giveBack.resolve();
  await answer;
  expect(isAnswered).toBe(true);
});

it("withholds an answer if marking and recording it failed", async () => {
  const { flow, giveBack } = openUnmarked();
  const answer = flow.given("local", [content]);
  giveBack.reject(new Error("the server is down"));
  await expect(answer).rejects.toThrow("the server is down");
});

function openUnmarked() {
  let resolve = (): void => undefined;
  let reject = (_cause: Error): void => undefined;
  const storing = new Promise<void>((...ends) => ([resolve, reject] = ends));
  storing.catch(() => undefined);
  const marks = {
    begin: () => {
      throw new Error("the directory is read-only");
    },
    othersLeft: async () => [],
  };
  return { ...flowWith({ isStored: () => storing, marks }), giveBack: { resolve, reject } };
}

const examined = (flow: InformationFlow, text: string) =>
  flow.examine({ principal: "local", destination: "web_search", text, setting: "ask-if-private" });

/** Opens a record beside the mark of a process that was killed. */
function flowAfterKill(recording: Recording | undefined) {
  const left = new Set<LeftMark>();
  left.add({ recording, remove: () => left.clear() });
  const marks = { begin: () => () => undefined, othersLeft: async () => [...left] };
  return { left, flow: flowWith({ marks }).flow };
}

it("records what a killed process returned, and removes its mark", async () => {
  const { flow, left } = flowAfterKill({ given: [content], sent: [] });
  expect(await examined(flow, "weather in Ghent")).toBeUndefined();
  expect([...left]).toEqual([]);
  expect((await examined(flow, "what is 83726154"))?.sources).toMatchObject([{ id: "em_1" }]);
});

it("needs approval for everything while the mark of a killed process cannot be read", async () => {
  const { flow, left } = flowAfterKill(undefined);
  expect((await examined(flow, "tides"))?.reason).toContain("has not been recorded");
  left.clear();
  expect(await examined(flow, "tides")).toBeUndefined();
});
