import { userInfo } from "node:os";
import { ToolError } from "../../core/tool/tool-error.ts";
import { type Approvers, approverOf, isFingerprint, objection } from "../../review/terminal.ts";
import { askLine } from "../platform/ask-line.ts";

/** Longest secret that is read. Bytes. */
const maxSecretBytes = 4_096;

/** What a person at a terminal is about to say yes or no to. */
export interface Subject {
  principal: string;
  fingerprint: string;
  /** All of it, as it is shown before. */
  inFull: string;
  question: string;
  /** What a refusal ends with: `Nothing was decided.` */
  nothing: string;
}

/**
 * Who it is that acts in a terminal: who types the fingerprint of what is shown, or, for scripts, whose secret comes on
 * standard input. Throws `auth` or `forbidden` for anybody else.
 */
export async function provenPerson(
  subject: Subject,
  { approvers, secretStdin }: { approvers: Approvers; secretStdin: boolean },
): Promise<string> {
  return secretStdin ? await provenApprover(subject, approvers) : await personAtTerminal(subject);
}

async function provenApprover(
  { principal, nothing }: Subject,
  approvers: Approvers,
): Promise<string> {
  if (approvers.length === 0) {
    throw new ToolError("not_configured", `--secret-stdin needs APPROVERS. ${nothing}`);
  }
  const approver = approverOf(await firstLine(), approvers);
  if (approver === undefined) {
    throw new ToolError("auth", `That is no approver's secret. ${nothing}`);
  }
  const reason = objection(approver, principal);
  if (reason !== undefined) throw new ToolError("forbidden", `${reason} ${nothing}`);
  return approver;
}

/** Reads the first line of standard input, for a secret that a script gives. */
export async function firstLine(): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.includes("\n") || text.length > maxSecretBytes) break;
  }
  return text.split("\n", 1)[0]?.trim() ?? "";
}

/** A person at a terminal types the fingerprint, which shows that they have looked at this very thing. */
async function personAtTerminal({
  fingerprint,
  inFull,
  question,
  nothing,
}: Subject): Promise<string> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new ToolError(
      "forbidden",
      `This needs a person at a terminal, or an approver's secret with --secret-stdin. ${nothing}`,
    );
  }
  console.log(inFull);
  const typed = await askLine(`\n${question}: `);
  if (typed !== undefined && isFingerprint(typed, fingerprint)) return userInfo().username;
  throw new ToolError("invalid_input", `That is not its fingerprint. ${nothing}`);
}
