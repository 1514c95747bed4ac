import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMailReader } from "../../src/adapters/libsql/mail/mail-reader.ts";
import type { MailReader } from "../../src/ports/mail/mail-reader.ts";
import { createFakeObjects } from "../fakes/objects.ts";
import { openSearchedMailbox, type SearchedMailbox } from "./searched-mail.ts";

describe("the beginning of a word", () => {
  let mailbox: SearchedMailbox;
  let reader: MailReader;

  beforeEach(() => {
    mailbox = openSearchedMailbox();
    reader = createMailReader({ database: mailbox.database, objects: createFakeObjects() });
  });

  afterEach(() => mailbox.close());

  /** Returns the words of the found mails. Each mail has one word. */
  async function foundOf(words: readonly string[], query: string): Promise<string[]> {
    const ids = await mailbox.add(
      words.map((body, index) => ({
        subject: "",
        body,
        from: { address: "a@b.example" },
        to: [],
        cc: [],
        date: new Date(Date.UTC(2026, 0, 1 + index)),
        hasAttachment: false,
      })),
    );
    const { hits } = await reader.search({ query, limit: 50 });
    return hits.map(({ emailId }) => words[ids.indexOf(emailId)] ?? "").toSorted();
  }

  it.each([
    ["nobody else's", "plan", ["plan"]],
    ["few words'", "plan", ["plan", "planned", "plans", "plané", "plan9"]],
    ["few words' and no word itself", "Plan", ["planned", "plans"]],
    ["many words'", "plan", Array.from({ length: 12 }, (_, number) => `plan${number}`)],
    ["a word's in letters with marks", "plané", ["planés", "planes"]],
    ["of two words the last one's", "first plan", ["first plan", "first plans"]],
  ])("that is %s finds all its words, and nothing else", async (_what, query, words) => {
    const others = ["pla", "plbn", "plam", "explan"];
    expect(await foundOf([...words, ...others], query)).toEqual(words.toSorted());
  });

  it.each(["plan -plans", "plan OR planet"])("applies to the last word only: %s", async (query) => {
    const found = await foundOf(["plan", "planetarium", "plans", "planetary"], query);
    expect(found).toEqual(query.includes("OR") ? ["plan", "planetarium", "planetary"] : ["plan"]);
  });
});
