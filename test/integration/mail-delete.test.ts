import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createMailAdmin } from "../../src/adapters/libsql/mail/mail-admin.ts";
import type { Stores } from "../../src/app/compose/open/open-stores.ts";
import { deleteMail, forgetOldMail } from "../../src/ingest/pipeline/delete-mail.ts";
import { identify } from "../../src/ingest/pipeline/email-id.ts";
import { createParser } from "../../src/ingest/mime/parser.ts";
import { parseStep } from "../../src/ingest/pipeline/parse-step.ts";
import { attachmentKey, textKey } from "../../src/ports/mail/mail-objects.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { runCommandHere, storesAt } from "../servers/ingest.ts";

/** Two messages with the same text and the same attachment. The second has one more. */
const message = (subject: string, more = ""): Buffer =>
  Buffer.from(
    `Subject: ${subject}\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nthe terms\n` +
      `--b\nContent-Disposition: attachment; filename=terms.txt\n\nshared\n${more}--b--\n`,
  );
const goes = message("goes");
const stays = message("stays", "--b\nContent-Disposition: attachment; filename=b.txt\n\nown\n");

async function open(): Promise<{ stores: Stores; take: (mail: Buffer) => Promise<void> }> {
  const dataDir = temporaryDirectory();
  const stores = storesAt(dataDir);
  onTestFinished(() => stores.close());
  const take = async (mail: Buffer): Promise<void> => {
    const path = join(dataDir, "mail.eml");
    writeFileSync(path, mail);
    expect(await runCommandHere(dataDir, ["import", path])).toMatchObject({ status: 0 });
  };
  await take(goes);
  return { stores, take };
}

// The message lost its attachment. The other message's attachment existed when the step began, and was deleted before
// the step recorded it.
it("a message that is parsed while its twin is deleted keeps its parts [mail.delete]", async () => {
  const { stores } = await open();
  const { objects, database } = stores;
  const admin = createMailAdmin(database);
  const { emailId } = await identify(goes);
  const parser = createParser();
  onTestFinished(() => parser.close());
  let puts = 0;
  const step = parseStep({
    objects: {
      ...objects,
      put: async (...put) => {
        puts += 1;
        if (puts === 4)
          expect(await deleteMail(emailId, { admin, objects })).toEqual({ objects: 4 });
        return await objects.put(...put);
      },
    },
    parser,
    ownerAddresses: [],
    hidesCodes: true,
    hasFarObjects: true,
  });
  const identity = await identify(stays);
  const { facts } = await step.run({
    ...identity,
    rawBytes: stays.length,
    receivedAt: new Date(),
    claim: "mine",
    step: "parse",
    attempts: 1,
    raw: stays,
  });
  const { text, attachments } = facts!;
  const keys = attachments.flatMap((one) => [attachmentKey(one.sha256), textKey(one.text!.sha256)]);
  expect(keys).toHaveLength(4);
  for (const key of [textKey(text.sha256), ...keys])
    expect(await objects.head(key)).toMatchObject({ key });
});

it("a message that arrived while its twin is deleted keeps its parts [mail.delete]", async () => {
  const { stores, take } = await open();
  const { objects, database } = stores;
  let isThere = false;
  const late = {
    ...objects,
    remove: async (key: string) => {
      if (!isThere) await take(stays);
      isThere = true;
      return await objects.remove(key);
    },
  };
  const admin = createMailAdmin(database);
  await deleteMail((await identify(goes)).emailId, { admin, objects: late });
  const { emailId } = await identify(stays);
  const all = { offset: 0, length: 100 };
  const { text, attachments } = await stores.mail.read(emailId, all);
  expect(Buffer.from(text.window).toString()).toBe("the terms");
  for (const { attachmentId } of attachments)
    expect((await stores.mail.readAttachment(emailId, attachmentId, all)).totalBytes).toBeTruthy();
  expect(attachments).toHaveLength(2);
});

// Each object read all rows of mail twice, and emptied the log. 5 000 of 20 000 messages took three minutes.
it("a deletion reads all mail twice a batch and empties the log once [mail.delete]", async () => {
  const dataDir = temporaryDirectory();
  const folder = join(dataDir, "Mail");
  for (const name of ["cur", "new", "tmp"]) mkdirSync(join(folder, name), { recursive: true });
  for (let number = 0; number < 70; number += 1)
    writeFileSync(join(folder, "cur", `${number}:2,S`), message(`number ${number}`));
  expect(await runCommandHere(dataDir, ["import", folder])).toMatchObject({ status: 0 });
  const stores = storesAt(dataDir);
  onTestFinished(() => stores.close());
  const { database } = stores;
  let times = 0;
  let emptied = 0;
  const objects = {
    ...stores.objects,
    emptyLog: () => {
      emptied += 1;
      return stores.objects.emptyLog();
    },
  };
  const counted = createMailAdmin(database);
  const admin = {
    ...counted,
    neededObjects: (keys: readonly string[]) => {
      if (keys.length > 0) times += 1;
      return counted.neededObjects(keys);
    },
  };
  const tomorrow = new Date(Date.now() + 86_400_000);
  expect(await forgetOldMail(tomorrow, { admin, objects, isClosed: () => false })).toBe(70);
  expect((await objects.list({ prefix: "mail/", limit: 1 })).objects).toEqual([]);
  expect(await admin.leftovers()).toEqual([]);
  expect(times).toBeLessThanOrEqual(2 * 2);
  expect(emptied).toBeLessThanOrEqual(2);
  expect(statSync(join(dataDir, "objects.db-wal")).size).toBe(0);
});
