import type { Effect } from "./effect.ts";
import type { Risk } from "../policy/risk.ts";
import type { ArgumentMatchers } from "../policy/rules/condition.ts";
import type { ApprovalNotice, ErrorFields } from "../tool/tool-error.ts";

/** A way for a person to decide. `rule` is a rule that the person made earlier. */
export type ApprovalChannel = "elicitation" | "page" | "telegram" | "terminal" | "rule";

/** An approval channel in which a person decides one request. */
export type AskingChannel = Exclude<ApprovalChannel, "rule">;

export type Verdict = "approve" | "deny";

/** A decision with its maker, channel and time. */
export interface Decision {
  verdict: Verdict;
  channel: ApprovalChannel;
  /** An approver's name, or `client NAME` for an elicitation, which is the client program's claim. */
  by: string;
  at: Date;
  /** The person's words to the assistant with a denial: one line without invisible characters (denial.ts). */
  note?: string;
  /** Only this exact call was denied. The assistant may ask about the same target with other arguments. */
  mayAskAgain?: true;
}

/** The facts that an approval request binds. They are fixed when it is opened, and a run uses nothing else. */
export interface TicketRequest {
  ticketId: string;
  principal: string;
  tool: string;
  risk: Risk;
  /** Parsed arguments with every default resolved. */
  args: Readonly<Record<string, unknown>>;
  /** SHA-256 over tool and parsed arguments. Identical calls share it. */
  digest: string;
  /** The target's version. Undefined means that the target must not exist. */
  target: string | undefined;
  /** The target in the tool's own spelling. If undefined, a denial covers only identical calls. */
  actsOn: string | undefined;
  effect: Effect;
  fingerprint: string;
  /** The name that the client gives itself. */
  client: string;
  /** Identity of the stores and the calendar. A process with other settings never runs this request. */
  configHash: string;
  /** The approval channels that the policy permitted when the request was opened. */
  channels: readonly AskingChannel[];
  /** The calls that "allow similar" would cover. Undefined if the tool defines none. */
  similar: ArgumentMatchers | undefined;
}

interface Opened extends TicketRequest {
  createdAt: Date;
  expiresAt: Date;
  /** The older request that this one replaced (fatigue.ts). */
  replaces?: string;
  /** When a person first saw it on the page or in a terminal. Such a request is replaced last. */
  seenAt?: Date;
}

interface Decided extends Opened {
  decision: Decision;
}

/** The question about this request in the client's dialog, and its answer. */
export interface ChannelQuestion {
  putAt: Date;
  /** Time until which an answer counts. The question is not repeated before it. */
  expiresAt: Date;
  /**
   * `again`: the first question got no answer and was repeated. `elsewhere`: the client answered without a decision, so
   * its dialog is not used again.
   */
  answered: "no" | "again" | "elsewhere";
}

export interface PendingTicket extends Opened {
  status: "pending";
  question: ChannelQuestion | undefined;
}
export interface ApprovedTicket extends Decided {
  status: "approved";
  /** The run must start before this. */
  runBefore: Date;
}
export interface RunningTicket extends Decided {
  status: "running";
  leaseUntil: Date;
}
export interface DoneTicket extends Decided {
  status: "done";
  finishedAt: Date;
  output: Readonly<Record<string, unknown>>;
  delivered: boolean;
}
export interface FailedTicket extends Decided {
  status: "failed";
  finishedAt: Date;
  error: ErrorFields;
}
export interface UnknownTicket extends Decided {
  status: "unknown";
  finishedAt: Date;
  /** Why the outcome is unknown. Absent if the process that ran it did not report back. */
  error?: ErrorFields;
}
export interface DeniedTicket extends Decided {
  status: "denied";
}
export interface ExpiredTicket extends Opened {
  status: "expired";
  /** The newer request that took its place. */
  replacedBy?: string;
  /** Why it was withdrawn before its time: its tool is withheld. */
  error?: ErrorFields;
}

/** The durable record of one approval request. Each state has exactly its own fields. */
export type Ticket =
  | PendingTicket
  | ApprovedTicket
  | RunningTicket
  | DoneTicket
  | FailedTicket
  | UnknownTicket
  | DeniedTicket
  | ExpiredTicket;

/** A request that has not ended. */
export type OpenTicket = PendingTicket | ApprovedTicket | RunningTicket;

/** A request whose run ended with a result or with an unknown effect. */
export type RanTicket = DoneTicket | UnknownTicket;

export type TicketStatus = Ticket["status"];

/** Returns the public fields of a request for a result or an error. */
export function ticketNotice(ticket: Ticket): ApprovalNotice {
  return {
    id: ticket.ticketId,
    tool: ticket.tool,
    status: ticket.status,
    fingerprint: ticket.fingerprint,
    expiresAt: ticket.expiresAt.toISOString(),
    ...(ticket.status === "pending" &&
      ticket.question?.answered === "elsewhere" && { answered: "not here" }),
    ...("decision" in ticket && {
      answered: `${ticket.decision.verdict} (${ticket.decision.channel})`,
    }),
  };
}

/** The end of a run. */
export type RunEnd =
  | { status: "done"; output: Readonly<Record<string, unknown>> }
  | { status: "failed"; error: ErrorFields }
  | { status: "unknown"; error: ErrorFields };

/** The scope of a pause for all callers. A caller cannot have this name. */
export const everybody = "*";

/** A stop of all calls that need approval, of one caller or of all callers. */
export interface Pause {
  /** A caller, or `everybody`. */
  scope: string;
  /** The person who paused, or the person whose denial reached the limit. */
  by: string;
  at: Date;
  /** `person`: a person paused it. `denials`: too many denials (fatigue.ts). */
  reason: "person" | "denials";
}

/** The result of a decision. `won` is false if another decision came first or the request had expired. */
export interface DecisionResult {
  won: boolean;
  ticket: Ticket;
  /** Present if this denial reached the limit and paused its caller. */
  pause?: Pause;
}

/**
 * The store of approval requests. Each transition is one conditional update, so one of several racing processes wins.
 * All times are the store's own clock. Returned requests are settled against it: an overdue pending request is
 * `expired`, and a running one with a lapsed lease is `unknown`.
 */
export interface Tickets {
  /**
   * Opens a request, or joins the open one of an identical call. At the limit, it replaces the oldest request without
   * a live question, and names it. Unseen requests are replaced first, then those that were only sent to a chat.
   * @throws ToolError `budget_exceeded` if all are too new for that
   */
  open(request: TicketRequest, ttlMs: number): Promise<{ ticket: Ticket; joined: boolean }>;
  find(ticketId: string): Promise<Ticket | undefined>;
  /**
   * Returns the newest request of an identical call under the same settings, the newest one that ran, and the store's
   * time. Purged requests are not found.
   */
  findIdentical(call: {
    principal: string;
    digest: string;
    configHash: string;
  }): Promise<{ ticket: Ticket | undefined; ran: RanTicket | undefined; now: Date }>;
  /**
   * Returns the newest denial within this time of the same tool on the same target under the same settings. Undefined
   * if the person lets the assistant ask again with changes.
   */
  findDenied(
    call: Pick<TicketRequest, "principal" | "tool" | "actsOn" | "configHash">,
    withinMs: number,
  ): Promise<DeniedTicket | undefined>;
  /** Newest first. */
  list(filter: {
    statuses?: readonly TicketStatus[];
    principal?: string;
    limit: number;
  }): Promise<readonly Ticket[]>;
  /** Records that a person has seen these requests. */
  markSeen(ticketIds: readonly string[]): Promise<void>;
  /**
   * Records that the client's dialog asks the person. False if a dialog already did, or if the request is not pending.
   */
  putQuestion(ticketId: string, stateHash: string, answerWithinMs: number): Promise<boolean>;
  /**
   * Returns the request whose unanswered question has this state, even if another approval channel has decided it.
   * Undefined for a used, foreign or late state.
   */
  findQuestion(stateHash: string): Promise<Ticket | undefined>;
  /** Records that the same question is repeated. False if it was repeated before or is no longer open. */
  repeatQuestion(ticketId: string, stateHash: string): Promise<boolean>;
  /** Uses up the question and leaves the request open. */
  closeQuestion(ticketId: string, stateHash: string): Promise<boolean>;
  /**
   * Records a decision. The first one wins. With a `stateHash` it counts once, as the answer to that question. A denial
   * that reaches the limit pauses its caller in the same step (fatigue.ts).
   */
  decide(
    ticketId: string,
    decision: Omit<Decision, "at">,
    runWithinMs: number,
    stateHash?: string,
  ): Promise<DecisionResult>;
  /** Ends a pending request that can no longer run. False if it is not pending any more. */
  withdraw(ticketId: string, error: ErrorFields): Promise<boolean>;
  /**
   * Claims an approved request for a run. Undefined if another process claimed it, the approval expired or the caller
   * is paused.
   */
  claim(
    ticketId: string,
    holder: string,
    configHash: string,
    leaseMs: number,
  ): Promise<RunningTicket | undefined>;
  renew(ticketId: string, holder: string, leaseMs: number): Promise<boolean>;
  finish(ticketId: string, holder: string, end: RunEnd): Promise<boolean>;
  /** Resolves with true for the first call only, so that a result is delivered once. */
  deliver(ticketId: string): Promise<boolean>;
  /** Returns the pause of this caller. A pause of all callers comes before its own. */
  pauseOf(principal: string): Promise<Pause | undefined>;
  /** Returns every pause, a pause of all callers first. */
  pauses(): Promise<readonly Pause[]>;
  /** Pauses the scope, so that no request of it is claimed. False if it was paused before. */
  pause(scope: string, by: string): Promise<boolean>;
  /** Resumes the scope and renews its budgets (core/budget/budget.ts). False if it was not paused. */
  resume(scope: string, by: string): Promise<boolean>;
  /** Deletes requests that ended longer ago than this. */
  purge(olderThanMs: number): Promise<void>;
}
