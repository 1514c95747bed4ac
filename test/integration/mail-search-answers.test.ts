import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createMailReader } from "../../src/adapters/libsql/mail/mail-reader.ts";
import { mailSearcher } from "../../src/adapters/libsql/search/mail-search.ts";
import { readQuery } from "../../src/adapters/libsql/search/search-query.ts";
import type { Tool } from "../../src/core/tool/tool.ts";
import { textKey } from "../../src/ports/mail/mail-objects.ts";
import type { MailReader, MailSearch } from "../../src/ports/mail/mail-reader.ts";
import type { ObjectStore } from "../../src/ports/files/objects.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { catalog } from "../../src/tools/catalog.ts";
import { createFakeObjects } from "../fakes/objects.ts";
import { openSearchedMailbox, type SearchedMail, type SearchedMailbox } from "./searched-mail.ts";

const day = (number: number): Date => new Date(Date.UTC(2026, 0, 1 + number));
const mail = (number: number, rest: Partial<SearchedMail> = {}): SearchedMail => ({
  subject: "subject",
  body: "body",
  summary: "summary",
  from: { name: "Sender", address: "sender@example.org" },
  to: [],
  cc: [],
  date: day(number),
  hasAttachment: false,
  ...rest,
});

describe("the answer of a search", () => {
  let mailbox: SearchedMailbox;
  let objects: ObjectStore;
  let reader: MailReader;

  beforeEach(() => {
    mailbox = openSearchedMailbox();
    objects = createFakeObjects();
    reader = createMailReader({ database: mailbox.database, objects });
  });

  afterEach(async () => {
    vi.unstubAllEnvs();
    await mailbox.close();
  });

  async function found(query: string, rest: Partial<MailSearch> = {}): Promise<string[]> {
    const { hits } = await reader.search({ query, limit: 50, ...rest });
    return hits.map(({ emailId }) => emailId);
  }

  it("has hits in subject, sender, summary and body in this order, then the newest [mail.search]", async () => {
    // The other way round in time, and each as long as the others.
    const subject = await mailbox.add([mail(1, { subject: "needle" })]);
    const sender = await mailbox.add([
      mail(2, { from: { name: "Needle", address: "a@b.example" } }),
    ]);
    const address = await mailbox.add([mail(3, { from: { address: "x@needle.example" } })]);
    const summary = await mailbox.add([mail(4, { summary: "needle" })]);
    const body = await mailbox.add([mail(5, { body: "needle" })]);
    const equal = await mailbox.add([mail(6, { body: "needle" })]);
    await mailbox.add(Array.from({ length: 20 }, (_, number) => mail(number)));
    const ranked = await found("needle");
    expect(ranked.filter((id) => id !== address[0])).toEqual(
      [subject, sender, summary, equal, body].flat(),
    );
    expect(ranked).toContain(address[0]);
    expect(ranked.indexOf(address[0]!)).toBeLessThan(ranked.indexOf(summary[0]!));
  });

  it("beyond the ranked hits lists those in subject and sender first, each part newest first", async () => {
    const added = await mailbox.add(
      Array.from({ length: 12 }, (_, number) =>
        mail(number, number % 4 === 0 ? { subject: "needle" } : { body: "needle" }),
      ),
    );
    const find = mailSearcher(mailbox.database, {
      mostCounted: 9,
      mostRanked: 5,
      rankedAtOnce: 1_000,
      manyIds: 20_000,
    });
    const walked: number[] = [];
    const totals = new Set<unknown>();
    let cursor: string | undefined;
    do {
      const page = await find(
        { query: "needle", limit: 2, ...(cursor !== undefined && { cursor }) },
        readQuery("needle", new Date()),
      );
      totals.add(`${page.total} ${page.totalIsLowerBound}`);
      walked.push(...page.ids);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const order = [8, 4, 0, 11, 10, 9, 7, 6, 5, 3, 2, 1];
    expect(await mailbox.emailIdsOf(walked)).toEqual(order.map((number) => added[number]));
    expect([...totals]).toEqual(["9 true"]);
  });

  it("shows the text around a hit, even far into a text", async () => {
    const text = `${"some words ".repeat(4_000)}and the needle here ${"more words ".repeat(4_000)}`;
    await mailbox.add([
      mail(1, { body: text }),
      mail(2, { body: "a Needle near the beginning" }),
      mail(3, { subject: "needle", body: "nothing" }),
    ]);
    const { rows } = await mailbox.database.read({
      sql: "SELECT text_sha256 FROM mail WHERE date = ?",
      args: [day(1).getTime()],
    });
    await objects.put(textKey(String(rows[0]!["text_sha256"])), Buffer.from(text), {
      mediaType: "text/plain",
    });
    const { hits } = await reader.search({ query: "needle", limit: 3 });
    const snippets = new Map(hits.map(({ date, snippet }) => [date.getTime(), snippet]));
    expect(snippets.get(day(1).getTime())).toMatch(/^…words some .*and the needle here more .*…$/);
    expect(snippets.get(day(2).getTime())).toBe("a Needle near the beginning");
    expect(snippets.get(day(3).getTime())).toBeUndefined();
    const [unasked] = (await reader.search({ limit: 1 })).hits;
    expect(unasked).not.toHaveProperty("snippet");
  });

  it("always counts all hits, names the latest arrival and counts pending mail", async () => {
    expect(await reader.search({ limit: 1 })).toMatchObject({
      total: 0,
      newest: undefined,
      pending: 0,
    });
    await mailbox.add(Array.from({ length: 4 }, (_, number) => mail(number)));
    const arrivedAt = new Date("2026-02-03T04:05:06Z");
    await mailbox.database.write([
      { sql: "UPDATE mail SET received_at = ? - mail_id", args: [arrivedAt.getTime() + 1] },
    ]);
    const finish = await mailbox.arrive(mail(9));
    const state = { newest: arrivedAt, pending: 1 };
    for (const query of ["", "body", "nobody", "!", "sub", "-body", "from:sender OR x", "to:me"]) {
      const first = await reader.search({ query, limit: 1 });
      expect(first, query).toMatchObject(state);
      const isFound = ["", "body", "sub", "from:sender OR x"].includes(query);
      expect(first.total, query).toBe(isFound ? 4 : 0);
      if (!isFound) continue;
      const next = await reader.search({ query, limit: 1, cursor: first.nextCursor! });
      expect(next, query).toMatchObject({ ...state, total: 4 });
    }
    await finish();
    const after = await reader.search({ limit: 1 });
    expect(after).toMatchObject({ total: 5, pending: 0 });
    expect(after.newest!.getTime()).toBeGreaterThan(arrivedAt.getTime());
    // A failed message no longer counts as pending: `mail failed` lists it.
    const giveUp = await mailbox.arrive(mail(10));
    expect(await reader.search({ limit: 1 })).toMatchObject({ pending: 1 });
    await giveUp({ kind: "give up", step: "parse", reason: "broken" });
    expect(await reader.search({ limit: 1 })).toMatchObject({ total: 5, pending: 0 });
  });

  async function answer(args: Record<string, unknown>, mailReader = reader) {
    const tool = catalog.find((one): one is Tool<Ports> => one.name === "search_emails")!;
    const parsed = tool.input.parse(args);
    const context = {
      ports: { mail: mailReader } as Ports,
      principal: "local",
      callId: "call_1",
      signal: new AbortController().signal,
      cancellation: new AbortController().signal,
      version: undefined,
    };
    const output = tool.output.parse(await tool.execute(parsed, context));
    return { output, ...tool.text(output, parsed) };
  }

  it("accepts ISO 8601 dates in its fields, and rejects others", async () => {
    await mailbox.add([mail(1), mail(2), mail(3)]);
    const { output } = await answer({ after: "2026-01-03", before: "2026-01-04T00:00:00+00:00" });
    expect(output).toMatchObject({ total: 1, emails: [{ date: day(2).toISOString() }] });
    // A message's date has whole seconds, so half a second later is after it.
    const half = day(2).toISOString().replace(".000Z", ".500Z");
    expect((await answer({ after: half })).output).toMatchObject({ total: 1 });
    expect((await answer({ before: half })).output).toMatchObject({ total: 2 });
    for (const field of ["after", "before"]) {
      for (const wrong of ["yesterday", "2026-02-30", "2026-13-01T10:00:00Z"])
        await expect(answer({ [field]: wrong })).rejects.toMatchObject({
          kind: "invalid_input",
          message: `${field}: "${wrong}" is not an ISO 8601 date or time. Nothing was searched.`,
        });
    }
  });

  it.each(["UTC", "Pacific/Kiritimati", "America/Los_Angeles"])(
    "reads a day, or a time without offset, as UTC if the server's clock is in %s",
    async (zone) => {
      vi.stubEnv("TZ", zone);
      // Proves that the clock is.
      expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
      const instants = ["2026-01-02T23:59:59Z", "2026-01-03T00:00:00Z", "2026-01-03T23:59:59Z"];
      const [before, first, last] = await mailbox.add(
        [...instants, "2026-01-04T00:00:00Z"].map((date) => mail(0, { date: new Date(date) })),
      );
      const ids = async (args: Record<string, unknown>) => {
        const { emails } = (await answer(args)).output as { emails: { id: string }[] };
        return emails.map(({ id }) => id);
      };
      for (const [from, to] of [
        ["2026-01-03", "2026-01-04"],
        ["2026-01-03T00:00", "2026-01-04T00:00:00"],
        ["2026-01-03T01:00+01:00", "2026-01-03T16:00-08:00"],
      ]) {
        expect(await ids({ after: from, before: to })).toEqual([last, first]);
        expect(await ids({ query: `after:${from} before:${to}` })).toEqual([last, first]);
        expect(await ids({ query: `body (has:attachment OR before:${from})` })).toEqual([before]);
      }
    },
  );

  it("reports that there are more than are counted", async () => {
    const many = { total: 10_000, totalIsLowerBound: true, newest: day(1), pending: 0 };
    const { output, facts } = await answer(
      {},
      { ...reader, search: async () => ({ ...many, hits: [], nextCursor: undefined }) },
    );
    expect(output).toMatchObject({ total: 10_000, totalIsLowerBound: true });
    expect(facts).toMatch(/^0 of at least 10000 messages\.\n/);
  });

  it("reports unsupported parts and the attachment of a hit, in words and in fields [mail.attachment-search] [mail.query]", async () => {
    const [emailId = ""] = await mailbox.add([mail(1)]);
    const foundIn = { attachmentId: "at_x", name: "lease.pdf" };
    const { output, facts, notices, untrusted } = await answer(
      { query: "is:unread body" },
      {
        ...reader,
        search: async (asked) => {
          const { hits, ...rest } = await reader.search({ ...asked, query: "body" });
          const { notices = [] } = await reader.search(asked);
          return { ...rest, notices, hits: hits.map((hit) => ({ ...hit, foundIn })) };
        },
      },
    );
    const notice = '"is:" is not a search operator here; "unread" was searched as words.';
    expect(output).toMatchObject({
      emails: [{ id: emailId, foundIn: { id: "at_x", name: "lease.pdf" } }],
      notices: [notice],
    });
    expect(notices).toContain(notice);
    expect(facts).not.toContain("lease.pdf");
    expect(untrusted).toMatch(/\nIn attachment: at_x lease\.pdf$/);
  });

  it("has the same facts in words and in fields, marked as untrusted text", async () => {
    const empty = await answer({});
    expect(empty.output).toEqual({ emails: [], total: 0, pending: 0, untrusted: true });
    expect(empty.facts).toBe("0 of 0 messages.\nNo mail has arrived yet.");
    const [, id] = await mailbox.add([mail(1), mail(2, { body: "a needle", hasAttachment: true })]);
    await mailbox.arrive(mail(3));
    const { rows } = await mailbox.database.read({
      sql: "SELECT max(received_at) AS at FROM mail WHERE search_id IS NOT NULL",
      args: [],
    });
    const newest = new Date(Number(rows[0]!["at"])).toISOString();
    const nothing = await answer({ query: "nobody" });
    expect(nothing.output).toEqual({ emails: [], total: 0, newest, pending: 1, untrusted: true });
    expect(nothing.facts).toBe(
      `0 of 0 messages.\nThe newest arrived ${newest}.\n1 more arrived and are not yet searchable.`,
    );
    const { output, facts, untrusted } = await answer({ query: "needle OR sender", limit: 1 });
    expect(output).toEqual({
      emails: [
        {
          id,
          from: { name: "Sender", address: "sender@example.org", source: "header" },
          subject: "subject",
          date: day(2).toISOString(),
          summary: "summary",
          summarySource: "model",
          snippet: "a needle",
          attachmentCount: 1,
        },
      ],
      total: 2,
      newest,
      pending: 1,
      nextCursor: expect.any(String) as string,
      untrusted: true,
    });
    const { nextCursor } = output as { nextCursor: string };
    expect(facts).toBe(
      `1 of 2 messages.\nThe newest arrived ${newest}.\n1 more arrived and are not yet searchable.\nMore: cursor ${nextCursor}`,
    );
    expect(untrusted).toBe(
      `${id} ${day(2).toISOString()}, 1 attachment\nFrom: Sender <sender@example.org>\nSubject: subject\nsummary\nFound: a needle`,
    );
    const last = await answer({ query: "needle OR sender", limit: 1, cursor: nextCursor });
    expect(last.output).toMatchObject({ total: 2, newest, pending: 1 });
    expect(last.output).not.toHaveProperty("nextCursor");
  });

  it("continues without duplicates in another process after new mail became searchable [cursor.bound]", async () => {
    await mailbox.add(
      Array.from({ length: 6 }, (_, number) => mail(number, { body: `needle ${number}` })),
    );
    const finish = await mailbox.arrive(mail(50, { subject: "needle needle" }));
    const query = "needle";
    const page = async (cursor?: string) =>
      mailSearcher(mailbox.database)(
        { query, limit: 2, ...(cursor !== undefined && { cursor }) },
        readQuery(query, new Date()),
      );
    const first = await page();
    await finish();
    await mailbox.add([mail(-1, { body: "needle late" })]);
    const second = await page(first.nextCursor);
    const third = await page(second.nextCursor);
    const walked = [first, second, third].flatMap(({ ids }) => ids);
    expect(new Set(walked).size).toBe(6);
    expect(walked).toEqual(walked.toSorted((one, other) => other - one));
    // A message that arrived after the first page is on no page.
    expect(third.nextCursor).toBeUndefined();
  });

  it("keeps its initial order, however new mail changes the weights", async () => {
    const search = (cursor?: string) =>
      reader.search({ query: '"needle"', limit: 1, ...(cursor !== undefined && { cursor }) });
    await mailbox.add([
      mail(1, { body: `needle needle ${"word ".repeat(40)}` }),
      mail(2, { body: "needle" }),
      ...Array.from({ length: 5 }, (_, number) => mail(10 + number)),
    ]);
    const first = await search();
    // Among long texts twice in forty words is more than once in one.
    const long = mail(20, { body: "word ".repeat(4_000) });
    await mailbox.add(Array.from({ length: 5 }, () => long));
    const second = await search(first.nextCursor);
    expect([first, second].flatMap(({ hits }) => hits.map(({ date }) => date))).toEqual([
      day(2),
      day(1),
    ]);
    // A new search sees the new date.
    expect((await search()).hits[0]?.date).toEqual(day(1));
  });
});
