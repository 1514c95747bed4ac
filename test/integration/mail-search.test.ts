import { beforeAll, describe, expect, it, vi } from "vitest";
import type { MailSearch } from "../../src/ports/mail/mail-reader.ts";
import { suiteThatIngests } from "../servers/ingest-world.ts";

const day = (number: number): string => new Date(Date.UTC(2026, 0, number, 12)).toUTCString();

const mails: Readonly<
  Record<string, { date: string; from: string; subject: string; body: string }>
> = {
  lamp: {
    date: day(1),
    from: "Ann Lee <ann@shop.example>",
    subject: "Your lamp",
    body: "It is on its way.",
  },
  order: {
    date: day(2),
    from: "Bob <bob@example.org>",
    subject: "Order",
    body: "One lamp and a café table, please.",
  },
  tokyo: {
    date: day(3),
    from: "田中 <tanaka@example.jp>",
    subject: "会議のお知らせ",
    body: "東京都庁で会議があります。",
  },
  seoul: {
    date: day(4),
    from: "김 <kim@example.kr>",
    subject: "회의",
    body: "서울시청에서 만나요",
  },
  bangkok: {
    date: day(5),
    from: "Somchai <s@example.th>",
    subject: "ประชุม",
    body: "พบกันที่กรุงเทพมหานคร",
  },
  wide: {
    date: day(6),
    from: "Eve <eve@example.org>",
    subject: "wide",
    body: "Ｆｕｌｌ ｗｉｄｔｈ",
  },
  percent: {
    date: day(7),
    from: "100% <p_c@example.org>",
    subject: "a-b c:d",
    body: 'quotes "and" NOT syntax*',
  },
};

describe("search [mail.search]", () => {
  const world = suiteThatIngests();
  const names = new Map<string, string>();

  beforeAll(async () => {
    for (const [name, mail] of Object.entries(mails)) await keep(name, mail);
    await searchable(Object.keys(mails).length);
  });

  async function keep(
    name: string,
    mail: { date: string; from: string; subject: string; body: string },
  ): Promise<void> {
    const to = name === "lamp" ? "To: Me <me@in.example>\r\n" : "";
    const head = `${to}From: ${mail.from}\r\nSubject: ${mail.subject}\r\nDate: ${mail.date}`;
    const type = "Content-Type: text/plain; charset=utf-8";
    const { emailId } = await world.ingest.keep(
      Buffer.from(`${head}\r\n${type}\r\n\r\n${mail.body}\r\n`),
      { intake: "import" },
    );
    names.set(emailId, name);
  }

  async function searchable(count: number): Promise<void> {
    await vi.waitFor(
      async () => expect((await world.stores.mail.search({ limit: 1 })).total).toBe(count),
      { timeout: 30_000, interval: 20 },
    );
  }

  async function found(search: Partial<MailSearch>): Promise<string[]> {
    const { hits, total } = await world.stores.mail.search({ limit: 50, ...search });
    expect(total).toBe(hits.length);
    return hits.map(({ emailId }) => names.get(emailId) ?? emailId);
  }

  it("without a query returns the newest by date [mail.newest]", async () => {
    expect(await found({})).toEqual(Object.keys(mails).toReversed());
    expect(await found({ query: "  " })).toEqual(Object.keys(mails).toReversed());
  });

  it.each([
    ["lamp", ["lamp", "order"]],
    ["LAM", ["lamp", "order"]],
    ["lamp table", ["order"]],
    ["lamp chair", []],
    ["cafe", ["order"]],
    ["café", ["order"]],
    ['"café table"', ["order"]],
    ['"table café"', []],
    ["東京", ["tokyo"]],
    ["京都", ["tokyo"]],
    ["都庁", ["tokyo"]],
    ["庁", ["tokyo"]],
    ["会議", ["tokyo"]],
    ["議会", []],
    ["田中", ["tokyo"]],
    ["서울", ["seoul"]],
    ["시청", ["seoul"]],
    ["กรุงเทพ", ["bangkok"]],
    ["full width", ["wide"]],
    ["a-b", ["percent"]],
    ['"and" NOT', ["percent"]],
    ["syntax*", ["percent"]],
    ['"', []],
    ["* ( ) : ^ -", []],
    ["ann", ["lamp"]],
    ["lamp -table", ["lamp"]],
    ["-lamp -東京 -서울 -full -ประชุม", ["percent"]],
    ["lamp -subject:lamp", ["order"]],
    ["subject:lamp", ["lamp"]],
    ["東京 OR 서울", ["seoul", "tokyo"]],
    ["from:shop", ["lamp"]],
    ["lamp from:bob", ["order"]],
    ["lamp -from:bob", ["lamp"]],
    ["from:shop OR from:bob", ["order", "lamp"]],
    ["(from:shop OR from:bob) table", ["order"]],
    ["from:(shop OR bob) OR 서울", ["seoul", "order", "lamp"]],
    ["to:nobody OR to:me@in.example", ["lamp"]],
    ["table OR from:shop", ["order", "lamp"]],
    ["from:shop OR 東京", ["tokyo", "lamp"]],
    ["lamp AND table", ["order"]],
    ["has:attachment", []],
    ["lamp -has:attachment", ["lamp", "order"]],
    ["after:2026-01-03 before:2026-01-05", ["seoul", "tokyo"]],
    ["lamp after:0001-01-01 before:9999-01-01", ["lamp", "order"]],
    ["before:0001-01-01", []],
    ["after:9999-01-01", []],
    ["to:me@in.example", ["lamp"]],
    ["to:ME lamp", ["lamp"]],
    ["lamp -to:me", ["order"]],
    ["to:address", []],
    // A name needs a letter.
    ["from:%", []],
    ["-to:in.example from:example.org", ["percent", "wide", "order"]],
    ["OR -", []],
    ["-", []],
    ['subject:" from:"', []],
  ])("for %j finds %j", async (query, expected) => {
    expect(await found({ query })).toEqual(expected);
  });

  it.each([
    ["ANN@SHOP", ["lamp"]],
    ["lee", ["lamp"]],
    ["example.org", ["percent", "wide", "order"]],
    ["%", ["percent"]],
    ["_c@", ["percent"]],
    ["nobody", []],
  ])("from %j finds %j", async (from, expected) => {
    expect(await found({ from })).toEqual(expected);
    expect(await found({ from, query: "lamp" })).toEqual(
      expected.filter((name) => ["lamp", "order"].includes(name)),
    );
  });

  it("between two dates includes the first and excludes the second", async () => {
    const after = new Date(mails["order"]!.date);
    const before = new Date(mails["seoul"]!.date);
    expect(await found({ after, before })).toEqual(["tokyo", "order"]);
    expect(await found({ after, before, query: "lamp" })).toEqual(["order"]);
  });

  it("continues at its cursor after new mail, and rejects a foreign cursor [cursor.bound]", async () => {
    const pages: string[] = [];
    let cursor: string | undefined;
    for (const query of ["example", ""]) {
      pages.length = 0;
      cursor = undefined;
      do {
        const page = await world.stores.mail.search({
          query,
          limit: 2,
          ...(cursor !== undefined && { cursor }),
        });
        pages.push(...page.hits.map(({ emailId }) => names.get(emailId) ?? emailId));
        cursor = page.nextCursor;
        if (pages.length === 2) {
          const count = names.size;
          const date = query === "" ? day(31) : day(30);
          await keep(`late ${count}`, {
            date,
            from: "x@example.org",
            subject: "example example",
            body: `example ${count}`,
          });
          await searchable(count + 1);
        }
      } while (cursor !== undefined);
      expect(new Set(pages).size).toBe(pages.length);
      expect(pages).toEqual(expect.arrayContaining(Object.keys(mails)));
    }
    const { nextCursor } = await world.stores.mail.search({ query: "example", limit: 1 });
    for (const broken of [
      { query: "other", cursor: nextCursor! },
      { query: "example", cursor: "zzz" },
    ]) {
      await expect(world.stores.mail.search({ ...broken, limit: 1 })).rejects.toMatchObject({
        kind: "invalid_input",
      });
    }
  });

  it("reports not_found for an invalid id", async () => {
    await expect(world.stores.mail.read("em_none", { offset: 0, length: 1 })).rejects.toMatchObject(
      {
        kind: "not_found",
      },
    );
  });
});
