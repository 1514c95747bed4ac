import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import {
  type ClientEvent,
  type ClientReport,
  addEvent,
  answersByItself,
  emptyReport,
  needsOtherChannels,
} from "../../core/shared/client-report.ts";
import { quotedClient } from "../../core/shared/text/client-name.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { knownClient } from "../../mcp/known-clients.ts";
import { whyUnreadable } from "../platform/safe-file.ts";
import type { ClientMemory } from "../../ports/people/client-memory.ts";

/** A line of a trace. Any file can be named as one. */
const clientEvent: z.ZodType<ClientEvent> = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("client"),
    name: z.string(),
    version: z.string(),
    capabilities: z.array(z.string()),
  }),
  z.object({ kind: z.literal("protocol"), version: z.string() }),
  z.object({ kind: z.literal("message"), method: z.string() }),
  z.object({ kind: z.literal("forwards"), what: z.string() }),
  z.object({ kind: z.literal("dialog") }),
  z.object({
    kind: z.literal("answered"),
    answer: z.enum(["accept", "decline", "cancel", "nothing"]),
    afterMs: z.number(),
  }),
]);

/**
 * Returns the report of a trace file, or the reports of the recorded clients whose names begin with the text.
 * @throws ToolError if there is none
 */
export async function reportsOf(
  given: string,
  memory: ClientMemory,
): Promise<readonly ClientReport[]> {
  if (existsSync(given)) return [readTrace(given)];
  const all = await memory.list();
  const found = all.filter(({ name }) => name.toLowerCase().startsWith(given.toLowerCase()));
  if (found.length > 0) return found;
  const names = all.map(({ name }) => quotedClient(name)).join(", ");
  throw new ToolError(
    "not_found",
    `Neither a recorded client nor a trace file has this name. Recorded clients: ${names === "" ? "none" : names}.`,
  );
}

function readTrace(path: string): ClientReport {
  const notTrace = (cause?: unknown): ToolError =>
    new ToolError("invalid_input", `${path} is not a trace of serve --trace.`, { cause });
  const lines = textOf(path)
    .split("\n")
    .filter((line) => line !== "");
  if (lines.length === 0) throw notTrace();
  try {
    return lines.map((line) => clientEvent.parse(JSON.parse(line))).reduce(addEvent, emptyReport);
  } catch (cause) {
    throw notTrace(cause);
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const hint = "Name the file that `serve --trace` wrote, or a client.";
    throw new ToolError("invalid_input", `${path} ${whyUnreadable(cause)}.`, { cause, hint });
  }
}

/** Describes a client, one line for each capability. */
export function reportLines(report: ClientReport): readonly string[] {
  const { name, version, protocol, capabilities, methods, forwards } = report;
  const list = (words: readonly string[]): string =>
    words.length === 0 ? "none" : words.join(", ");
  const canAsk = capabilities.includes("elicitation");
  const form = knownClient(name) === undefined ? "text and structured content" : "text alone";
  return [
    `client: ${quotedClient(name)} ${version}`,
    `protocol: ${protocol ?? "not known"}`,
    `capabilities: ${list(capabilities)}`,
    `messages: ${list(methods)}`,
    `forwards: ${list(forwards)}`,
    `results: ${form}`,
    `dialog: ${dialogLine(report, canAsk)}`,
    `approval channels: ${channelsLine(report, canAsk)}`,
  ];
}

function dialogLine(report: ClientReport, canAsk: boolean): string {
  const { dialog, name } = report;
  if (dialog === undefined) {
    const known = knownClient(name)?.dialog === "answers by itself";
    const tests = known ? " In tests it answered without a person." : "";
    return canAsk ? `offered, and not used yet.${tests}` : "not offered";
  }
  if (dialog.answer === "nothing") return "not answered";
  const what = `${dialog.answer} after ${dialog.afterMs} ms`;
  return answersByItself(report) ? `answered by itself (${what})` : `shown and answered (${what})`;
}

function channelsLine(report: ClientReport, canAsk: boolean): string {
  if (!canAsk) return "page, Telegram and terminal immediately";
  return needsOtherChannels(report)
    ? "page, Telegram and terminal immediately, beside the dialog"
    : "the dialog first, then page, Telegram and terminal";
}
