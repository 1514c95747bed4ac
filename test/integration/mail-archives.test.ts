import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { runCommandHere, storesAt } from "../servers/ingest.ts";

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryDirectory();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), content, "latin1");
  }
  return folder;
}

interface Line {
  path: string;
  emailId: string;
  status: string;
  reason?: string;
}

async function imported(dataDir: string, folder: string, paths: readonly string[]) {
  const { lines } = await runCommandHere(dataDir, ["import", "--json", ...paths]);
  const told = lines.map((line) => JSON.parse(line) as Line);
  return told.map((line) => ({ ...line, path: line.path.slice(folder.length + 1) }));
}

/** Returns the stored raw messages, by the id of each. */
async function rawOf(dataDir: string, emailId: string): Promise<string> {
  const stores = storesAt(dataDir);
  const { rows } = await stores.database.read({
    sql: "SELECT lower(hex(raw_sha256)) AS raw_sha256 FROM mail WHERE email_id = ?",
    args: [emailId],
  });
  const stored = await stores.objects.get(`mail/raw/${String(rows[0]?.["raw_sha256"])}`);
  await stores.close();
  return Buffer.from(stored!.body).toString("latin1");
}

it("import splits an mbox file into messages and unquotes their lines [mail.import]", async () => {
  const dataDir = temporaryDirectory();
  const long = "x".repeat(300_000);
  const folder = folderOf({
    "archive.mbox": [
      "From ann@example.org Mon Jan  5 10:00:00 2026\nSubject: first\n\n>From here on\n>>From there\nFrom the middle\n> From kept\n\n",
      "From bob@example.org Mon Jan  5 11:00:00 2026\r\nSubject: second\r\n\r\nline\r\n\r\n",
      `From - Mon Jan  5 12:00:00 2026\nSubject: long\n\n${long}\nFrom one line on\n\n`,
      "From eve@example.org Mon Jan  5 13:00:00 2026\nSubject: last\n\nwithout an end",
    ].join(""),
    sent: "From ann@example.org Mon Jan  5 10:00:00 2026\nSubject: named\n\nby itself\n",
  });
  const told = await imported(dataDir, folder, [folder, join(folder, "sent")]);
  expect(told.map(({ path, status }) => `${path} ${status}`)).toEqual([
    "archive.mbox#1 stored",
    "archive.mbox#2 stored",
    "archive.mbox#3 stored",
    "archive.mbox#4 stored",
    "sent#1 stored",
  ]);
  const raws = await Promise.all(told.map(({ emailId }) => rawOf(dataDir, emailId)));
  expect(raws).toEqual([
    "Subject: first\n\nFrom here on\n>From there\nFrom the middle\n> From kept\n",
    "Subject: second\r\n\r\nline\r\n",
    `Subject: long\n\n${long}\nFrom one line on\n`,
    "Subject: last\n\nwithout an end",
    "Subject: named\n\nby itself\n",
  ]);
});

it("import reads delivered messages of a Maildir and its folders, but no unfinished ones [mail.import]", async () => {
  const folder = folderOf({
    "Maildir/cur/17.a.host:2,S": "Subject: read\n\none\n",
    "Maildir/new/18.b.host": "Subject: unread\n\ntwo\n",
    "Maildir/tmp/19.c.host": "Subject: half",
    "Maildir/dovecot.index": "not a mail",
    "Maildir/.Sent/cur/20.d.host:2,S": "Subject: sent\n\nthree\n",
    "Maildir/.Sent/new/21.e.host": "From x Mon Jan  5 10:00:00 2026\nSubject: odd\n\nfour\n",
    "Maildir/.Sent/tmp/22.f.host": "Subject: half",
  });
  const told = await imported(temporaryDirectory(), folder, [join(folder, "Maildir")]);
  expect(told.map(({ path, status }) => `${path} ${status}`)).toEqual([
    "Maildir/cur/17.a.host:2,S stored",
    "Maildir/new/18.b.host stored",
    "Maildir/.Sent/cur/20.d.host:2,S stored",
    "Maildir/.Sent/new/21.e.host stored",
  ]);
});

it("import names the message of an mbox that is too large, and imports the others [mail.import]", async () => {
  const dataDir = temporaryDirectory();
  writeFileSync(join(dataDir, ".env"), "INGEST_MAX_BYTES=65536\n", { mode: 0o600 });
  const from = "From x Mon Jan  5 10:00:00 2026\n";
  const folder = folderOf({
    "a.mbox": `${from}Subject: big\n\n${"words\n".repeat(20_000)}\n${from}Subject: small\n\nx\n`,
  });
  expect(await imported(dataDir, folder, [folder])).toMatchObject([
    {
      path: "a.mbox#1",
      status: "failed",
      reason: expect.stringMatching(/INGEST_MAX_BYTES/) as string,
    },
    { path: "a.mbox#2", status: "stored" },
  ]);
});

it("import begins a message of an mbox file only at a line with a date [mail.import]", async () => {
  const dataDir = temporaryDirectory();
  const separator = "From ann@example.org Mon Jan  5 10:00:00 2026\n";
  const folder = folderOf({
    "a.mbox": `${separator}Subject: one\n\nHello,\n\nFrom now on we meet on Monday.\n\n${separator}Subject: two\n\nx\n`,
  });
  const told = await imported(dataDir, folder, [folder]);
  expect(told.map(({ path }) => path)).toEqual(["a.mbox#1", "a.mbox#2"]);
  expect(await rawOf(dataDir, told[0]!.emailId)).toBe(
    "Subject: one\n\nHello,\n\nFrom now on we meet on Monday.\n",
  );
});

// The prose of a mail that named a day and a time became the beginning of another mail.
it.each([
  "From Mon, 5 Mar on we meet at 10:00 in town",
  "From now on Fri Mar  6 2026 until 10:30 we meet",
  "From Friday, 6 Mar 2026 10:00",
])("import keeps prose in its message: %s [mail.import]", async (prose) => {
  const dataDir = temporaryDirectory();
  const message = `Subject: one\n\nHello,\n\n${prose}\n\nBye\n`;
  const folder = folderOf({
    "a.mbox": `From a Thu Mar  5 10:00:00 +0100 2026\n${message}\nFrom b!c Thu, 5 Mar 2026 10:00 +0100 (CET)\nSubject: two\n\nx\n`,
  });
  const told = await imported(dataDir, folder, [folder]);
  expect(told.map(({ path }) => path)).toEqual(["a.mbox#1", "a.mbox#2"]);
  expect(await rawOf(dataDir, told[0]!.emailId)).toBe(message);
});

it("import uses the Content-Length of an mbox file if a message ends there [mail.import]", async () => {
  const dataDir = temporaryDirectory();
  const separator = "From ann@example.org Mon Jan  5 10:00:00 2026\n";
  const body = `Passed on:\n\n${separator}Subject: inner\n\n>From the start\n`;
  const right = `Subject: right\nContent-Length: ${body.length}\n\n${body}`;
  const wrong = `Subject: wrong\nContent-Length: 40\n\nshort\n`;
  const folder = folderOf({
    "a.mbox": `${separator}${right}\n${separator}${wrong}\n${separator}Subject: last\n\nx\n`,
  });
  const told = await imported(dataDir, folder, [folder]);
  expect(told.map(({ path }) => path)).toEqual(["a.mbox#1", "a.mbox#2", "a.mbox#3"]);
  const raws = await Promise.all(told.map(({ emailId }) => rawOf(dataDir, emailId)));
  expect(raws).toEqual([right, wrong, "Subject: last\n\nx\n"]);
});
