import { statSync } from "node:fs";
import { platform } from "node:os";
import { dirname } from "node:path";
import { ConfigError } from "../../config/config-error.ts";
import { inShell } from "../../core/shared/text/shell-word.ts";
import { readIfPresent } from "./safe-file.ts";

/** Strict and without the byte order mark, which Node's parser would read as part of the first name. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads the file of settings, or returns undefined if it does not exist. Warns if other users can read it.
 * Lines that are not settings become comments, with a warning.
 * @throws ConfigError if other users can change it, this user cannot read it, or it is not UTF-8
 */
export function readEnvFile(file: string, warn: (message: string) => void): string | undefined {
  const bytes = readIfPresent(file);
  if (bytes === undefined) return undefined;
  if (othersMay(0o022, file))
    throw problem(file, `can be changed by other users; run: chmod 600 ${inShell(file)}`);
  if (othersMay(0o022, dirname(file))) {
    const ownFolder = "move it into a folder that only you can change";
    throw problem(file, `is in a folder that other users can change; ${ownFolder}`);
  }
  if (othersMay(0o044, file))
    warn(`${file} can be read by other users; run: chmod 600 ${inShell(file)}`);
  const lines = decoded(file, bytes).split("\n");
  const { stray, linesOf } = scan(lines);
  // Node's parser would take such a line as the beginning of the next setting's name.
  for (const line of stray) lines[line] = `# ${lines[line]}`;
  if (stray.length > 0) warn(`${file}, ${formatLines(stray)}: not NAME=VALUE, without effect.`);
  const repeated = [...linesOf].filter(([, of]) => of.length > 1);
  for (const [name, of] of repeated.slice(0, maxNamed))
    warn(`${file}, ${formatLines(of)}: ${name} is set more than once. The last value applies.`);
  if (repeated.length > maxNamed)
    warn(`${file}: ${repeated.length - maxNamed} more settings are set more than once.`);
  return lines.join("\n");
}

/** Limit on lines that a warning names, and on such warnings. */
const maxNamed = 5;

function formatLines(indexes: readonly number[]): string {
  const named = indexes.slice(0, maxNamed).map((index) => index + 1);
  const more = indexes.length - named.length;
  const list = [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  return `${indexes.length === 1 ? "line" : "lines"} ${list}`;
}

function decoded(file: string, bytes: Buffer): string {
  const notText = (): ConfigError => problem(file, "is not UTF-8 text; save it as UTF-8");
  // Windows PowerShell writes UTF-16, in which every second byte of a setting is zero.
  if (bytes.includes(0)) throw notText();
  try {
    return utf8.decode(bytes);
  } catch {
    throw notText();
  }
}

/**
 * Returns the indexes of lines outside quoted values that have another form than settings and comments, and of the
 * lines on which each setting begins.
 */
function scan(lines: readonly string[]): {
  stray: readonly number[];
  linesOf: ReadonlyMap<string, readonly number[]>;
} {
  const stray: number[] = [];
  const linesOf = new Map<string, number[]>();
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const [setting, name, quote] = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(["'`]?)/.exec(line) ?? [];
    if (setting === undefined || name === undefined) {
      if (!/^\s*(?:#|$)/.test(line)) stray.push(at);
      continue;
    }
    linesOf.set(name, [...(linesOf.get(name) ?? []), at]);
    if (quote !== undefined && quote !== "" && !line.slice(setting.length).includes(quote)) {
      // The value ends with the next quote, which may be some lines below. Without one it ends with the line.
      const end = lines.findIndex((each, below) => below > at && each.includes(quote));
      if (end !== -1) at = end;
    }
  }
  return { stray, linesOf };
}

/** Windows has no such bits. There the rules of the profile directory apply. */
export function othersMay(bits: number, path: string): boolean {
  return platform() !== "win32" && (statSync(path).mode & bits) !== 0;
}

function problem(setting: string, text: string): ConfigError {
  return new ConfigError([{ setting, problem: text }]);
}
