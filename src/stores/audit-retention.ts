import { type AuditKeys, type ChainPlace, createChainCheck } from "../core/audit/audit-chain.ts";
import type { AuditReader } from "../core/audit/audit-reader.ts";
import { signedPlace } from "../core/audit/signed-place.ts";
import { ToolError } from "../core/tool/tool-error.ts";

/** Events per transaction. A larger transaction would hold the lock for too long. */
const batchSize = 2_000;

/**
 * Removes the events older than `before` and writes a signed checkpoint in their place. The chain is checked first,
 * because the events of a broken record are evidence and must stay.
 * @returns the number of removed events
 */
export async function removeOldEvents(
  reader: AuditReader,
  settings: { before: Date; key: Uint8Array; keyId: string; now: Date },
): Promise<number> {
  const { before, key, keyId, now } = settings;
  const keys: AuditKeys = new Map([[keyId, key]]);
  const end = await reader.firstSince(before);
  // The last event always stays, because the next one is chained to it.
  if (end === undefined) return 0;
  const from: ChainPlace = (await reader.checkpoint()) ?? { seq: 0, mac: "" };
  const check = createChainCheck(keys, from);
  let removed = 0;
  let waiting = 0;
  const removeWaiting = async (): Promise<void> => {
    if (waiting === 0) return;
    waiting = 0;
    removed += await reader.removeUpTo(
      signedPlace("checkpoint", check.last, { key, keyId, at: now }),
    );
  };
  for await (const found of reader.rows()) {
    if (found.seq >= end) break;
    const broken = check.add(found);
    if (broken !== undefined) {
      throw new ToolError(
        "conflict",
        `The audit record is broken: ${broken.what}. Its old events were not removed.`,
        { hint: "Run the audit verify command." },
      );
    }
    waiting += 1;
    if (waiting === batchSize) await removeWaiting();
  }
  await removeWaiting();
  return removed;
}
