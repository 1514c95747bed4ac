import { describe, expect, it } from "vitest";
import type { Arrival } from "../../src/ingest/keep.ts";
import { createWithhold } from "../../src/ingest/withhold.ts";

const message = Buffer.from("From: stranger@other.example\r\nSubject: x\r\n\r\nbody");
const arriving = (envelopeFrom: string): Arrival => ({ intake: "smtp", envelopeFrom });

describe("mail that names no known sender", () => {
  const withhold = createWithhold(["me@gmail.example", "@friends.example"]);

  it("waits for a person, unless a known account forwarded it", async () => {
    expect(await withhold(message, arriving("x@other.example"))).toMatchObject({
      reason: "sender",
      from: "stranger@other.example",
    });
    const forwarder = "me+caf_=to=mine.example@gmail.example";
    expect(await withhold(message, arriving(forwarder))).toBeUndefined();
  });

  it("is told as fast by an envelope of very many forwarding tags", async () => {
    const startedAt = performance.now();
    const tags = "+caf_=".repeat(16_000);
    expect(await withhold(message, arriving(tags))).toMatchObject({ reason: "sender" });
    expect(await withhold(message, arriving(`me${tags}@gmail.example`))).toBeDefined();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it("is not known by what an envelope that is too long would end in if it were cut", async () => {
    const known = "@friends.example";
    const long = `${"x".repeat(320 - known.length)}${known}.other.example`;
    expect(await withhold(message, arriving(long))).toMatchObject({ reason: "sender" });
  });
});
