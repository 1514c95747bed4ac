import { subscribe } from "node:diagnostics_channel";
import { afterAll, describe, expect, it } from "vitest";
import { createParser } from "../../src/ingest/mime/parser.ts";
import { mailCorpus } from "../servers/mail-corpus.ts";

/** `MAIL_MUTATIONS=10000` is the whole run. The default fits into a check. */
const mutations = Number(process.env["MAIL_MUTATIONS"] ?? 300);

function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const hostile = [
  "\r\n\r\n",
  "--",
  "\0",
  "=?utf-8?B?",
  "Content-Type: multipart/mixed; boundary=x\r\n",
  "<table><tr><td>",
  "begin 644 a\r\n",
  "BEGIN:VCALENDAR\r\n",
  "\u202e",
  "%PDF-1.4",
];

/** Changes, cuts out, doubles and inserts bytes, several times. */
function mutated(message: Uint8Array, roll: (sides: number) => number): Uint8Array {
  let bytes = Buffer.from(message);
  for (let round = roll(6); round >= 0; round -= 1) {
    const at = roll(bytes.length + 1);
    const end = Math.min(bytes.length, at + roll(400));
    const piece = bytes.subarray(at, end);
    const [head, tail] = [bytes.subarray(0, at), bytes.subarray(end)];
    switch (roll(5)) {
      case 0:
        bytes = Buffer.concat([head, tail]);
        break;
      case 1:
        bytes = Buffer.concat([head, piece, piece, tail]);
        break;
      case 2:
        bytes = Buffer.concat([
          head,
          Buffer.from(hostile[roll(hostile.length)] ?? ""),
          piece,
          tail,
        ]);
        break;
      case 3:
        bytes = Buffer.concat([
          head,
          Buffer.from(piece.map((byte) => byte ^ (1 << roll(8)))),
          tail,
        ]);
        break;
      default:
        bytes = Buffer.from(head);
    }
  }
  return bytes;
}

describe.skipIf(mailCorpus === undefined)("mutations of the mail corpus", () => {
  const threads = 2;
  let started = 0;
  subscribe("worker_threads", () => (started += 1));
  const parser = createParser({ threads });
  afterAll(() => parser.close());

  it(
    `are all parsed or rejected, ${mutations} of them, and none ends a thread`,
    { timeout: 1_800_000 },
    async () => {
      const corpus = mailCorpus!;
      const roll = dice(42);
      const small = corpus.files.filter((file) => corpus.read(file).length < 200_000);
      const outcomes = { parsed: 0, unreadable: 0, lost: 0 };
      const reasons = new Map<string, number>();
      for (let count = 0; count < mutations; count += 8) {
        const batch = Array.from({ length: 8 }, () =>
          mutated(corpus.read(small[roll(small.length)]!), roll),
        );
        const results = await Promise.all(batch.map((raw) => parser.parse(raw, new Date())));
        for (const result of results) {
          outcomes[result.kind] += 1;
          if (result.kind !== "parsed") {
            reasons.set(result.reason, (reasons.get(result.reason) ?? 0) + 1);
            continue;
          }
          for (const attachment of result.mail.attachments)
            await parser.attachmentTexts([attachment]).next();
        }
      }
      console.log("mutations:", outcomes, reasons);
      expect(outcomes.lost).toBe(0);
      // One that ended, over an attachment, too, would have been replaced.
      expect(started).toBeLessThanOrEqual(threads);
      // Messages with too many parts or headers are rejected. All others have some text.
      expect(reasons.get("it is malformed")).toBeUndefined();
      expect(outcomes.parsed).toBeGreaterThan(mutations * 0.99);
    },
  );
});
