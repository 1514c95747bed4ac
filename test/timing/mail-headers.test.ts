import { describe, expect, it } from "vitest";
import { envelopeOf, scanHeaders } from "../../src/ingest/mime/headers.ts";
import { parseMessage } from "../../src/ingest/mime/parse-message.ts";
import type { Arrival } from "../../src/ingest/pipeline/accept-message.ts";
import { mailLimits } from "../../src/ingest/pipeline/limits.ts";
import { createQuarantine } from "../../src/ingest/pipeline/quarantine.ts";
import { takesLessAwaited } from "../fixtures/growth.ts";

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

describe("headers do not block other work", () => {
  it.each([
    ["very many of one name", "a:\n".repeat(80_000)],
    ["bare CRs", `X: ${"\r".repeat(200_000)}x\n`],
    ["bare CRs at the end", `X: ${"\r".repeat(200_000)}`],
    ["lines that are none", "\xff\n".repeat(120_000)],
    ["folds that are not UTF-8", `X: 1\n${" \xff\n".repeat(80_000)}`],
    ["folds in ISO-2022-JP", `X: 1\n${" \x1b$B$3\x1b(B\n".repeat(26_000)}`],
    ["a date of blanks", `Date: 1${"\r".repeat(200_000)}x\n`],
  ])("if they are %s", (_what, head) => {
    const startedAt = performance.now();
    envelopeOf(scanHeaders(latin1(`${head}\r\n\r\nbody`)), new Date("2026-01-01T00:00:00Z"));
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it("if very many follow a file's name in raw bytes", async () => {
    const read = (...head: string[]) =>
      parseMessage(latin1(["From: a@b.example", ...head, "", "x", ""].join("\r\n")), new Date());
    const startedAt = performance.now();
    const many = 'X-A: \xff\r\n \xff;name*=;"\\\r\n'.repeat(9_000);
    await read(`Content-Disposition: attachment; filename="\xfc"\r\n${many}X-B: c`);
    const long = `attachment; ${'name*=;filename*="'.repeat(10_000)}`;
    await read(`Content-Disposition: ${long}`);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

describe("mail without a known sender is detected quickly", () => {
  const arriving = (envelopeFrom: string): Arrival => ({ intake: "smtp", envelopeFrom });
  const quarantineOf = createQuarantine(["me@gmail.example", "@friends.example"], () =>
    Promise.resolve(true),
  );

  // Nested groups took a second, during which the thread that receives mail did nothing else.
  it.each(['\\"', "(", "<", "a@", ",", '"(', "a: ", "a: b@c;", "=?utf-8?q?a?= "])(
    "for authors of very many %j",
    async (part) => {
      const raw = latin1(`From: ${part.repeat(200_000 / part.length)}\r\nSubject: x\r\n\r\nbody`);
      const judge = async () =>
        expect(await quarantineOf(raw, arriving("x@other.example"))).toBeDefined();
      expect(await takesLessAwaited(100, judge)).toBe(true);
    },
  );

  // Each took one to three seconds. Every sender can claim the address of a provider.
  it.each([
    ["To: ", "a: "],
    ["Content-Type: multipart/mixed; boundary=a\n\n", "--a\n"],
    ["Content-Type: message/rfc822\n\n", "Content-Type: message/rfc822\n\n"],
    ["Content-Type: text/plain; format=flowed\n\n", "> a \n"],
  ])("for a claimed confirmation with %j and very many %j", async (head, part) => {
    const top = `From: forwarding-noreply@google.com\n${head}`;
    const count = Math.floor((mailLimits.confirmationBytes - top.length - 10) / part.length);
    const raw = latin1(`${top}${part.repeat(count)}\n\nx\n`);
    const judge = () => quarantineOf(raw, arriving("x@other.example"));
    expect(await takesLessAwaited(250, judge)).toBe(true);
    expect(await judge()).toMatchObject({ reason: "sender" });
  });

  it("for an envelope of very many forwarding tags", async () => {
    const message = latin1("From: stranger@other.example\r\nSubject: x\r\n\r\nbody");
    const startedAt = performance.now();
    const tags = "+caf_=".repeat(16_000);
    expect(await quarantineOf(message, arriving(tags))).toMatchObject({ reason: "sender" });
    expect(await quarantineOf(message, arriving(`me${tags}@gmail.example`))).toBeDefined();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
