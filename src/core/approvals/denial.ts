import { randomBytes } from "node:crypto";
import { oneLine } from "../shared/clean-text.ts";
import type { Decision } from "./ticket.ts";

/** A sentence or two; whoever has more to say says it in the conversation. Characters. */
export const maxNoteCharacters = 500;

/** What a person says with a denial, as it is kept: one line, nothing invisible, at most 500 characters. Undefined for nothing. */
export function denialNote(text: string | undefined): string | undefined {
  const note = oneLine(text ?? "", maxNoteCharacters);
  return note === "" ? undefined : note;
}

/** The decision as it is kept: an approval has neither a note nor the permission to ask again. */
export function withoutIdleWords<D extends Omit<Decision, "at">>(decision: D): D {
  const { note, mayAskAgain, ...made } = decision;
  if (made.verdict === "approve") return made as D;
  const kept = denialNote(note);
  return {
    ...made,
    ...(kept !== undefined && { note: kept }),
    ...(mayAskAgain && { mayAskAgain }),
  } as D;
}

/**
 * The person's words for the model, between markers with an id that nobody can know beforehand: the words cannot end them.
 * Undefined if nothing was said.
 */
export function noteForModel({ note }: Decision): string | undefined {
  if (note === undefined) return undefined;
  const id = randomBytes(6).toString("hex");
  return `The user says: [user ${id}] ${note} [end of user ${id}]`;
}
