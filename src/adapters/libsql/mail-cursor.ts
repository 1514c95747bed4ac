import { createHash } from "node:crypto";
import { ToolError } from "../../core/tool-error.ts";
import type { MailSearch } from "../../ports/mail-reader.ts";

/** Where the next page of a search begins. */
export type Position =
  /** By date: messages before this id. `part`: all, those with hits in subject or sender, and the others. */
  | { by: "date"; part: "all" | "head" | "rest"; before: number }
  /** By rank: so many have been handed out, of the messages that were there when the search began. */
  | { by: "rank"; offset: number; lastMailId: number };

const parts = ["all", "head", "rest"] as const;

/** Names a search, page and page size aside. */
export function searchKey({ query, from, after, before, hasAttachment }: MailSearch): string {
  const fields = [query, from, after?.getTime(), before?.getTime(), hasAttachment].map(
    (field) => field ?? null,
  );
  return createHash("sha256").update(JSON.stringify(fields)).digest("base64url").slice(0, 12);
}

export function writeCursor(key: string, position: Position): string {
  const text =
    position.by === "date"
      ? `${key}.d${parts.indexOf(position.part)}.${position.before}`
      : `${key}.r.${position.offset}.${position.lastMailId}`;
  return Buffer.from(text).toString("base64url");
}

/** Throws `invalid_input` for a cursor that is broken or belongs to another search. */
export function readCursor(cursor: string, key: string): Position {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const match = /^([\w-]{12})\.(?:d([0-2])\.(-?\d{1,16})|r\.(\d{1,6})\.(\d{1,15}))$/.exec(text);
  if (match === null || match[1] !== key) {
    throw new ToolError(
      "invalid_input",
      "cursor: it does not belong to this search. Nothing was searched.",
      {
        hint: "Repeat the search with the same fields as before, or leave cursor out.",
      },
    );
  }
  const [, , part, before, offset, lastMailId] = match;
  return before === undefined
    ? { by: "rank", offset: Number(offset), lastMailId: Number(lastMailId) }
    : { by: "date", part: parts[Number(part)] ?? "all", before: Number(before) };
}
