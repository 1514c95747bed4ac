import { type HranaServer, startHrana } from "./hrana.ts";
import { startSqld } from "./sqld.ts";

/** The path of a real libSQL server. With it, all tests of a database server run against that program. */
export const sqld = process.env["SQLD"];

/**
 * Starts a libSQL server.
 * @param path the file of its database, which tests also open directly
 */
export const startDatabaseServer = async (path: string): Promise<HranaServer> =>
  sqld === undefined ? await startHrana(path) : await startSqld(sqld, path);
