import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mailSearcher, type SearchLimits } from "../../src/adapters/libsql/mail-search.ts";
import { readQuery } from "../../src/adapters/libsql/search-query.ts";
import type { Person } from "../../src/ports/mail-reader.ts";
import {
  dice,
  openSearchedMailbox,
  type SearchedMail,
  type SearchedMailbox,
} from "./searched-mail.ts";

const words = ["lamp", "lampshade", "table", "invoice", "draft", "zebra"];
const people: readonly Person[] = [
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
  "müller",
  "em@example",
  "wide bob",
  "田中",
  "%",
  "_c@",
  "org",
  "example",
  "nobody",
];
const firstDay = Date.UTC(2026, 0, 1);
const dayMs = 24 * 3_600_000;

/** A search in parts, so that a plain scan can tell what it must find. */
interface Asked {
  groups: string[][];
  without: string[];
  people: { field: "from" | "to"; isNot: boolean; who: string }[];
  hasAttachment?: boolean;
  afterDay?: number;
  beforeDay?: number;
}

describe("a search by people, dates and attachments", () => {
  const mails: SearchedMail[] = [];
  const ids = new Map<string, SearchedMail>();
  let mailbox: SearchedMailbox;

  beforeAll(async () => {
    const roll = dice(3);
    const some = (most: number): Person[] =>
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
      });
    }
    mailbox = openSearchedMailbox();
    const added = await mailbox.add(mails);
    for (const [at, id] of added.entries()) ids.set(id, mails[at]!);
  });

  afterAll(() => mailbox.close());

  function made(roll: (sides: number) => number): Asked {
    const anyOf = <Value>(list: readonly Value[]): Value => list[roll(list.length)]!;
    const several = <Value>(most: number, make: () => Value): Value[] =>
      Array.from({ length: roll(most + 1) }, make);
    return {
      groups: several(2, () => [anyOf(words), ...several(1, () => anyOf(words))]),
      without: roll(3) === 0 ? [anyOf(words)] : [],
      people: several(2, () => ({
        field: roll(3) === 0 ? ("from" as const) : ("to" as const),
        isNot: roll(3) === 0,
        who: anyOf(asked),
      })),
      ...(roll(4) === 0 && { hasAttachment: roll(2) === 0 }),
      ...(roll(4) === 0 && { afterDay: roll(20) }),
      ...(roll(4) === 0 && { beforeDay: 20 + roll(20) }),
    };
  }

  const dayOf = (day: number): string => new Date(firstDay + day * dayMs).toISOString();

  function typed({
    groups,
    without,
    people: by,
    hasAttachment,
    afterDay,
    beforeDay,
  }: Asked): string {
    return [
      ...(hasAttachment === undefined ? [] : [`${hasAttachment ? "" : "-"}has:attachment`]),
      ...by.map(({ field, isNot, who }) => `${isNot ? "-" : ""}${field}:"${who}"`),
      ...without.map((word) => `-"${word}"`),
      ...(afterDay === undefined ? [] : [`after:${dayOf(afterDay)}`]),
      ...(beforeDay === undefined ? [] : [`before:${dayOf(beforeDay)}`]),
      // Quoted, as the last one would else be a beginning.
      ...groups.map((terms) => terms.map((term) => `"${term}"`).join(" OR ")),
    ].join(" ");
  }

  function isFound(mail: SearchedMail, search: Asked): boolean {
    const tokens = `${mail.subject} ${mail.body}`.split(" ");
    const folded = (text: string): string => text.normalize("NFKC").toLowerCase();
    const isOf = (person: Person, who: string): boolean =>
      folded(`${person.name ?? ""} <${person.address}>`).includes(folded(who));
    const day = (mail.date.getTime() - firstDay) / dayMs;
    return (
      search.groups.every((terms) => terms.some((term) => tokens.includes(term))) &&
      !search.without.some((word) => tokens.includes(word)) &&
      search.people.every(({ field, isNot, who }) => {
        const those = field === "from" ? Array.of(mail.from) : [...mail.to, ...mail.cc];
        // What has no letter is no name: it is a word to look for, and none.
        return /[\p{L}\p{N}]/u.test(who)
          ? those.some((person) => isOf(person, who)) !== isNot
          : true;
      }) &&
      (search.hasAttachment === undefined || search.hasAttachment === mail.hasAttachment) &&
      (search.afterDay === undefined || day >= search.afterDay) &&
      (search.beforeDay === undefined || day < search.beforeDay)
    );
  }

  /** Ids collected or looked up, hits ranked at once, after they were counted, or not at all. */
  const ways: Record<string, SearchLimits> = {
    "as it is": { mostRanked: 10_000, manyIds: 20_000 },
    "each id looked up": { mostRanked: 10_000, manyIds: -1_000 },
    "the others collected": { mostRanked: 10_000, manyIds: 80 },
    "by date soon": { mostRanked: 11, manyIds: 20_000 },
    "by date at once": { mostRanked: 11, manyIds: 80 },
    "by date soon, each id looked up": { mostRanked: 11, manyIds: -1_000 },
  };

  it.each(Object.entries(ways))(
    "finds what a plain scan finds, page by page: %s",
    async (_, limits) => {
      const find = mailSearcher(mailbox.database, limits);
      const roll = dice(17);
      for (let count = 0; count < 120; count += 1) {
        const search = made(roll);
        const query = typed(search);
        const scanned = [...ids].filter(([, mail]) => isFound(mail, search)).map(([id]) => id);
        const walked: string[] = [];
        const limit = 1 + roll(5);
        let cursor: string | undefined;
        do {
          const page = await find(
            { query, limit, ...(cursor !== undefined && { cursor }) },
            readQuery(query),
          );
          expect(page.total, query).toBe(Math.min(scanned.length, limits.mostRanked));
          expect(page.totalIsLowerBound, query).toBe(scanned.length > limits.mostRanked);
          for (const id of page.ids) walked.push(await mailbox.emailIdOf(id));
          cursor = page.nextCursor;
        } while (cursor !== undefined);
        expect(walked.toSorted(), query).toEqual(scanned.toSorted());
      }
    },
  );
});
