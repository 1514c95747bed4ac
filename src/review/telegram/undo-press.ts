import { mayDecide } from "../../core/approvals/decide-ticket.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { ChangeMessages } from "../../ports/people/change-messages.ts";
import type { Undo } from "../../ports/files/recent-changes.ts";

const elsewhere = "Nothing was undone. You can still restore that version in a terminal.";

/**
 * Undoes a change for the approver who pressed its button. Returns the result, or undefined if they may not undo it.
 */
export async function undoFor(
  approver: string,
  undoId: string,
  { undo, changeMessages }: { undo: Undo; changeMessages: ChangeMessages },
): Promise<string | undefined> {
  try {
    const { principal, key, version, isNewest } = await undo.offer(undoId);
    if (!mayDecide(approver, principal)) return undefined;
    // The message showed the file as this change left it.
    if (!isNewest) return await ended(`${key} was changed again since then. ${elsewhere}`);
    const { sentence } = await undo.undo(undoId, { by: approver, channel: "telegram", version });
    return await ended(`Undone: ${sentence}.`);
  } catch (thrown) {
    if (!(thrown instanceof ToolError)) throw thrown;
    const said = [thrown.message, thrown.hint].filter((part) => part !== undefined).join(" ");
    // A retry cannot change these errors.
    const isFinal = thrown.kind === "conflict" || thrown.kind === "not_found";
    return isFinal ? await ended(thrown.message) : said;
  }

  async function ended(outcome: string): Promise<string> {
    await changeMessages.ended(undoId, outcome);
    return outcome;
  }
}
