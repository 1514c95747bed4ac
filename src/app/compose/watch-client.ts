import { appendFileSync } from "node:fs";
import {
  type ClientEvent,
  type ClientReport,
  addEvent,
  emptyReport,
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

/** Tries the file before the client connects, which would wait for an answer until its own time limit. */
function openTrace(file: string): void {
  try {
    appendFileSync(file, "", { mode: 0o600 });
  } catch (cause) {
    const reasons: Readonly<Record<string, string>> = {
      EISDIR: "it is a directory",
      ENOENT: "its directory does not exist",
    };
    const why = reasons[systemCode(cause) ?? ""] ?? "this user may not write it";
    throw new ToolError(
      "invalid_input",
      `The trace cannot be written to ${file}: ${why}. Nothing was started.`,
      { cause },
    );
  }
}
