import { unseenOf } from "../../core/approvals/fatigue.ts";
import { decideTicket } from "../../core/approvals/decide-ticket.ts";
import { approveAndAllowSimilar, formatSimilar } from "../../core/policy/rules/allow-similar.ts";
import type { Ticket, TicketStatus, Verdict } from "../../core/approvals/ticket.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { argumentsInFull } from "../../channels/arguments-in-full.ts";
import { formatUndoableChange } from "../../channels/change-lines.ts";
import { formatOutcome } from "../../channels/words.ts";
import { ticketToJson, formatTicket, summarizeTicket } from "../../channels/terminal.ts";
import { pauseFromTerminal, formatPause } from "./approvals/pause-calls.ts";
import { defineCommand, form } from "../command-line/define-command.ts";
import {
  envFile,
  flag,
  json,
  optional,
  required,
  secretStdin,
  text,
} from "../command-line/options.ts";
import type { Stores } from "../compose/open/open-stores.ts";
import { type OpenedStores, withStores } from "../compose/with-stores.ts";
import { provenPerson } from "../approvals/proven-person.ts";
import { stopSignal } from "../platform/stop-signal.ts";
import { ownCommand } from "../platform/own-command.ts";
import { printLines } from "../platform/print-lines.ts";

/** Poll interval of `--watch`. Milliseconds. */
const watchEveryMs = 1_000;
/** Largest number of listed requests. No more can be open. */
const listLimit = 200;

const proof = { secretStdin, json, envFile };
const id = { ticketId: required("ID") };

export const command = defineCommand({
  about:
    "Lists approval requests and decides them. In a terminal you type the fingerprint of the request.",
  exitCodes: { 1: "failed, or the request was decided before. Nothing was changed." },
  initial: "list",
  forms: [
    form({
      name: "list",
      help: "list the approval requests that wait",
      options: {
        all: flag("also list requests that were decided or have expired"),
        watch: flag("keep running and show new requests, and calls that ran without approval"),
        json,
        envFile,
      },
      run: (options) => withStores(options.envFile, ({ stores }) => list(stores, options)),
    }),
    form({
      name: "show",
      help: "show one request in full",
      arguments: id,
      options: { json, envFile },
      run: (options, { ticketId }) =>
        withStores(options.envFile, async ({ stores }) => {
          print(await found(stores, ticketId), options.json, formatInFull);
          return 0;
        }),
    }),
    form({
      name: "approve",
      help: "approve the request; the call may then run once",
      arguments: id,
      options: {
        similar: flag("also allow similar calls for 15 minutes; `show` lists them"),
        ...proof,
      },
      run: (options, { ticketId }) =>
        withStores(options.envFile, (opened) => decide(opened, ticketId, "approve", options)),
    }),
    form({
      name: "deny",
      help: "deny the request; the call does not run",
      arguments: id,
      options: {
        note: text("TEXT", "tell the assistant what to do instead, in your words"),
        mayAskAgain: flag(
          "deny this call only; the assistant may ask again for the same target, with changes",
        ),
        ...proof,
      },
      run: (options, { ticketId }) =>
        withStores(options.envFile, (opened) =>
          decide(opened, ticketId, "deny", { similar: false, ...options }),
        ),
    }),
    ...(["pause", "resume"] as const).map((action) =>
      form({
        name: action,
        help:
          action === "pause"
            ? "stop all calls that need approval until `resume`: those of the caller WHO, or of all callers"
            : "let calls that need approval continue",
        arguments: { who: optional("WHO") },
        options: proof,
        run: (options, { who }) =>
          withStores(options.envFile, ({ config, stores }) =>
            pauseFromTerminal(action, who, config, stores, options),
          ),
      }),
    ),
    form({
      name: "open",
      help: "open the approval page in your browser (see APPROVAL_OPEN)",
      options: { envFile },
      run: (options) =>
        withStores(options.envFile, async ({ config, stores, log }) => {
          const { openFromTerminal } = await import("./approvals/open-page.ts");
          return await openFromTerminal(config, stores, log, options.envFile);
        }),
    }),
  ],
});

/**
 * Returns a request by id.
 * @throws ToolError `not_found`
 */
async function found({ tickets }: Stores, ticketId: string): Promise<Ticket> {
  const ticket = await tickets.find(ticketId);
  if (ticket === undefined)
    throw new ToolError("not_found", `There is no request ${ticketId}. Nothing was decided.`, {
      hint: "`approvals list --all` shows the ids.",
    });
  await tickets.markSeen(unseenOf([ticket]));
  return ticket;
}

async function list(
  stores: Stores,
  options: { all: boolean; watch: boolean; json: boolean },
): Promise<number> {
  const { all, watch } = options;
  const { recentChanges } = stores;
  let reportedUpTo = watch ? await recentChanges.head() : 0;
  const statuses: readonly TicketStatus[] = ["pending", "approved", "running"];
  const filter = { limit: listLimit, ...(!all && { statuses }) };
  const shown = new Set<string>();
  const isPersons = process.stdout.isTTY && !watch && !options.json;
  const showNew = async (): Promise<void> => {
    const tickets = [...(await stores.tickets.list(filter))].toReversed();
    // A script, or a terminal that was left open, shows requests to no person.
    if (isPersons) await stores.tickets.markSeen(unseenOf(tickets));
    for (const ticket of tickets.filter(({ ticketId }) => !shown.has(ticketId))) {
      shown.add(ticket.ticketId);
      print(ticket, options.json, summarizeTicket);
    }
  };
  /** Prints changes that the person may undo, but not to scripts, which read requests from this output. */
  const tellChanges = async (): Promise<void> => {
    for (const change of options.json ? [] : await recentChanges.since(reportedUpTo, listLimit)) {
      reportedUpTo = change.seq;
      if (change.undoes === undefined) printLines(formatUndoableChange(change, ownCommand()));
    }
  };
  if (!options.json)
    for (const pause of await stores.tickets.pauses()) console.log(formatPause(pause));
  await showNew();
  if (shown.size === 0 && !options.json) console.log("No requests are waiting.");
  if (!watch) return 0;
  // Polls run one after the other, so that no request is printed twice.
  let polling = Promise.resolve();
  const timer = setInterval(() => {
    polling = polling
      .then(showNew)
      .then(tellChanges)
      .catch((error: unknown) => console.error(String(error)));
  }, watchEveryMs);
  await stopSignal();
  clearInterval(timer);
  await polling;
  return 0;
}

interface Decision {
  json: boolean;
  secretStdin: boolean;
  similar: boolean;
  note?: string | undefined;
  mayAskAgain?: boolean;
}

async function decide(
  { config, stores }: OpenedStores,
  ticketId: string,
  verdict: Verdict,
  options: Decision,
): Promise<number> {
  const { similar, note, mayAskAgain } = options;
  const ticket = await found(stores, ticketId);
  if (similar && formatSimilar(ticket) === undefined) {
    throw new ToolError(
      "conflict",
      "Similar calls of this request cannot be allowed. Nothing was decided.",
      {
        hint: "Approve it without --similar.",
      },
    );
  }
  const what = similar ? "approve this and allow similar ones" : `${verdict} this`;
  const by = await provenPerson(
    {
      ...ticket,
      inFull: formatTicket(ticket, new Date()),
      question: `Type the fingerprint to ${what}`,
      nothing: "Nothing was decided.",
    },
    { approvers: config.approvals.approvers, secretStdin: options.secretStdin },
  );
  const decided = similar
    ? await approveAndAllowSimilar(stores, ticketId, { channel: "terminal", by })
    : await decideTicket(stores, ticketId, {
        verdict,
        channel: "terminal",
        by,
        ...(note !== undefined && { note }),
        ...(mayAskAgain === true && { mayAskAgain }),
      });
  if (options.json)
    console.log(JSON.stringify({ ...ticketToJson(decided.ticket), won: decided.won }));
  else if (decided.won)
    console.log(verdict === "approve" ? approvedText : "Denied. Nothing was done.");
  else console.error(lateText(decided.ticket));
  return decided.won ? 0 : 1;
}

/** Explains why a decision did not count. A request that still waits is paused, or the policy excludes the terminal. */
function lateText(ticket: Ticket): string {
  const { status } = ticket;
  const why =
    status === "pending"
      ? ", because the request cannot be approved now or at the terminal"
      : ", because the request was already decided";
  // The outcome of an expired request says why.
  return `Your decision did not count${status === "expired" ? "" : why}. ${formatOutcome(ticket)}`;
}

const approvedText =
  "Approved. It runs now if the client still waits, otherwise at its next identical call within 10 minutes.";

/** Formats a request with every argument, even if its effect shows only a part of them. */
function formatInFull(ticket: Ticket, now: Date): string {
  const full = argumentsInFull(ticket);
  if (full === undefined) return formatTicket(ticket, now);
  const { text, left } = full;
  const rest = left > 0 ? [`${left} more characters are not shown.`] : [];
  return [formatTicket(ticket, now), "all arguments in full:", text, ...rest].join("\n");
}

function print(
  ticket: Ticket,
  isJson: boolean,
  format: (ticket: Ticket, now: Date) => string,
): void {
  if (isJson) console.log(JSON.stringify(ticketToJson(ticket)));
  else printLines(format(ticket, new Date()));
}
