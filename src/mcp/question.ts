import { randomBytes } from "node:crypto";
import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import { z } from "zod";
import { canonicalJson, sha256Hex } from "../core/digest.ts";
import type { Ticket, Verdict } from "../core/ticket.ts";

/**
 * One required choice without a default: a box that must be ticked is sent as `cancel` by some hosts when it is not, and an
 * empty form is accepted by others on their own (PROTOCOL section 10).
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
      ],
    },
  },
  required: ["decision"],
};

const answer = z.discriminatedUnion("action", [
  z.object({
    action: z.literal("accept"),
    content: z.object({ decision: z.enum(["approve", "deny"]) }),
  }),
  z.object({ action: z.enum(["decline", "cancel"]) }),
]);

/**
 * The form for a ticket. It passes through the client program, so it shows the target's present state only where this client
 * could read that anyway.
 */
export function questionFor(ticket: Ticket): ElicitRequestFormParams {
  const { title, forModel, forPerson, clientMayRead } = ticket.effect;
  const lines = (clientMayRead ? forPerson : forModel).map(
    ({ label, value }) => `${label}: ${value}`,
  );
  const message = [
    `${title}?`,
    ...lines,
    `request: ${ticket.fingerprint}, asked by ${ticket.client}`,
  ];
  return { message: message.join("\n"), requestedSchema };
}

/** What the client says the person answered. `elsewhere`: declined or cancelled. `none`: nothing that is an answer. */
export function readAnswer(response: unknown): Verdict | "elsewhere" | "none" {
  const read = answer.safeParse(response);
  if (!read.success) return "none";
  return read.data.action === "accept" ? read.data.content.decision : "elsewhere";
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
