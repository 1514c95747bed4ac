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
      const shown = Object.entries(fields).map(([name, value]) => `${name}=${formatValue(value)}`);
      process.stderr.write(
        `${[`countersign ${level}: ${visible(message)}`, ...shown].join(" ")}\n`,
      );
      if (least === "debug" && fields["cause"] instanceof Error) {
        process.stderr.write(`${stackOf(fields["cause"])}\n`);
      }
    };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** The longest value of a field. Untrusted text must not fill the disk. Characters. */
const maxCharacters = 2_000;

/** The longest stack with its causes, which contain the messages of errors. Characters. */
const maxStackCharacters = 20_000;

/** Formats an error with its stack. Its lines stay, and all other characters become visible. */
function stackOf(error: Error): string {
  const text = inspect(error, { depth: 4 });
  const lines = text.slice(0, maxStackCharacters).split("\n").map(visible).join("\n");
  return text.length <= maxStackCharacters ? lines : `${lines}... (${text.length} characters)`;
}

/** Formats a value on one line, so that a vendor's text or untrusted text cannot add lines of its own. */
function formatValue(value: unknown): string {
  const text = textOf(value);
  if (text.length <= maxCharacters) return visible(text);
  return `${visible(text.slice(0, maxCharacters))}... (${text.length} characters)`;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (!(value instanceof Error)) return inspect(value, { breakLength: Infinity });
  const cause = value.cause instanceof Error ? `: ${value.cause.message}` : "";
  return `${value.message}${cause}`;
}
