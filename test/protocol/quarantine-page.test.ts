import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { homeWithBrowser, openPage } from "./opened-page.ts";
import { connect } from "./clients.ts";
import { runProgram } from "./program.ts";

it("the page of the built program shows mail in quarantine and releases it [mail.quarantine-page]", async (t) => {
  const home = homeWithBrowser(t, { INGEST_DNS: "off" });
  const file = join(home.dir, "held.eml");
  writeFileSync(file, "From: eve@stranger.example\r\nSubject: win big\r\n\r\nzebra prize\r\n");
  expect((await runProgram(home, ["import", file])).code).toBe(0);
  // As mail from a stranger is when it comes over SMTP.
  await home.sql(
    `INSERT INTO mail_quarantine (email_id, raw_sha256, raw_bytes, received_at, from_header, subject, reason)
      SELECT email_id, raw_sha256, raw_bytes, received_at, 'eve@stranger.example', 'win big', 'sender' FROM mail`,
  );
  await home.sql("DELETE FROM mail");
  const client = await connect(home, "v2 legacy");
  await client.call("write_file", { key: "a.md", content: "x" });
  await client.call("delete_file", { key: "a.md" });
  const page = await openPage(home);
  expect(await page.list()).toContain("Mail in quarantine: 1");
  const html = await (await fetch(`${page.address}/quarantine`)).text();
  for (const words of ["win big", "zebra prize", "not verified", "INGEST_SENDERS"])
    expect(html).toContain(words);
  const form = html.slice(html.indexOf('name="mail"'));
  const emailId = /value="([^"]+)"/.exec(form)?.[1] ?? "";
  const nonce = /name="nonce"\s+value="([^"]+)"/.exec(form)?.[1] ?? "";
  const { origin } = new URL(page.address);
  const released = await fetch(`${page.address}/quarantine`, {
    method: "POST",
    headers: { origin },
    body: new URLSearchParams({ mail: emailId, nonce }),
    redirect: "manual",
  });
  expect(released.status).toBe(303);
  expect(await home.sql("SELECT * FROM mail_quarantine")).toEqual([]);
  const [event] = await home.sql(
    "SELECT outcome FROM audit WHERE tool = 'mail release' ORDER BY seq DESC LIMIT 1",
  );
  expect(event?.["outcome"]).toBe("ok");
});
