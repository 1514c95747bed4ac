import { describe, expect, it, vi } from "vitest";
import { fenceUntrusted, fieldFence } from "../../src/core/tool/untrusted-text.ts";
import type { Tool } from "../../src/core/tool/tool.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { catalog } from "../../src/tools/catalog.ts";
import { fittingTokens, mostTokens } from "../fakes/fitting-tokens.ts";
import { suiteThatIngests } from "../servers/ingest-world.ts";

describe("results of mail tools", () => {
  const world = suiteThatIngests();

  async function keep(message: Uint8Array): Promise<string> {
    const { emailId } = await world.ingest.keep(message, { intake: "import" });
    return emailId;
  }

  const readable = () =>
    vi.waitFor(async () => expect((await world.stores.mail.search({ limit: 1 })).pending).toBe(0), {
      timeout: 120_000,
      interval: 50,
    });

  /** Returns the tokens of a result: its structured content and its text. */
  async function answer(name: string, args: Record<string, unknown>) {
    const tool = catalog.find((one): one is Tool<Ports> => one.name === name)!;
    const parsed = tool.input.parse(args);
    const context = {
      ports: { mail: world.stores.mail } as Ports,
      principal: "local",
      callId: "call_1",
      signal: new AbortController().signal,
      cancellation: new AbortController().signal,
      version: undefined,
    };
    const output = tool.output.parse(await tool.execute(parsed, context));
    const { facts, untrusted = "" } = tool.text(output, parsed);
    const fence = fieldFence("abc123");
    const structured = JSON.stringify(fenceUntrusted(tool.output, output, fence));
    const tokens = fittingTokens(structured, `${facts}\n${untrusted}`);
    return { output, tokens };
  }

  /** The limits of a page: 32 kB of text or 12 kB of binary. */
  const mostBytes = ({ encoding }: Record<string, unknown>) =>
    encoding === "utf-8" ? 32_000 : 12_000;

  /** Reads to the end and returns the tokens of the most expensive page. Checks the length of each page. */
  async function dearestPage(name: string, args: Record<string, unknown>, mostPages = 12) {
    let dearest = 0;
    let offset: unknown = 0;
    let pages = 0;
    for (; offset !== undefined && pages < mostPages; pages += 1) {
      const { output, tokens } = await answer(name, { ...args, offset });
      expect(output["bytes"]).toBeLessThanOrEqual(mostBytes(output));
      dearest = Math.max(dearest, tokens);
      offset = output["nextOffset"];
    }
    return { dearest, pages };
  }

  it(
    "fit for a message of 25 MB, whose text ends with a note of the cut",
    { timeout: 120_000 },
    async () => {
      const head = "From: a@b.example\r\nSubject: large\r\n\r\n";
      const emailId = await keep(
        Buffer.from(head + "Some words of a large letter.\r\n".repeat(800_000)),
      );
      await readable();
      const { dearest } = await dearestPage("read_email", { emailId }, 3);
      expect(dearest).toBeLessThan(mostTokens);
      const { text } = await world.stores.mail.read(emailId, { offset: 0, length: 1 });
      const end = await world.stores.mail.read(emailId, {
        offset: text.totalBytes - 100,
        length: 100,
      });
      expect(Buffer.from(end.text.window).toString()).toMatch(/\[Cut here: \d+ more bytes/);
    },
  );

  it(
    "fit even if every field has the longest rare Chinese text",
    { timeout: 120_000 },
    async () => {
      const rare = (length: number): string =>
        Array.from({ length }, (_, index) =>
          String.fromCodePoint(0x3400 + ((index * 7919) % 6_500)),
        ).join("");
      const word = (length: number): string =>
        `=?utf-8?B?${Buffer.from(rare(length)).toString("base64")}?=`;
      const people = Array.from(
        { length: 60 },
        (_, index) => `${word(150)} <${"q8z".repeat(20)}${index}@${"x7-".repeat(60)}.example>`,
      );
      const parts = Array.from(
        { length: 60 },
        (_, index) =>
          `--b\r\nContent-Type: application/${"vnd.q7x-".repeat(11)}; name="${word(200)}"\r\nContent-Disposition: attachment\r\n\r\n${index}\r\n`,
      );
      const message = [
        `From: ${people[0]}\r\nTo: ${people.join(",\r\n ")}\r\nCc: ${people.join(",\r\n ")}\r\n`,
        `Subject: ${word(900)}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n`,
        `--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${rare(60_000)}\r\n`,
        ...parts,
        "--b--\r\n",
      ].join("");
      const emailId = await keep(Buffer.from(message));
      await readable();
      const { dearest, pages } = await dearestPage("read_email", { emailId }, 100);
      expect(dearest).toBeLessThan(mostTokens);
      // Every page still contains a good part of the text.
      expect(pages).toBeLessThan(60);
      for (let copy = 0; copy < 50; copy += 1)
        await keep(Buffer.from(`X-Copy: ${copy}\r\n${message}`));
      await readable();
      const { tokens } = await answer("search_emails", { limit: 50 });
      expect(tokens).toBeLessThan(mostTokens);
    },
  );
});
