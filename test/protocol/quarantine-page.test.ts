import { expect, it } from "vitest";
import { smtpSession } from "../servers/ingest.ts";
import { homeWithBrowser, openPage } from "./opened-page.ts";
import { connect } from "./clients.ts";
import { ingestHere, newHome } from "./home.ts";
import { runHere } from "./program.ts";

const messages = [
  [
    "From: eve@stranger.example",
    "Subject: win big",
    "Content-Type: multipart/mixed; boundary=b",
    "",
    "--b",
    "",
    "zebra prize",
    "--b",
    "Content-Type: application/pdf",
    'Content-Disposition: attachment; filename="prize.pdf"',
    "Content-Transfer-Encoding: base64",
    "",
    "JVBERg==",
    "--b--",
    "",
  ].join("\r\n"),
  [
    "From: Gmail Team <forwarding-noreply@google.com>",
    "Subject: (#123456789) Gmail Forwarding Confirmation",
    "",
    "Please click: https://mail.google.com/mail/vf-abc",
    "",
  ].join("\r\n"),
];

it("the page of the built program shows mail in quarantine and releases it [mail.quarantine-page]", async (t) => {
  const home = homeWithBrowser(t, { INGEST_DNS: "off", INGEST_SENDERS: "@home.example" });
  const ingest = await ingestHere(home);
  const session = await smtpSession(ingest.port);
  for (const message of messages) expect(await session.send(Buffer.from(message))).toMatch(/^250 /);
  session.close();
  expect(await ingest.stop("SIGTERM")).toBe(0);
  const client = await connect(home, "v2 legacy");
  await client.call("write_file", { key: "a.md", content: "x" });
  await client.call("delete_file", { key: "a.md" });
  expect((await client.call("search_emails", { query: "zebra" })).text).not.toContain("win big");
  const page = await openPage(home);
  expect(await page.list()).toContain("Mail in quarantine: 2");
  const all = await (await fetch(`${page.address}/quarantine`)).text();
  for (const words of ["<strong>123456789</strong>", "Gmail asks", "/mail/vf-abc</code>"])
    expect(all).toContain(words);
  const html = all.slice(all.indexOf("win big"));
  const file = "&quot;prize.pdf&quot;, application/pdf, 4 bytes";
  for (const words of ["zebra prize", "not verified", "INGEST_SENDERS", file])
    expect(html).toContain(words);
  const form = html.slice(html.indexOf('name="mail"'));
  const emailId = /value="([^"]+)"/.exec(form)?.[1] ?? "";
  const shown = async () => (await runHere(home, ["mail", "show", emailId])).stdout;
  expect(await shown()).toContain('attached  "prize.pdf", application/pdf, 4 bytes\n\nzebra prize');
  const nonce = /name="nonce"\s+value="([^"]+)"/.exec(form)?.[1] ?? "";
  const { origin } = new URL(page.address);
  const released = await fetch(`${page.address}/quarantine`, {
    method: "POST",
    headers: { origin },
    body: new URLSearchParams({ mail: emailId, nonce }),
    redirect: "manual",
  });
  expect(released.status).toBe(303);
  expect(await home.sql("SELECT * FROM mail_quarantine")).toHaveLength(1);
  const [event] = await home.sql(
    "SELECT outcome FROM audit WHERE tool = 'mail release' ORDER BY seq DESC LIMIT 1",
  );
  expect(event?.["outcome"]).toBe("ok");
  const again = await ingestHere(home);
  const found = async () => (await client.call("search_emails", { query: "zebra" })).text;
  await t.expect.poll(found, { timeout: 30_000 }).toContain("win big");
  expect(await shown()).toContain('attached  "prize.pdf", application/pdf, 4 bytes');
  const scripted = await runHere(home, ["mail", "show", emailId, "--json"]);
  expect(JSON.parse(scripted.stdout)).toMatchObject({
    attachments: [{ name: "prize.pdf", mediaType: "application/pdf", bytes: 4 }],
  });
  expect(await again.stop("SIGTERM")).toBe(0);
});

it("the terminal says how to show codes in quarantined mail [mail.quarantine]", async (t) => {
  const home = newHome(t, { INGEST_SENDERS: "@home.example" });
  const ingest = await ingestHere(home);
  const session = await smtpSession(ingest.port);
  const text = "Subject: Sign in\r\n\r\nYour verification code is 739164.\r\n";
  expect(await session.send(Buffer.from(text))).toMatch(/^250 /);
  session.close();
  expect(await ingest.stop("SIGTERM")).toBe(0);
  const listed = await runHere(home, ["mail", "quarantine"]);
  const [emailId = ""] = listed.stdout.split(" ");
  const { stdout } = await runHere(home, ["mail", "show", emailId]);
  expect(stdout).toContain("verification code is [hidden: sign-in code]");
  expect(stdout).toContain("--reveal shows them");
  const revealed = await runHere(home, ["mail", "show", emailId, "--reveal"]);
  expect(revealed.stdout).toContain("verification code is 739164");
  expect(revealed.stdout).not.toContain("--reveal");
});
