import type { AuditEvent } from "../audit/audit.ts";
import { endContent, requestContent } from "./request-content.ts";
import type { Decision, Ticket } from "./ticket.ts";

/** A row of the approval requests. `ticket` is undefined if this program cannot have written the row. */
export interface StoredRequest {
  ticketId: string;
  /** The request with its stored status, regardless of the clock. */
  ticket: Ticket | undefined;
}

/** A difference between the approval requests and the audit record. */
export interface RequestDifference {
  ticketId: string;
  /** One sentence without a full stop. */
  what: string;
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
 */
export function createRequestCheck(rows: readonly StoredRequest[]): RequestCheck {
  const stored = new Map(rows.map((row) => [row.ticketId, row.ticket]));
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
      else known.isRefused = true;
    },
    differences: (begins, keptSince) => {
      const found: RequestDifference[] = [];
      for (const [ticketId, ticket] of stored)
        for (const what of ticket === undefined
          ? ["its row was changed: it is not one that can be read"]
          : differencesOf(ticket, recorded.get(ticketId), begins))
          found.push({ ticketId, what });
      for (const [ticketId, { last, asked }] of recorded)
        if (!stored.has(ticketId) && last >= keptSince && asked !== undefined)
          found.push({ ticketId, what: "its row is missing" });
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

function differencesOf(
  ticket: Ticket,
  found: Recorded | undefined,
  begins: Date | undefined,
): string[] {
  const isCut = begins !== undefined && ticket.createdAt <= begins;
  if (found?.asked === undefined)
    return isCut
      ? []
      : [
          "the record does not contain that it was asked: the row was put in, or the process ended before it could record it",
        ];
  return [
    ...askedOtherwise(ticket, found.asked),
    ...decidedOtherwise(ticket, found),
    ...ranOtherwise(ticket, found),
  ];
}

function askedOtherwise(ticket: Ticket, asked: AuditEvent): string[] {
  const changed = (["principal", "tool", "risk", "digest", "client"] as const).filter(
    (field) => ticket[field] !== asked[field],
  );
  if (changed.length > 0)
    return changed.map(
      (field) => `its ${names[field]} is ${ticket[field]}, and the record says ${asked[field]}`,
    );
  // Requests from before such digests existed have none.
  const isSame = asked.content === undefined || asked.content === requestContent(ticket);
  return isSame ? [] : ["its arguments, target or text for the person were changed"];
}

const names = {
  principal: "caller",
  tool: "tool",
  risk: "risk",
  digest: "digest of tool and arguments",
  client: "client",
} as const;

/** Returns a decision as its event words it (decide-ticket.ts). */
export function decisionOutcome({
  verdict,
  mayAskAgain,
  channel,
  by,
}: Omit<Decision, "at">): string {
  return `${mayAskAgain === true ? "deny, may ask again" : verdict} (${channel}, ${by})`;
}

export function noteSentence(note: string): string {
  return `said to the assistant: "${note}"`;
}

function decidedOtherwise(ticket: Ticket, { decided, isRefused }: Recorded): string[] {
  const [first, ...others] = decided;
  if (others.length > 0) return [`the record contains ${decided.length} decisions`];
  const status = `its row says ${ticket.status}`;
  if (!("decision" in ticket)) {
    // An approval can expire before its run.
    const isLapsed = ticket.status === "expired" && first?.outcome?.startsWith("approve") === true;
    if (first !== undefined && !isLapsed)
      return [`${status}, and the record says ${first.outcome}`];
    const isWithdrawn = ticket.status === "expired" && ticket.error !== undefined;
    return isRefused === isWithdrawn ? [] : [`${status}, and the record says otherwise`];
  }
  const own = decisionOutcome(ticket.decision);
  if (first === undefined)
    return [
      `its row says ${own}, and the record contains no decision: the row was changed, or the process ended before it could record the decision`,
    ];
  if (first.outcome !== own) return [`its row says ${own}, and the record says ${first.outcome}`];
  const { note } = ticket.decision;
  const sentence = note === undefined ? undefined : noteSentence(note);
  return first.sentence === sentence ? [] : ["the words to the assistant were changed"];
}

function ranOtherwise(ticket: Ticket, { started, finished }: Recorded): string[] {
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
  if (end === undefined)
    return [
      `its row says ${own}, and the record contains no end of a run: the row was changed, or the process ended before it could record the end`,
    ];
  if (end !== own) return [`its row says ${own}, and the record says ${end}`];
  const content = contentOf(ticket);
  const isSame =
    content === undefined || finished?.content === undefined || finished.content === content;
  return isSame ? [] : [status === "done" ? "its result was changed" : "its error was changed"];
}

function contentOf(ticket: Ticket): string | undefined {
  if (ticket.status === "done") return endContent({ status: "done", output: ticket.output });
  if (ticket.status !== "failed" && ticket.status !== "unknown") return undefined;
  const { status, error } = ticket;
  return error === undefined ? undefined : endContent({ status, error });
}
