import { randomBytes } from "node:crypto";
import { oneLine } from "../shared/text/clean-text.ts";
import type { Decision } from "./ticket.ts";

/** A sentence or two. Longer remarks belong in the conversation. Characters. */
export const maxNoteCharacters = 500;

/**
 * Returns a person's note on a denial as it is stored: one line, no invisible characters, at most 500 characters.
 * Undefined if empty.
 */
export function denialNote(text: string | undefined): string | undefined {
  const note = oneLine(text ?? "", maxNoteCharacters);
  return note === "" ? undefined : note;
}

/** Returns the decision as it is stored. An approval has neither a note nor the permission to ask again. */
export function storedDecision<D extends Omit<Decision, "at">>(decision: D): D {
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
 * Wraps the person's note for the model in markers with a random id, so that the note cannot end them. Undefined
 * without a note.
 */
export function noteForModel({ note }: Decision): string | undefined {
  if (note === undefined) return undefined;
  const id = randomBytes(6).toString("hex");
  return `The user says: [user ${id}] ${note} [end of user ${id}]`;
}
