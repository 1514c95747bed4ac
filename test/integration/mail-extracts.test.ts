import { describe, expect, it } from "vitest";
import { suiteThatIngests } from "../servers/ingest-world.ts";

const head = "From: Ann <ann@shop.example>\nTo: me@in.example\nMIME-Version: 1.0\n";
const plain = "Content-Type: text/plain; charset=utf-8\n";
const first = "The zebra crossed the road at nine.";

describe("the extract of a mail", () => {
  const world = suiteThatIngests();

  // The extracts were a quarter of the bytes that mails of one kilobyte took.
  it.each([
    { what: "a text", rest: `${plain}\nHello,\n\n${first}\n\n-- \nAnn\n`, summary: first },
    {
      what: "a page",
      rest: `Content-Type: text/html\n\n<p>Hello,</p><p>${first}</p>\n`,
      summary: first,
    },
    { what: "no text", rest: `${plain}\n\n`, summary: "", stored: "" },
    {
      what: "a long text",
      rest: `${plain}\n${first}\n\nOn Mon, 2 Feb 2026 Bob wrote:\n${"> Word.\n".repeat(5_000)}`,
      summary: first,
      stored: first,
    },
    {
      what: "a forwarded message",
      rest: `Subject: Fwd: lamp\n${plain}\nSee below.\n\n---------- Forwarded message ---------\nFrom: Bob <bob@example.org>\nDate: Mon, 2 Feb 2026 at 09:00\nSubject: lamp\nTo: Ann <ann@shop.example>\n\n${first}\n`,
      summary: `${first} [Note: See below.]`,
      stored: `${first} [Note: See below.]`,
    },
  ])("of $what is shown, and stored only if it is not in the text", async (mail) => {
    const emailId = await world.arrived(`${head}Message-ID: <${mail.what}@a>\n${mail.rest}`);
    const { database, mail: reader } = world.stores;
    const { rows } = await database.read({
      sql: "SELECT summary, summary_source FROM mail WHERE email_id = ?",
      args: [emailId],
    });
    expect(rows).toEqual([{ summary: mail.stored ?? null, summary_source: "extract" }]);
    for (const query of ["", "from:ann", ...(mail.summary === "" ? [] : ["zebra"])]) {
      const { hits } = await reader.search({ query, limit: 50 });
      const hit = hits.find((one) => one.emailId === emailId);
      expect(hit).toMatchObject({
        summary: mail.summary,
        summarySource: "extract",
      });
    }
  });
});
