import { ToolError } from "../../core/tool/tool-error.ts";
import { type Approvers, approverOf, isFingerprint, objection } from "../../channels/terminal.ts";
import { askLine, isAtTerminal } from "../platform/ask-line.ts";
import { printLines } from "../platform/print-lines.ts";
import { userName } from "../platform/this-user.ts";

/** Longest secret. Bytes. */
const maxSecretBytes = 4_096;

/** The thing that a person at a terminal decides. */
export interface Subject {
  principal: string;
  fingerprint: string;
  /** The full text that the person sees first. */
  inFull: string;
  question: string;
  /** The end of a refusal: `Nothing was decided.` */
  nothing: string;
}

/**
 * Returns the person who acts in a terminal. They type the fingerprint of the shown text. Scripts pass an approver's
 * secret on standard input instead.
 * @throws ToolError `auth` or `forbidden`
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
    throw new ToolError("auth", `This is not an approver's secret. ${nothing}`);
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

/** Asks for the fingerprint, which shows that the person read this text. */
async function personAtTerminal({
  fingerprint,
  inFull,
  question,
  nothing,
}: Subject): Promise<string> {
  if (!isAtTerminal()) {
    throw new ToolError(
      "forbidden",
      `This needs a person at a terminal, or an approver's secret with --secret-stdin. ${nothing}`,
    );
  }
  printLines(inFull);
  const typed = await askLine(`\n${question}: `);
  if (typed === undefined) throw new ToolError("cancelled", `Cancelled. ${nothing}`);
  if (isFingerprint(typed, fingerprint)) return userName();
  throw new ToolError("invalid_input", `The fingerprint does not match. ${nothing}`);
}
