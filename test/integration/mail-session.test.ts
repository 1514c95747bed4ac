import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { expect, it } from "vitest";
import { mainMigrations, openDatabase } from "../../src/adapters/libsql/driver/database.ts";
import { createMailStore } from "../../src/adapters/libsql/mail/mail-store.ts";
import type { Receipt } from "../../src/ports/mail/mail-store.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

const byImport: Receipt = { intake: "import", rawSha256: "aa", bytes: 3, peer: "/a.eml" };
const bySmtp: Receipt = {
  intake: "smtp",
  rawSha256: "aa",
  bytes: 3,
  envelopeFrom: "ann@example.org",
  peer: "192.0.2.1",
  helo: "mail.example.org",
};

it("stores a message's SMTP session of its first arrival over SMTP, and none otherwise", async () => {
  const database = openDatabase({
    url: pathToFileURL(join(temporaryDirectory(), "countersign.db")).href,
    migrations: mainMigrations,
    log: quietLog,
  });
  const store = createMailStore(database, { hasFarObjects: true });
  const admit = (emailId: string, receipt: Receipt) =>
    store.admit({ emailId, rawSha256: "aa", bytes: 3, firstStep: "parse" }, receipt);
  await admit("em_known", byImport);
  await admit("em_known", bySmtp);
  await admit("em_known", { ...bySmtp, peer: "192.0.2.2" });
  await admit("em_unknown", byImport);
  await admit("em_bounce", { ...bySmtp, envelopeFrom: "" });
  const claimed = await store.claim({ steps: ["parse"], limit: 10, leaseMs: 1_000 });
  const smtp = {
    remoteAddress: "192.0.2.1",
    helo: "mail.example.org",
    mailFrom: "ann@example.org",
    at: expect.any(Date) as Date,
  };
  expect(Object.fromEntries(claimed.map((mail) => [mail.emailId, mail.smtp]))).toEqual({
    em_known: smtp,
    em_unknown: undefined,
    em_bounce: { ...smtp, mailFrom: "" },
  });
  await database.close();
});
