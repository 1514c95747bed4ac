import { describe, expect, it } from "vitest";
import { parseMessage } from "../../src/ingest/mime/parse-message.ts";
import { type Expected, mailCorpus } from "../servers/mail-corpus.ts";

const isNamed = "a named document counts although the sender did not mark it as an attachment";
const isPage = "its text part says something else than its page, and people see the page";

/** Intended differences from the two parsers. Each new line explains why our result serves a reader better. */
const differences: Readonly<Record<string, { field: keyof Expected; because: string }>> = {
  "flanker__long-header.eml": { field: "subject", because: "a subject of 200 kB is cut" },
  "flanker__outlook-express.eml": {
    field: "attachments",
    because: isNamed,
  },
  "mail__raw_email7.eml": { field: "attachments", because: `${isNamed}: it is marked as inline` },
  "php-mime-mail-parser__issue182.eml": { field: "attachments", because: isNamed },
  "php-mime-mail-parser__m0007.eml": { field: "attachments", because: isNamed },
  "php-mime-mail-parser__m0124.eml": { field: "attachments", because: isNamed },
  "mail__content_transfer_encoding_7-bit.eml": {
    field: "text",
    because: "a control character in it is left out",
  },
  "james-mime4j__bluedot-postcard.msg.eml": {
    field: "text",
    because: isPage,
  },
  "mail-parser__006.eml.2.eml": { field: "text", because: isPage },
  "cpython__msg_15.txt.eml": { field: "text", because: isPage },
  "enmime__ctype-bug.raw.eml": { field: "text", because: isPage },
  "enmime__html-mime-inline.raw.eml": { field: "text", because: isPage },
  "mail-parser__006.eml.3.eml": { field: "text", because: isPage },
  "php-mime-mail-parser__m0015.eml": { field: "text", because: isPage },
  "postal-mime__mimetorture.eml": {
    field: "attachments",
    because: "what is attached to an attached message is in that message",
  },
};

describe.skipIf(mailCorpus === undefined)("the mail corpus", () => {
  const corpus = mailCorpus!;

  it.each(mailCorpus?.expected ?? [])("reads $file like other parsers", async (expected) => {
    const { envelope, text, attachments } = await parseMessage(
      corpus.read(expected.file),
      new Date("2026-06-01T00:00:00Z"),
    );
    const found: Required<Omit<Expected, "file">> = {
      subject: collapsed(envelope.subject),
      from: envelope.from.address.toLowerCase(),
      date: (envelope.date?.getTime() ?? NaN) / 1000,
      attachments: attachments.filter(({ inline }) => !inline).length,
      text: collapsed(Buffer.from(text).toString()).slice(0, collapsed(expected.text ?? "").length),
    };
    const differing = (["subject", "from", "date", "attachments", "text"] as const).filter(
      (field) => {
        const value = expected[field];
        if (value === undefined) return false;
        return found[field] !== (typeof value === "string" ? collapsed(value) : value);
      },
    );
    const known = differences[expected.file];
    expect(differing).toEqual(known === undefined ? [] : [known.field]);
  });

  it("finds text in every message with text", async () => {
    const empty: string[] = [];
    for (const file of corpus.files) {
      const { text, attachments } = await parseMessage(corpus.read(file), new Date());
      if (text.length === 0 && attachments.length === 0) empty.push(file);
    }
    expect(empty).toEqual(withoutText);
  });
});

/** Messages whose parts are all empty. */
const withoutText = [
  "cpython__msg_08.txt.eml",
  "cpython__msg_18.txt.eml",
  "mail-parser__000.eml.1.eml",
  "mail__empty_in_reply_to.eml",
];

/** Normalizes white space, because the corpus cuts its texts at 80 characters. */
function collapsed(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
