import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mailSearcher, type SearchLimits } from "../../src/adapters/libsql/search/mail-search.ts";
import { readQuery } from "../../src/adapters/libsql/search/search-query.ts";
import type { MailPerson } from "../../src/ports/mail/mail-reader.ts";
import {
  dice,
  openSearchedMailbox,
  type SearchedMail,
  type SearchedMailbox,
} from "./searched-mail.ts";

const words = ["lamp", "lampshade", "table", "invoice", "draft", "zebra"];
const people: readonly MailPerson[] = [
  { name: "Ann Lee", address: "ann@shop.example" },
  { address: "ann@shop.example" },
  { name: "Élodie Müller", address: "EM@Example.org" },
  { name: "Ｗｉｄｅ Bob", address: "bob@example.org" },
  { name: "田中", address: "tanaka@example.jp" },
  { name: "100% _c", address: "p_c@example.org" },
];
const asked = [
  "ann",
  "LEE",
  "ÉLODIE",
  "elodie",
  "müller",
  "em@example",
  "wide bob",
  "田中",
  "_c@",
  "org",
  "example",
  "nobody",
];
const files = ["the lease.pdf", "Lease-2026.PDF", "résumé.docx", "pdf_notes.txt", "data.csv"];
const askedFiles = ["pdf", "lease", "lease.pdf", "resume", "note", "csv", "nothing", "2026"];
const firstDay = Date.UTC(2026, 0, 1);
const dayMs = 24 * 3_600_000;
/** Pages of one search. Small results have pages of one message, and a longer walk only repeats them. */
const mostPages = 12;

type Roll = (sides: number) => number;

/** A search in parts, so that a plain scan can tell what it must find. */
type Asked =
  | { word: string }
  | { field: "from" | "to"; who: string }
  | { hasAttachment: true }
  | { file: string }
  | { afterDay: number }
  | { beforeDay: number }
  | { not: Asked }
  | { all: Asked[] }
  | { any: Asked[] };

function anyOf<Value>(roll: Roll, list: readonly Value[]): Value {
  return list[roll(list.length)]!;
}

function several(roll: Roll, least: number, most: number, make: () => Asked): Asked[] {
  return Array.from({ length: least + roll(most - least + 1) }, make);
}

function madeOne(roll: Roll): Asked {
  const kinds: readonly (() => Asked)[] = [
    () => ({ word: anyOf(roll, words) }),
    () => ({ word: anyOf(roll, words) }),
    () => ({ word: anyOf(roll, words) }),
    () => ({ field: "from", who: anyOf(roll, asked) }),
    () => ({ field: "to", who: anyOf(roll, asked) }),
    () => ({ field: "to", who: anyOf(roll, asked) }),
    () => ({ hasAttachment: true }),
    () => ({ file: anyOf(roll, askedFiles) }),
    () => ({ afterDay: roll(20) }),
    () => ({ beforeDay: 20 + roll(20) }),
  ];
  const one = anyOf(roll, kinds)();
  return roll(4) === 0 ? { not: one } : one;
}

/** Alternatives, and groups within and around them. */
function madeSeveral(roll: Roll, depth: number): Asked {
  const part = (): Asked => (roll(3) > 0 ? madeOne(roll) : madeSeveral(roll, depth - 1));
  const inner = depth > 0 ? part : () => madeOne(roll);
  const made =
    roll(2) === 0 ? { all: several(roll, 1, 3, inner) } : { any: several(roll, 2, 3, inner) };
  return roll(6) === 0 ? { not: made } : made;
}

const dayOf = (day: number): string => new Date(firstDay + day * dayMs).toISOString();

function typed(search: Asked, roll: Roll): string {
  // Quoted, as the last word would else be a beginning.
  if ("word" in search) return `"${search.word}"`;
  if ("field" in search) return `${search.field}:"${search.who}"`;
  if ("hasAttachment" in search) return "has:attachment";
  if ("file" in search) return `filename:${search.file}`;
  if ("afterDay" in search) return `after:${dayOf(search.afterDay)}`;
  if ("beforeDay" in search) return `before:${dayOf(search.beforeDay)}`;
  if ("not" in search) return `-${typed(search.not, roll)}`;
  if ("all" in search) return `(${search.all.map((one) => typed(one, roll)).join(" ")})`;
  const parts = search.any.map((one) => typed(one, roll));
  return roll(2) === 0 ? `(${parts.join(" OR ")})` : `{${parts.join(" ")}}`;
}

function folded(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\u0300-\u036F]/g, "")
    .toLowerCase();
}

function isOf(person: MailPerson, who: string): boolean {
  return folded(`${person.name ?? ""} <${person.address}>`).includes(folded(who));
}

function isFound(mail: SearchedMail, search: Asked): boolean {
  const day = (mail.date.getTime() - firstDay) / dayMs;
  if ("word" in search) return `${mail.subject} ${mail.body}`.split(" ").includes(search.word);
  if ("hasAttachment" in search) return mail.hasAttachment;
  if ("file" in search) {
    const wanted = folded(search.file).split(".").join(" ");
    return (mail.files ?? []).some((file) =>
      ` ${folded(file)
        .split(/[^\p{L}\p{N}]+/u)
        .join(" ")}`.includes(` ${wanted}`),
    );
  }
  if ("afterDay" in search) return day >= search.afterDay;
  if ("beforeDay" in search) return day < search.beforeDay;
  if ("not" in search) return !isFound(mail, search.not);
  if ("all" in search) return search.all.every((one) => isFound(mail, one));
  if ("any" in search) return search.any.some((one) => isFound(mail, one));
  const those = search.field === "from" ? Array.of(mail.from) : [...mail.to, ...mail.cc];
  return those.some((person) => isOf(person, search.who));
}

describe("a search by people, dates and attachments", () => {
  const mails: SearchedMail[] = [];
  const ids = new Map<string, SearchedMail>();
  let mailbox: SearchedMailbox;

  beforeAll(async () => {
    const roll = dice(3);
    const some = (most: number): MailPerson[] =>
      Array.from({ length: roll(most + 1) }, () => people[roll(people.length)]!);
    const text = (most: number): string =>
      Array.from({ length: roll(most) }, () => words[roll(roll(2) === 0 ? 2 : words.length)]).join(
        " ",
      );
    for (let number = 0; number < 160; number += 1) {
      mails.push({
        subject: text(3),
        body: text(6),
        from: people[roll(people.length)]!,
        to: some(3),
        cc: some(2),
        date: new Date(firstDay + roll(40) * dayMs + roll(3) * 1_000),
        hasAttachment: roll(3) === 0,
        files: roll(2) === 0 ? [] : [files[roll(files.length)]!, files[roll(files.length)]!],
      });
    }
    mailbox = openSearchedMailbox();
    const added = await mailbox.add(mails);
    for (const [at, id] of added.entries()) ids.set(id, mails[at]!);
  });

  afterAll(() => mailbox.close());

  /** Ids collected or looked up, hits ranked together, after they were counted, or not at all. */
  const usual = { mostCounted: 10_000, mostRanked: 5_000, rankedAtOnce: 1_000, manyIds: 20_000 };
  const few = { ...usual, mostCounted: 30, mostRanked: 11 };
  const ways: Record<string, SearchLimits> = {
    "as it is": usual,
    "each id looked up": { ...usual, manyIds: -1_000 },
    "the others collected": { ...usual, manyIds: 80 },
    "ranked in parts": { ...usual, rankedAtOnce: 10 },
    "by date soon": few,
    "by date together": { ...few, manyIds: 80 },
    "by date soon, each id looked up": { ...few, manyIds: -1_000 },
  };

  async function compare(limits: SearchLimits, roll: Roll, search: Asked): Promise<void> {
    const find = mailSearcher(mailbox.database, limits);
    const query = typed(search, roll);
    const scanned = [...ids].filter(([, mail]) => isFound(mail, search)).map(([id]) => id);
    const walked: number[] = [];
    const fewest = Math.max(1 + roll(9), Math.ceil(scanned.length / mostPages));
    const limit = Math.min(limits.rankedAtOnce - 1, fewest);
    let cursor: string | undefined;
    do {
      const page = await find(
        { query, limit, ...(cursor !== undefined && { cursor }) },
        readQuery(query, new Date()),
      );
      expect(page.total, query).toBe(Math.min(scanned.length, limits.mostCounted));
      expect(page.totalIsLowerBound, query).toBe(scanned.length > limits.mostCounted);
      walked.push(...page.ids);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const found = await mailbox.emailIdsOf(walked);
    expect(found.toSorted(), query).toEqual(scanned.toSorted());
  }

  it.each(Object.entries(ways))(
    "finds the same as a plain scan, page by page: %s",
    async (_, limits) => {
      const roll = dice(17);
      for (let count = 0; count < 100; count += 1) {
        const one = (): Asked => madeOne(roll);
        const word = (): Asked => ({ word: anyOf(roll, words) });
        await compare(limits, roll, {
          all: [...several(roll, 1, 3, one), { any: several(roll, 1, 2, word) }],
        });
      }
    },
  );

  it.each(Object.entries(ways))(
    "finds the same as a plain scan with OR between any terms: %s",
    async (_, limits) => {
      const roll = dice(23);
      for (let count = 0; count < 120; count += 1)
        await compare(limits, roll, madeSeveral(roll, 2));
    },
  );

  it("continues at its cursor in another process", async () => {
    const roll = dice(29);
    for (let count = 0; count < 60; count += 1) {
      const search = madeSeveral(roll, 1);
      const query = typed(search, roll);
      const page = (limit: number, cursor?: string) =>
        mailSearcher(mailbox.database)(
          { query, limit, ...(cursor !== undefined && { cursor }) },
          readQuery(query, new Date()),
        );
      const whole = await page(200);
      const first = await page(7);
      const second =
        first.nextCursor === undefined ? { ids: [] } : await page(200, first.nextCursor);
      expect([...first.ids, ...second.ids], query).toEqual(whole.ids);
    }
  });
});
