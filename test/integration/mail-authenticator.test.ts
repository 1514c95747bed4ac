import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMailAuthenticator } from "../../src/adapters/mailauth/authenticator.ts";
import type { MailAuthenticator } from "../../src/ports/mail/mail-authenticator.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { type Answer, type DnsServer, startDns } from "../servers/dns.ts";
import { keyRecord, sealed, signed } from "../servers/signed-mail.ts";

const reject = { TXT: ["v=DMARC1; p=reject"] };
const key = { TXT: [keyRecord] };
const zone = new Map<string, Answer>([
  ["_dmarc.good.example.com", reject],
  ["_dmarc.example.com", reject],
  ["key._domainkey.example.com", key],
  ["example.com", { TXT: ["v=spf1 ip4:203.0.113.0/24 -all", "some other text"] }],
  ["_dmarc.xn--bcher-kva.example", reject],
  ["xn--bcher-kva.example", { TXT: ["v=spf1 ip4:203.0.113.0/24 -all"] }],
  // A policy that wants the very domain.
  ["_dmarc.strict.org", { TXT: ["v=DMARC1; p=reject; adkim=s; aspf=s"] }],
  ["key._domainkey.mail.strict.org", key],
  // No policy.
  ["key._domainkey.nopolicy.org", key],
  ["key._domainkey.stranger.net", key],
  ["stranger.net", { TXT: ["v=spf1 ip4:203.0.113.0/24 -all"] }],
  // Broken in parts.
  ["_dmarc.broken.org", reject],
  ["broken.org", "SERVFAIL"],
  ["key._domainkey.broken.org", "SERVFAIL"],
  ["_dmarc.slow.org", reject],
  ["slow.org", "nothing"],
  ["_dmarc.gone.org", "nothing"],
  ["gone.org", "nothing"],
  // Too much of it.
  ["_dmarc.huge.org", reject],
  ["key._domainkey.huge.org", { TXT: ["v=DKIM1; p=" + "A".repeat(40_000)] }],
  ["huge.org", { TXT: ["v=spf1 ip4:203.0.113.5 -all", "x".repeat(4_000)] }],
  ["_dmarc.looping.org", reject],
  ["looping.org", { TXT: ["v=spf1 include:looping.org -all"] }],
  ["_dmarc.circle.org", reject],
  ["circle.org", { CNAME: ["round.circle.org"] }],
  ["round.circle.org", { CNAME: ["circle.org"] }],
  ["_dmarc.many.org", reject],
  [
    "many.org",
    {
      TXT: [
        `v=spf1 ${Array.from({ length: 11 }, (_, n) => `include:i${n}.many.org`).join(" ")} ip4:203.0.113.5 -all`,
      ],
    },
  ],
  ...Array.from({ length: 11 }, (_, n): [string, Answer] => [
    `i${n}.many.org`,
    { TXT: ["v=spf1 ?all"] },
  ]),
]);

const sender = { remoteAddress: "203.0.113.5", helo: "mail.example.com", at: new Date() };
const from = (domain: string, ip = sender.remoteAddress) => ({
  ...sender,
  remoteAddress: ip,
  mailFrom: `bounces@${domain}`,
});

const mailOf = (domain: string, body = "Hello.\r\n"): string =>
  `From: Ann <ann@${domain}>\r\nTo: me@in.example\r\nSubject: Hi\r\nDate: Tue, 03 Feb 2026 04:05:06 +0000\r\n\r\n${body}`;

/** Returns the processor time of this thread in milliseconds, because on a busy machine it waits for long. */
function busyMs(): number {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "latin1").split(" ")[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

describe("a message's author", () => {
  let dns: DnsServer;
  let authenticator: MailAuthenticator;

  beforeAll(async () => {
    dns = await startDns(zone);
    authenticator = createMailAuthenticator({ servers: [dns.address], log: quietLog });
  });

  afterAll(async () => {
    await authenticator.close();
    await dns.close();
  });

  const check = (raw: string | Buffer, domain: string, session?: ReturnType<typeof from>) =>
    authenticator
      .authenticate({
        raw: typeof raw === "string" ? Buffer.from(raw) : raw,
        author: `ann@${domain}`,
        isSigned: raw.includes("DKIM-Signature"),
        session,
      })
      .then(({ authentication }) => authentication);

  it("is verified by a signature of the domain [mail.authenticated]", async () => {
    const raw = await signed(mailOf("example.com"), "example.com");
    expect(await check(raw, "example.com")).toEqual({
      dkim: "pass",
      dmarc: "pass",
      from: "aligned",
    });
  });

  it("needs DNS lookups for SPF, DKIM and DMARC, and none for a logo (BIMI) or MTA-STS", async () => {
    const head = "BIMI-Selector: v=BIMI1; s=default\r\n";
    const raw = await signed(head + mailOf("example.com"), "example.com");
    const before = dns.asked.length;
    expect((await check(raw, "example.com", from("example.com"))).from).toBe("aligned");
    expect(new Set(dns.asked.slice(before))).toEqual(
      new Set(["example.com TXT", "key._domainkey.example.com TXT", "_dmarc.example.com TXT"]),
    );
  });

  it("is verified by a server of the domain, for a subdomain too", async () => {
    const proven = { spf: "pass", dkim: "none", dmarc: "pass", from: "aligned" };
    expect(await check(mailOf("example.com"), "example.com", from("example.com"))).toEqual(proven);
    expect(
      await check(mailOf("good.example.com"), "good.example.com", from("example.com")),
    ).toEqual(proven);
  });

  // The SMTP library hands on each domain as Unicode, of which SPF knew none: such mail had failed.
  it("is verified by a server of an internationalised domain", async () => {
    const domain = "bücher.example";
    expect(await check(mailOf(domain), domain, from(domain))).toEqual({
      spf: "pass",
      dkim: "none",
      dmarc: "pass",
      from: "aligned",
    });
  });

  it("fails if neither check passes and the domain has a policy [mail.authenticated]", async () => {
    const session = from("example.com", "198.51.100.7");
    expect(await check(mailOf("example.com"), "example.com", session)).toEqual({
      spf: "fail",
      dkim: "none",
      dmarc: "fail",
      from: "failed",
    });
    const changed = (await signed(mailOf("example.com"), "example.com"))
      .toString()
      .replace("Hello", "Hallo");
    expect(await check(changed, "example.com", session)).toMatchObject({
      dkim: "fail",
      from: "failed",
    });
  });

  it("is not verified by the signature or server of another domain", async () => {
    const raw = await signed(mailOf("example.com"), "stranger.net");
    expect(await check(raw, "example.com", from("stranger.net"))).toEqual({
      spf: "pass",
      dkim: "none",
      dmarc: "fail",
      from: "failed",
    });
    expect(dns.asked).not.toContain("key._domainkey.stranger.net TXT");
  });

  it("is not verified by a signature that is partial, without From, or expired", async () => {
    const part = (
      await signed(mailOf("example.com"), "example.com", { maxBodyLength: 3 })
    ).toString();
    expect(await check(`${part}And pay at once.\r\n`, "example.com")).toMatchObject({
      dkim: "policy",
      from: "unverified",
    });
    const loose = await signed(mailOf("example.com").replace(/^From:.*\r\n/, ""), "example.com");
    const forged = `From: Ann <ann@example.com>\r\n${loose.toString()}`;
    expect(await check(forged, "example.com")).toMatchObject({
      dkim: "policy",
      from: "unverified",
    });
    const expired = await signed(mailOf("example.com"), "example.com", {
      expires: new Date("2020-01-01"),
    });
    expect((await check(expired, "example.com")).from).toBe("unverified");
  });

  it("is not verified by a sibling domain under a strict policy", async () => {
    const raw = await signed(mailOf("strict.org"), "mail.strict.org");
    expect((await check(raw, "strict.org")).from).toBe("unverified");
    expect((await check(raw, "strict.org", from("stranger.net"))).from).toBe("failed");
  });

  it("is verified or unverified without a policy, but never failed", async () => {
    const raw = await signed(mailOf("nopolicy.org"), "nopolicy.org");
    expect(await check(raw, "nopolicy.org")).toEqual({
      dkim: "pass",
      dmarc: "none",
      from: "aligned",
    });
    expect(await check(mailOf("nopolicy.org"), "nopolicy.org", from("nopolicy.org"))).toMatchObject(
      {
        dmarc: "none",
        from: "unverified",
      },
    );
  });

  it("whose message came without an SMTP session is unverified, not failed", async () => {
    const changed = (await signed(mailOf("example.com"), "example.com"))
      .toString()
      .replace("Hello", "Hallo");
    expect(await check(changed, "example.com")).toEqual({ dkim: "fail", from: "unverified" });
  });

  it("gets a temporary failure if the domain's DNS breaks in part [mail.without-dns]", async () => {
    const raw = await signed(mailOf("broken.org"), "broken.org");
    await expect(check(raw, "broken.org", from("broken.org"))).rejects.toMatchObject({
      kind: "unavailable",
    });
    await expect(check(mailOf("slow.org"), "slow.org", from("slow.org"))).rejects.toMatchObject({
      kind: "unavailable",
    });
  });

  it("has not failed while the DNS of the trusted sealer breaks [mail.without-dns]", async () => {
    const results = "mx.broken.org; dmarc=pass header.from=example.com";
    const relayed = await sealed(mailOf("example.com"), "broken.org", results);
    const message = {
      raw: relayed,
      author: "ann@example.com",
      isSigned: false,
      session: from("example.com", "198.51.100.7"),
    };
    await expect(
      authenticator.authenticate({ ...message, sealer: "broken.org" }),
    ).rejects.toMatchObject({ kind: "unavailable" });
    expect(await authenticator.authenticate(message)).toMatchObject({
      authentication: { from: "failed" },
    });
  });

  it("gains nothing from the broken DNS of another domain", async () => {
    expect((await check(mailOf("example.com"), "example.com", from("broken.org"))).from).toBe(
      "failed",
    );
  });

  it("causes a bounded number of lookups: texts, includes and loops", async () => {
    const huge = await signed(mailOf("huge.org"), "huge.org");
    expect(await check(huge, "huge.org", from("huge.org"))).toMatchObject({
      spf: "pass",
      dkim: "neutral",
      from: "aligned",
    });
    const before = dns.asked.length;
    for (const domain of ["looping.org", "many.org"]) {
      expect(await check(mailOf(domain), domain, from(domain))).toMatchObject({
        spf: "permerror",
        from: "failed",
      });
    }
    expect(dns.asked.length - before).toBeLessThan(60);
    expect(await check(mailOf("circle.org"), "circle.org", from("circle.org"))).toMatchObject({
      spf: "none",
      from: "failed",
    });
    expect(await check(mailOf("missing.org"), "missing.org", from("missing.org"))).toMatchObject({
      spf: "none",
      dmarc: "none",
      from: "unverified",
    });
  });

  it("of 25 MB is checked without blocking other work", async () => {
    const line = `${"x".repeat(76)}\r\n`;
    const raw = await signed(
      mailOf("example.com", line.repeat(25_000_000 / line.length)),
      "example.com",
    );
    let longest = 0;
    let last = busyMs();
    const ticks = setInterval(() => {
      longest = Math.max(longest, busyMs() - last);
      last = busyMs();
    }, 1);
    expect((await check(raw, "example.com")).from).toBe("aligned");
    clearInterval(ticks);
    expect(longest).toBeLessThan(50);
  });

  it("is unverified without any DNS answer, and DNS then gets a pause [mail.without-dns]", async () => {
    expect(await check(mailOf("gone.org"), "gone.org", from("gone.org"))).toMatchObject({
      from: "unverified",
    });
    const before = dns.asked.length;
    expect(await check(mailOf("example.com"), "example.com", from("example.com"))).toEqual({
      from: "unverified",
    });
    expect(dns.asked.length).toBe(before);
  });
});
