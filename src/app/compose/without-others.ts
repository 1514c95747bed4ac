import { setTimeout } from "node:timers/promises";
import type { Database } from "../../adapters/libsql/driver/database.ts";
import { createLeases, freeForMs, leaseHolder } from "../../adapters/libsql/driver/leases.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { leaderRole } from "../../ports/leases.ts";
import { processOf } from "../doctor/facts.ts";
import { requestEveryMs } from "../leader/leader-election.ts";

/**
 * After a kill, others wait this long. A repeat of the command does not, because it is the same holder. Milliseconds.
 */
const leaseMs = 15_000;
const renewEveryMs = 5_000;

/** A running process would have taken a lease that is free for so long. Milliseconds. */
const freeForGoodMs = requestEveryMs + 1_000;
/** A shorter wait is not reported. Milliseconds. */
const unreportedMs = 1_000;

/** The holder of the lease while a command has it. Processes have other names. */
const commandHolder = "countersign ";

/**
 * Runs work while this command has the leader's lease. A running `ingest`, and every `serve` that has answered a call,
 * is the leader or requests the lease every few seconds. So a lease that ended just now is not taken yet.
 * @param settings the command's name, and the sentence that says what was not done
 * @throws ToolError if another process is the leader
 */
export async function withoutOthers<Result>(
  database: Database,
  { command, nothing }: { command: string; nothing: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const leases = createLeases(database);
  const holder = `${commandHolder}${command}`;
  const take = async (): Promise<boolean> => await leases.take(leaderRole, holder, leaseMs);
  const freeFor = await freeForMs(database, leaderRole, holder);
  if (freeFor < freeForGoodMs) await waitFor(freeForGoodMs - freeFor);
  if (!(await take())) {
    const other = await leaseHolder(database, leaderRole);
    throw new ToolError(
      "conflict",
      `${other === undefined ? "Another process" : processOf(other)} uses these stores now. ${nothing} Stop serve and ingest, and the clients that start a server. Then try again.`,
    );
  }
  let isRenewing = false;
  // If the database server is silent, requests must not queue up: the work would wait for all of them.
  const renew = async (): Promise<void> => {
    if (isRenewing) return;
    isRenewing = true;
    await take().catch(() => undefined);
    isRenewing = false;
  };
  const timer = setInterval(() => void renew(), renewEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await leases.release(leaderRole, holder).catch(() => undefined);
  }
}

/** Waits until a running process would have taken the lease, and tells the person why nothing happens. */
async function waitFor(ms: number): Promise<void> {
  await setTimeout(Math.min(ms, unreportedMs));
  if (ms <= unreportedMs) return;
  const seconds = Math.ceil((ms - unreportedMs) / 1_000);
  console.error(
    `Waiting until it is certain that no other process uses these stores: up to ${seconds} s.`,
  );
  await setTimeout(ms - unreportedMs);
}

/**
 * Refuses to use stores that a command such as `copy` or `remove` uses now.
 * @param refused the sentence that the message adds, as "No mail was accepted."
 * @throws ToolError if a command has the leader's lease
 */
export async function refuseDuringCommand(database: Database, refused: string): Promise<void> {
  const holder = await leaseHolder(database, leaderRole);
  if (holder?.startsWith(commandHolder) !== true) return;
  throw new ToolError(
    "conflict",
    `${holder} uses these stores now. ${refused} Let it finish first.`,
  );
}
