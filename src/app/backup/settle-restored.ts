import { endApprovals } from "../../adapters/libsql/approvals/after-restore.ts";
import { endGrants } from "../../adapters/libsql/oauth/after-restore.ts";
import { createMailAdmin } from "../../adapters/libsql/mail/mail-admin.ts";
import { openS3ObjectStore } from "../../adapters/s3/object-store.ts";
import { type Config, parseSettings } from "../../config.ts";
import { randomId } from "../../core/shared/digest.ts";
import type { Log } from "../../core/shared/log.ts";
import { deleteMail } from "../../ingest/pipeline/delete-mail.ts";
import { rawKey } from "../../ports/mail/mail-objects.ts";
import { copyObjects, keysWith } from "../../stores/copy-objects.ts";
import { openStores, type Stores } from "../compose/open/open-stores.ts";

export interface Settled {
  /** Approval requests and rules that were ended. */
  ended: number;
  /** Clients that had access, and have to sign in again. */
  clients: number;
  passkeys: number;
  /** Messages without bytes in the backup. */
  leftOut: number;
}

/**
 * Makes an unpacked backup fit for use. Ends approvals and the access of clients, and removes messages that were deleted
 * while the backup was made. Then records the restore, and copies the objects into the bucket of the settings.
 */
export async function settleRestored(
  unpacked: string,
  { config, at, log }: { config: Config; at: string; log: Log },
): Promise<Settled> {
  const stores = openStores(parseSettings({ COUNTERSIGN_DATA_DIR: unpacked }, unpacked), log);
  try {
    const { ended } = await endApprovals(stores.database);
    const access = await endGrants(stores.database);
    const leftOut = await removeDeletedMail(stores);
    await stores.audit.append({
      type: "finished",
      at: new Date(),
      callId: randomId("restore"),
      principal: "countersign",
      client: "countersign",
      tool: "restore",
      sentence: `restored the backup of ${at}; later events are not in this record`,
      outcome: "ok",
    });
    if (config.s3 !== undefined) {
      const bucket = openS3ObjectStore({ ...config.s3, log });
      try {
        await copyObjects(stores.objects, bucket);
      } finally {
        await bucket.close();
      }
    }
    return { ended, leftOut, ...access };
  } finally {
    await stores.close();
  }
}

/**
 * Removes rows of messages without their bytes. A person deleted them between the copies of database and objects, or
 * `backup` said that the object store lacked them.
 * @returns the number of messages
 */
async function removeDeletedMail({ database, objects }: Stores): Promise<number> {
  const { rows } = await database.read({
    sql: `SELECT email_id, lower(hex(raw_sha256)) AS raw_sha256 FROM mail WHERE mail_id NOT IN (SELECT mail_id FROM mail_inbox)
      UNION ALL SELECT email_id, lower(hex(raw_sha256)) FROM mail_quarantine`,
    args: [],
  });
  const stored = new Set<string>();
  for await (const { key } of keysWith(rawKey(""), objects)) stored.add(key);
  const admin = createMailAdmin(database);
  let removed = 0;
  for (const row of rows) {
    if (stored.has(rawKey(String(row["raw_sha256"])))) continue;
    await deleteMail(String(row["email_id"]), { admin, objects });
    removed += 1;
  }
  return removed;
}
