import { describe, expect, it } from "vitest";
import { suiteThatIngests } from "../servers/ingest-world.ts";

const passedOn = (from: string): string =>
  [
    from,
    "To: archive@in.example",
    "Date: Tue, 10 Mar 2026 11:00:00 +0200",
    "Subject: Fwd: The order",
    "",
    "---------- Forwarded message ---------",
    "From: Ann Lee <ann@shop.example>",
    "Date: Mon, Mar 2, 2026 at 2:25 PM",
    "Subject: The order",
    "To: <owner@example.org>",
    "",
    "It has shipped.",
  ].join("\r\n");

describe("a forwarded message", () => {
  const world = suiteThatIngests(() => ({
    OWNER_ADDRESSES: "owner@example.org,me@xn--bcher-kva.example",
  }));

  async function arrived(from: string) {
    const emailId = await world.arrived(passedOn(from));
    return world.stores.mail.read(emailId, { offset: 0, length: 10 });
  }

  it("from an owner is shown and found under its original sender [mail.forwarded]", async () => {
    const mail = await arrived("From: Me <Owner@Example.org>");
    expect(mail).toMatchObject({
      from: { name: "Ann Lee", address: "ann@shop.example", source: "forwarded" },
      forwardedBy: { name: "Me", address: "Owner@Example.org" },
      subject: "The order",
      date: new Date("2026-03-02T12:25:00Z"),
    });
    const { hits } = await world.stores.mail.search({ from: "ann@shop.example", limit: 10 });
    expect(hits.map(({ emailId }) => emailId)).toEqual([mail.emailId]);
  });

  it("from an owner with an internationalised domain is recognised [mail.forwarded]", async () => {
    const mail = await arrived("From: Me@BÜCHER.example");
    expect(mail).toMatchObject({ from: { address: "ann@shop.example", source: "forwarded" } });
  });

  it.each([
    ["another person", "From: Stranger <s@example.net>"],
    ["another person with an owner's name", 'From: "owner@example.org" <s@example.net>'],
    ["two authors", "From: owner@example.org, s@example.net"],
    ["two From headers", "From: owner@example.org\r\nFrom: s@example.net"],
    ["an owner who is only named as sender", "From: s@example.net\r\nSender: owner@example.org"],
  ])("from %s keeps its outer headers [mail.forward-by-others]", async (_, from) => {
    const mail = await arrived(from);
    expect(mail).toMatchObject({ from: { source: "header" }, subject: "Fwd: The order" });
    expect(mail.forwardedBy).toBeUndefined();
    expect(mail.from.address).not.toBe("ann@shop.example");
  });
});
