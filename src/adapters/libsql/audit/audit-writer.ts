import { createSecretKey, type KeyObject } from "node:crypto";
import { auditMac } from "../../../core/audit/audit.ts";
import type { ChainPlace } from "../../../core/audit/audit-chain.ts";
import { busyChain } from "../driver/errors.ts";
import type { Row, Rows, Statement } from "../driver/database.ts";
import { storedInteger, storedText } from "../driver/stored-values.ts";

/** Each lost race means that another process wrote: with many of them one may lose often, but not so often. */
const maxRaces = 100;

/** Events that are added together, in this order. */
export interface EventGroup {
  key: Uint8Array;
  keyId: string;
  /** A line for each: its time in milliseconds since 1970, and what `auditJson` makes of it. One text travels best. */
  events: string;
}

/**
 * Adds events to the audit log's chain, in the database's thread: a call waits for none of this work. Many processes add to
 * the one chain: each group is one INSERT whose condition is the chain's head as we believe it to be. Not through the query
 * builder, whose loading every call would pay for.
 * @param write runs the statements as one transaction
 */
export function createAuditWriter(
  write: (statements: readonly Statement[]) => Promise<readonly Rows[]>,
): (group: EventGroup) => Promise<Rows> {
  let head: ChainPlace | undefined;
  let secret: { keyId: string; key: KeyObject } | undefined;

  /** Made once: a key of bytes would be prepared anew for each event. */
  function secretOf({ key, keyId }: EventGroup): KeyObject {
    if (secret?.keyId !== keyId) secret = { keyId, key: createSecretKey(key) };
    return secret.key;
  }

  async function add(keyId: string, lines: readonly string[], key: KeyObject): Promise<ChainPlace> {
    for (let races = 0; races < maxRaces; races += 1) {
      head ??= toHead((await write([readHead]))[0]?.rows[0]);
      const { rows, last } = link(key, lines, head);
      // The head comes back in the same transaction: after a lost race there is nothing to ask for again.
      const [added, newest] = await write([insertBehind(head, keyId, rows), readHead]);
      head = toHead(newest?.rows[0]);
      if (added?.rowsAffected === lines.length) return last;
    }
    throw Object.assign(new Error("too many processes write to the audit log"), {
      code: busyChain,
    });
  }

  return async (group) => {
    try {
      // JSON has no line end of its own.
      const lines = group.events.split("\n");
      const { seq, mac } = await add(group.keyId, lines, secretOf(group));
      return { rows: [{ seq, mac }], rowsAffected: lines.length };
    } catch (error) {
      head = undefined;
      throw error;
    }
  };
}

/** The rows as JSON lists, and the place of the last. */
function link(
  key: KeyObject,
  lines: readonly string[],
  from: ChainPlace,
): { rows: string; last: ChainPlace } {
  let { seq, mac } = from;
  const rows = lines.map((line) => {
    const start = line.indexOf("[");
    const json = line.slice(start);
    seq += 1;
    mac = auditMac(key, mac, seq, json);
    return `[${seq},"${mac}",${line.slice(0, start)},${json.slice(1)}`;
  });
  return { rows: `[${rows.join(",")}]`, last: { seq, mac } };
}

const readHead: Statement = {
  sql: "SELECT seq, mac FROM audit ORDER BY seq DESC LIMIT 1",
  args: [],
};

/** Where the chain ends; before its first event where there is none. */
export function toHead(row: Row | undefined): ChainPlace {
  if (row === undefined) return { seq: 0, mac: "" };
  return { seq: storedInteger(row["seq"]), mac: storedText(row["mac"]) };
}

/** One statement for any number of events, so that none comes in between and the condition holds for all of them. */
function insertBehind(head: ChainPlace, keyId: string, rows: string): Statement {
  // Materialized: `json_each` would write each list anew for each of its columns; and a path costs half of a bare number.
  // Number 4 is the time as the MAC has it.
  return {
    sql: `WITH list (e) AS MATERIALIZED (SELECT value FROM json_each(?))
      INSERT INTO audit (seq, mac, key_id, type, at, call_id, ticket_id, principal, client, tool, risk, digest, sentence, outcome)
      SELECT e->>'$[0]', e->>'$[1]', ?, e->>'$[3]', e->>'$[2]', e->>'$[5]', e->>'$[6]', e->>'$[7]', e->>'$[8]', e->>'$[9]',
        e->>'$[10]', e->>'$[11]', e->>'$[12]', e->>'$[13]'
      FROM list WHERE coalesce((SELECT mac FROM audit ORDER BY seq DESC LIMIT 1), '') = ?`,
    args: [rows, keyId, head.mac],
  };
}
