import { expect, it } from "vitest";
import { createHasher } from "../../src/core/flow/hasher.ts";
import { createInformationFlow } from "../../src/core/flow/flow.ts";
import { hashesOf } from "../../src/core/flow/known-contents.ts";
import { marksOf } from "../../src/core/flow/content-marks.ts";
import type { Ledger, LedgerEntry } from "../../src/core/flow/ledger.ts";
import type { MarksMaker } from "../../src/core/flow/marks-maker.ts";
import { quietLog } from "../fakes/quiet-log.ts";

const key = Buffer.alloc(32, 7);
const hasher = createHasher(key);

/** Makes fingerprints on this thread. */
const maker: MarksMaker = {
  make: async (texts) =>
    texts.map(({ text, topic }) => {
      const marks = marksOf({ text, topic }, hasher);
      return { marks, packed: new Uint8Array(), digest: text, hashes: hashesOf(marks) };
    }),
  close: async () => {},
};

/** A record whose reads of the ledger wait until the test ends them. */
function openFlow() {
  const entries: LedgerEntry[] = [];
  const reads: (() => void)[] = [];
  const ledger: Ledger = {
    add: async (_principal, contents) => {
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
      // What is stored when the statement begins.
      const found = entries.filter(({ seq }) => seq > given);
      const oldest = entries[0]?.seq;
      await new Promise<void>((resolve) => reads.push(resolve));
      return { entries: found, sent: [], oldest };
    },
    addSent: async () => {},
    mailsRead: async () => [],
    frequencies: async () => ({ mails: 0, of: () => 0 }),
  };
  const flow = createInformationFlow({
    ledger,
    key,
    maker,
    nameOf: async () => "",
    log: quietLog,
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
  flow.given("local", [{ ...mail, texts: ["The code of the door is 83726154."] }]);
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
