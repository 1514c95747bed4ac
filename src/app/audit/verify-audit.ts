import { setTimeout as pause } from "node:timers/promises";
import { approvalTimes } from "../../core/approvals/approval.ts";
import {
  createRequestCheck,
  type RequestDifference,
  type StoredRequest,
} from "../../core/approvals/request-check.ts";
import {
  type AuditKeys,
  type ChainBreak,
  createChainCheck,
  missing,
} from "../../core/audit/audit-chain.ts";
import { type SignedPlace, verifySignedPlace } from "../../core/audit/signed-place.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { type FoundHead, readHeads } from "../../stores/audit-heads.ts";
import type { Stores } from "../compose/open/open-stores.ts";

/** A record older than this has heads, which are written hourly. One more hour is for a busy machine. Milliseconds. */
const headsFromMs = 2 * 3_600_000;

/** A running server writes the event of a change a moment after the change. Milliseconds. */
const settledAfterMs = 1_000;
/** Ended requests are deleted by the database's clock, which may be ahead of this one. Milliseconds. */
const clockDifferenceMs = 3_600_000;

export interface AuditVerdict {
  /** The record is complete, and no approval request differs from it. */
  complete: boolean;
  /** The result, for people. */
  summary: string;
  events: number;
  /** The newest head that agrees with the record. */
  head?: { seq: number; mac: string; at: string; place: string };
  /** The start of the record after older events were removed because of their age. */
  checkpoint?: { seq: number; at: string };
  breaks: readonly ChainBreak[];
  /**
   * The compared approval requests, and how they differ from the record. Steps that are sealed and were not recorded,
   * because their process ended, leave the record complete.
   */
  requests: { checked: number; differences: readonly RequestDifference[] };
  /** Number of events by the name of a missing key. */
  unchecked: Readonly<Record<string, number>>;
}

type Readable = Pick<Stores, "auditReader" | "headPlaces">;
type Verifiable = Readable & Pick<Stores, "storedRequests">;

/**
 * Checks the whole audit record, and compares it with the heads stored outside of the database and with the approval
 * requests.
 */
export async function verifyAudit(stores: Verifiable, keys: AuditKeys): Promise<AuditVerdict> {
  const before = await stores.auditReader.checkpoint();
  const verdict = await verifyOnce(stores, keys);
  const after = await stores.auditReader.checkpoint();
  const hasDifferences = verdict.requests.differences.length > 0;
  // A cleanup during the check looks like a gap, so the record is read again. The next cleanup is hours away.
  if (before?.seq === after?.seq && !hasDifferences) return verdict;
  if (hasDifferences) await pause(settledAfterMs);
  return await verifyOnce(stores, keys);
}

async function verifyOnce(
  { auditReader, headPlaces, storedRequests }: Verifiable,
  keys: AuditKeys,
): Promise<AuditVerdict> {
  const rows: StoredRequest[] = [];
  for await (const row of storedRequests()) rows.push(row);
  const requests = createRequestCheck(rows, [...keys.values()]);
  const breaks: ChainBreak[] = [];
  // Read before the events, because later heads would name events that were not read.
  const heads = await headsOf(headPlaces, keys, breaks);
  const checkpoint = await auditReader.checkpoint();
  breaks.push(...checkpointFault(checkpoint, keys));
  const check = createChainCheck(keys, checkpoint ?? { seq: 0, mac: "" });
  const wanted = new Map<number, string | undefined>(
    heads.map(({ head }) => [head.seq, undefined]),
  );
  let oldest: Date | undefined;
  let newestMs = Date.now();
  for await (const found of auditReader.rows()) {
    const broken = check.add(found);
    if (broken !== undefined) breaks.push(broken);
    oldest ??= found.event?.at;
    if (found.event !== undefined) {
      requests.add(found.event);
      newestMs = Math.max(newestMs, found.event.at.getTime());
    }
    if (wanted.has(found.seq)) wanted.set(found.seq, found.mac);
  }

  const extent = { last: check.last.seq, begins: checkpoint?.seq ?? 0 };
  const agreed = heads.filter((one) => {
    const broken = disagreement(one, wanted.get(one.head.seq), extent);
    if (broken !== undefined) breaks.push(broken);
    return broken === undefined;
  });
  const isOld = oldest !== undefined && Date.now() - oldest.getTime() > headsFromMs;
  if (heads.length === 0 && isOld) {
    breaks.push({
      seq: check.last.seq,
      what: "there is no head of the record in the data directory or the object store, so a missing end would not be noticed",
    });
  }
  const newest = agreed.toSorted((a, b) => b.head.seq - a.head.seq)[0];
  const unchecked = Object.fromEntries(check.unchecked);
  // While the clock was fast, requests were deleted by that clock.
  const keptSince = new Date(newestMs - approvalTimes.keepEnded + clockDifferenceMs);
  const differences = requests.differences(checkpoint?.at, keptSince);
  const changed = differences.filter(({ isUnrecorded }) => !isUnrecorded);
  const found = { breaks, unchecked, events: check.count };
  return {
    complete: breaks.length + changed.length === 0 && check.unchecked.size === 0,
    summary: summaryOf({ ...found, changed, newest: newest?.head, last: check.last.seq }),
    ...found,
    requests: { checked: rows.length, differences },
    ...(newest && { head: shownHead(newest) }),
    ...(checkpoint && { checkpoint: { seq: checkpoint.seq, at: checkpoint.at.toISOString() } }),
  };
}

/** Returns the break of a checkpoint that no known key signed. */
function checkpointFault(checkpoint: SignedPlace | undefined, keys: AuditKeys): ChainBreak[] {
  if (checkpoint === undefined) return [];
  const found = verifySignedPlace(checkpoint, keys);
  if (found === "genuine") return [];
  const how = found === "forged" ? "is forged" : unknownKey(checkpoint);
  const { seq } = checkpoint;
  return [{ seq, what: `the checkpoint at the start of the record, after event ${seq}, ${how}` }];
}

function shownHead({
  head: { seq, mac, at },
  place,
}: FoundHead): NonNullable<AuditVerdict["head"]> {
  return { seq, mac, at: at.toISOString(), place };
}

/**
 * Compares the heads with the audit record, without reading all of it. For `doctor`.
 * @throws ToolError `conflict` at the first difference, another kind if heads or record cannot be read
 */
export async function checkHeads(
  { auditReader, headPlaces }: Readable,
  keys: AuditKeys,
): Promise<void> {
  const breaks: ChainBreak[] = [];
  let unreadable: ToolError | undefined;
  const heads = await headsOf(headPlaces, keys, breaks, (place, { kind, message }) => {
    unreadable = new ToolError(kind, `The heads in ${place} could not be read. ${message}`);
  });
  const begins = (await auditReader.checkpoint())?.seq ?? 0;
  for (const one of heads) {
    const { seq } = one.head;
    const broken = disagreement(one, await auditReader.macOf(seq), { last: seq, begins });
    if (broken !== undefined) breaks.push(broken);
  }
  const [first] = breaks;
  if (first === undefined && unreadable !== undefined) throw unreadable;
  if (first === undefined) return;
  throw new ToolError("conflict", `The audit record is not complete: ${first.what}.`);
}

async function headsOf(
  places: Readable["headPlaces"],
  keys: AuditKeys,
  breaks: ChainBreak[],
  noteUnreadable = (place: string, { message }: ToolError): void =>
    void breaks.push({ seq: 0, what: `the heads in ${place} could not be read (${message})` }),
): Promise<FoundHead[]> {
  const genuine: FoundHead[] = [];
  for (const place of places) {
    const { heads, damaged } = await readHeads(place).catch((error: unknown) => {
      noteUnreadable(
        place.name,
        error instanceof ToolError ? error : new ToolError("internal", "it failed"),
      );
      return { heads: [], damaged: [] };
    });
    for (const name of damaged) {
      breaks.push({ seq: 0, what: `${name} in ${place.name} is not a head: it was changed` });
    }
    for (const one of heads) {
      const { head } = one;
      const verdict = verifySignedPlace(head, keys);
      const where = `the head of event ${head.seq} in ${place.name}`;
      if (verdict === "genuine") genuine.push(one);
      else if (verdict === "forged") breaks.push({ seq: head.seq, what: `${where} is forged` });
      // A head of another installation is checked by that installation.
    }
  }
  return genuine;
}

/** Returns how a head disagrees with the audit record. Undefined if it agrees. */
function disagreement(
  { head, place }: FoundHead,
  mac: string | undefined,
  log: { last: number; begins: number },
): ChainBreak | undefined {
  const { seq, at } = head;
  if (seq <= log.begins || mac === head.mac) return undefined;
  const as = `as the head of ${at.toISOString()} in ${place} shows`;
  if (seq > log.last)
    return { seq: log.last + 1, what: `${missing(log.last + 1, seq)} at the end, ${as}` };
  const what = mac === undefined ? missing(seq, seq) : `event ${seq} was replaced`;
  return { seq, what: `${what}, ${as}` };
}

function unknownKey({ keyId }: SignedPlace): string {
  return `was signed with the key ${keyId}, which is not available (add it with --key FILE)`;
}

function summaryOf(found: {
  events: number;
  breaks: readonly ChainBreak[];
  changed: readonly RequestDifference[];
  unchecked: Readonly<Record<string, number>>;
  newest: SignedPlace | undefined;
  last: number;
}): string {
  const { events, breaks, changed, unchecked, newest, last } = found;
  if (breaks.length > 0) return `The record of ${events} events is NOT complete.`;
  if (changed.length > 0)
    return `The record of ${events} events is complete, but approval requests were changed or removed without it.`;
  const foreign = Object.entries(unchecked).map(
    ([keyId, count]) =>
      `${count} of ${events} events were signed with the key ${keyId}, which is not available, so changes to them would not be noticed. Add it with --key FILE.`,
  );
  if (foreign.length > 0) return foreign.join("\n");
  if (events === 0) return "Nothing has been recorded yet.";
  if (newest === undefined)
    return `${events} events, each signed with the one before it. No head has been written yet.`;
  const later = last - newest.seq;
  return (
    `complete up to event ${newest.seq} (${newest.mac.slice(0, 16)}) of ${newest.at.toISOString()}: ` +
    `${events} events, each signed with the one before it.${later > 0 ? ` ${later} of them are newer than that head.` : ""}`
  );
}
