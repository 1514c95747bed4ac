import type { Database } from "../driver/database.ts";
import type { Row, SqlValue } from "../driver/statement.ts";
import { foldedCase } from "./folding.ts";
import { type IdsAround, idsAround } from "../mail/mail-order.ts";
import { numberOf, textOf } from "../mail/mail-row.ts";
import { type Expression, gathered, negated } from "./search-expression.ts";
import { ftsExpression } from "./search-text.ts";

export interface SqlFragment {
  sql: string;
  args: SqlValue[];
}

/** The conditions of a search besides its words. */
export interface Filter {
  /** The range of ids for its dates: from, and below. */
  from: number;
  below: number;
  /** Conditions on a row of `mail`, and on one of `mail_words`. Each begins with AND or is empty. */
  mailCondition: SqlFragment;
  /** On a row of `mail_words`. */
  hitCondition: SqlFragment;
  /** The largest number of messages that pass. Infinite if unknown. */
  most: number;
}

const nothing: SqlFragment = { sql: "", args: [] };

/** The filter that all messages pass. */
export const noFilter: Filter = {
  from: -Infinity,
  below: Infinity,
  mailCondition: nothing,
  hitCondition: nothing,
  most: Infinity,
};

/** The ids of messages that an index has for a person or an attachment. */
interface IdSet {
  /** A table with `search_id`. `indexed` selects its index on `search_id`. */
  table: string;
  indexed: string;
  /** The condition on a row. A plus before its column prevents the use of the index. */
  where: (plus: string) => SqlFragment;
  /** The number of messages. If `isMany`, only a lower bound. */
  count: number;
  isMany: boolean;
}

/**
 * From this many ids, and from a twelfth of all mail, each candidate is tested. Smaller sets are collected once. Both
 * cost about a third of a microsecond per id, but testing stops as soon as enough are found.
 */
export const manyIds = 20_000;

const lastId = Number.MAX_SAFE_INTEGER;

/**
 * Creates the function that reads a search's conditions besides its words. It looks up people and the amount of their
 * mail.
 */
export function searchFilter(database: Database, fewestMany: number) {
  const many = `${fewestMany} + (SELECT coalesce(max(mail_id), 0) / 12 FROM mail)`;

  return async function filterOf(
    expressions: readonly Expression[],
    displaced: number,
  ): Promise<Filter> {
    const dates = expressions.filter((expression) => expression.kind === "since");
    const range = {
      from: Math.max(
        -Infinity,
        ...dates.filter(({ isNot }) => !isNot).map(({ date }) => boundsOf(date).from),
      ),
      below: Math.min(
        Infinity,
        ...dates.filter(({ isNot }) => isNot).map(({ date }) => boundsOf(date, displaced).below),
      ),
    };
    const others = expressions.filter(
      (one) => one.kind !== "since" || !areExact(boundsOf(one.date, displaced)),
    );
    const [inRange, clauses] = await Promise.all([
      mostIn(range),
      Promise.all(others.map((expression) => clauseOf(expression, displaced))),
    ]);
    return {
      ...range,
      mailCondition: andAll(clauses.map(({ toSql }) => toSql("mail.search_id"))),
      hitCondition: andAll(clauses.map(({ toSql }) => toSql("mail_words.rowid"))),
      most: Math.min(inRange, ...clauses.map(({ most }) => most)),
    };
  };

  async function clauseOf(expression: Expression, displaced: number): Promise<Clause> {
    const words = ftsExpression(expression);
    if (words !== undefined) return withWords(words, "");
    const unwanted = ftsExpression(negated(expression));
    if (unwanted !== undefined) return withWords(unwanted, "NOT ");
    switch (expression.kind) {
      case "from":
        return sentBy(expression.who, !expression.isNot);
      case "to":
        return memberOf(await sentTo(expression.who), !expression.isNot);
      case "attachment":
        return memberOf(await attached(), !expression.isNot);
      case "file":
        return memberOf(await withFile(expression.wanted), !expression.isNot);
      case "since":
        return dated(expression, displaced);
      case "all":
      case "any":
        return several(
          expression.kind,
          await Promise.all(gathered(expression).map((one) => clauseOf(one, displaced))),
        );
      case "words":
        throw new Error("The index has an expression for each word.");
    }
  }

  /**
   * Returns the condition on the sender. Each message has one, so if a word matches most senders, excluding the others
   * is cheaper.
   */
  async function sentBy(who: readonly string[], isWanted: boolean): Promise<Clause> {
    const fitting = await senders(who, "> 0");
    const others = fitting.isMany ? await senders(who, "= 0") : fitting;
    return others.isMany || !fitting.isMany
      ? memberOf(fitting, isWanted)
      : memberOf(others, !isWanted);
  }

  async function senders(who: readonly string[], fits: "> 0" | "= 0"): Promise<IdSet> {
    return {
      table: "mail",
      indexed: "INDEXED BY mail_with_sender",
      ...(await people("sender_id", { of: "mail_senders", in: "mail" }, who, fits)),
    };
  }

  async function sentTo(who: readonly string[]): Promise<IdSet> {
    return {
      table: "mail_sent_to",
      indexed: "",
      ...(await people("recipient_id", { of: "mail_recipients", in: "mail_sent_to" }, who, "> 0")),
    };
  }

  async function people(
    id: string,
    table: { of: string; in: string },
    who: readonly string[],
    fits: "> 0" | "= 0",
  ) {
    const forms = who.map(foldedCase);
    const any = forms.map(() => `instr(folded, ?) ${fits}`).join(fits === "> 0" ? " OR " : " AND ");
    const { rows } = await database.read({
      sql: `WITH who (id) AS MATERIALIZED (SELECT ${id} FROM ${table.of} WHERE ${any})
        SELECT (SELECT json_group_array(id) FROM who) AS ids,
          ${counted(`${table.in} WHERE ${id} IN (SELECT id FROM who)`)}`,
      args: forms,
    });
    const [row = {}] = rows;
    const ids = textOf(row, "ids") ?? "[]";
    return {
      ...countOf(row),
      where: (plus: string): SqlFragment => ({
        sql: `${plus}${id} IN (SELECT value FROM json_each(?))`,
        args: [ids],
      }),
    };
  }

  function counted(rows: string): string {
    return `${many} AS many, (SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ${many})) AS count`;
  }

  async function mostIn({ from, below }: Pick<Filter, "from" | "below">): Promise<number> {
    if (!Number.isFinite(from) && !Number.isFinite(below)) return Infinity;
    const { rows } = await database.read({
      sql: `SELECT ${counted("mail WHERE search_id >= ? AND search_id < ?")}`,
      args: [Math.max(-lastId, from), Math.min(below, lastId)],
    });
    const { count, isMany } = countOf(rows[0] ?? {});
    return isMany ? Infinity : count;
  }

  async function withFile(wanted: string): Promise<IdSet> {
    const table =
      "(SELECT search_id, folded FROM mail_attachments JOIN mail USING (mail_id) WHERE search_id IS NOT NULL)";
    const where = (plus: string): SqlFragment => ({
      sql: `instr(${plus}folded, ?) > 0`,
      args: [wanted],
    });
    const { sql, args } = where("");
    const { rows } = await database.read({
      sql: `SELECT ${counted(`${table} WHERE ${sql}`)}`,
      args,
    });
    return { table, indexed: "", where, ...countOf(rows[0] ?? {}) };
  }

  async function attached(): Promise<IdSet> {
    const { rows } = await database.read({
      sql: `SELECT ${counted("mail WHERE attachment_count > 0")}`,
      args: [],
    });
    return {
      table: "mail",
      indexed: "INDEXED BY mail_with_attachment",
      where: () => ({ sql: "attachment_count > 0", args: [] }),
      ...countOf(rows[0] ?? {}),
    };
  }
}

interface Clause {
  /** Writes the condition on a column with ids. */
  toSql: (column: string) => SqlFragment;
  most: number;
}

function countOf(row: Row): Pick<IdSet, "count" | "isMany"> {
  const count = numberOf(row, "count") ?? 0;
  return { count, isMany: count >= (numberOf(row, "many") ?? 0) };
}

/** Builds the condition that a message is, or is not, in a set. */
function memberOf(ids: IdSet, isWanted: boolean): Clause {
  const not = isWanted ? "" : "NOT ";
  return {
    most: isWanted && !ids.isMany ? ids.count : Infinity,
    toSql: (column) => (ids.isMany ? lookUp : collect)(ids, column, not),
  };
}

function lookUp({ table, indexed, where }: IdSet, column: string, not: string): SqlFragment {
  const { sql, args } = where("+known.");
  return {
    sql: `${not}${lookedUp(table, column, sql, indexed)}`,
    args,
  };
}

/** Returns the condition that a row of a table with the id of a column has another condition. */
export function lookedUp(table: string, column: string, condition: string, indexed = ""): string {
  return `EXISTS (SELECT 1 FROM ${table} AS known ${indexed} WHERE known.search_id = ${column} AND ${condition})`;
}

function collect({ table, where }: IdSet, column: string, not: string): SqlFragment {
  const { sql, args } = where("");
  return {
    sql: `${noIndex(column)} ${not}IN (SELECT search_id FROM ${table} WHERE ${sql} AND search_id IS NOT NULL)`,
    args,
  };
}

function withWords(expression: string, not: string): Clause {
  const hits = "SELECT rowid FROM mail_words WHERE mail_words MATCH ?";
  return {
    most: Infinity,
    toSql: (column) => ({ sql: `${noIndex(column)} ${not}IN (${hits})`, args: [expression] }),
  };
}

/**
 * Builds the condition on the date. The date in the row decides about ids near the date, and about as many ids after it
 * as a message may be displaced.
 */
function dated({ date, isNot }: { date: Date; isNot: boolean }, displaced: number): Clause {
  const bounds = boundsOf(date, displaced);
  const { from, below } = bounds;
  return {
    most: Infinity,
    toSql: (column) => {
      const id = noIndex(column);
      if (areExact(bounds)) return { sql: `${id} ${isNot ? "<" : ">="} ?`, args: [from] };
      const known = (compared: string): string =>
        lookedUp("mail", column, `known.date ${compared} ?`);
      return isNot
        ? { sql: `(${id} < ? OR ${id} < ? AND ${known("<")})`, args: [from, below, date.getTime()] }
        : {
            sql: `(${id} >= ? OR ${id} >= ? AND ${known(">=")})`,
            args: [below, from, date.getTime()],
          };
    },
  };
}

const areExact = ({ from, below }: IdsAround): boolean => from === below;

function several(kind: "all" | "any", clauses: readonly Clause[]): Clause {
  const most = clauses.map((one) => one.most);
  return {
    most: kind === "all" ? Math.min(...most) : most.reduce((sum, one) => sum + one, 0),
    toSql: (column) => {
      const conditions = clauses.map(({ toSql }) => toSql(column));
      return {
        sql: `(${conditions.map(({ sql }) => sql).join(kind === "all" ? " AND " : " OR ")})`,
        args: conditions.flatMap(({ args }) => args),
      };
    },
  };
}

/** Adds a plus, so that SQLite does not look up the words once per id. */
function noIndex(column: string): string {
  return column.startsWith("mail_words") ? `+${column}` : column;
}

/**
 * Returns the ids around a date within the driver's integer range.
 * @param displaced the largest number of ids by which a message may be too high
 */
function boundsOf(date: Date, displaced = 0): IdsAround {
  const { from, below } = idsAround(date);
  const within = (id: number): number => Math.max(-lastId, Math.min(id, lastId));
  return { from: within(from), below: within(below + displaced) };
}

function andAll(conditions: readonly SqlFragment[]): SqlFragment {
  return {
    sql: conditions.map(({ sql }) => ` AND ${sql}`).join(""),
    args: conditions.flatMap(({ args }) => args),
  };
}
