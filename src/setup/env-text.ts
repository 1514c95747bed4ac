import { parseEnv } from "node:util";

/**
 * The text of an `.env` file with these settings in it; whatever else stands there stays, and where it stood. A setting with an
 * empty value is taken out. Undefined where Node's own reader (`util.parseEnv`) would not read exactly that.
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
    // A value that goes on in the next line.
    if (/=\s*(["'`])(?!.*\1)/.test(lines[at] ?? "")) return undefined;
    const others = (from: number, to?: number): string[] =>
      lines.slice(from, to).filter((line) => !isOwn.test(line));
    lines = at < 0 ? [...lines, ...own] : [...others(0, at), ...own, ...others(at)];
  }
  const changed = lines.length === 0 ? "" : `${lines.join("\n")}\n`;
  return isRead(changed, { ...parseEnv(text), ...changes }) ? changed : undefined;
}

/** In the first quotes that it does not hold itself; in double ones Node reads `\n` as a new line. */
function quoted(value: string): string {
  if (/^[A-Za-z0-9_./:@,+=~-]*$/.test(value)) return value;
  const quote = ["'", "`", '"'].find((mark) => !value.includes(mark)) ?? "";
  return `${quote}${value}${quote}`;
}

/** Lines within quotes, or a value with all three of them, are more than an edit line by line can do. */
function isRead(text: string, expected: NodeJS.Dict<string>): boolean {
  const read = parseEnv(text);
  const names = new Set([...Object.keys(read), ...Object.keys(expected)]);
  return [...names].every((name) => (read[name] ?? "") === (expected[name] ?? ""));
}
