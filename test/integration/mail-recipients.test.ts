import { readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { type Database, mainMigrations } from "../../src/adapters/libsql/database.ts";
import { createMailDesk } from "../../src/adapters/libsql/mail-desk.ts";
import { mailSearcher } from "../../src/adapters/libsql/mail-search.ts";
import { readQuery } from "../../src/adapters/libsql/search-query.ts";
import { sha256Hex } from "../../src/core/digest.ts";
import { makeDirectory } from "../fakes/temporary-directory.ts";
import { openSearchedMailbox, type SearchedMail } from "./searched-mail.ts";

const mail: SearchedMail = {
  subject: "Lamp",
  body: "It is on its way.",
  from: { name: "Élodie", address: "elodie@example.org" },
  to: [
    { name: "Bob", address: "bob@in.example" },
    { name: "Bob", address: "bob@in.example" },
  ],
  cc: [{ name: "Élodie", address: "elodie@example.org" }, { address: "eve@in.example" }],
  date: new Date("2026-01-01"),
  hasAttachment: false,
};

async function totalOf(database: Database, query: string): Promise<number> {
  return (await mailSearcher(database)({ query, limit: 10 }, readQuery(query, new Date()))).total;
}

it("mail from before recipients had an index is found by them [mail.search]", async () => {
  const directory = makeDirectory();
  const before = openSearchedMailbox(directory);
  await before.add([mail]);
  const file = new URL("0016_mail_recipients.sql", mainMigrations);
  await before.database.write([
    { sql: "DROP TABLE mail_recipients", args: [] },
    { sql: "DROP TABLE mail_sent_to", args: [] },
    { sql: "DROP INDEX mail_with_sender", args: [] },
    { sql: "DELETE FROM migrations WHERE hash = ?", args: [sha256Hex(readFileSync(file))] },
  ]);
  await before.database.close();

  const mailbox = openSearchedMailbox(directory);
  onTestFinished(() => mailbox.close());
  for (const who of ["bob", "ÉLODIE", "eve@in"])
    expect(await totalOf(mailbox.database, `lamp to:${who}`), who).toBe(1);
  expect(await totalOf(mailbox.database, "lamp to:nobody")).toBe(0);
});

it("who only a deleted message went to is forgotten with it", async () => {
  const mailbox = openSearchedMailbox();
  onTestFinished(() => mailbox.close());
  const { database } = mailbox;
  const [emailId = ""] = await mailbox.add([mail]);
  await mailbox.add([{ ...mail, cc: [] }]);
  await createMailDesk(database).forget(emailId);
  const { rows } = await database.read({
    sql: "SELECT address FROM mail_recipients JOIN mail_sent_to USING (recipient_id)",
    args: [],
  });
  expect(rows).toEqual([{ address: "bob@in.example" }]);
  const { rows: known } = await database.read({
    sql: "SELECT count(*) AS count FROM mail_recipients",
    args: [],
  });
  expect(known).toEqual([{ count: 1 }]);
  expect(await totalOf(database, "to:eve")).toBe(0);
});
