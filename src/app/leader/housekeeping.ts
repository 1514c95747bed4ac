import { createChatHistory } from "../../adapters/libsql/chat/chat-history.ts";
import { mergeManyWords } from "../../adapters/libsql/search/merged-words.ts";
import { createMailAdmin } from "../../adapters/libsql/mail/mail-admin.ts";
import type { Config } from "../../config.ts";
import { randomId } from "../../core/shared/digest.ts";
import type { Log } from "../../core/shared/log.ts";
import { forgetOldMail, removeLeftovers } from "../../ingest/pipeline/delete-mail.ts";
import { removeOldEvents } from "../../stores/audit-retention.ts";
import { removeOldResults } from "../../stores/kept-results.ts";
import { removeExpired, removeStrays } from "../../stores/undo-copies.ts";
import type { Stores } from "../compose/open/open-stores.ts";
import { recordCleanup } from "./mail-cleanup.ts";

/** Time between two cleanups. Expired data may stay this much longer. Milliseconds. */
const everyMs = 3_600_000;
const dayMs = 24 * 3_600_000;

export interface Housekeeping {
  close(): Promise<void>;
}

/**
 * Deletes expired undo copies and results, the oldest audit events, old mail and old conversations every hour, in the
 * leader. Also merges the full-text index after many messages.
 */
export function startHousekeeping(config: Config, stores: Stores, log: Log): Housekeeping {
  const undoMs = config.undoHours * 3_600_000;
  const history = createChatHistory(stores.database);
  const { database, objects, fileChanges: changes, auditReader, audit, keys, oauth } = stores;
  let isClosed = false;
  let isWarned = false;
  let clearing = clear(removeStraysToo);
  const timer = setInterval(() => {
    clearing = clearing.then(() => clear());
  }, everyMs);
  timer.unref();

  async function removeStraysToo(): Promise<void> {
    await removeStrays({ objects, changes }, { olderThan: new Date(Date.now() - undoMs), log });
  }

  async function clear(also?: () => Promise<void>): Promise<void> {
    const removeCopies = () => removeExpired({ objects, changes });
    const removeResults = () => removeOldResults(objects);
    const removeChats = () => history.expire();
    const removeEnded = () => oauth.removeEnded();
    const works = [
      removeCopies,
      removeResults,
      removeEvents,
      removeMail,
      removeChats,
      removeEnded,
      () => mergeManyWords(database),
      also,
    ];
    for (const work of works) {
      if (isClosed) return;
      try {
        await work?.();
      } catch (cause) {
        log.warn("cleanup of expired data failed; retrying in one hour", { cause });
      }
    }
  }

  async function removeEvents(): Promise<void> {
    const now = new Date();
    const before = new Date(now.getTime() - config.auditKeepDays * dayMs);
    const { audit: key, keyId } = keys;
    const removed = await removeOldEvents(auditReader, { before, key, keyId, now });
    if (removed === 0) return;
    await recordRemoval(
      "audit",
      `removed ${removed} records older than ${config.auditKeepDays} days`,
    );
  }

  async function removeMail(): Promise<void> {
    const { keepDays } = config.ingest;
    const places = { admin: createMailAdmin(database), objects };
    // Recorded without a limit too, so that a later limit knows whether the clock has jumped.
    const { now, waitsUntil } = await recordCleanup(database, keepDays ?? 0);
    if (keepDays === undefined || waitsUntil !== undefined) {
      if (waitsUntil !== undefined) warnOfClock(waitsUntil);
      // A deletion by a person that was interrupted leaves objects too.
      return void (await removeLeftovers(places));
    }
    const before = new Date(now.getTime() - keepDays * dayMs);
    const messages = await forgetOldMail(before, { ...places, isClosed: () => isClosed });
    if (messages === 0) return;
    log.info("deleted old mail", { messages, olderThanDays: keepDays });
    await recordRemoval("mail", `deleted ${messages} messages older than ${keepDays} days`);
  }

  function warnOfClock(waitsUntil: Date): void {
    if (isWarned) return;
    isWarned = true;
    log.warn(
      `the clock has jumped, or no cleanup ran for more than 30 days. Before ${waitsUntil.toISOString()}, no mail is deleted. Check the clock`,
    );
  }

  async function recordRemoval(tool: string, sentence: string): Promise<void> {
    await audit.append({
      type: "finished",
      at: new Date(),
      callId: randomId("clear"),
      principal: "countersign",
      client: "countersign",
      tool,
      sentence,
      outcome: "ok",
    });
  }

  return {
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      await clearing;
    },
  };
}
