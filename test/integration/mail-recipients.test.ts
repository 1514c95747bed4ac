import { expect, it, onTestFinished } from "vitest";
import type { Database } from "../../src/adapters/libsql/driver/database.ts";
import { createMailAdmin } from "../../src/adapters/libsql/mail/mail-admin.ts";
import { mailSearcher } from "../../src/adapters/libsql/search/mail-search.ts";
import { readQuery } from "../../src/adapters/libsql/search/search-query.ts";
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

it("a recipient of a deleted message alone is deleted with it", async () => {
  const mailbox = openSearchedMailbox();
  onTestFinished(() => mailbox.close());
  const { database } = mailbox;
  const [emailId = ""] = await mailbox.add([mail]);
  await mailbox.add([{ ...mail, cc: [] }]);
  await createMailAdmin(database).forget([emailId]);
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
