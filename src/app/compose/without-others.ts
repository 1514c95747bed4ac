import type { Database } from "../../adapters/libsql/driver/database.ts";
import { createLeases, leaseHolder } from "../../adapters/libsql/driver/leases.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { leaderRole } from "../../ports/leases.ts";
import { processOf } from "../doctor/facts.ts";

/**
 * After a kill, others wait this long. A repeat of the command does not, because it is the same holder. Milliseconds.
 */
const leaseMs = 15_000;
const renewEveryMs = 5_000;

/**
 * Runs work while this command has the leader's lease. A running `ingest`, and every `serve` that has answered a call,
 * is the leader or waits for it.
 * @param settings the command's name, and the sentence that says what was not done
 * @throws ToolError if another process is the leader
 */
export async function withoutOthers<Result>(
  database: Database,
  { command, nothing }: { command: string; nothing: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const leases = createLeases(database);
  const holder = `countersign ${command}`;
  const take = async (): Promise<boolean> => await leases.take(leaderRole, holder, leaseMs);
  if (!(await take())) {
    const other = await leaseHolder(database, leaderRole);
    throw new ToolError(
      "conflict",
      `${other === undefined ? "Another process" : processOf(other)} uses these stores now. ${nothing} Stop serve and ingest, and the clients that start a server. Then try again.`,
    );
  }
  const timer = setInterval(() => void take().catch(() => undefined), renewEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await leases.release(leaderRole, holder).catch(() => undefined);
  }
}
