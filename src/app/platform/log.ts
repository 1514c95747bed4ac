import { inspect } from "node:util";
import type { Log } from "../../core/shared/log.ts";
import { visible } from "../../core/shared/text/visible.ts";

const levels = ["debug", "info", "warn", "error"] as const;

/** Creates the log: one line per message on stderr. A cause has its stack only at level `debug`. */
export function createLog(least: (typeof levels)[number]): Log {
  const write =
    (level: (typeof levels)[number]) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      if (levels.indexOf(level) < levels.indexOf(least)) return;
      const shown = Object.entries(fields).map(([name, value]) => `${name}=${inWords(value)}`);
      process.stderr.write(
        `${[`countersign ${level}: ${visible(message)}`, ...shown].join(" ")}\n`,
      );
      if (least === "debug" && fields["cause"] instanceof Error) {
        process.stderr.write(`${inspect(fields["cause"], { depth: 4 })}\n`);
      }
    };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** Formats a value on one line, so that a vendor's or a stranger's text cannot add lines of its own. */
function inWords(value: unknown): string {
  if (value instanceof Error) {
    const cause = value.cause instanceof Error ? `: ${value.cause.message}` : "";
    return visible(`${value.message}${cause}`);
  }
  return visible(typeof value === "string" ? value : inspect(value, { breakLength: Infinity }));
}
