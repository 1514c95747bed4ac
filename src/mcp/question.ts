import { randomBytes } from "node:crypto";
import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import { z } from "zod";
import { quotedClient } from "../core/shared/client-name.ts";
import { maxNoteCharacters } from "../core/approvals/denial.ts";
import { canonicalJson, sha256Hex } from "../core/shared/digest.ts";
import type { AskingChannel, Ticket } from "../core/approvals/ticket.ts";
import type { ChannelDecision } from "../core/approvals/decide-ticket.ts";

/**
 * One required choice without a default: a box that must be ticked is sent as `cancel` by some hosts when it is not, and an
 * empty form is accepted by others on their own. The text is optional and comes last, so that a form without it is complete.
 */
const requestedSchema: ElicitRequestFormParams["requestedSchema"] = {
  type: "object",
  properties: {
    decision: {
      type: "string",
      title: "Decision",
      oneOf: [
        { const: "approve", title: "Approve once" },
        { const: "deny", title: "Deny" },
        { const: "deny_may_ask_again", title: "Deny, may ask again with changes" },
      ],
    },
    message: {
      type: "string",
      title: "If you deny: what to do instead (optional)",
      maxLength: maxNoteCharacters,
    },
  },
  required: ["decision"],
};

const answer = z.discriminatedUnion("action", [
  z.object({
    action: z.literal("accept"),
    content: z.object({
      decision: z.enum(["approve", "deny", "deny_may_ask_again"]),
      // A client that sends something else there has decided all the same.
      message: z.string().optional().catch(undefined),
    }),
  }),
  z.object({ action: z.enum(["decline", "cancel"]) }),
]);

/** Characters of a dialog's second line, besides the fingerprint: Claude Code shows three lines and no more. */
const secondLineCharacters = 120;

/**
 * The form for a ticket. Some clients show three lines of it: the first says what happens, the second the weightiest facts
 * and the fingerprint. The client's own word for itself is last, and quoted.
 */
export function questionFor(ticket: Ticket): ElicitRequestFormParams {
  const { headline, facts, withheld } = ticket.effect.forDialog;
  const place = withheld === undefined ? undefined : whereShown(ticket.channels);
  const told = facts.map(({ label, value }) => `${label}: ${value}`);
  const short = fitting(told);
  const message = [
    place === undefined ? headline : `${headline}; ${withheld} is ${place}`,
    [...told.slice(0, short), `request ${ticket.fingerprint}`].join("; "),
    ...told.slice(short),
    `asked by ${quotedClient(ticket.client)}`,
  ];
  return { message: message.join("\n"), requestedSchema };
}

/** How many of these fit the second line together. */
function fitting(told: readonly string[]): number {
  let left = secondLineCharacters;
  const first = told.findIndex((line) => (left -= line.length + 2) < 0);
  return first === -1 ? told.length : first;
}

const places: Readonly<Partial<Record<AskingChannel, string>>> = {
  page: "on the approval page",
  telegram: "in Telegram",
  terminal: 'at a terminal, with "countersign approvals"',
};

/** The first other channel that may decide the request; undefined if there is none. */
function whereShown(channels: readonly AskingChannel[]): string | undefined {
  return channels.map((channel) => places[channel]).find((place) => place !== undefined);
}

/** What the client says the person decided. */
export type Answer = Pick<ChannelDecision, "verdict" | "note" | "mayAskAgain">;

/** `elsewhere`: declined or cancelled, by whoever. `none`: nothing that is an answer. */
export function readAnswer(response: unknown): Answer | "elsewhere" | "none" {
  const read = answer.safeParse(response);
  if (!read.success) return "none";
  if (read.data.action !== "accept") return "elsewhere";
  const { decision, message } = read.data.content;
  if (decision === "approve") return { verdict: "approve" };
  return {
    verdict: "deny",
    ...(message !== undefined && { note: message }),
    ...(decision === "deny_may_ask_again" && { mayAskAgain: true }),
  };
}

/** Random, single use, and of no meaning to anybody but us. */
export function newState(): string {
  return randomBytes(24).toString("base64url");
}

/**
 * What is kept of a state: it binds the answer to the caller, the tool and the very arguments of the question, so that an
 * answer that comes back with anything else is simply not known.
 */
export function stateHash(
  state: string,
  call: { principal: string; tool: string; arguments: unknown },
): string {
  return sha256Hex(canonicalJson([state, call.principal, call.tool, call.arguments ?? {}]));
}
