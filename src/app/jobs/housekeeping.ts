import type { Config } from "../../config.ts";
import { randomId } from "../../core/shared/digest.ts";
import type { Log } from "../../core/shared/log.ts";
import { removeOldEvents } from "../../stores/audit-retention.ts";
import { removeOver, removeStrays } from "../../stores/undo-copies.ts";
import type { Stores } from "../compose/open-stores.ts";

/** Expired data may stay this much longer. Milliseconds. */
const everyMs = 3_600_000;
const dayMs = 24 * 3_600_000;

export interface Housekeeping {
  close(): Promise<void>;
}

/** Deletes expired undo copies and the oldest audit events every hour, in the leader. */
export function startHousekeeping(config: Config, stores: Stores, log: Log): Housekeeping {
  const undoMs = config.undoHours * 3_600_000;
  const { objects, fileChanges: changes, auditReader, audit, keys, oauth } = stores;
  let isClosed = false;
  let clearing = clear(removeStraysToo);
  const timer = setInterval(() => {
    clearing = clearing.then(() => clear());
  }, everyMs);
  timer.unref();

  async function removeStraysToo(): Promise<void> {
    await removeStrays({ objects, changes }, { olderThan: new Date(Date.now() - undoMs), log });
  }

  async function clear(also?: () => Promise<void>): Promise<void> {
    const removeCopies = () => removeOver({ objects, changes });
    for (const work of [removeCopies, removeEvents, () => oauth.removeEnded(), also]) {
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
    await audit.append({
      type: "finished",
      at: now,
      callId: randomId("clear"),
      principal: "countersign",
      client: "countersign",
      tool: "audit",
      sentence: `removed ${removed} records older than ${config.auditKeepDays} days`,
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
