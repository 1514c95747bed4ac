import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll } from "vitest";
import {
  type Database,
  mainMigrations,
  openDatabase,
} from "../../src/adapters/libsql/driver/database.ts";
import { createTickets } from "../../src/adapters/libsql/approvals/tickets.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { makeDirectory } from "../fakes/temporary-directory.ts";
import { createFakeTickets } from "../fakes/tickets.ts";
import { sealRequest } from "../fakes/request-seal.ts";
import { ticketDecisionsContract } from "./ticket-decisions.ts";
import { ticketFatigueContract } from "./ticket-fatigue.ts";
import { ticketPausesContract } from "./ticket-pauses.ts";
import { ticketsContract } from "./tickets.ts";

ticketsContract("the fake", async () => createFakeTickets());
ticketDecisionsContract("the fake", async () => createFakeTickets());
ticketPausesContract("the fake", async () => createFakeTickets());
// No two moments are the same, as they hardly ever are for a database that writes to a disk.
let at = Date.now();
ticketFatigueContract(
  "the fake",
  async () => createFakeTickets(() => new Date((at += 1))),
  async (ms) => void (at += ms),
);

// One file for all: opening takes longer than any of these tests. Each begins with an empty table.
let directory: ReturnType<typeof makeDirectory>;
let database: Database;

beforeAll(() => {
  directory = makeDirectory();
  const url = pathToFileURL(join(directory.path, "tickets.db")).href;
  database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
});

afterAll(async () => {
  await database.close();
  directory.remove();
});

async function emptyTable() {
  await database.write([
    { sql: "DELETE FROM tickets", args: [] },
    { sql: "DELETE FROM pauses", args: [] },
  ]);
  return createTickets(database, sealRequest);
}

ticketsContract("libSQL", emptyTable);
ticketDecisionsContract("libSQL", emptyTable);
ticketPausesContract("libSQL", emptyTable);
ticketFatigueContract("libSQL", emptyTable, async (ms) => {
  await database.write([
    {
      sql: "UPDATE tickets SET created_at = created_at - ?1, seen_at = seen_at - ?1",
      args: [ms],
    },
  ]);
});
