import { userInfo } from "node:os";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import type { Config } from "../config.ts";
import { decideTicket } from "../core/decide-ticket.ts";
import type { Ticket, TicketStatus, Verdict } from "../core/ticket.ts";
import { ToolError } from "../core/tool-error.ts";
import {
  approverOf,
  isFingerprint,
  objection,
  ticketAsData,
  ticketInFull,
  ticketInShort,
} from "../review/terminal.ts";
import { createLog } from "./log.ts";
import { type Stores, openStores } from "./open-stores.ts";
import { loadSettings } from "./settings.ts";
import { stopSignal } from "./stop-signal.ts";

const usage = `Usage: countersign approvals list [--all] [--watch] [--json]
       countersign approvals show ID [--json]
       countersign approvals approve|deny ID [--secret-stdin] [--json]
       countersign approvals open

The terminal door: look at what was asked for, and decide it. On a terminal you are asked for the fingerprint.
\`open\` shows the approval page in your browser instead (see APPROVAL_OPEN).

  --all            also what has been decided or has expired
  --watch          go on and show new requests as they come
  --secret-stdin   an approver's secret (see APPROVERS) comes on standard input, for scripts
  --json           one JSON object a line
  --env-file PATH  read the settings from this file instead of .env in the data directory`;

/** How often `--watch` looks. Milliseconds. */
const watchEvery = 1_000;
/** Requests shown at most; only so many can be open. */
const listLimit = 200;
/** Longest secret that is read. Bytes. */
const maxSecretBytes = 4_096;

interface Options {
  all: boolean;
  watch: boolean;
  json: boolean;
  secretStdin: boolean;
}

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      all: { type: "boolean", default: false },
      watch: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      "secret-stdin": { type: "boolean", default: false },
      "env-file": { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [action = "list", id, ...rest] = positionals;
  const known = ["list", "show", "approve", "deny", "open"].includes(action);
  const needsId = action !== "list" && action !== "open";
  if (values.help || !known || rest.length > 0 || needsId !== (id !== undefined)) {
    (values.help ? console.log : console.error)(usage);
    return values.help ? 0 : 2;
  }
  const config = loadSettings({ envFile: values["env-file"] });
  const log = createLog(config.logLevel);
  const stores = openStores(config, log);
  const options = { ...values, secretStdin: values["secret-stdin"] };
  try {
    if (action === "open") {
      const { openFromTerminal } = await import("./approvals-open.ts");
      return await openFromTerminal(config, stores, log);
    }
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
  await showNew();
  if (shown.size === 0 && !json) console.log("Nothing waits for you.");
  if (!watch) return 0;
  const timer = setInterval(() => {
    showNew().catch((error: unknown) => console.error(String(error)));
  }, watchEvery);
  await stopSignal();
  clearInterval(timer);
  return 0;
}

async function decide(
  config: Config,
  stores: Stores,
  ticket: Ticket,
  verdict: Verdict,
  { json, secretStdin }: Options,
): Promise<number> {
  const by = secretStdin
    ? await provenApprover(config, ticket)
    : await personAtTerminal(ticket, verdict);
  const decided = await decideTicket(stores, ticket.ticketId, { verdict, door: "terminal", by });
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

async function provenApprover(config: Config, ticket: Ticket): Promise<string> {
  const { approvers } = config.approvals;
  if (approvers.length === 0) {
    throw new ToolError("not_configured", "--secret-stdin needs APPROVERS. Nothing was decided.");
  }
  const approver = approverOf(await firstLine(), approvers);
  if (approver === undefined) {
    throw new ToolError("auth", "That is no approver's secret. Nothing was decided.");
  }
  const reason = objection(approver, ticket);
  if (reason !== undefined) throw new ToolError("forbidden", `${reason} Nothing was decided.`);
  return approver;
}

async function firstLine(): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.includes("\n") || text.length > maxSecretBytes) break;
  }
  return text.split("\n", 1)[0]?.trim() ?? "";
}

/** A person at a terminal types the fingerprint, which shows that they have looked at this very request. */
async function personAtTerminal(ticket: Ticket, verdict: Verdict): Promise<string> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new ToolError(
      "forbidden",
      "Deciding needs a person at a terminal, or an approver's secret with --secret-stdin. Nothing was decided.",
    );
  }
  console.log(ticketInFull(ticket, new Date()));
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-C or the end of input closes the terminal and would leave the question open for ever.
  const gone = new Promise<undefined>((resolve) =>
    terminal.once("close", () => resolve(undefined)),
  );
  const asked = terminal.question(`
Type the fingerprint to ${verdict} this: `);
  const typed = await Promise.race([asked, gone]);
  terminal.close();
  if (typed !== undefined && isFingerprint(typed, ticket)) return userInfo().username;
  throw new ToolError("invalid_input", "That is not its fingerprint. Nothing was decided.");
}

function print(
  ticket: Ticket,
  json: boolean,
  inWords: (ticket: Ticket, now: Date) => string,
): void {
  console.log(json ? JSON.stringify(ticketAsData(ticket)) : inWords(ticket, new Date()));
}
