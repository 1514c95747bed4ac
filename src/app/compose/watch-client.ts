import { appendFileSync } from "node:fs";
import { type ClientReport, addEvent, emptyReport } from "../../core/shared/client-report.ts";
import type { Log } from "../../core/shared/log.ts";
import { type WireWatch, watchWire } from "../../mcp/watch-wire.ts";
import type { CallRuntime } from "./call-runtime.ts";

/**
 * Watches the client of one connection. Its events go to the trace file, and its report to the database after a first
 * call and after each dialog.
 * @param file undefined writes no trace
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

  async function remember(): Promise<void> {
    const { memory } = await runtime();
    // The client may have been asked in an earlier connection.
    const before = await memory.find(report.name, report.version);
    await memory.keep({ ...(before?.dialog && { dialog: before.dialog }), ...report });
  }

  return watchWire((event) => {
    report = addEvent(report, event);
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(event)}\n`, { mode: 0o600 });
    const isFirstCall = event.event === "message" && event.method === "tools/call";
    if (!isFirstCall && event.event !== "answered") return;
    remember().catch((cause: unknown) => log.warn("storing the client's report failed", { cause }));
  });
}
