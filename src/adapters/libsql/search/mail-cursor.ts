import { createHash } from "node:crypto";
import { ToolError } from "../../../core/tool/tool-error.ts";
import type { MailSearch } from "../../../ports/mail/mail-reader.ts";

/** The start of the next page of a search. */
export type Position =
  /**
   * Order by date: messages before this id, or before this date and id. `part`: all, those with hits in subject or
   * sender, or the others.
   */
  | { kind: "date"; part: "all" | "head" | "rest"; before: number; date?: number }
  /**
   * Order by rank: `offset` results were returned, of the messages that existed when the search began. `after` was the
   * last of them. Messages that became searchable later may rank before it.
   */
  | { kind: "rank"; offset: number; lastMailId: number; after: number };

const parts = ["all", "head", "rest"] as const;

/**
 * Returns the identity of a search without page and page size.
 * @param asOf the time to which relative dates refer
 */
export function searchKey(search: MailSearch, asOf: Date | undefined): string {
  const { query, from, after, before, hasAttachment } = search;
  const dates = [after, before, asOf].map((date) => date?.getTime());
  const fields = [query, from, ...dates, hasAttachment].map((field) => field ?? null);
  return createHash("sha256").update(JSON.stringify(fields)).digest("base64url").slice(0, 12);
}

export function writeCursor(key: string, position: Position, asOf: Date | undefined): string {
  const text =
    position.kind === "date"
      ? [`${key}.d${parts.indexOf(position.part)}`, position.before, position.date ?? []]
          .flat()
          .join(".")
      : `${key}.r.${position.offset}.${position.lastMailId}.${position.after}`;
  const since = asOf === undefined ? "" : `.t${asOf.getTime()}`;
  return Buffer.from(text + since).toString("base64url");
}

/**
 * Returns the time of the first page, if the search has relative dates. Otherwise the oldest messages would disappear
 * between pages.
 */
export function cursorTime(cursor: string): Date | undefined {
  const [, ms] = /\.t(\d{1,15})$/.exec(textOf(cursor)) ?? [];
  return ms === undefined ? undefined : new Date(Number(ms));
}

function textOf(cursor: string): string {
  return Buffer.from(cursor, "base64url").toString("latin1");
}

/**
 * Parses a cursor.
 * @throws {ToolError} `invalid_input` if it is malformed or belongs to another search
 */
export function readCursor(cursor: string, key: string): Position {
  const match =
    /^([\w-]{12})\.(?:d([0-2])\.(-?\d{1,16})(?:\.(-?\d{1,16}))?|r\.(\d{1,6})\.(\d{1,15})\.(-?\d{1,16}))(?:\.t\d{1,15})?$/.exec(
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
  const [, , part, before, date, offset, lastMailId, after] = match;
  return before === undefined
    ? { kind: "rank", offset: Number(offset), lastMailId: Number(lastMailId), after: Number(after) }
    : {
        kind: "date",
        part: parts[Number(part)] ?? "all",
        before: Number(before),
        ...(date !== undefined && { date: Number(date) }),
      };
}
