import { describe, expect, it } from "vitest";
import type { Arrival } from "../../src/ingest/pipeline/accept-message.ts";
import { createQuarantine } from "../../src/ingest/pipeline/quarantine.ts";

const message = Buffer.from("From: stranger@other.example\r\nSubject: x\r\n\r\nbody");
const arriving = (envelopeFrom: string): Arrival => ({ intake: "smtp", envelopeFrom });
const verified = () => Promise.resolve(true);

describe("mail for an allow list of senders", () => {
  const names = ["me@gmail.example", "@friends.example"];
  const quarantineOf = createQuarantine(names, verified);

  it("waits for a person if the sender is unknown, unless a known account forwarded it", async () => {
    expect(await quarantineOf(message, arriving("x@other.example"))).toMatchObject({
      reason: "sender",
      from: "stranger@other.example",
    });
    const forwarder = "me+caf_=to=mine.example@gmail.example";
    expect(await quarantineOf(message, arriving(forwarder))).toBeUndefined();
  });

  it("waits if the domain of the forwarding account is not verified [mail.senders]", async () => {
    const strict = createQuarantine(names, () => Promise.resolve(false));
    expect(await strict(message, arriving("me@gmail.example"))).toMatchObject({ reason: "sender" });
    const own = Buffer.from("From: me@gmail.example\r\n\r\nbody");
    expect(await strict(own, arriving("x@other.example"))).toBeUndefined();
  });

  const authors = async (...head: string[]): Promise<boolean> => {
    const raw = Buffer.from([...head, "Subject: x", "", "body"].join("\r\n"));
    return (await quarantineOf(raw, arriving("x@other.example"))) === undefined;
  };

  it.each([
    ["From: me@gmail.example"],
    ["From: Me <Me@Gmail.example>, Bob <bob@friends.example>"],
    ['From: "eve@other.example" <me@gmail.example>'],
    ["From: me@gmail.example <me@gmail.example>"],
    ["From: family: me@gmail.example, bob@friends.example;"],
    ["From: me@gmail.example (not eve@other.example)"],
    ["From: Me", " <me@gmail.example>"],
    ["From: me@gmail.example", "From: bob@friends.example"],
  ])("is accepted if all its authors are listed: %s %s [mail.senders]", async (...head) => {
    expect(await authors(...head)).toBe(true);
  });

  it.each([
    ["From: eve@other.example, me@gmail.example"],
    ["From: me@gmail.example, eve@other.example"],
    ["From: me@gmail.example,", " eve@other.example"],
    ["From: me@gmail.example", "From: eve@other.example"],
    ["From: friends: me@gmail.example, eve@other.example;"],
    ["From: me@gmail.example: eve@other.example;"],
    ["From: me@gmail.example <eve@other.example>"],
    ["From: <me@gmail.example> <eve@other.example>"],
    ["From: me@gmail.example eve@other.example"],
    ["From: Eve <me@gmail.example> eve@other.example"],
    ["From: me@gmail.example, Eve"],
    ["From: <eve@other.example,x@friends.example>"],
    ["From: =?utf-8?q?me=40gmail.example?= <eve@other.example>"],
    ["From: =?utf-8?q?me=40gmail.example?="],
    ["From: (me@gmail.example) eve@other.example"],
    ["From: m\u0435@gmail.example"],
    ["From: me@gma\u0131l.example"],
    ["From:"],
    ["From: nobody:;"],
    ["To: me@gmail.example"],
    ["From: eve@other.example", "Sender: me@gmail.example"],
    ["From: eve@other.example", "Resent-From: me@gmail.example"],
    ["From: eve@other.example", "Return-Path: <me@gmail.example>"],
    ["From: eve@other.example", "X-Original-From: me@gmail.example"],
    [`From: ${"me@gmail.example, ".repeat(600)}eve@other.example`],
  ])("waits if not every author is listed: %s %s [mail.senders]", async (...head) => {
    expect(await authors(...head)).toBe(false);
  });

  it("waits if only the first 320 characters of its envelope sender name a known account", async () => {
    const known = "@friends.example";
    const long = `${"x".repeat(320 - known.length)}${known}.other.example`;
    expect(await quarantineOf(message, arriving(long))).toMatchObject({ reason: "sender" });
  });
});
