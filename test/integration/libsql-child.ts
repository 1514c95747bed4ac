// A process that works with a database as the built program does. Its threads are those of the bundle. It receives
// messages `{ id, command, options }`.
import { type Transaction, createClient } from "@libsql/client/sqlite3";
import { createTickets } from "../../src/adapters/libsql/approvals/tickets.ts";
import { createAuditRecord } from "../../src/adapters/libsql/audit/audit-record.ts";
import {
  type Database,
  mainMigrations,
  openDatabase,
} from "../../src/adapters/libsql/driver/database.ts";
import type { AuditEvent } from "../../src/core/audit/audit.ts";
import { reuseThreads } from "../../src/core/shared/idle-threads.ts";
import { quietLog as log } from "../fakes/quiet-log.ts";
import { sealRequest } from "../fakes/request-seal.ts";

export interface Options {
  url?: string;
  name?: string;
  count?: number;
  ticketId?: string;
  key?: string;
}

let database: Database | undefined;
let held: Transaction | undefined;

const open = (url = ""): Database => openDatabase({ url, migrations: mainMigrations, log });

function opened(): Database {
  if (database === undefined) throw new Error("Tell me to start first.");
  return database;
}

const insert = (name = "") => ({
  sql: "INSERT INTO leases (name, holder, until) VALUES (?, ?, 0)",
  args: [name, String(process.pid)],
});

const commands = {
  /** Opening does nothing yet. The write opens and migrates. */
  start: async ({ url, name }: Options) => {
    // A process that starts again has the thread of the time before. Its start took longer than all else.
    reuseThreads();
    database = open(url);
    await database.write([insert(name)]);
  },
  /** One row after the other. */
  write: async ({ name = "", count = 1 }: Options) => {
    let acknowledged = 0;
    for (let at = 0; at < count; at += 1) {
      const [result] = await opened().write([insert(`${name} ${at}`)]);
      acknowledged += result?.rowsAffected ?? 0;
    }
    return { acknowledged };
  },
  /** Transactions of some milliseconds, one after the other, until the process is killed. Each counts itself. */
  writeWithoutPause: async ({ name = "" }: Options) => {
    const sql = `WITH RECURSIVE work (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM work WHERE n < 100000)
      UPDATE leases SET until = until + 1 + 0 * (SELECT count(*) FROM work) WHERE name = ?`;
    await opened().write([insert(name)]);
    void (async () => {
      for (;;) await opened().write([{ sql, args: [name] }]);
    })();
  },
  count: async () => {
    const query = { sql: "SELECT count(*) AS rows FROM leases", args: [] };
    return { ...(await opened().read(query)).rows[0] };
  },
  claim: async ({ ticketId = "" }: Options) => {
    const tickets = createTickets(opened(), sealRequest);
    const ticket = await tickets.claim(ticketId, String(process.pid), "config", 60_000);
    return { claimed: ticket !== undefined };
  },
  /** Every third event appended, the others noted. */
  audit: async ({ key = "", count = 1 }: Options) => {
    const audit = createAuditRecord(opened(), { key: Buffer.from(key, "hex"), keyId: "k", log });
    const event = { type: "called", principal: "p", client: "c", tool: "t" } as const;
    for (let at = 0; at < count; at += 1) {
      const next: AuditEvent = { ...event, at: new Date(), callId: `${process.pid} ${at}` };
      if (at % 3 === 0) await audit.append(next);
      else audit.enqueue(next);
    }
    await audit.flush();
    return { pid: process.pid };
  },
  stop: async () => {
    await database?.close();
    database = undefined;
  },
  /** Keeps the write lock until `release`, as another program would. */
  hold: async ({ url = "" }: Options) => {
    held = await createClient({ url, timeout: 5_000 }).transaction("write");
  },
  release: async () => {
    await held?.commit();
  },
  /** Asks for a write, does not wait for it, and ends when nothing is left to do. */
  writeAndLeave: async ({ url, name }: Options) => {
    void open(url).write([insert(name)]);
    process.channel?.unref();
  },
};

export type Command = keyof typeof commands;

async function obey(id: number, command: Command, options: Options): Promise<void> {
  try {
    process.send?.({ id, ...(await commands[command](options)) });
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    process.send?.({ id, error: String(cause) });
  }
}

// All users could read files that are created with this mask. The program must set narrower modes itself.
process.umask(0);
process.on("message", (message: { id: number; command: Command; options: Options }) => {
  void obey(message.id, message.command, message.options);
});
