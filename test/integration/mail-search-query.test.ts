import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMailReader } from "../../src/adapters/libsql/mail/mail-reader.ts";
import type { MailReader, MailSearch } from "../../src/ports/mail/mail-reader.ts";
import { createFakeObjects } from "../fakes/objects.ts";
import { openSearchedMailbox, type SearchedMail, type SearchedMailbox } from "./searched-mail.ts";

const dayMs = 24 * 3_600_000;
const now = new Date("2026-03-31T12:00:00Z");
const daysAgo = (days: number): Date => new Date(now.getTime() - days * dayMs);

const mail = (days: number, subject: string, rest: Partial<SearchedMail> = {}): SearchedMail => ({
  subject,
  body: "",
  from: { address: "x@other.example" },
  to: [],
  cc: [],
  date: daysAgo(days),
  hasAttachment: false,
  ...rest,
});

const ann = { name: "Ann Lee", address: "ann@shop.example" };
const bob = { address: "bob@example.org" };
const mails: Readonly<Record<string, SearchedMail>> = {
  annLamp: mail(1, "lamp", { from: ann, to: [bob] }),
  annFile: mail(6, "drawing", { from: ann, hasAttachment: true }),
  bobLamp: mail(8, "order", { from: bob, body: "one lamp", to: [{ address: "team@x.example" }] }),
  file: mail(40, "contract", { hasAttachment: true, cc: [ann] }),
  street: mail(50, "Hauptstraße", { from: { name: "Jürgen Groß", address: "jg@a.example" } }),
  streetSs: mail(51, "HAUPTSTRASSE", { from: { name: "Groo", address: "k@a.example" } }),
  peace: mail(60, "שָׁלוֹם עוֹלָם"),
  peacePlain: mail(61, "שלום"),
  name: mail(70, "مُحَمَّد"),
  namePlain: mail(71, "محمد"),
  athens: mail(80, "Αθήνα"),
  lodz: mail(400, "Łódź, Ørsted, naïve façade"),
};

describe("a query [mail.query]", () => {
  const names = new Map<string, string>();
  let time = now;
  let mailbox: SearchedMailbox;
  let reader: MailReader;

  beforeAll(async () => {
    mailbox = openSearchedMailbox();
    const { database } = mailbox;
    reader = createMailReader({ database, objects: createFakeObjects(), clock: () => time });
    const ids = await mailbox.add(Object.values(mails));
    for (const [at, name] of Object.keys(mails).entries()) names.set(ids[at]!, name);
  });

  afterAll(() => mailbox.close());

  async function found(query: string, rest: Partial<MailSearch> = {}): Promise<string[]> {
    const { hits, total } = await reader.search({ query, limit: 50, ...rest });
    expect(total).toBe(hits.length);
    return hits.map(({ emailId }) => names.get(emailId)!);
  }

  // Messages with the words come first, then the others by date.
  it.each([
    ["to:bob OR to:team", ["annLamp", "bobLamp"]],
    ["to:bob OR from:bob", ["annLamp", "bobLamp"]],
    ["has:attachment OR lamp", ["annLamp", "bobLamp", "annFile", "file"]],
    ["lamp OR has:attachment", ["annLamp", "bobLamp", "annFile", "file"]],
    ["lamp OR to:ann", ["annLamp", "bobLamp", "file"]],
    ["subject:lamp OR from:bob", ["annLamp", "bobLamp"]],
    ["lamp OR after:2026-03-25", ["annLamp", "bobLamp", "annFile"]],
    ["lamp OR before:2025-06-01", ["annLamp", "bobLamp", "lodz"]],
    ["lamp OR newer_than:7d", ["annLamp", "bobLamp", "annFile"]],
    ["from:ann OR -before:2026-03-20", ["annLamp", "annFile", "bobLamp"]],
    ["-has:attachment OR contract after:2026-02-15", ["file", "annLamp", "bobLamp"]],
    ["lamp OR has:attachment from:ann", ["annLamp", "annFile"]],
    ["(lamp from:bob) OR (has:attachment from:ann)", ["bobLamp", "annFile"]],
    ["{from:ann from:bob}", ["annLamp", "annFile", "bobLamp"]],
    ["{from:ann from:bob} lamp", ["annLamp", "bobLamp"]],
    ["{from:ann contract}", ["file", "annLamp", "annFile"]],
    ["from:(lee OR bob) -lamp", ["annFile"]],
    ["-{lamp has:attachment} newer_than:55d", ["street", "streetSs"]],
    ["lamp (has:attachment OR after:2026-03-30T12:00:00Z)", ["annLamp"]],
    ["lamp (has:attachment OR before:2026-03-30T12:00:00Z)", ["bobLamp"]],
    ["lamp (to:team OR -after:2026-03-30T12:00:00Z)", ["bobLamp"]],
    ["from:hop OR contract", ["file", "annLamp", "annFile"]],
  ])("%j finds %j", async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it.each([
    ["newer_than:7d", ["annLamp", "annFile"]],
    ["newer_than:6d lamp", ["annLamp"]],
    ["older_than:12m", ["lodz"]],
    ["older_than:1y", ["lodz"]],
    ["older_than:2m newer_than:70d", ["peace", "peacePlain", "name"]],
    ["lamp older_than:7d", ["bobLamp"]],
    ["-older_than:7d", ["annLamp", "annFile"]],
    ["newer_than:0d", []],
    ["after:2026/3/25", ["annLamp", "annFile"]],
  ])("%j is relative to now and finds %j", async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it.each([
    ["", { hasAttachment: true }, ["annFile", "file"]],
    ["lamp OR drawing", { hasAttachment: true }, ["annFile"]],
    ["from:ann", { hasAttachment: false }, ["annLamp"]],
    ["lamp OR to:ann", { from: "BOB" }, ["bobLamp"]],
    ["lamp OR has:attachment", { after: daysAgo(6), before: daysAgo(1) }, ["annFile"]],
    ["-has:attachment", { hasAttachment: true }, []],
  ])("%j with the fields %j finds %j", async (query, fields, expected) => {
    expect(await found(query, fields)).toEqual(expected);
  });

  it("is relative to its first page, so that no later page loses older mail", async () => {
    const search = { query: "newer_than:7d", limit: 1 };
    const first = await reader.search(search);
    time = new Date(now.getTime() + 2 * dayMs);
    try {
      const second = await reader.search({ ...search, cursor: first.nextCursor! });
      expect(second.hits.map(({ emailId }) => names.get(emailId))).toEqual(["annFile"]);
      expect(second.total).toBe(2);
      expect(await found(search.query)).toEqual(["annLamp"]);
    } finally {
      time = now;
    }
  });

  it("is relative to its first page, even if the same search has started again", async () => {
    const search = { query: "lamp newer_than:9d", limit: 1 };
    const first = await reader.search(search);
    time = new Date(now.getTime() + 2 * dayMs);
    try {
      expect((await reader.search(search)).total).toBe(1);
      const second = await reader.search({ ...search, cursor: first.nextCursor! });
      expect(second.hits.map(({ emailId }) => names.get(emailId))).toEqual(["bobLamp"]);
    } finally {
      time = now;
    }
  });

  // SQLite's parser has a stack of a hundred.
  it.each([
    ["lamp", "team"],
    ["lamp", "lamp"],
    ["-lamp", "has:attachment"],
    ["to:bob", "-from:ann"],
  ])("is answered at any depth of brackets: %s and %s in turn", async (one, other) => {
    for (const [open, close] of ["()", "{}", "-()"].map((pair) => [
      pair.slice(0, -1),
      pair.slice(-1),
    ])) {
      for (const depth of [2, 5, 6, 7, 15, 30]) {
        const steps = Array.from({ length: depth }, (_, at) =>
          at % 2 === 0 ? ` ${other}${close}` : ` OR ${one}${close}`,
        );
        const query = `lamp ${open!.repeat(depth)}${one}${steps.join("")}`;
        for (const text of [query, query.slice("lamp ".length)])
          expect((await reader.search({ query: text, limit: 5 })).pending, text).toBe(0);
      }
    }
  });

  it.each([
    ["hauptstrasse", ["streetSs", "street"]],
    ["Hauptstraße", ["streetSs", "street"]],
    ["HAUPTSTRAẞE", ["streetSs", "street"]],
    ["subject:hauptstraß", ["streetSs", "street"]],
    ["from:gross", ["street"]],
    ["from:JURGEN", ["street"]],
    ["from:jürgen", ["street"]],
    ["jurgen", ["street"]],
    ["שלום", ["peacePlain", "peace"]],
    ["שָׁלוֹם", ["peacePlain", "peace"]],
    ['"שלום עולם"', ["peace"]],
    ["محمد", ["namePlain", "name"]],
    ["مُحَمَّد", ["namePlain", "name"]],
    ["مـحمد", ["namePlain", "name"]],
    ["αθηνα", ["athens"]],
    ["ΑΘΗΝΑ", ["athens"]],
    ["lodz orsted", ["lodz"]],
    ["naive facade", ["lodz"]],
    ["NAÏVE", ["lodz"]],
  ])("%j is normalised like the mail, and finds %j", async (query, expected) => {
    expect((await found(query)).toSorted()).toEqual(expected.toSorted());
  });
});
