import type { Database } from "../../adapters/libsql/driver/database.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { ObjectStore } from "../../ports/files/objects.ts";
import { storedObjects } from "../../stores/copy-objects.ts";
import { nothingCopied } from "./target-settings.ts";

interface Places {
  database: Database;
  objects: ObjectStore;
}

/** The tool's name of the event that the audit record of the target gets. */
export const eventName = "copy";

/** Returns the time of a complete copy of this source, or undefined. */
export async function finishedBefore(
  database: Database,
  source: string,
): Promise<Date | undefined> {
  const { rows } = await database.read({
    sql: "SELECT at FROM audit WHERE tool = ? AND digest = ? ORDER BY seq DESC LIMIT 1",
    args: [eventName, source],
  });
  const at = rows[0]?.["at"];
  return at === undefined ? undefined : new Date(Number(at));
}

/**
 * Refuses to call a copy complete if the source got mail, files or changes after it. They are not copied now, because
 * the target may have been used too.
 * @throws ToolError
 */
export async function refuseLaterChanges(
  from: Places,
  to: Places,
  { at, hasObjects }: { at: Date; hasObjects: boolean },
): Promise<void> {
  if (!(await hasLaterRow(from.database, at))) {
    if (!hasObjects || !(await hasLaterObject(from.objects, to.objects, at))) return;
  }
  throw new ToolError(
    "conflict",
    `The copy was complete at ${at.toISOString()}, but the source was changed afterwards. ${nothingCopied} Name an empty target to copy everything again.`,
  );
}

async function hasLaterRow(database: Database, at: Date): Promise<boolean> {
  const { rows } = await database.read({
    sql: `SELECT 1 FROM audit WHERE at > ? AND type = 'started'
      UNION ALL SELECT 1 FROM mail WHERE received_at > ? LIMIT 1`,
    args: [at.getTime(), at.getTime()],
  });
  return rows.length > 0;
}

async function hasLaterObject(from: ObjectStore, to: ObjectStore, at: Date): Promise<boolean> {
  const there = new Set<string>();
  for await (const { key } of storedObjects(to)) there.add(key);
  for await (const { key, modifiedAt } of storedObjects(from))
    if (modifiedAt > at || !there.has(key)) return true;
  return false;
}
