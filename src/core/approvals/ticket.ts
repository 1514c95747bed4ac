import type { Effect } from "./effect.ts";
import type { Risk } from "../policy/risk.ts";
import type { ArgumentMatchers } from "../policy/rules/condition.ts";
import type { ApprovalNotice, ErrorFields } from "../tool/tool-error.ts";

/** A way for a person to decide. `rule` is the person's own standing rule. */
export type ApprovalChannel = "elicitation" | "page" | "telegram" | "terminal" | "rule";

/** A approval channel at which somebody decides about one request. */
export type AskingChannel = Exclude<ApprovalChannel, "rule">;

export type Verdict = "approve" | "deny";

/** Who decided, where and when. */
export interface Decision {
  verdict: Verdict;
  channel: ApprovalChannel;
  /** An approver's name, or `client NAME` for an elicitation, which is the client program's word. */
  by: string;
  at: Date;
  /** What the person says to the assistant with a denial: one line without anything invisible (core/denial.ts). */
  note?: string;
  /** Only this very call was denied: the assistant may ask about the same target with other arguments. */
  mayAskAgain?: true;
}

/** What a request for approval binds: fixed when it is opened, and the only thing an execution may use. */
export interface TicketRequest {
  ticketId: string;
  principal: string;
  tool: string;
  risk: Risk;
  /** Parsed arguments with every default resolved. */
  args: Readonly<Record<string, unknown>>;
  /** Over tool and parsed arguments: identical calls share it. */
  digest: string;
  /** The target's version; undefined means that it must not exist. */
  target: string | undefined;
  /** What the call acts on, as its tool says; undefined: a refusal of it stands for identical calls alone. */
  actsOn: string | undefined;
  effect: Effect;
  fingerprint: string;
  /** The client's own word for itself. */
  client: string;
  /** Identity of the stores and the calendar: a process with other settings never runs this. */
  configHash: string;
  /** The approval channels that may decide this, by the policy when it was opened. */
  channels: readonly AskingChannel[];
  /** What "allow similar" would cover; undefined where the tool knows no similar calls. */
  similar: ArgumentMatchers | undefined;
}

interface Opened extends TicketRequest {
  createdAt: Date;
  expiresAt: Date;
  /** The older request that gave way to this one (core/fatigue.ts). */
  tookPlaceOf?: string;
}

interface Decided extends Opened {
  decision: Decision;
}

/** Whether this request has been put to the person through the client, and what came of it. */
export interface ChannelQuestion {
  putAt: Date;
  /** Until then an answer counts, and nobody is asked again. */
  expiresAt: Date;
  /**
   * `again`: the answer was none, and the question was put a second time. `elsewhere`: the client answered without a decision,
   * so nobody is asked there any more.
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
}
export interface DeniedTicket extends Decided {
  status: "denied";
}
export interface ExpiredTicket extends Opened {
  status: "expired";
  /** The newer request that it gave way to; absent where its time was over. */
  gaveWayTo?: string;
}

/** The durable record of one request for approval: each state holds exactly its own fields (PRODUCT section 3). */
export type Ticket =
  | PendingTicket
  | ApprovedTicket
  | RunningTicket
  | DoneTicket
  | FailedTicket
  | UnknownTicket
  | DeniedTicket
  | ExpiredTicket;

/** A ticket that can still go somewhere. */
export type OpenTicket = PendingTicket | ApprovedTicket | RunningTicket;

/** A ticket whose run ended with a result, or with nobody knowing. */
export type RanTicket = DoneTicket | UnknownTicket;

export type TicketStatus = Ticket["status"];

/** The ticket's public face in a result or an error. */
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

/** How the run of a ticket ended. */
export type RunEnd =
  | { status: "done"; output: Readonly<Record<string, unknown>> }
  | { status: "failed"; error: ErrorFields }
  | { status: "unknown" };

/** Everybody's requests, as the scope of a pause. No principal can have this name. */
export const everybody = "*";

/** What needs approval is stopped, for one principal or for everybody. */
export interface Pause {
  /** A principal, or `everybody`. */
  scope: string;
  /** Who stopped it, or whose refusal was one too many. */
  by: string;
  at: Date;
  /** `person`: somebody wanted it. `denials`: too many refusals (core/fatigue.ts). */
  reason: "person" | "denials";
}

/** How a decision was received. Losing means that somebody else decided first, or that the time was over. */
export interface DecisionResult {
  won: boolean;
  ticket: Ticket;
  /** Present where this refusal was one too many, and its principal is paused from now on. */
  pause?: Pause;
}

/**
 * Where tickets are kept. Every transition is one conditional update, so that of many racing processes one wins, and every
 * clock is the store's own. What comes back has already been settled against that clock: a pending ticket that is over
 * comes back `expired`, a running one whose lease has lapsed comes back `unknown`.
 */
export interface Tickets {
  /**
   * Opens a ticket, or joins the open one of an identical call. Where too many wait, the oldest that nobody is just asked about
   * gives way, and the new one says so; throws `budget_exceeded` where all are too new for that.
   */
  open(request: TicketRequest, ttlMs: number): Promise<{ ticket: Ticket; joined: boolean }>;
  find(ticketId: string): Promise<Ticket | undefined>;
  /**
   * The newest ticket of an identical call under the same settings that has not been purged, the newest one that ran, and the
   * store's clock.
   */
  findIdentical(call: {
    principal: string;
    digest: string;
    configHash: string;
  }): Promise<{ ticket: Ticket | undefined; ran: RanTicket | undefined; now: Date }>;
  /**
   * The newest denial within this time of the same tool on the same target under the same settings. Undefined if the person
   * lets the assistant ask again with changes.
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
  /** Notes that the person is asked through the client. False where that was done before, or the ticket is not pending. */
  putQuestion(ticketId: string, stateHash: string, answerWithinMs: number): Promise<boolean>;
  /**
   * The ticket whose unanswered question has this state, also where another approval channel has decided it meanwhile; undefined for a
   * used, foreign or late state.
   */
  findQuestion(stateHash: string): Promise<Ticket | undefined>;
  /** Notes that the same question is put a second time. False if it was before, or waits for no answer. */
  repeatQuestion(ticketId: string, stateHash: string): Promise<boolean>;
  /** "Not here": uses up the question and leaves the ticket open. */
  closeQuestion(ticketId: string, stateHash: string): Promise<boolean>;
  /**
   * The first decision wins. With a `stateHash` it counts only as the answer to that question, once. A denial that is one
   * too many pauses its principal in the same step; denials from before somebody resumed, and of requests that had waited for
   * long, do not count (core/fatigue.ts).
   */
  decide(
    ticketId: string,
    decision: Omit<Decision, "at">,
    runWithinMs: number,
    stateHash?: string,
  ): Promise<DecisionResult>;
  /** Takes an approved ticket for running. Undefined where another process has it, it is too late or its principal is paused. */
  claim(
    ticketId: string,
    holder: string,
    configHash: string,
    leaseMs: number,
  ): Promise<RunningTicket | undefined>;
  renew(ticketId: string, holder: string, leaseMs: number): Promise<boolean>;
  finish(ticketId: string, holder: string, end: RunEnd): Promise<boolean>;
  /** True for the first call only: the result of a done ticket is handed out once. */
  deliver(ticketId: string): Promise<boolean>;
  /** The pause that holds for this principal; everybody's comes before its own. */
  pauseOf(principal: string): Promise<Pause | undefined>;
  /** Every pause there is, everybody's first. */
  pauses(): Promise<readonly Pause[]>;
  /** From now on nothing of this scope is claimed. False where it was paused before. */
  pause(scope: string, by: string): Promise<boolean>;
  /** Lets it go on: its budgets start anew (core/budget.ts). False where it was not paused. */
  resume(scope: string, by: string): Promise<boolean>;
  /** Deletes tickets that ended longer ago than this. */
  purge(olderThanMs: number): Promise<void>;
}
