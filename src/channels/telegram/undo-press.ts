import { mayDecide } from "../../core/approvals/decide-ticket.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { ChangeMessages } from "../../ports/people/change-messages.ts";
import type { Undo, UndoOffer } from "../../ports/files/recent-changes.ts";
import { clean } from "./plain-text.ts";

const elsewhere = "Nothing was undone. You can still restore that version in a terminal.";

/** A press this soon after the question is a part of the same press. Milliseconds. */
const readingMs = 2_000;
const confirmWithinMs = 10 * 60_000;
/** Characters of the addresses in a question. The answer to a press has 200. */
const maxNames = 60;

/** The result of a press, or a question that a second press answers. */
export type Pressed = string | { question: string };

/** Creates the undo for the approver who pressed its button. */
export function createUndoPress({
  undo,
  changeMessages,
  clock,
}: {
  undo: Undo;
  changeMessages: Pick<ChangeMessages, "ended">;
  clock: () => Date;
}): (approver: string, undoId: string) => Promise<Pressed | undefined> {
  /** The questions about invited people. Without this memory, after a start, the person is asked again. */
  const asked = new Map<string, number>();

  /** Returns whether the person pressed again after reading the question about this version. */
  function isConfirmed({ undoId, version, invited }: UndoOffer, approver: string): boolean {
    if (invited.length === 0) return true;
    const now = clock().getTime();
    for (const [key, at] of asked) if (now - at > confirmWithinMs) asked.delete(key);
    const key = JSON.stringify([approver, undoId, version]);
    const at = asked.get(key);
    if (at === undefined) asked.set(key, now);
    return at !== undefined && now - at >= readingMs;
  }

  /** Returns undefined if the approver may not undo the change. */
  return async (approver, undoId) => {
    try {
      const offer = await undo.offer(undoId);
      const { principal, key, version, isNewest } = offer;
      if (!mayDecide(approver, principal)) return undefined;
      // The message showed the file as this change left it.
      if (!isNewest)
        return await ended(undoId, `${key} was changed again since then. ${elsewhere}`);
      if (!isConfirmed(offer, approver)) return { question: questionAbout(offer) };
      const { sentence } = await undo.undo(undoId, { by: approver, channel: "telegram", version });
      return await ended(undoId, `Undone: ${sentence}.`);
    } catch (thrown) {
      if (!(thrown instanceof ToolError)) throw thrown;
      const said = [thrown.message, thrown.hint].filter((part) => part !== undefined).join(" ");
      // A retry cannot change these errors.
      const isFinal = thrown.kind === "conflict" || thrown.kind === "not_found";
      return isFinal ? await ended(undoId, thrown.message) : said;
    }
  };

  async function ended(undoId: string, outcome: string): Promise<string> {
    await changeMessages.ended(undoId, outcome);
    return outcome;
  }
}

function questionAbout({ invited }: UndoOffer): string {
  const names = clean(invited.join(", "), maxNames);
  return `Nothing was undone yet. Invited: ${names}. The calendar server may notify them. To undo the change, press Undo again.`;
}
