import { parseEnv } from "node:util";

/**
 * Returns the text of an `.env` file with these settings. Other content keeps its place. An empty value removes a
 * setting. Undefined if Node's own parser (`util.parseEnv`) would read the result differently.
 */
export function withSettings(
  text: string,
  changes: Readonly<Record<string, string>>,
): string | undefined {
  let lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  for (const [name, value] of Object.entries(changes)) {
    const own = value === "" ? [] : [`${name}=${quoted(value)}`];
    const isOwn = new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`);
    const at = lines.findIndex((line) => isOwn.test(line));
    // A value that continues on the next line.
    if (/=\s*(["'`])(?!.*\1)/.test(lines[at] ?? "")) return undefined;
    const others = (from: number, to?: number): string[] =>
      lines.slice(from, to).filter((line) => !isOwn.test(line));
    lines = at < 0 ? [...lines, ...own] : [...others(0, at), ...own, ...others(at)];
  }
  const changed = lines.length === 0 ? "" : `${lines.join("\n")}\n`;
  return isRead(changed, { ...parseEnv(text), ...changes }) ? changed : undefined;
}

/**
 * Quotes a value with the first kind of quotes that it does not contain. In double quotes Node reads `
 * ` as a line end.
 */
function quoted(value: string): string {
  if (/^[A-Za-z0-9_./:@,+=~-]*$/.test(value)) return value;
  const quote = ["'", "`", '"'].find((mark) => !value.includes(mark)) ?? "";
  return `${quote}${value}${quote}`;
}

/**
 * Returns whether Node reads the expected values. Multi-line values, or values with all three quotes, cannot be edited
 * line by line.
 */
function isRead(text: string, expected: NodeJS.Dict<string>): boolean {
  const read = parseEnv(text);
  const names = new Set([...Object.keys(read), ...Object.keys(expected)]);
  return [...names].every((name) => (read[name] ?? "") === (expected[name] ?? ""));
}
