import { randomBytes } from "node:crypto";
import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import { z } from "zod";
import { quotedClient } from "../core/shared/text/client-name.ts";
import { maxNoteCharacters } from "../core/approvals/denial.ts";
import { canonicalJson, sha256Hex } from "../core/shared/digest.ts";
import { type ChannelsHere, whereShown } from "../core/approvals/directions.ts";
import { columnsOf, withShortNames } from "../core/shared/text/visible.ts";
import type { Ticket } from "../core/approvals/ticket.ts";
import type { ChannelDecision } from "../core/approvals/decide-ticket.ts";
import { canLeaveTextEmpty } from "./known-clients.ts";

/**
 * One required choice without a default, because some clients send `cancel` for an unticked box, and others accept an
 * empty form on their own.
 */
const decision = {
  type: "string",
  title: "Decision",
  oneOf: [
    { const: "approve", title: "Approve once" },
    { const: "deny", title: "Deny" },
    { const: "deny_may_ask_again", title: "Deny, may ask again with changes" },
  ],
} as const;

const message = {
  type: "string",
  title: "If you deny: what to do instead (optional)",
  maxLength: maxNoteCharacters,
} as const;

/** Returns the form. The optional text comes last, so that a form without it is complete. */
function formFor(client: string): ElicitRequestFormParams["requestedSchema"] {
  return {
    type: "object",
    properties: canLeaveTextEmpty(client) ? { decision, message } : { decision },
    required: ["decision"],
  };
}

const answer = z.discriminatedUnion("action", [
  z.object({
    action: z.literal("accept"),
    content: z.object({
      decision: z.enum(["approve", "deny", "deny_may_ask_again"]),
      // An invalid message does not make the decision invalid.
      message: z.string().optional().catch(undefined),
    }),
  }),
  z.object({ action: z.enum(["decline", "cancel"]) }),
]);

/** Columns of a line in a window of 80 columns. Claude Code shows three lines and cuts each at the window's edge. */
const lineColumns = 76;

/**
 * Builds the question about a ticket for a client. Some clients show only three lines. The first has the effect, and
 * the second the main facts and the fingerprint. A long name loses its middle in the first line, and is complete in the
 * third. The client's own name is last and quoted.
 */
export function questionFor(
  ticket: Ticket,
  here: ChannelsHere,
  client: string,
): ElicitRequestFormParams {
  const { headline, facts, withheld } = ticket.effect.forDialog;
  const place = withheld === undefined ? undefined : whereShown(here, ticket);
  const pointer = place === undefined ? [] : [`${withheld} is ${place}`];
  const short = shortened(headline);
  const first = [short, ...pointer].join("; ");
  const isFirst = columnsOf(first) <= lineColumns;
  const entries = facts.map(({ label, value }) => `${label}: ${value}`);
  const rest = isFirst ? entries : [...entries, ...pointer];
  const fingerprint = `request ${ticket.fingerprint}`;
  const fit = fitting(rest, lineColumns - fingerprint.length);
  const lines = [
    isFirst ? first : short,
    [...rest.slice(0, fit), fingerprint].join("; "),
    ...(short === headline ? [] : [`in full: ${headline}`]),
    ...packed(rest.slice(fit)),
    `asked by ${quotedClient(ticket.client)}`,
  ];
  return { message: lines.join("\n"), requestedSchema: formFor(client) };
}

/**
 * Cuts names so that the facts fit into a line. Only a time zone at the end may be outside, because the time in the
 * person's own zone follows.
 */
function shortened(headline: string): string {
  const zone = / \([^()"]*\)$/.exec(headline)?.[0] ?? "";
  const short = withShortNames(headline.slice(0, headline.length - zone.length), lineColumns);
  return columnsOf(headline) <= lineColumns ? headline : short + zone;
}

/** Returns how many facts fit into a line. */
function fitting(entries: readonly string[], columns: number): number {
  let left = columns;
  const first = entries.findIndex((line) => (left -= columnsOf(line) + 2) < 0);
  return first === -1 ? entries.length : first;
}

/** Joins facts to lines that a window shows completely. A longer fact has its own line. */
function packed(entries: readonly string[]): string[] {
  const lines: string[] = [];
  for (const fact of entries) {
    const joined = [...lines.slice(-1), fact].join("; ");
    if (lines.length > 0 && columnsOf(joined) <= lineColumns) lines[lines.length - 1] = joined;
    else lines.push(fact);
  }
  return lines;
}

/** The person's decision as the client reports it. */
export type DialogAnswer = Pick<ChannelDecision, "verdict" | "note" | "mayAskAgain">;

/** Parses an answer. `elsewhere`: declined or cancelled. `none`: no valid answer. */
export function readAnswer(response: unknown): DialogAnswer | "elsewhere" | "none" {
  const read = answer.safeParse(response);
  if (!read.success) return "none";
  if (read.data.action !== "accept") return "elsewhere";
  const { decision: verdict, message: note } = read.data.content;
  if (verdict === "approve") return { verdict };
  return {
    verdict: "deny",
    ...(note !== undefined && { note }),
    ...(verdict === "deny_may_ask_again" && { mayAskAgain: true }),
  };
}

/** Returns a random single-use state that has no meaning outside this server. */
export function newState(): string {
  return randomBytes(24).toString("base64url");
}

/**
 * Computes the stored hash of a state. It binds the answer to the caller, the tool and the arguments of the question.
 * An answer with other values is unknown.
 */
export function stateHash(
  state: string,
  call: { principal: string; tool: string; arguments: unknown },
): string {
  return sha256Hex(canonicalJson([state, call.principal, call.tool, call.arguments ?? {}]));
}
