import { type ErrorKind, ToolError, type ToolErrorDetails } from "../../../core/tool/tool-error.ts";
import type { Failure } from "./worker-messages.ts";

/** The thread ended during a request, so a write may or may not have been done. */
export const threadEnded = "THREAD_ENDED";
/** Every attempt to extend the chain lost the race against other processes. */
export const busyChain = "BUSY_CHAIN";
/** The database has migrations that this version does not know. */
export const newerDatabase = "NEWER_DATABASE";
/** A database server's response is larger than any result of ours. */
export const endlessResponse = "ENDLESS_RESPONSE";
/** `countersign copy` has begun to fill the database and has not finished. */
export const unfinishedCopy = "UNFINISHED_COPY";

/** The database has tables, and they are those of another program. */
export const foreignDatabase = "FOREIGN_DATABASE";

/** The server refuses statements because of a plan's limit (sqld and Turso). */
const blocked = "BLOCKED";

type Explanation = (database: string, isRemote: boolean) => [ErrorKind, string, string?];

const damaged: Explanation = (database) => [
  "not_configured",
  `The file ${database} is damaged or is not a database.`,
  "Restore it from a backup, or move it away to start with an empty one.",
];
const forbidden: Explanation = (database) => [
  "unavailable",
  `The database ${database} cannot be opened or written.`,
  "Check that its directory exists and belongs to the user who runs this.",
];
const full: Explanation = (database) => [
  "unavailable",
  `There is no space left on the disk of the database ${database}.`,
  "Free some space, then try again.",
];
/** The native part of the driver is a package of its own for each system, which npm may leave out. */
const notInstalled: Explanation = (database) => [
  "not_configured",
  `The database ${database} was not opened, because this installation lacks the driver for this system.`,
  "Install Countersign again on this machine, with optional dependencies.",
];
const inUse: Explanation = (database) => [
  "unavailable",
  `Another program keeps the database ${database} locked.`,
  "Try again in a few seconds.",
];

/** Explanations by SQLite's and Node's codes. Other codes mean a bug or an unreachable server. */
const explanations: Readonly<Record<string, Explanation>> = {
  SQLITE_BUSY: inUse,
  SQLITE_LOCKED: inUse,
  SQLITE_FULL: full,
  ENOSPC: full,
  EDQUOT: full,
  SQLITE_NOTADB: damaged,
  SQLITE_CORRUPT: damaged,
  EISDIR: damaged,
  MODULE_NOT_FOUND: notInstalled,
  ERR_DLOPEN_FAILED: notInstalled,
  SQLITE_CANTOPEN: forbidden,
  SQLITE_READONLY: forbidden,
  SQLITE_PERM: forbidden,
  SQLITE_AUTH: forbidden,
  EACCES: forbidden,
  EPERM: forbidden,
  EROFS: forbidden,
  ENOENT: forbidden,
  ENOTDIR: forbidden,
  EEXIST: forbidden,
  SQLITE_IOERR: (database) => [
    "unavailable",
    `The disk of the database ${database} could not be read or written.`,
    "Check the disk and its free space, then try again.",
  ],
  SQLITE_NOMEM: (database) => ["unavailable", `There is too little memory for ${database}.`],
  SQLITE_TOOBIG: () => ["too_large", "This is larger than the database can hold."],
  SQLITE_CONSTRAINT: () => ["conflict", "This conflicts with stored data."],
  [blocked]: (database) => [
    "unavailable",
    `The database server ${database} refuses statements, for example because a limit of your plan is reached.`,
    "Check the plan and its usage at the provider.",
  ],
  [busyChain]: () => ["unavailable", "Too many processes write to the audit record."],
  [newerDatabase]: (database) => [
    "not_configured",
    `The database ${database} was created by a newer version of this program.`,
    "Install that version, or set another database.",
  ],
  [unfinishedCopy]: (database) => [
    "not_configured",
    `The database ${database} has an unfinished copy of another one.`,
    "Run the same copy again, or empty this database.",
  ],
  [foreignDatabase]: (database, isRemote) => [
    "not_configured",
    isRemote
      ? `The database on ${database} has tables of another program with the same names.`
      : `The file ${database} is a database of another program.`,
    isRemote
      ? "Set DATABASE_URL to an empty database."
      : "Move the file away, or set DATABASE_URL or COUNTERSIGN_DATA_DIR to another place.",
  ],
  [endlessResponse]: (database) => [
    "unavailable",
    `The response of the database server ${database} did not end.`,
  ],
  [threadEnded]: (database) => [
    "unavailable",
    `The thread that works with the database ${database} ended.`,
  ],
};

/**
 * Converts a vendor's error to ours, the only place to do so.
 * @param database a file name or a server's host, without path or secret
 */
export function databaseError(failure: Failure, database: string, isRemote: boolean): ToolError {
  const [kind, what, hint] = (explanations[failure.code] ?? otherwise(failure, isRemote))(
    database,
    isRemote,
  );
  // SQLite rolls back every failed write. Only after a lost response may a write have been done.
  const mayBeWritten = failure.phase === "write" && responseWasLost(failure, isRemote);
  const details: ToolErrorDetails = {
    cause: Object.assign(new Error(failure.text), { code: failure.code }),
    ...(hint !== undefined && { hint }),
    ...(mayBeWritten && { sideEffects: "unknown" as const }),
  };
  return new ToolError(
    kind,
    `${what} ${mayBeWritten ? "It may have been written." : "Nothing was changed."}`,
    details,
  );
}

/** Returns whether a failed write may still have taken effect. */
export function responseWasLost({ code }: Pick<Failure, "code">, isRemote: boolean): boolean {
  const isRefused = code === blocked || code.startsWith("SQLITE_");
  return code === threadEnded || (isRemote && !isRefused);
}

function otherwise({ code, phase, text }: Failure, isRemote: boolean): Explanation {
  // The driver reports an unreadable file without a code.
  if (!isRemote && phase === "open" && code !== "SQLITE_ERROR") return forbidden;
  if (!isRemote || code.startsWith("SQLITE_")) {
    return () => ["internal", "The database refused a statement of this program."];
  }
  if (/\b40[13]\b/.test(text)) {
    return (database) => [
      "auth",
      `The database server ${database} refused the token.`,
      "Correct DATABASE_AUTH_TOKEN.",
    ];
  }
  return (database) => [
    "unavailable",
    `The database server ${database} did not answer.`,
    "Check DATABASE_URL, and whether the database server runs.",
  ];
}
