import { parseArgs } from "node:util";
import type { Config } from "../../config.ts";
import { decideTicket } from "../../core/approvals/decide-ticket.ts";
import { approveAndAllowSimilar, similarInWords } from "../../core/policy/rules/allow-similar.ts";
import type { Ticket, TicketStatus, Verdict } from "../../core/approvals/ticket.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { changeToTakeBack } from "../../review/change-lines.ts";
import { ticketAsData, ticketInFull, ticketInShort } from "../../review/terminal.ts";
import { pauseFromTerminal, pauseInWords } from "./approvals-pause.ts";
import { createLog } from "../platform/log.ts";
import { type Stores, openStores } from "../compose/open-stores.ts";
import { provenPerson } from "../page/proven-person.ts";
import { loadSettings } from "../platform/settings.ts";
import { stopSignal } from "../platform/stop-signal.ts";
import { ownCommand } from "../platform/own-command.ts";

export const usage = `Usage: countersign approvals list [--all] [--watch] [--json]
       countersign approvals show ID [--json]
       countersign approvals approve ID [--similar] [--secret-stdin] [--json]
       countersign approvals deny ID [--note TEXT] [--may-ask-again] [--secret-stdin] [--json]
       countersign approvals pause|resume [WHO] [--secret-stdin] [--json]
       countersign approvals open

The terminal channel: look at what was asked for, and decide it. On a terminal you are asked for the fingerprint.
\`pause\` stops all that needs approval, of WHO or of everybody, until \`resume\`.
\`open\` shows the approval page in your browser instead (see APPROVAL_OPEN).

  --all            also what has been decided or has expired
  --watch          go on and show new requests as they come, and what is done without asking
  --similar        allow similar calls, too, for a while: \`show\` says which
  --note TEXT      what the assistant should do instead: it is told so, in your words
  --may-ask-again  deny this call only: the assistant may ask again with changes, also about the same target
  --secret-stdin   an approver's secret (see APPROVERS) comes on standard input, for scripts
  --json           one JSON object a line
  --env-file PATH  read the settings from this file instead of .env in the data directory`;

/** How often `--watch` looks. Milliseconds. */
const watchEvery = 1_000;
/** Requests shown at most; only so many can be open. */
const listLimit = 200;

interface Options {
  all: boolean;
  watch: boolean;
  json: boolean;
  secretStdin: boolean;
  similar: boolean;
  note?: string | undefined;
  mayAskAgain: boolean;
}

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      all: { type: "boolean", default: false },
      watch: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      similar: { type: "boolean", default: false },
      note: { type: "string" },
      "may-ask-again": { type: "boolean", default: false },
      "secret-stdin": { type: "boolean", default: false },
      "env-file": { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [action = "list", id, ...rest] = positionals;
  const isPause = action === "pause" || action === "resume";
  const known = isPause || ["list", "show", "approve", "deny", "open"].includes(action);
  const needsId = isPause ? id !== undefined : action !== "list" && action !== "open";
  const isDenial = values.note !== undefined || values["may-ask-again"];
  const misplaced = (values.similar && action !== "approve") || (isDenial && action !== "deny");
  if (values.help || !known || rest.length > 0 || needsId !== (id !== undefined) || misplaced) {
    (values.help ? console.log : console.error)(usage);
    return values.help ? 0 : 2;
  }
  const config = loadSettings({ envFile: values["env-file"] });
  const log = createLog(config.logLevel);
  const stores = openStores(config, log);
  const options = {
    ...values,
    secretStdin: values["secret-stdin"],
    mayAskAgain: values["may-ask-again"],
  };
  try {
    if (action === "open") {
      const { openFromTerminal } = await import("./approvals-open.ts");
      return await openFromTerminal(config, stores, log);
    }
    if (isPause) return await pauseFromTerminal(action, id, config, stores, options);
    if (id === undefined) return await list(stores, options);
    const ticket = await stores.tickets.find(id);
    if (ticket === undefined) {
      throw new ToolError("not_found", `There is no request ${id}. Nothing was decided.`);
    }
    if (action === "show") {
      print(ticket, options.json, ticketInFull);
      return 0;
    }
    return await decide(config, stores, ticket, action === "approve" ? "approve" : "deny", options);
  } finally {
    await stores.close();
  }
}

async function list(stores: Stores, { all, watch, json }: Options): Promise<number> {
  const { recentChanges } = stores;
  let told = watch ? await recentChanges.head() : 0;
  const statuses: readonly TicketStatus[] = ["pending", "approved", "running"];
  const filter = { limit: listLimit, ...(!all && { statuses }) };
  const shown = new Set<string>();
  const showNew = async (): Promise<void> => {
    const tickets = [...(await stores.tickets.list(filter))].toReversed();
    for (const ticket of tickets.filter(({ ticketId }) => !shown.has(ticketId))) {
      shown.add(ticket.ticketId);
      print(ticket, json, ticketInShort);
    }
  };
  /** Scripts read requests here. What people took back they know. */
  const tellChanges = async (): Promise<void> => {
    for (const change of json ? [] : await recentChanges.since(told, listLimit)) {
      told = change.seq;
      if (change.undoes === undefined) console.log(changeToTakeBack(change, ownCommand()));
    }
  };
  if (!json) for (const pause of await stores.tickets.pauses()) console.log(pauseInWords(pause));
  await showNew();
  if (shown.size === 0 && !json) console.log("Nothing waits for you.");
  if (!watch) return 0;
  // One after the other: nothing is told twice.
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking
      .then(showNew)
      .then(tellChanges)
      .catch((error: unknown) => console.error(String(error)));
  }, watchEvery);
  await stopSignal();
  clearInterval(timer);
  await looking;
  return 0;
}

async function decide(
  config: Config,
  stores: Stores,
  ticket: Ticket,
  verdict: Verdict,
  { json, secretStdin, similar, note, mayAskAgain }: Options,
): Promise<number> {
  const { ticketId } = ticket;
  if (similar && similarInWords(ticket) === undefined) {
    throw new ToolError("conflict", "Nothing similar can be allowed with this request.", {
      hint: "Approve it without --similar.",
    });
  }
  const what = similar ? "approve this and allow similar ones" : `${verdict} this`;
  const by = await provenPerson(
    {
      ...ticket,
      inFull: ticketInFull(ticket, new Date()),
      question: `Type the fingerprint to ${what}`,
      nothing: "Nothing was decided.",
    },
    { approvers: config.approvals.approvers, secretStdin },
  );
  const decided = similar
    ? await approveAndAllowSimilar(stores, ticketId, { channel: "terminal", by })
    : await decideTicket(stores, ticketId, {
        verdict,
        channel: "terminal",
        by,
        ...(note !== undefined && { note }),
        ...(mayAskAgain && { mayAskAgain }),
      });
  if (json) console.log(JSON.stringify({ ...ticketAsData(decided.ticket), won: decided.won }));
  else if (decided.won)
    console.log(verdict === "approve" ? approvedText : "Denied. Nothing was done.");
  else
    console.error(
      `It was decided before or is over: ${decided.ticket.status}. Nothing was changed.`,
    );
  return decided.won ? 0 : 1;
}

const approvedText =
  "Approved. It runs now if the program that asked is still there, otherwise with its next identical call within 10 minutes.";

function print(
  ticket: Ticket,
  json: boolean,
  inWords: (ticket: Ticket, now: Date) => string,
): void {
  console.log(json ? JSON.stringify(ticketAsData(ticket)) : inWords(ticket, new Date()));
}
