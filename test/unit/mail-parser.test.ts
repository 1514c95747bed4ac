import { afterEach, describe, expect, it } from "vitest";
import { createParser, type Parser } from "../../src/ingest/parser.ts";

describe("the parser", () => {
  let parser: Parser;
  afterEach(() => parser.close());

  const parse = async (message: string) => {
    const outcome = await parser.parse(Buffer.from(message), new Date());
    return outcome.is === "parsed" ? outcome.mail.envelope.subject : outcome;
  };

  it("gives up a message at its deadline and goes on with the next in a new thread", async () => {
    parser = createParser({ threads: 1, deadlineMs: (bytes) => (bytes > 1_000_000 ? 1 : 30_000) });
    const results = await Promise.all([
      parse("Subject: one\n\n1"),
      parse(`Subject: slow\n\n${"many words\n".repeat(2_000_000)}`),
      parse("Subject: three\n\n3"),
    ]);
    expect(results).toEqual([
      "one",
      { is: "lost", reason: "parsing it took longer than 1 ms" },
      "three",
    ]);
  });

  it("starts another thread where a message holds up the next", async () => {
    parser = createParser({ deadlineMs: () => 60_000 });
    const done: unknown[] = [];
    const page = `Content-Type: text/html\n\n${"<table><tr><td>x<td><b>y</b></table>".repeat(30_000)}\n`;
    const attached = `--b\nContent-Type: message/rfc822\n\n${page}`.repeat(5);
    const slow = `Subject: slow\nContent-Type: multipart/mixed; boundary=b\n\n${attached}--b--\n`;
    await Promise.all(
      [slow, "Subject: quick\n\nword"].map(async (message) => done.push(await parse(message))),
    );
    expect(done).toEqual(["quick", "slow"]);
  });

  it("tells in our words why a message cannot be parsed", async () => {
    parser = createParser({ threads: 1 });
    const nested = Array.from(
      { length: 300 },
      (_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\n\n--b${depth}\n`,
    );
    expect(await parse(nested.join(""))).toEqual({
      is: "unreadable",
      reason: "its parts are nested too deeply",
    });
  });
});
