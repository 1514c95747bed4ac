import { createHash } from "node:crypto";
import { ToolError } from "../../../core/tool/tool-error.ts";
import type { MailSearch } from "../../../ports/mail/mail-reader.ts";

/** Where the next page of a search begins. */
export type Position =
  /** By date: messages before this id. `part`: all, those with hits in subject or sender, and the others. */
  | { by: "date"; part: "all" | "head" | "rest"; before: number }
  /**
   * By rank: so many have been handed out, of the messages that were there when the search began, and `after` was the last.
   * What was being read then may be found since and rank before it.
   */
  | { by: "rank"; offset: number; lastMailId: number; after: number };

const parts = ["all", "head", "rest"] as const;

/** Names a search, page and page size aside. `asOf`: the time that it counts back from. */
export function searchKey(search: MailSearch, asOf: Date | undefined): string {
  const { query, from, after, before, hasAttachment } = search;
  const dates = [after, before, asOf].map((date) => date?.getTime());
  const fields = [query, from, ...dates, hasAttachment].map((field) => field ?? null);
  return createHash("sha256").update(JSON.stringify(fields)).digest("base64url").slice(0, 12);
}

export function writeCursor(key: string, position: Position, asOf: Date | undefined): string {
  const text =
    position.by === "date"
      ? `${key}.d${parts.indexOf(position.part)}.${position.before}`
      : `${key}.r.${position.offset}.${position.lastMailId}.${position.after}`;
  const since = asOf === undefined ? "" : `.t${asOf.getTime()}`;
  return Buffer.from(text + since).toString("base64url");
}

/** The time of the first page, where the search counts back: else the oldest messages would drop out between two pages. */
export function cursorTime(cursor: string): Date | undefined {
  const [, ms] = /\.t(\d{1,15})$/.exec(textOf(cursor)) ?? [];
  return ms === undefined ? undefined : new Date(Number(ms));
}

function textOf(cursor: string): string {
  return Buffer.from(cursor, "base64url").toString("latin1");
}

/** Throws `invalid_input` for a cursor that is broken or belongs to another search. */
export function readCursor(cursor: string, key: string): Position {
  const match =
    /^([\w-]{12})\.(?:d([0-2])\.(-?\d{1,16})|r\.(\d{1,6})\.(\d{1,15})\.(-?\d{1,16}))(?:\.t\d{1,15})?$/.exec(
      textOf(cursor),
    );
  if (match === null || match[1] !== key) {
    throw new ToolError(
      "invalid_input",
      "cursor: it does not belong to this search. Nothing was searched.",
      {
        hint: "Repeat the search with the same fields as before, or leave cursor out.",
      },
    );
  }
  const [, , part, before, offset, lastMailId, after] = match;
  return before === undefined
    ? { by: "rank", offset: Number(offset), lastMailId: Number(lastMailId), after: Number(after) }
    : { by: "date", part: parts[Number(part)] ?? "all", before: Number(before) };
}
