import { performance } from "node:perf_hooks";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Arrival } from "../../src/ingest/pipeline/accept-message.ts";
import { type Answer, type DnsServer, startDns } from "../servers/dns.ts";
import { openIngestWorld, suiteThatIngests } from "../servers/ingest-world.ts";
import { runCommandHere, smtpSession } from "../servers/ingest.ts";
import { keyRecord, sealed, signed } from "../servers/signed-mail.ts";

const zone = new Map<string, Answer>([
  ["_dmarc.owner.org", { TXT: ["v=DMARC1; p=reject"] }],
  ["key._domainkey.owner.org", { TXT: [keyRecord] }],
  ["owner.org", { TXT: ["v=spf1 ip4:203.0.113.5 -all"] }],
  ["_dmarc.xn--bcher-kva.example", { TXT: ["v=DMARC1; p=reject"] }],
  ["key._domainkey.in.example", { TXT: [keyRecord] }],
  ["key._domainkey.evil.net", { TXT: [keyRecord] }],
  ["_dmarc.broken.org", { TXT: ["v=DMARC1; p=reject"] }],
  ["broken.org", "SERVFAIL"],
  ["_dmarc.silent.org", "nothing"],
  ["key._domainkey.silent.org", "nothing"],
]);

let count = 0;

/** A mail that an owner forwards. Each one is different. */
const passedOnBy = (owner: string, ...top: string[]): string =>
  [
    ...top,
    `From: Me <${owner}>`,
    "To: archive@in.example",
    `Date: ${new Date().toUTCString()}`,
    "Subject: Fwd: The order",
    `Message-ID: <${++count}@owner.org>`,
    "",
    "---------- Forwarded message ---------",
    "From: Ann Lee <ann@shop.example>",
    "Date: Mon, Mar 2, 2026 at 2:25 PM",
    "Subject: The order",
    "To: <me@owner.org>",
    "",
    "It has shipped.",
    "",
  ].join("\r\n");

const passedOn = (...top: string[]): string => passedOnBy("me@owner.org", ...top);

const isUnwrapped = {
  from: { address: "ann@shop.example", source: "forwarded" },
  subject: "The order",
};
const isAsItCame = {
  from: { address: "me@owner.org", source: "header" },
  subject: "Fwd: The order",
};

const fromOutside = (peer: string): Arrival => ({
  intake: "smtp",
  peer,
  helo: "out.owner.org",
  envelopeFrom: "me@owner.org",
});

const claims = (word: string) =>
  `Authentication-Results: mx.in.example; spf=${word}; dmarc=${word} header.from=owner.org`;

describe("mail that an owner forwards", () => {
  let dns: DnsServer;

  beforeAll(async () => {
    dns = await startDns(zone);
  });

  afterAll(() => dns.close());

  const world = suiteThatIngests(() => ({
    OWNER_ADDRESSES: "me@owner.org,me@bücher.example",
    INGEST_DNS: dns.address,
    TRUSTED_AUTHSERV_ID: "MX.in.example",
    TRUSTED_RELAYS: "10.1.2.3, fd00:1::/64, 203.0.113.77",
  }));

  async function arrived(raw: string | Buffer, arrival: Arrival = { intake: "http" }) {
    const emailId = await world.arrived(raw, arrival);
    return world.stores.mail.read(emailId, { offset: 0, length: 10 });
  }

  it("is unwrapped if a signature verifies the owner's address [mail.authenticated]", async () => {
    const mail = await arrived(await signed(passedOn(), "owner.org"));
    expect(mail).toMatchObject({
      ...isUnwrapped,
      authentication: { dkim: "pass", dmarc: "pass", from: "aligned" },
    });
    const shown = await runCommandHere(world.dataDir, ["mail", "show", mail.emailId]);
    expect(shown.stdout).toContain("sender    aligned, dkim pass, dmarc pass\n");
  });

  it("is unwrapped if the owner's own server delivers it, and not if another does [mail.forged-owner]", async () => {
    expect(await arrived(passedOn(), fromOutside("203.0.113.5"))).toMatchObject({
      ...isUnwrapped,
      authentication: { spf: "pass", dmarc: "pass", from: "aligned" },
    });
    const forged = await arrived(passedOn(), fromOutside("198.51.100.7"));
    expect(forged).toMatchObject({
      ...isAsItCame,
      authentication: { spf: "fail", dmarc: "fail", from: "failed" },
    });
    expect(forged.forwardedBy).toBeUndefined();
  });

  // Is the owner's when it is compared, which the domain that was judged was not.
  it("is recognised with the decomposed form of an internationalised domain [mail.forged-owner]", async () => {
    const forged = passedOnBy("me@bu\u0308cher.example");
    expect(await arrived(forged, fromOutside("198.51.100.7"))).toMatchObject({
      authentication: { dmarc: "fail", from: "failed" },
      from: { source: "header" },
    });
  });

  // Was compared as a browser reads it, and judged as DNS does, which knows no policy of such a domain.
  it.each(["me@ｏwner.org", "me@owner。org", "me@owner.ⓞrg"])(
    "is not recognised if it is from %s [mail.forged-owner]",
    async (address) => {
      const forged = await arrived(passedOnBy(address), fromOutside("198.51.100.7"));
      expect(forged).toMatchObject({
        from: { address, source: "header" },
        subject: "Fwd: The order",
      });
      expect(forged.forwardedBy).toBeUndefined();
    },
  );

  it("uses the verdict of the named server", async () => {
    const by = (host: string, word: string) =>
      `Authentication-Results: ${host}; spf=none; dmarc=${word} (p=reject) header.from=owner.org`;
    expect(await arrived(passedOn(by("mx.in.example", "fail")))).toMatchObject({
      ...isAsItCame,
      authentication: { spf: "none", dmarc: "fail", from: "failed" },
    });
    expect(await arrived(passedOn(by("mx.in.example", "pass")))).toMatchObject({
      ...isUnwrapped,
      authentication: { dmarc: "pass", from: "aligned" },
    });
    // The result of an unknown server.
    expect(await arrived(passedOn(by("mx.elsewhere.example", "pass")))).toMatchObject({
      ...isUnwrapped,
      authentication: { from: "unverified" },
    });
  });

  it("cannot vouch for itself if it comes directly from outside", async () => {
    const claim = "Authentication-Results: mx.in.example; dmarc=pass header.from=owner.org";
    expect(await arrived(passedOn(claim), fromOutside("198.51.100.7"))).toMatchObject({
      ...isAsItCame,
      authentication: { from: "failed" },
    });
  });

  it.each(["10.1.2.3", "::ffff:10.1.2.3", "fd00:1::9", "203.0.113.77"])(
    "uses the verdict of the named server's relay at %s, over SMTP and LMTP [mail.trusted-relay]",
    async (peer) => {
      for (const intake of ["smtp", "lmtp"] as const) {
        const relay = { ...fromOutside(peer), intake };
        expect(await arrived(passedOn(claims("pass")), relay)).toMatchObject({
          ...isUnwrapped,
          authentication: { spf: "pass", dmarc: "pass", from: "aligned" },
        });
        expect(await arrived(passedOn(claims("fail")), relay)).toMatchObject({
          ...isAsItCame,
          authentication: { from: "failed" },
        });
      }
    },
  );

  // Docker's NAT gives every sender the address of its gateway.
  it.each([
    "127.0.0.1",
    "172.17.0.1",
    "10.1.2.4",
    "192.168.1.9",
    "::1",
    "fd00:2::9",
    "fe80::1%eth0",
  ])(
    "ignores the verdict of a peer at %s, over SMTP and LMTP [mail.trusted-relay]",
    async (peer) => {
      for (const intake of ["smtp", "lmtp"] as const) {
        const stranger = { ...fromOutside(peer), intake };
        for (const word of ["pass", "fail"]) {
          const { authentication } = await arrived(passedOn(claims(word)), stranger);
          expect(authentication).toEqual({ from: "unverified" });
        }
      }
    },
  );

  it("uses the seal of the named server for mail from outside, and no other seal", async () => {
    const relay = fromOutside("198.51.100.7");
    const results = "mx.in.example; dmarc=pass header.from=owner.org";
    const message = passedOn();
    const genuine = await sealed(message, "in.example", results);
    expect(await arrived(genuine, relay)).toMatchObject({
      ...isUnwrapped,
      authentication: { dmarc: "pass", from: "aligned" },
    });
    for (const forged of [
      await sealed(passedOn(), "evil.net", results),
      genuine.toString().replace("It has shipped.", "It has sunk."),
      genuine.toString().replace("me@owner.org>", "me@owner.org>\r\nFrom: x@owner.org"),
    ])
      expect(await arrived(forged, relay)).toMatchObject({ from: { source: "header" } });
  });

  it("unsigned through a relay in the own network is unverified without DNS lookups", async () => {
    const before = dns.asked.length;
    for (const peer of ["127.0.0.1", "::ffff:192.168.1.9", "fd00::5"]) {
      expect(await arrived(passedOn(), fromOutside(peer))).toMatchObject({
        ...isUnwrapped,
        authentication: { from: "unverified" },
      });
    }
    expect(dns.asked.length).toBe(before);
  });

  it("is searchable and unverified if the owner's DNS fails every time [mail.without-dns]", async () => {
    const raw = passedOn().replaceAll("owner.org", "broken.org");
    const before = dns.asked.length;
    const mail = await arrived(raw, {
      ...fromOutside("203.0.113.5"),
      envelopeFrom: "me@broken.org",
    });
    expect(mail.authentication).toEqual({ from: "unverified" });
    // Asked again before it was given up.
    const asked = dns.asked.slice(before).filter((one) => one === "broken.org TXT");
    expect(asked.length).toBeGreaterThan(1);
  });

  it("is not checked if it is old, because keys are withdrawn", async () => {
    const before = dns.asked.length;
    const old = passedOn().replace(/^Date:.*$/m, "Date: Mon, 3 Feb 2020 04:05:06 +0000");
    const mail = await arrived(await signed(old, "owner.org"), { intake: "import" });
    expect(mail).toMatchObject({ ...isUnwrapped, authentication: { from: "unverified" } });
    expect(dns.asked.length).toBe(before);
  });
});

it("is acknowledged immediately and searchable later if DNS does not answer [mail.without-dns]", async () => {
  const dns = await startDns(zone);
  onTestFinished(() => dns.close());
  const { stores, startHere } = openIngestWorld({ INGEST_DNS: dns.address });
  const ingest = await startHere();
  const session = await smtpSession(ingest.port);
  const raw = await signed(passedOn().replaceAll("owner.org", "silent.org"), "silent.org");
  const begun = performance.now();
  expect(await session.send(raw)).toMatch(/^250 /);
  // DNS is given up after 6 s.
  expect(performance.now() - begun).toBeLessThan(5_000);
  session.close();
  const hits = async () => (await stores.mail.search({ query: "shipped", limit: 1 })).hits;
  await expect.poll(hits, { timeout: 30_000 }).toHaveLength(1);
  const { emailId } = (await hits())[0]!;
  expect((await stores.mail.read(emailId, { offset: 0, length: 1 })).authentication).toMatchObject({
    dkim: "temperror",
    from: "unverified",
  });
  expect(await ingest.stop("SIGTERM")).toBe(0);
});

describe("mail without DNS lookups", () => {
  const suite = suiteThatIngests(() => ({ INGEST_DNS: "off" }));

  it("is unverified, signed or not, from any peer [mail.without-dns]", async () => {
    const arrivals: [Buffer, Arrival][] = [
      [await signed(passedOn(), "owner.org"), { intake: "http" }],
      [Buffer.from(passedOn()), fromOutside("198.51.100.7")],
    ];
    for (const [raw, arrival] of arrivals) {
      const emailId = await suite.arrived(raw, arrival);
      const { authentication } = await suite.stores.mail.read(emailId, { offset: 0, length: 1 });
      expect(authentication).toEqual({ from: "unverified" });
    }
  });
});

describe("mail that a listed sender forwards", () => {
  let dns: DnsServer;

  beforeAll(async () => {
    dns = await startDns(zone);
  });

  afterAll(() => dns.close());

  const world = suiteThatIngests(() => ({
    INGEST_DNS: dns.address,
    INGEST_SENDERS: "@owner.org",
    TRUSTED_AUTHSERV_ID: "mx.in.example",
    TRUSTED_RELAYS: "10.1.2.3",
  }));

  it("is accepted if the envelope's domain is verified, and otherwise waits [mail.senders]", async () => {
    const sentOn = (peer: string, ...top: string[]) =>
      world.ingest.keep(Buffer.from(passedOnBy("ann@shop.example", ...top)), fromOutside(peer));
    expect(await sentOn("203.0.113.5")).toMatchObject({ isQuarantined: false });
    expect(await sentOn("10.1.2.3", claims("pass"))).toMatchObject({ isQuarantined: false });
    for (const [peer, ...top] of [
      ["198.51.100.7"],
      ["127.0.0.1"],
      ["172.17.0.1", claims("pass")],
      ["10.1.2.3"],
      ["10.1.2.3", claims("softfail")],
    ] as const)
      expect(await sentOn(peer, ...top), peer).toMatchObject({ isQuarantined: true });
  });
});
