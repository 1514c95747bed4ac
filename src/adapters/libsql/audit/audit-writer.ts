import { createSecretKey, type KeyObject } from "node:crypto";
import { auditMac } from "../../../core/audit/audit.ts";
import type { ChainPlace } from "../../../core/audit/audit-chain.ts";
import { busyChain } from "../driver/errors.ts";
import type { Row, Rows, Statement } from "../driver/statement.ts";
import type { EventGroup } from "../driver/worker-messages.ts";
import { storedInteger, storedText } from "../driver/stored-values.ts";

/** Each lost race means that another process wrote. More losses than this indicate a fault. */
const maxRaces = 100;

/**
 * Creates the function that chains events. It runs in the database's thread, so that no call waits for this work. Many
 * processes share one chain, so each group is one INSERT with the expected head as its condition.
 * @param write runs the statements as one transaction
 */
export function createAuditWriter(
  write: (statements: readonly Statement[]) => Promise<readonly Rows[]>,
): (group: EventGroup) => Promise<Rows> {
  let head: ChainPlace | undefined;
  let secret: { keyId: string; key: KeyObject } | undefined;

  /** Returns the imported key. It is cached, because raw bytes would be imported again for each event. */
  function secretOf({ key, keyId }: EventGroup): KeyObject {
    if (secret?.keyId !== keyId) secret = { keyId, key: createSecretKey(key) };
    return secret.key;
  }

  async function add(keyId: string, lines: readonly string[], key: KeyObject): Promise<ChainPlace> {
    for (let races = 0; races < maxRaces; races += 1) {
      head ??= toHead((await write([readHead]))[0]?.rows[0]);
      const { rows, last } = link(key, lines, head);
      // The same transaction returns the head, so a lost race needs no further query.
      const [added, newest] = await write([insertBehind(head, keyId, rows), readHead]);
      head = toHead(newest?.rows[0]);
      if (added?.rowsAffected === lines.length) return last;
    }
    throw Object.assign(new Error("too many processes write to the audit record"), {
      code: busyChain,
    });
  }

  return async (group) => {
    try {
      // JSON contains no raw line end.
      const lines = group.events.split("\n");
      const { seq, mac } = await add(group.keyId, lines, secretOf(group));
      return { rows: [{ seq, mac }], rowsAffected: lines.length };
    } catch (error) {
      head = undefined;
      throw error;
    }
  };
}

/** Returns the rows as JSON lists, and the position of the last one. */
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

/** Returns the end of the chain, or the start position if it is empty. */
export function toHead(row: Row | undefined): ChainPlace {
  if (row === undefined) return { seq: 0, mac: "" };
  return { seq: storedInteger(row["seq"]), mac: storedText(row["mac"]) };
}

/** Builds one statement for any number of events, so that its condition covers all of them. */
function insertBehind(head: ChainPlace, keyId: string, rows: string): Statement {
  // Materialised, because `json_each` would parse each list for each column. Element 4 is left out: it is the time in
  // the form of the MAC.
  return {
    sql: `WITH list (e) AS MATERIALIZED (SELECT value FROM json_each(?))
      INSERT INTO audit (seq, mac, key_id, type, at, call_id, ticket_id, principal, client, tool, risk, digest, sentence, outcome, content)
      SELECT e->>'$[0]', e->>'$[1]', ?, e->>'$[3]', e->>'$[2]', e->>'$[5]', e->>'$[6]', e->>'$[7]', e->>'$[8]', e->>'$[9]',
        e->>'$[10]', e->>'$[11]', e->>'$[12]', e->>'$[13]', e->>'$[14]'
      FROM list WHERE coalesce((SELECT mac FROM audit ORDER BY seq DESC LIMIT 1), '') = ?`,
    args: [rows, keyId, head.mac],
  };
}
