import type { AuditEvent } from "../audit/audit.ts";
import { endContent, requestContent } from "./request-content.ts";
import { type SealedStep, decisionContent, isSealedBy } from "./request-seal.ts";
import type { Decision, Ticket } from "./ticket.ts";

/** A row of the approval requests. `ticket` is undefined if this program cannot have written the row. */
export interface StoredRequest {
  ticketId: string;
  /** The request with its stored status, regardless of the clock. */
  ticket: Ticket | undefined;
  seals: Readonly<Record<SealedStep, string | undefined>>;
}

/** A difference between the approval requests and the audit record. */
export interface RequestDifference {
  ticketId: string;
  /** One sentence without a full stop. */
  what: string;
  /** True if the step is sealed and only its event is missing, because the process ended before it could record it. */
  isUnrecorded: boolean;
}

/** Compares approval requests with the audit record, whose events are added in order. */
export interface RequestCheck {
  add(event: AuditEvent): void;
  /**
   * Returns the differences, after all events were added.
   * @param begins the time up to which events were removed because of their age
   * @param keptSince ended requests may be deleted if nothing happened to them since
   */
  differences(begins: Date | undefined, keptSince: Date): RequestDifference[];
}

/** The events of one request. */
interface Recorded {
  asked: AuditEvent | undefined;
  decided: AuditEvent[];
  started: AuditEvent[];
  finished: AuditEvent | undefined;
  /** The request ended because its tool is withheld. */
  isRefused: boolean;
  last: Date;
}

/**
 * Creates the comparison.
 * @param rows the requests, read before the events, so that each of their states has its events
 * @param keys the keys of the audit record, for the seals
 */
export function createRequestCheck(
  rows: readonly StoredRequest[],
  keys: readonly Uint8Array[],
): RequestCheck {
  const stored = new Map(rows.map((row) => [row.ticketId, row]));
  const recorded = new Map<string, Recorded>();

  return {
    add: (event) => {
      const { ticketId, type } = event;
      if (ticketId === undefined || type === "called") return;
      // Rules for similar calls are recorded with the request that they came from, and their own id.
      if (type !== "asked" && event.callId !== ticketId) return;
      const known = recorded.get(ticketId) ?? nothingYet(event.at);
      recorded.set(ticketId, known);
      known.last = event.at;
      if (type === "asked") known.asked = event;
      else if (type === "decided") known.decided.push(event);
      else if (type === "started") known.started.push(event);
      else if (type === "finished") known.finished = event;
      else if (type === "refused") known.isRefused = true;
    },
    differences: (begins, keptSince) => {
      const found: RequestDifference[] = [];
      const add = (ticketId: string, what: string, isUnrecorded = false) =>
        found.push({ ticketId, what, isUnrecorded });
      for (const [ticketId, { ticket, seals }] of stored) {
        if (ticket === undefined) {
          add(ticketId, "its row was changed and cannot be read");
          continue;
        }
        const isSealed: IsSealed = (step, content) =>
          isSealedBy(keys, seals[step], step, ticketId, content);
        for (const one of differencesOf(ticket, recorded.get(ticketId), { begins, isSealed })) {
          if (typeof one === "string") add(ticketId, one);
          else add(ticketId, one.unrecorded, true);
        }
      }
      for (const [ticketId, { last, asked }] of recorded)
        if (!stored.has(ticketId) && last >= keptSince && asked !== undefined)
          add(ticketId, "its row is missing");
      return found;
    },
  };
}

function nothingYet(at: Date): Recorded {
  return {
    asked: undefined,
    decided: [],
    started: [],
    finished: undefined,
    isRefused: false,
    last: at,
  };
}

/** A sentence, or one about a step that is sealed. */
type Found = string | { unrecorded: string };
type IsSealed = (step: SealedStep, content: string) => boolean;

function differencesOf(
  ticket: Ticket,
  found: Recorded | undefined,
  { begins, isSealed }: { begins: Date | undefined; isSealed: IsSealed },
): Found[] {
  const isCut = begins !== undefined && ticket.createdAt <= begins;
  if (isCut && found?.asked === undefined) return [];
  const events = found ?? nothingYet(ticket.createdAt);
  return [
    ...openingDifferences(ticket, events.asked, isSealed),
    ...decisionDifferences(ticket, events, isSealed),
    ...runDifferences(ticket, events, isSealed),
  ];
}

/** Returns the difference of a step without an event. A sealed step happened, and only its event is missing. */
function missing(step: string, isSealed: boolean): Found[] {
  return isSealed
    ? [{ unrecorded: `a process ended before it could record ${step}` }]
    : [`the record does not contain ${step}: the row was inserted or changed`];
}

function openingDifferences(
  ticket: Ticket,
  asked: AuditEvent | undefined,
  isSealed: IsSealed,
): Found[] {
  if (asked === undefined) {
    return missing("that it was asked", isSealed("asked", requestContent(ticket)));
  }
  const changed = (["principal", "tool", "risk", "digest", "client"] as const).filter(
    (field) => ticket[field] !== asked[field],
  );
  if (changed.length > 0)
    return changed.map(
      (field) => `its ${names[field]} is ${ticket[field]}, and the record says ${asked[field]}`,
    );
  const isSame = asked.content === requestContent(ticket);
  return isSame ? [] : ["its arguments, target or text for the person were changed"];
}

/** The compared fields, in the words of a difference. */
const names = {
  principal: "caller",
  tool: "tool",
  risk: "risk",
  digest: "hash of tool and arguments",
  client: "client",
} as const;

/** Formats a decision as in its audit event (decide-ticket.ts). */
export function decisionOutcome({
  verdict,
  mayAskAgain,
  channel,
  by,
}: Omit<Decision, "at">): string {
  return `${mayAskAgain === true ? "deny, may ask again" : verdict} (${channel}, ${by})`;
}

/** Formats a person's note as in the audit event of the decision. */
export function noteSentence(note: string): string {
  return `said to the assistant: "${note}"`;
}

function decisionDifferences(
  ticket: Ticket,
  { decided, isRefused }: Recorded,
  isSealed: IsSealed,
): Found[] {
  const [first, ...others] = decided;
  if (others.length > 0) return [`the record contains ${decided.length} decisions`];
  const status = `its row says ${ticket.status}`;
  if (!("decision" in ticket)) {
    // An approval can expire before its run.
    const isLapsed = ticket.status === "expired" && first?.outcome?.startsWith("approve") === true;
    if (first !== undefined && !isLapsed)
      return [`${status}, and the record says ${first.outcome}`];
    const isWithdrawn = ticket.status === "expired" && ticket.error !== undefined;
    // Only a decision lets a request run, so this end needs no seal.
    if (isWithdrawn && !isRefused) return missing("that its tool was withheld", true);
    return isRefused && !isWithdrawn ? [`${status}, and the record says otherwise`] : [];
  }
  const own = decisionOutcome(ticket.decision);
  if (first === undefined)
    return missing(`its decision ${own}`, isSealed("decided", decisionContent(ticket.decision)));
  if (first.outcome !== own) return [`its row says ${own}, and the record says ${first.outcome}`];
  const { note } = ticket.decision;
  const sentence = note === undefined ? undefined : noteSentence(note);
  return first.sentence === sentence ? [] : ["the words to the assistant were changed"];
}

function runDifferences(
  ticket: Ticket,
  { started, finished }: Recorded,
  isSealed: IsSealed,
): Found[] {
  const { status } = ticket;
  if (started.length > 1) return [`the record contains ${started.length} runs`];
  const hasNotRun = /^(?:pending|approved|denied|expired)$/.test(status);
  if (hasNotRun)
    return started.length + Number(finished !== undefined) === 0
      ? []
      : [`its row says ${status}, and the record says that it ran`];
  const end = finished?.outcome;
  const own = ticket.status === "failed" ? ticket.error.kind : status === "done" ? "ok" : status;
  if (status === "running" || (status === "unknown" && end === undefined)) {
    return end === undefined ? [] : [`its row says ${status}, and the record says ${end}`];
  }
  const content = contentOf(ticket);
  if (end === undefined)
    return missing(`its end ${own}`, content !== undefined && isSealed("ended", content));
  if (end !== own) return [`its row says ${own}, and the record says ${end}`];
  const isSame =
    content === undefined || finished?.content === undefined || finished.content === content;
  return isSame ? [] : [status === "done" ? "its result was changed" : "its error was changed"];
}

/** Returns the digest of the end of a run. Undefined for a run without a result or an error. */
function contentOf(ticket: Ticket): string | undefined {
  if (ticket.status === "done") return endContent({ status: "done", output: ticket.output });
  if (ticket.status !== "failed" && ticket.status !== "unknown") return undefined;
  const { status, error } = ticket;
  return error === undefined ? undefined : endContent({ status, error });
}
