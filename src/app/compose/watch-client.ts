import { appendFileSync, closeSync, openSync, readSync, statSync } from "node:fs";
import {
  type ClientEvent,
  type ClientReport,
  addEvent,
  emptyReport,
  isEventLine,
} from "../../core/shared/client-report.ts";
import type { Log } from "../../core/shared/log.ts";
import { type WireWatch, watchWire } from "../../mcp/watch-wire.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { systemCode } from "../platform/safe-file.ts";
import type { CallRuntime } from "./call-runtime.ts";

/**
 * Watches the client of one connection. Its events go to the trace file, and its report to the database after a first
 * call and after each dialog.
 * @param file undefined writes no trace
 * @throws ToolError if the trace cannot be written
 */
export function watchClient({
  file,
  runtime,
  log,
}: {
  file: string | undefined;
  /** Returns the runtime, which a call has opened already. */
  runtime: () => Promise<CallRuntime>;
  log: Log;
}): WireWatch {
  let report: ClientReport = emptyReport;
  if (file !== undefined) openTrace(file);

  function trace(to: string, event: ClientEvent): void {
    try {
      appendFileSync(to, `${JSON.stringify(event)}\n`, { mode: 0o600 });
    } catch (cause) {
      log.warn("writing the trace failed", { cause });
    }
  }

  async function remember(): Promise<void> {
    const { memory } = await runtime();
    // The client may have been asked in an earlier connection.
    const before = await memory.find(report.name, report.version);
    await memory.keep({ ...(before?.dialog && { dialog: before.dialog }), ...report });
  }

  return watchWire((event) => {
    report = addEvent(report, event);
    if (file !== undefined) trace(file, event);
    const isFirstCall = event.kind === "message" && event.method === "tools/call";
    if (!isFirstCall && event.kind !== "answered") return;
    remember().catch((cause: unknown) => log.warn("storing the client's report failed", { cause }));
  });
}

/**
 * Tries the file before the client connects, which would wait for an answer until its own time limit. An existing file
 * must be empty or an earlier trace, because it may be the person's.
 */
function openTrace(file: string): void {
  const refused = (why: string, cause?: unknown): ToolError =>
    new ToolError(
      "invalid_input",
      `The trace cannot be written to ${file}: ${why}. Nothing was started.`,
      { cause },
    );
  let isTrace: boolean;
  try {
    isTrace = beginsAsTrace(file);
    if (isTrace) appendFileSync(file, "", { mode: 0o600 });
  } catch (cause) {
    const reasons: Readonly<Record<string, string>> = {
      EISDIR: "it is a directory",
      ENOENT: "its directory does not exist",
    };
    throw refused(reasons[systemCode(cause) ?? ""] ?? "this user may not write it", cause);
  }
  if (!isTrace) throw refused("it exists and is not a trace. Name another file");
}

/** Bytes of a file that are read to recognise a trace. Its first line is short. */
const headBytes = 64 * 1_024;

/** Returns whether a file is missing, empty or a trace. A pipe or device has no content to damage. */
function beginsAsTrace(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return true;
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(headBytes);
    const length = readSync(file, head, 0, headBytes, 0);
    const [first = ""] = head.toString("utf8", 0, length).split("\n");
    return length === 0 || isEventLine(first);
  } finally {
    closeSync(file);
  }
}
