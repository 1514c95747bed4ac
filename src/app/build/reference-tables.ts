import { approvalTimes } from "../../core/approvals/approval.ts";
import { fatigue } from "../../core/approvals/fatigue.ts";
import type { TicketStatus } from "../../core/approvals/ticket.ts";
import { type ErrorKind, ToolError } from "../../core/tool/tool-error.ts";
import { helpText } from "../command-line/help-text.ts";
import { commands } from "../commands.ts";

/** Formats one row of a Markdown table. */
const row = (texts: readonly string[]): string =>
  `| ${texts.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;

export const code = (text: string): string => `\`${text}\``;

/** Formats a Markdown table: the header, then the rows. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(header), `|${"---|".repeat(header.length)}`, ...rows.map(row)].join("\n");
}

/** Lists every command with its summary, then prints the help of each. */
export async function commandsReference(): Promise<string> {
  const usages = await Promise.all(
    commands.map(async ({ name, load }) => {
      const { command } = await load();
      return `## ${name}\n\n\`\`\`\n${helpText(name, command)}\n\`\`\``;
    }),
  );
  const summaries = commands.map(({ name, summary }) => [`[${code(name)}](#${name})`, summary]);
  return [table(["command", "what it does"], summaries), ...usages].join("\n\n");
}

const causes: Record<ErrorKind, string> = {
  invalid_input: "An argument is missing, unknown or malformed. The message names each one.",
  not_found:
    "The message, file, event or approval request does not exist, or belongs to another caller.",
  conflict: "The target has changed since it was read or since the approval was given.",
  too_large: "The content exceeds a limit. The message names the limit.",
  forbidden:
    "The policy denies this call, a person paused everything that needs approval, or an external service refuses it.",
  denied: "A person denied the call.",
  approval_required:
    "The call needs an approval and has none yet. The error names the approval request.",
  not_configured: "A setting is missing. The message names it.",
  budget_exceeded: "A limit on calls is used up, or too many approval requests wait.",
  rate_limited: "An external service asked for a pause.",
  timeout: "The call or an external service took too long.",
  unavailable: "An external service or the database cannot be reached.",
  auth: "An external service rejected the credentials from the settings.",
  cancelled: "The client cancelled the call.",
  internal: "The server failed, or a run ended without a report.",
};

/** Lists every kind of error, and whether the same call may succeed later. */
export function errorsTable(): string {
  const kinds = Object.keys(causes) as ErrorKind[];
  return table(
    ["kind", "cause", "retry the same call"],
    kinds.map((kind) => [
      code(kind),
      causes[kind],
      new ToolError(kind, "").retryable ? "later" : "no",
    ]),
  );
}

const seconds = (ms: number): string => `${ms / 1_000} seconds`;
const minutes = (ms: number): string => `${ms / 60_000} minutes`;
const hours = (ms: number): string => `${ms / 3_600_000} hours`;

/** For each status: how the request leaves it, the result of an identical call, and the result of `check_approval`. */
const life: Record<TicketStatus, readonly [leaves: string, identicalCall: string, check: string]> =
  {
    pending: [
      "A person decides, `APPROVAL_TTL_SECONDS` pass, a newer request replaces it, or its tool is withheld.",
      "The call joins the request, waits up to `APPROVAL_WAIT_MS`, and ends with `approval_required`.",
      "status and expiry time",
    ],
    approved: [
      `The run starts within ${minutes(approvalTimes.runWithin)}, or the request expires.`,
      "The call claims the request and runs it.",
      "status and the advice to repeat the call",
    ],
    running: [
      `The run ends. Without a renewal for ${seconds(approvalTimes.lease)} it becomes \`unknown\`.`,
      "The call waits and ends with `approval_required`.",
      "status",
    ],
    done: [
      `Nothing. The result is deleted after ${hours(approvalTimes.keepEnded)}.`,
      "The first call gets the result, if no call has received it yet. A later call opens a new request that says when it was done.",
      "the result",
    ],
    failed: ["Nothing.", "The call opens a new request.", "the stored error"],
    unknown: [
      "Nothing.",
      "The call opens a new request that warns of a possible earlier run. No rule applies to it.",
      "what to check",
    ],
    denied: [
      "Nothing.",
      `The call ends with \`denied\` for ${minutes(approvalTimes.denialLasts)}. After that it opens a new request.`,
      "approval channel, time and the person's sentence",
    ],
    expired: ["Nothing.", "The call opens a new request.", "why it expired"],
  };

/** Formats the life of an approval request as a table. */
export function lifeTable(): string {
  return table(
    ["status", "what ends it", "an identical call", "`check_approval` returns"],
    Object.entries(life).map(([status, cells]) => [code(status), ...cells]),
  );
}

/** Lists the limits that protect a person from approval fatigue. */
export function fatigueTable(): string {
  return table(
    ["limit", "value"],
    [
      ["Approval requests of one caller that wait at a time", String(fatigue.waitingAtMost)],
      [
        "Age at which a waiting request may be replaced by a new one",
        seconds(fatigue.replaceableAfterMs),
      ],
      [
        "Time for which a request that a person has seen is replaced after unseen ones",
        minutes(fatigue.seenForMs),
      ],
      [
        "Requests that each have their own buttons; more are shown as one list",
        String(fatigue.decidedOneByOne),
      ],
      [
        "Denials that pause everything that needs approval",
        `${fatigue.denialsBeforePause} within ${minutes(fatigue.denialsWithinMs)}, of requests younger than ${minutes(fatigue.freshForMs)}, without "may ask again"`,
      ],
      ["Time for which a denial blocks the same target", minutes(approvalTimes.denialLasts)],
      [
        "Time within which an answer in the client's dialog is accepted",
        minutes(approvalTimes.answerWithin),
      ],
    ],
  );
}
