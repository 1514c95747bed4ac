import type { Log } from "../shared/log.ts";
import { type ToolError, asToolError } from "../tool/tool-error.ts";

/**
 * Returns the error that the caller gets, and logs its cause.
 * @param what the tool's name, which begins the log line
 * @param acted true if the call may already have changed something
 */
export function failureOf(log: Log, thrown: unknown, what: string, acted: boolean): ToolError {
  const error = asToolError(thrown, acted);
  const level = error === thrown ? "warn" : "error";
  if (error.cause !== undefined) log[level](`${what}: ${error.message}`, { cause: error.cause });
  return error;
}
