import { expect, it } from "vitest";
import type { QuarantineEntry, MailQuarantine } from "../../src/ports/mail/mail-quarantine.ts";
import { pageWorld, secrets } from "../fakes/page-visit.ts";

function held(fields: Partial<QuarantineEntry["mail"]> = {}): QuarantineEntry {
  return {
    mail: {
      emailId: "em_1",
      state: "quarantined",
      receivedAt: new Date("2026-03-01T11:00:00Z"),
      bytes: 420,
      from: "eve <eve@stranger.example>",
      subject: "<b>win</b> big",
      attempts: 0,
      reason: "sender",
      ...fields,
    },
    readable: {
      text: "zebra <script>prize</script>\nhttps://evil.example/",
      attachments: [{ name: "<i>prize</i>.pdf", mediaType: "application/pdf", bytes: 4_200 }],
    },
    sender: "unverified",
  };
}

function world(mails: QuarantineEntry[]) {
  const released: string[] = [];
  const mail: MailQuarantine = {
    count: async () => mails.length,
    entries: async () => mails,
    release: async (emailId, { by }) => (released.push(`${emailId} ${by}`), true),
  };
  return { released, ...pageWorld(undefined, mail) };
}

const nonceOf = (html: string): string => /name="nonce"\s+value="([^"]+)"/.exec(html)?.[1] ?? "";

it("shows mail in quarantine as text, with its sender check, and releases it [mail.quarantine-page]", async () => {
  const { released, local, access } = world([held()]);
  await local.enter(access.newEntry());
  expect(await local.list()).toContain("Mail in quarantine: 1");
  const html = await (await local.get(`${local.base()}/quarantine`)).text();
  expect(html).toContain("&lt;b&gt;win&lt;/b&gt; big");
  expect(html).toContain("zebra &lt;script&gt;prize");
  expect(html).toContain("&lt;i&gt;prize&lt;/i&gt;.pdf&quot;, application/pdf, 4.2 kB");
  expect(html).toContain("not verified");
  expect(html).not.toMatch(/href="https:\/\/evil/);
  const path = `${local.base()}/quarantine`;
  expect((await local.post(path, { mail: "em_2", nonce: nonceOf(html) })).status).toBe(403);
  expect((await local.post(path, { mail: "em_1", nonce: nonceOf(html) })).status).toBe(303);
  expect(released).toEqual(["em_1 maria"]);
});

it("shows a provider's confirmation with its code and no link to press [mail.quarantine-page]", async () => {
  const confirmation = { provider: "Gmail", code: "123456789", link: "https://mail.example/x" };
  const { local, access } = world([held({ reason: "confirmation", confirmation })]);
  await local.enter(access.newEntry());
  const html = await (await local.get(`${local.base()}/quarantine`)).text();
  expect(html).toContain("123456789");
  expect(html).toContain("Gmail asks whether mail may be forwarded here");
  expect(html).not.toContain('href="https://mail.example/x"');
});

it("is only for a person who decides for all callers [mail.quarantine-page]", async () => {
  const { released, published } = world([held()]);
  await published.signIn(secrets.alice);
  expect(await published.list()).not.toContain("quarantine");
  expect((await published.get("/approvals/quarantine")).status).toBe(403);
  const form = { mail: "em_1", nonce: "x" };
  expect((await published.post("/approvals/quarantine", form)).status).toBe(403);
  expect(released).toEqual([]);
});
